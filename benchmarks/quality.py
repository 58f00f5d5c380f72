"""How good are our answers, next to those of published methods, on the same trials?

    python benchmarks/quality.py TRIALS [--train TRAIN] [--dev DEV] [--shift SHIFT]
        [--browser chromium] [--peers PEER...] [--model DIR] [--write]

TRIALS is a folder of trial sets in PAN's format with their truth, named dev-GENRE or shift-GENRE.
TRAIN is a folder of training text (author, topic, text) that the peers are calibrated on; without
it no peers are measured. DEV is text by authors the model has not met, for trials with several
known texts (`several_known.py`); SHIFT is text of the genres of the shift sets, for adapting to
them (`adapting.py`). With `--browser` texts are also read from files of each kind (`formats.py`).
`--write` puts the report into docs/quality.md and docs/quality.json; without
it the report is printed. Exits with 1 where a bar is missed. The peers need
`pip install -e '.[bench]'` and, but for MiniLM, some ten minutes on one core; their answers are
kept in build/peers, so that another model takes as long as it needs to answer.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import adapting
import formats
import numpy as np
import several_known
from cropped import BANDS, crop
from halves import REPORTED, halves
from peers import PEERS
from peers.answers import PeerAnswers
from quality_figures import AnsweredSet, Bools, Figures, Floats, quality
from quality_tables import markdown

from samehand.casework.answering import assessed
from samehand.corpus.readers import Trial, read_trials
from samehand.errors import InputError
from samehand.evaluation import read_answers, read_truth
from samehand.evaluation.summary import jsonable
from samehand.verdict import probability_of
from samehand.verifier import Verifier

OURS = "samehand"
REPORT = Path(__file__).parent.parent / "docs" / "quality"
OLD = (
    "blogs", "cobol", "court", "cypherpunks", "debates", "fanfic", "fiction", "git", "lean", "mpi",
    "rhelp", "techblogs",
)  # fmt: skip
"""Genres that networks of all packaged models have learned from."""
FURTHER = ("meetings_ami", "news_entertainment", "reviews_music", "tweets_people")
"""Genres of dev sets for which no bar was set."""


def trial_sets(folder: Path) -> list[Path]:
    """The sets of a folder, by name."""
    found = sorted(truth.parent for truth in folder.glob("*/truth.jsonl*"))
    if not found:
        raise InputError(
            f"{folder}: there is no set of trials in it (SET/pairs.jsonl, truth.jsonl)."
        )
    return found


def kind_of(name: str) -> str:
    """Which of the kinds a set is of."""
    kind, _, genre = name.partition("-")
    if kind == "shift":
        return kind
    return "old" if genre in OLD else "further" if genre in FURTHER else "other"


def answered_sets(
    folders: list[Path],
    verifier: Verifier,
    peers: PeerAnswers | None,
    names: list[str],
    collections: list[Path],
) -> Iterator[AnsweredSet]:
    """Every set with our answers, made now, and those of the peers named."""
    learnt = verifier.description.about.data.training
    for folder in folders:
        print(f"{folder.name} …", file=sys.stderr, flush=True)
        trials = list(read_trials(folder))
        same, ours, undecided = answered(verifier, trials)
        probability = {OURS: ours}
        if peers is not None:
            truth = read_truth(folder)
            places = [truth.position[trial.id] for trial in trials]
            for name in names:
                theirs = read_answers(peers.answers(name, folder), truth).probability
                probability[name] = theirs[places]
        cropped = {}
        for band, words in BANDS.items():
            if of_band := list(crop(trials, words)):
                cropped[band] = answered(verifier, of_band)[:2]
        genre = folder.name.partition("-")[2]
        parts = {
            "strict": np.array([is_strict(trial) for trial in trials]),
            "reported": halves(trials, genre, collections) == REPORTED,
        }
        yield AnsweredSet(
            folder.name, kind_of(folder.name), genre in learnt, same, probability, undecided, parts,
            cropped,
        )  # fmt: skip


def answered(verifier: Verifier, trials: list[Trial]) -> tuple[Bools, Floats, Bools]:
    """The truth, our probabilities, and which trials we leave undecided."""
    found = [assessment for _, assessment in assessed(verifier, trials)]
    return (
        np.array([bool(trial.same) for trial in trials]),
        np.array([probability_of(each.log10_lr) for each in found]),
        np.array([each.decision == "undecided" for each in found]),
    )


def is_strict(trial: Trial) -> bool:
    """Whether a trial is by one author on two topics, or by two on one, as far as it tells."""
    return trial.topics is not None and (trial.topics[0] != trial.topics[1]) == trial.same


def described(verifier: Verifier) -> Figures:
    """The model, by what tells it from others."""
    facts = verifier.facts
    bounds = [round(bound, 3) for bound in verifier.assessor.bounds]
    return {"name": facts.name, "sha256": facts.sha256, "log10_lr_bounds": bounds}


def measured(options: argparse.Namespace) -> Figures:
    """All that the report tells."""
    folders = trial_sets(options.trials)
    verifier = Verifier.load(options.model)
    peers = PeerAnswers(options.train, options.cache) if options.train else None
    collections = [folder for folder in (options.dev, options.shift) if folder]
    sets = list(answered_sets(folders, verifier, peers, options.peers, collections))
    found = {"model": described(verifier)} | quality(sets, options.resamples)
    if options.dev:
        found["several_known"] = several_known.several_known(verifier, options.dev)
        found["bars"] += several_known.bars(found["several_known"])
    if options.shift:
        found["adapting"] = adapting.adapting(verifier, options.trials, options.shift)
        found["bars"] += adapting.bars(found["adapting"])
    if options.browser:
        found["formats"] = formats.formats(verifier, options.trials, options.browser)
        found["bars"] += formats.bars(found["formats"])
    return found


def rounded(value: Any) -> Any:
    """Four digits are more than the trials can bear, and the same on every machine."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("--train", type=Path, help="training text, for the peers")
    parser.add_argument("--dev", type=Path, help="text by authors not met, for several known texts")
    parser.add_argument("--shift", type=Path, help="text of the shift sets' genres, to adapt to")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), metavar="PEER")
    parser.add_argument("--browser", help="a browser that prints to PDF, to compare kinds of file")
    parser.add_argument("--model", type=Path, help="instead of the packaged one")
    parser.add_argument("--cache", type=Path, default=Path("build/peers"))
    parser.add_argument("--resamples", type=int, default=500)
    parser.add_argument(
        "--write",
        nargs="?",
        type=Path,
        const=REPORT,
        metavar="PATH",
        help="write PATH.md and PATH.json (default: docs/quality)",
    )
    options = parser.parse_args()
    try:
        found = rounded(jsonable(measured(options)))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    if options.write:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.with_suffix(".md").write_text(markdown(found), "utf-8")
        text = json.dumps(found, indent=1, ensure_ascii=False)
        options.write.with_suffix(".json").write_text(text + "\n", "utf-8")
    else:
        print(markdown(found))
    for bar in found["bars"]:
        result = "met" if bar["met"] else "MISSED"
        print(f"{bar['what']}: {bar['value']:.3g}, bar {bar['bar']}: {result}", file=sys.stderr)
    return 0 if all(bar["met"] for bar in found["bars"]) else 1


if __name__ == "__main__":
    sys.exit(main())
