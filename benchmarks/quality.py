"""How good are our answers, next to those of published methods, on the same trials?

    python benchmarks/quality.py TRIALS --train TRAIN [--model DIR] [--write]

TRIALS is a folder of trial sets in PAN's format with their truth; what stands before the first
hyphen of a set's name is its kind. TRAIN is a folder of training text (author, topic, text) that
the peers are calibrated on; without it no peers are measured. `--write` puts the report into
docs/quality.md and docs/quality.json; without it the report is printed. Exits with 1 where a bar is
missed. The peers need `pip install -e '.[bench]'` and some twenty minutes on one core; their
answers are kept in build/peers, so that another model takes as long as it needs to answer.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from cropped import BANDS, crop
from peers import PEERS
from peers.answers import PeerAnswers
from quality_figures import AnsweredSet, Bools, Floats, quality
from quality_tables import markdown

from samehand.casework.answering import answer
from samehand.errors import InputError
from samehand.evaluation import Truth, read_answers, read_truth
from samehand.evaluation.summary import jsonable
from samehand.verifier import Verifier

OURS = "samehand"
REPORT = Path(__file__).parent.parent / "docs" / "quality"


def trial_sets(folder: Path) -> list[Path]:
    """The sets of a folder, by name."""
    found = sorted(truth.parent for truth in folder.glob("*/truth.jsonl*"))
    if not found:
        raise InputError(
            f"{folder}: there is no set of trials in it (SET/pairs.jsonl, truth.jsonl)."
        )
    return found


def answered_sets(
    trials: Path, verifier: Verifier, peers: PeerAnswers | None, names: list[str]
) -> Iterator[AnsweredSet]:
    """Every set with our answers, made now, and those of the peers named."""
    with tempfile.TemporaryDirectory() as temporary:
        for folder in trial_sets(trials):
            print(f"{folder.name} …", file=sys.stderr, flush=True)
            given = {OURS: Path(temporary) / f"{folder.name}.jsonl"}
            answer(verifier, folder, given[OURS], always=True)
            selective = Path(temporary) / f"{folder.name}.selective.jsonl"
            answer(verifier, folder, selective)
            if peers is not None:
                given |= {name: peers.answers(name, folder) for name in names}
            truth = read_truth(folder)
            probability = {
                system: read_answers(path, truth).probability for system, path in given.items()
            }
            as_answered = read_answers(selective, truth).probability
            cropped = dict(cropped_answers(folder, verifier, truth, Path(temporary) / "cropped"))
            yield AnsweredSet(folder.name, truth.same, probability, as_answered, cropped)


def cropped_answers(
    trials: Path, verifier: Verifier, truth: Truth, temporary: Path
) -> Iterator[tuple[str, tuple[Bools, Floats]]]:
    """The truth and our answers on trials cropped to each band of lengths."""
    for name, band in BANDS.items():
        ids = crop(trials, band, temporary)
        if ids:
            answer(verifier, temporary, temporary / "answers.jsonl", always=True)
            lines = (temporary / "answers.jsonl").read_text("utf-8").splitlines()
            value = {line["id"]: line["value"] for line in map(json.loads, lines)}
            same = truth.same[[truth.position[trial] for trial in ids]]
            yield name, (same, np.array([value[trial] for trial in ids]))


def described(description: dict[str, Any]) -> str:
    """The model, by what tells it from others."""
    weights = str(description.get("sha256", "unknown"))[:12]
    return f"the model whose weights have the SHA-256 {weights}…"


def rounded(value: Any) -> Any:
    """Five digits are more than the trials can bear, and the same on every machine."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, 5) if isinstance(value, float) else value


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("--train", type=Path, default=None, help="training text, for the peers")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), metavar="PEER")
    parser.add_argument("--model", type=Path, default=None, help="instead of the packaged one")
    parser.add_argument("--cache", type=Path, default=Path("build/peers"))
    parser.add_argument("--resamples", type=int, default=500)
    parser.add_argument(
        "--write",
        nargs="?",
        type=Path,
        const=REPORT,
        default=None,
        metavar="PATH",
        help="write PATH.md and PATH.json (default: docs/quality)",
    )
    options = parser.parse_args()
    try:
        verifier = Verifier.load(options.model)
        peers = PeerAnswers(options.train, options.cache) if options.train else None
        sets = list(answered_sets(options.trials, verifier, peers, options.peers))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    found = {"model": described(verifier.description)} | quality(sets, options.resamples)
    if options.write:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.with_suffix(".md").write_text(markdown(found), "utf-8")
        text = json.dumps(rounded(jsonable(found)), indent=1, ensure_ascii=False)
        options.write.with_suffix(".json").write_text(text + "\n", "utf-8")
    else:
        print(markdown(found))
    for bar in found["bars"]:
        result = "met" if bar["met"] else "MISSED"
        print(f"{bar['what']}: {bar['value']:.3g}, bar {bar['bar']}: {result}", file=sys.stderr)
    return 0 if all(bar["met"] for bar in found["bars"]) else 1


if __name__ == "__main__":
    sys.exit(main())
