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
    data_table,
    length_table,
    member_table,
    peer_table,
    set_table,
)

from samehand.cautions.sentences import plain_lr
from samehand.considered import REJECTED, UNSURE, WEAK
from samehand.errors import InputError
from samehand.report.model_card import describe

Json = dict[str, Any]


def card(quality: Json, model: Json, training: list[Json]) -> str:
    """The whole card; `training` holds the settings each member was trained with."""
    parts = [
        f"# Model card: {model['name']}",
        text.MADE,
        "## What it is",
        _what(model),
        member_table(model["members"]),
        "## What it is for",
        text.INTENDED,
        "## What it learnt from",
        text.DATA,
        data_table(model["data"]),
        text.RIGHTS,
        "## How it was trained",
        _training(training),
        "## Results",
        _trials(quality),
        "### By genre",
        text.MEASURES,
        set_table(quality),
        "### By length",
        text.LENGTH,
        length_table(quality),
        *_non_responses(quality),
        "### Calibration",
        _calibration(model),
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


def _what(model: Json) -> str:
    members = model["members"]
    several = len(members) > 1
    size = model["bytes"] / 1e6
    return text.filled(
        text.WHAT,
        networks=f"{len(members)} networks, whose posteriors are averaged," if several else "One",
        verb="map" if several else "network maps",
        sha256=model["sha256"],
        made_by=model["made_by"],
        size=f"{size:.0f}",
        tokens=f"{min(member['most_tokens'] for member in members):,}",
    )


def _training(training: list[Json]) -> str:
    def values(key: str) -> str:
        return " or ".join(sorted({f"{settings[key]:,}" for settings in training}))

    kept = sorted({settings["scoring"]["authors"] for settings in training})
    return text.filled(
        text.TRAINING,
        epochs=values("epochs"),
        pairs=values("batch_pairs"),
        seeds=", ".join(str(settings["seed"]) for settings in training),
        kept=" or ".join(f"{100 * share:.0f} %" for share in kept),
    )


def _non_responses(quality: Json) -> list[str]:
    """A section, where known and new genres were measured."""
    kinds = quality.get("non_responses", {})
    if not {"dev", "shift"} <= set(kinds):
        return []
    names = {"unanswered": "unanswered", "all_errors": "error, all answered", "errors": "error"}
    shown = {
        prefix + name: f"{100 * kinds[kind][column]:.0f} %"
        for prefix, kind in (("", "dev"), ("new_", "shift"))
        for name, column in names.items()
    }
    limits = {"weak": WEAK, "unsure": UNSURE, "votes": f"{100 * REJECTED:.0f} %"}
    return ["### Non-responses", text.filled(text.NON_RESPONSES, **shown, **limits)]


def _trials(quality: Json) -> str:
    ours = quality["systems"][0]
    trials = {
        kind: sum(
            scores[ours]["n"]
            for name, scores in quality["sets"].items()
            if name.split("-")[0] == kind
        )
        for kind in quality["kinds"]
    }
    kinds = "; ".join(
        f"{text.KINDS.get(kind, kind)}: {trials[kind]:,} in {found['sets']} sets"
        for kind, found in quality["kinds"].items()
    )
    return text.filled(text.TRIALS, trials=kinds, resamples=quality["resamples"])


def _calibration(model: Json) -> str:
    validation = model["validation"]
    low, high = (plain_lr(bound) for bound in validation["log10_lr_bounds"])
    bounds = text.BOUNDS if validation["validated"] else text.NO_BOUNDS
    return text.filled(text.CALIBRATION.rstrip("\n") + bounds, low=low, high=high)


def read(quality_json: Path, folder: Path) -> tuple[Json, Json, list[Json]]:
    """What the card is written from, checked to be about one model."""
    try:
        quality = json.loads(quality_json.read_text("utf-8"))
        measured = quality["model"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{quality_json}: no figures of benchmarks/quality.py.") from None
    model = describe(folder)
    if model["sha256"][:12] not in measured:
        raise InputError(
            f"{quality_json}: figures of another model ({measured}); that in {folder} has the "
            f"SHA-256 {model['sha256'][:12]}…, so measure it first (benchmarks/quality.py)."
        )
    if not model["data"]["training"]:
        raise InputError(
            f"{folder}: does not say how much of each source it learnt from; prepare the store "
            "again with this version, and train on that."
        )
    names = [member["name"] for member in model["members"]]
    folders = [folder / name for name in names] if len(names) > 1 else [folder]
    descriptions = [json.loads((one / "model.json").read_text("utf-8")) for one in folders]
    return quality, model, [description["about"]["training"] for description in descriptions]


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
