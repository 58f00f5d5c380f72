"""Write the model card from what was measured.

    python recipes/default/card.py docs/quality.json src/samehand/models/default \\
        -o docs/model-card.md

QUALITY_JSON comes from `benchmarks/quality.py --write` with the same MODEL; another model's is
refused. Every figure is read from it or from the model's own description when the card is written.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import card_text as text
from card_failures import failures
from card_tables import (
    calibration_table,
    case_table,
    data_table,
    known_table,
    length_table,
    network_table,
    number,
    peer_table,
    percent,
    set_table,
)

from samehand.cautions.caution import plain_lr
from samehand.errors import InputError
from samehand.model.description import Description
from samehand.model.folder import StoredModel, read_model
from samehand.report.model_card import ModelCard

Json = dict[str, Any]


def card(quality: Json, model: StoredModel, size: int) -> str:
    """The whole card of a model whose files have so many bytes."""
    described = ModelCard.of(model)
    parts = [
        f"# Model card: {described.name}",
        text.MADE,
        "## What it is",
        _what(described, size),
        network_table(described.networks),
        "## What it is for",
        text.INTENDED,
        "## What it learned from",
        text.DATA,
        data_table(described.data),
        *_evidence(model.description, described.genres),
        text.RIGHTS,
        "## How it was made",
        _training(model.description),
        "## Results",
        _trials(quality),
        "### By genre",
        text.MEASURES,
        set_table(quality),
        "### By length",
        text.LENGTH,
        length_table(quality),
        *_known(quality),
        *_case(quality),
        "### Undecided",
        _undecided(quality),
        "### Calibration",
        _calibration(described),
        calibration_table(quality),
        "### Against published methods",
        *([text.PEERS, peer_table(quality)] if len(quality["systems"]) > 1 else [text.NO_PEERS]),
        "## Where it fails",
        failures(quality),
        "## Limits",
        text.LIMITS,
        "## Misuse",
        text.MISUSE,
        "## Train your own",
        text.OWN,
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _what(described: ModelCard, size: int) -> str:
    n = len(described.networks)
    return text.filled(
        text.WHAT,
        networks=f"{n} networks map" if n > 1 else "A network maps",
        each="The distances of all networks are averaged." if n > 1 else "",
        evidence=described.in_words,
        genres=len(described.genres),
        sha256=described.sha256,
        made_by=described.made_by,
        size=f"{size / 1e6:.0f}",
        tokens=f"{min(network.most_tokens for network in described.networks):,}",
    )


def _evidence(description: Description, genres: tuple[str, ...]) -> list[str]:
    """Data that the evidence was fitted to, if it was."""
    fitted = description.about.training.get("evidence")
    if not isinstance(fitted, dict):
        return []
    counts = {key: f"{fitted[key]:,}" for key in ("trials", "texts", "authors")}
    return [text.filled(text.EVIDENCE, genres=", ".join(genres), n_genres=len(genres), **counts)]


def _training(description: Description) -> str:
    trained = description.about.training.get("networks")
    networks: list[Any] = list(trained.values()) if isinstance(trained, dict) else []
    settings = [network["settings"] for network in networks]

    def values(key: str) -> str:
        return " or ".join(sorted({f"{each[key]:,}" for each in settings}))

    kept = sorted({each["scoring"]["authors"] for each in settings})
    return text.filled(
        text.TRAINING,
        epochs=values("epochs"),
        pairs=values("batch_pairs"),
        seeds=", ".join(str(each["seed"]) for each in settings),
        kept=" or ".join(percent(share) for share in kept),
        on=description.about.validation.on,
    )


def _trials(quality: Json) -> str:
    ours = quality["systems"][0]
    kinds = "; ".join(
        f"*{kind}*, {text.KINDS.get(kind, kind)} (the networks have met {found['met']} of these "
        "genres): "
        f"{found['pooled'][ours]['n']:,} trials in {found['sets']} sets"
        for kind, found in quality["kinds"].items()
    )
    return text.filled(text.TRIALS, trials=kinds, resamples=quality["resamples"])


def _known(quality: Json) -> list[str]:
    if "several_known" not in quality:
        return []
    return ["### By number of known texts", text.KNOWN, known_table(quality)]


def _case(quality: Json) -> list[str]:
    if "adapting" not in quality:
        return []
    return ["### Adapted to a case", text.CASE, case_table(quality)]


def _undecided(quality: Json) -> str:
    told = "; ".join(
        f"{kind}: {percent(found['decided']['undecided'])} undecided, errors from "
        f"{percent(found['decided']['error'])} to {percent(found['decided']['error, decided'])}"
        for kind, found in quality["kinds"].items()
    )
    return text.filled(text.UNDECIDED, told=told)


def _calibration(described: ModelCard) -> str:
    low, high = (plain_lr(bound) for bound in described.log10_lr_bounds)
    bounds = text.BOUNDS if described.validated else text.NO_BOUNDS
    figures = described.validation.figures
    told = {name: number(figures.get(name)) for name in ("auc", "cllr", "ece")}
    return text.filled(text.CALIBRATION.rstrip("\n") + bounds, low=low, high=high, **told)


def read(quality_json: Path, folder: Path) -> tuple[Json, StoredModel, int]:
    """The sources of the card, checked to be about one model."""
    try:
        quality = json.loads(quality_json.read_text("utf-8"))
        measured = quality["model"]["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{quality_json}: no figures of benchmarks/quality.py.") from None
    model = read_model(folder)
    if model.sha256 != measured:
        raise InputError(
            f"{quality_json}: figures of another model ({measured[:12]}…); that in {folder} has "
            f"the SHA-256 {model.sha256[:12]}…, so measure it first (benchmarks/quality.py)."
        )
    if not model.description.about.data.training:
        raise InputError(
            f"{folder}: does not say how much of each source it learned from; prepare the store "
            "again with this version, and train on that."
        )
    return quality, model, sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quality", type=Path, metavar="QUALITY_JSON")
    parser.add_argument("model", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    try:
        written = card(*read(options.quality, options.model))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    options.output.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
