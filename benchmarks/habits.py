"""Do the habits that an explanation names move the ratio the way in which their frequencies point?

Frequencies alone say something, too: where two texts share a rate that few writers have, it speaks
for one author; where their rates differ, for two. Prints in what share of cases the effect of a
habit goes the same way, by sort and kind of habit: of those that an explanation names, of all that
were hidden, and of as many other places of the same texts, which should be a half. Only habits
count whose frequencies say something (natural-log LR beyond 1).

    python benchmarks/habits.py TRIALS... [--model DIR] [--sample 10]

TRIALS are sets in PAN's format; texts of fewer than 200 words are left out.
"""

import argparse
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from samehand.corpus.readers.trials import read_trials
from samehand.explaining.habits import LEAST_FACTOR, Hidden
from samehand.text.words import words
from samehand.verifier import Verifier

LEAST_WORDS, TELLING = 200, 1.0


class Moved(NamedTuple):
    """What hiding a habit did, and what frequencies say."""

    sort: str
    by_rates: float
    effect: float
    by_others: float

    @property
    def is_told(self) -> bool:
        return abs(self.effect) >= max(math.log10(LEAST_FACTOR), abs(self.by_others))


def moved(verifier: Verifier, texts: list[str]) -> Iterator[Moved]:
    hidden = Hidden(verifier.engine, texts)
    found = hidden.most_telling()
    beyond = [hidden.beyond_usual(*each) for each in found]
    others = [hidden.others(*each) for each in zip(found, beyond, strict=True)]
    effects = hidden.effects(verifier.system, [*beyond, *others])
    for place, each in enumerate(found):
        sort = "marks, spacing" if each[0].kind in ("mark", "layout") else each[0].kind
        by_rates = hidden.log_lr_of_rates(*each)
        if abs(by_rates) > TELLING:
            yield Moved(sort, by_rates, effects[place], effects[len(found) + place])


def agreement(effects: list[float], rates: list[float]) -> str:
    """In what share both point to the same side, and how many there are."""
    both = [(one, other) for one, other in zip(effects, rates, strict=True) if one]
    share = np.mean([(one > 0) == (other > 0) for one, other in both]) if both else math.nan
    return f"{share:8.0%} of {len(both):5}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("trials", type=Path, nargs="+", help="sets of trials in PAN's format")
    parser.add_argument("--model", type=Path, help="a trained model instead of the packaged one")
    parser.add_argument("--sample", type=int, default=10, help="trials drawn from each set")
    arguments = parser.parse_args()
    verifier, chance = Verifier.load(arguments.model), random.Random(0)
    by_sort: defaultdict[str, list[Moved]] = defaultdict(list)
    for folder in arguments.trials:
        trials = [[trial.questioned, *trial.known] for trial in read_trials(folder)]
        long = [texts for texts in trials if min(len(words(t)) for t in texts) >= LEAST_WORDS]
        for texts in chance.sample(long, min(arguments.sample, len(long))):
            for each in moved(verifier, texts):
                by_sort[each.sort].append(each)
    everything = [each for some in by_sort.values() for each in some]
    print(f"{'':16}{'named':>16}{'all hidden':>18}{'other places':>18}")
    for sort, found in (*sorted(by_sort.items()), ("all", everything)):
        told = [each for each in found if each.is_told]
        cells = (
            agreement([each.effect for each in told], [each.by_rates for each in told]),
            agreement([each.effect for each in found], [each.by_rates for each in found]),
            agreement([each.by_others for each in found], [each.by_rates for each in found]),
        )
        print(f"{sort:16}{'  '.join(cells)}")


if __name__ == "__main__":
    main()
