"""What a model is: its members, what it learnt from, where it was tried, and what it is for."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from samehand.evaluation.validation import Validation
from samehand.judgement import bounds_of
from samehand.network.weights import Member, load_members
from samehand.text.vocabulary import SPECIAL
from samehand.verifier import DEFAULT_MODEL

RESEARCH = (
    "The weights are for research and evaluation: they come from research corpora and public "
    "posts under mixed terms. They contain none of that text."
)
UNSTATED = "The model does not say; it depends on the rights in the text that it learnt from."

TRIED = (
    "Its likelihood ratios were tried on the English texts named here and nowhere else: on other "
    "genres, periods and lengths, and on texts that are disguised, edited or made by a machine, "
    "they may mislead in either direction."
)
UNTRIED = (
    "It states no validation, so its likelihood ratios have not been shown to hold for any kind "
    "of text."
)
ALWAYS = (
    "It compares texts and names no author: what it says is one piece of evidence, never to be "
    "used to unmask people who write without their name."
)


def describe(folder: Path) -> dict[str, Any]:
    """All there is to know of the model in a folder, as plain values. Its files are checked."""
    members, description = load_members(folder)
    about = description.get("about") or {}
    bounds, validated = bounds_of(description)
    names = list(description.get("members", {})) or [""]
    return {
        "name": str(about.get("name") or folder.resolve().name),
        "sha256": str(description.get("sha256", "")),
        "made_by": str(description.get("made_by", "")),
        "bytes": _size(folder.rglob("*")),
        "members": [
            _member(folder / name, member) for name, member in zip(names, members, strict=True)
        ],
        "data": _data(about.get("data")),
        "validation": Validation.of(description).as_dict()
        | {"validated": validated, "log10_lr_bounds": list(bounds)},
        "calibration": _calibration(about.get("calibration")),
        "population": about.get("population"),
        "limits": f"{TRIED if validated else UNTRIED} {ALWAYS}",
        "use": str(about.get("use") or _use(folder)),
    }


def _size(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.is_file())


def _member(folder: Path, member: Member) -> dict[str, Any]:
    network, vocabulary, _ = member
    config = network.config
    return {
        "name": folder.resolve().name,
        "parameters": sum(weights.numel() for weights in network.parameters()),
        "bytes": _size(folder.iterdir()),
        "words": len(vocabulary.words) - len(SPECIAL),
        "characters": len(vocabulary.characters) - len(SPECIAL),
        "masking": config.masking,
        "lev_size": config.lev_width,
        "impostors": config.impostors,
        "most_tokens": config.windowing.span(config.windowing.cap),
    }


def _data(stated: Any) -> dict[str, Any]:
    """What the store said of itself. Its `sources` are those of all parts, not of training alone.

    Of each source that was trained on, `training` has the counts, where they are stated.
    """
    data = stated if isinstance(stated, dict) else {}
    return {
        "sources": data.get("sources") or [],
        "parts": _counts(data.get("parts")),
        "training": _counts(data.get("training")),
    }


def _counts(stated: Any) -> dict[str, dict[str, Any]]:
    """Those that are counts by name."""
    named = stated if isinstance(stated, dict) else {}
    return {name: counts for name, counts in named.items() if isinstance(counts, dict)}


def _calibration(stated: Any) -> dict[str, Any] | None:
    """How its last stage was fitted, without the digests of all texts; None where it was not."""
    if not isinstance(stated, dict):
        return None
    return {key: value for key, value in stated.items() if key not in ("texts", "underlying")}


def _use(folder: Path) -> str:
    return RESEARCH if folder.resolve() == DEFAULT_MODEL.resolve() else UNSTATED
