"""Do explanations point at what carries the answer?

The units that an explanation calls the weightiest fifth are left out, all at once, and so are a
fifth drawn at random, and the fifth that the network attended to most. Prints the mean absolute
change of the log10 LR for each, by set of trials and over all. Exits with 1 where the weightiest
fifth moves it by less than three times as much as a random one.

    python benchmarks/explanations.py TRIALS... [--model DIR] [--sample 50]

TRIALS are sets in PAN's format. Texts that are one unit long are left out: nothing can be left out
of them.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from samehand.corpus.readers.trials import Trial, read_trials
from samehand.explaining.units import Evidence, Explanation
from samehand.verifier import Verifier

SHARE, DRAWS, LEAST_RATIO = 0.2, 10, 3.0


class Change(NamedTuple):
    """How far the log10 LR moves when a fifth of the units is left out."""

    weightiest: float
    attended: float
    random: float


def change(evidence: Evidence, chance: random.Random) -> Change:
    explained = evidence.explain()

    def moved(left_out: list[tuple[int, int]]) -> float:
        return abs(evidence.log10_lr_without(left_out) - explained.log10_lr)

    weightiest = explained.weightiest(SHARE)
    units = [(text, unit) for text, n in enumerate(evidence.n_units) for unit in range(n)]
    drawn = [moved(chance.sample(units, len(weightiest))) for _ in range(DRAWS)]
    return Change(moved(weightiest), moved(attended(explained, len(weightiest))), mean(drawn))


def attended(explained: Explanation, n: int) -> list[tuple[int, int]]:
    """The units with the most attention."""
    texts = (explained.questioned, *explained.known)
    ranked = sorted(
        (-unit.attention * len(text.units), number, place)
        for number, text in enumerate(texts)
        for place, unit in enumerate(text.units)
    )
    return [(number, place) for _, number, place in ranked[:n]]


def changes(verifier: Verifier, trials: list[Trial], chance: random.Random) -> Iterator[Change]:
    for trial in trials:
        if trial.questioned.strip() and all(text.strip() for text in trial.known):
            evidence = Evidence(verifier.engine, verifier.assessor, trial.questioned, trial.known)
            if min(evidence.n_units) > 1 and round(SHARE * sum(evidence.n_units)):
                yield change(evidence, chance)


def row(name: str, found: list[Change]) -> float:
    """Print the means, and return how many times a random fifth the weightiest one moves."""
    weightiest, by_attention, by_chance = (mean(column) for column in zip(*found, strict=True))
    ratio = weightiest / by_chance
    print(
        f"{name:18}{len(found):7}{weightiest:12.3f}{by_attention:12.3f}{by_chance:12.3f}{ratio:8.1f}"
    )
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("trials", type=Path, nargs="+", help="sets of trials in PAN's format")
    parser.add_argument("--model", type=Path, help="a trained model instead of the packaged one")
    parser.add_argument("--sample", type=int, default=50, help="trials drawn from each set")
    arguments = parser.parse_args()
    verifier, chance = Verifier.load(arguments.model), random.Random(0)
    everything: list[Change] = []
    print(f"{'':18}{'trials':>7}{'weightiest':>12}{'attention':>12}{'random':>12}{'ratio':>8}")
    for folder in arguments.trials:
        trials = list(read_trials(folder))
        trials = chance.sample(trials, min(arguments.sample, len(trials)))
        found = list(changes(verifier, trials, chance))
        if found:
            row(folder.name, found)
        everything += found
    return 0 if row("all", everything) >= LEAST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
