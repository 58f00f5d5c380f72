"""Does the range that is told of a likelihood ratio hold it?

    python benchmarks/interval.py TRIALS... [--model DIR]

TRIALS are sets of trials in PAN's format with their truth, each named KIND-GENRE. A genre that the
model knows is left out of its evidence, with all genres of its family, and the range is that of the
rest; the ratio that it should hold is the one by the genre's own effects, to which the model was
fitted on other authors. The effects of a genre that the model does not know are fitted to all of
the set's trials. Prints a Markdown table, means over sets; exits with 1 where a bar is missed.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from posed import Posed
from quality_figures import Figures, bar
from scipy.optimize import minimize

from samehand.corpus.readers import read_trials
from samehand.errors import InputError
from samehand.report.genre_names import FAMILIES
from samehand.scoring.distance import Compared, compare
from samehand.scoring.effects import Effects
from samehand.scoring.evidence import GenreEvidence
from samehand.scoring.uncertainty import interval
from samehand.verifier import Verifier

Floats = NDArray[np.float64]
LEFT_OUT, UNKNOWN = "left out of the evidence", "never met"
CLAIMED, LEAST = 0.9, 0.85
"""Share of trials that the range is to hold, and the least that passes."""


def compared(verifier: Verifier, folder: Path) -> tuple[Compared, NDArray[np.bool_]]:
    """The trials of a set with one known text or more, compared; and their truth."""
    posed = Posed.of(list(read_trials(folder)))
    return compare(verifier.vectors(posed.texts), posed.trials), posed.same


def without(evidence: GenreEvidence, genres: set[str]) -> GenreEvidence:
    """The evidence as if it did not know some genres; coefficients stay."""
    kept = np.array([name not in genres for name in evidence.genres.names])
    rows = np.append(kept, True)  # the last is that of two genres
    mean, covariance = evidence.effects.mean[:, rows], evidence.effects.covariance[:, rows]
    centre = mean[-1, :-1].mean(0) * (len(mean) > 1)  # with one view it is 0
    off = mean[-1, :-1] - centre
    of_new = off.T @ off / len(off) + covariance[-1, :-1].mean(0)
    effects = Effects(mean, covariance, of_new, centre)
    names = tuple(name for name in evidence.genres.names if name not in genres)
    rest = evidence.genres._replace(names=names, means=evidence.genres.means[kept])
    return GenreEvidence(evidence.coefficients, effects, rest)


def fitted(evidence: GenreEvidence, of: Compared, same: NDArray[np.bool_]) -> Floats:
    """The likeliest effects (3,) of the genre of trials."""

    def cost(effects: Floats) -> float:
        two, one = evidence.log_densities(of, of.similarity[:, None], effects[None])
        return -float(np.where(same, one[:, 0, 0], two[:, 0, 0]).sum())

    found: Floats = minimize(cost, np.zeros(3)).x
    return found


def held(evidence: GenreEvidence, of: Compared, own: Floats) -> tuple[float, float]:
    """Share of trials whose ratio by a genre's own effects the range holds; its mean width."""
    low, high = evidence.supported(of)
    similarity = of.similarity.clip(low, high)[:, None]
    two, one = evidence.log_densities(of, similarity, own[None])
    by_own = (one - two)[:, 0, 0]
    ends = interval(evidence, of, evidence.log_lr(of))
    inside = (ends[0] <= by_own) & (by_own <= ends[1])
    return float(inside.mean()), float((ends[1] - ends[0]).mean() / np.log(10))


def measure(verifier: Verifier, folders: list[Path]) -> Figures:
    """Of each kind of set: how many, the share held, the least of a set, and the mean width."""
    evidence = verifier.system.evidence
    if isinstance(evidence, list):
        raise InputError("This model has no evidence by genres, and tells no range.")
    found = defaultdict(list)
    for folder in folders:
        genre = folder.name.split("-", 1)[-1]
        of, same = compared(verifier, folder)
        if genre in evidence.genres.names:
            family = next((set(kin) for kin in FAMILIES.values() if genre in kin), {genre})
            own = evidence.effects.mean[0, evidence.genres.names.index(genre)]
            found[LEFT_OUT].append(held(without(evidence, family), of, own))
        else:
            found[UNKNOWN].append(held(evidence, of, fitted(evidence, of, same)))
    return {
        kind: {
            "sets": len(sets),
            "held": float(np.mean([share for share, _ in sets])),
            "least": min(share for share, _ in sets),
            "width": float(np.mean([width for _, width in sets])),
        }
        for kind, sets in found.items()
    }


def table(found: Figures) -> str:
    """The figures in Markdown."""
    lines = [
        "| genres | sets | held | least of a set | mean width, log10 |",
        "|---|--:|--:|--:|--:|",
    ]
    for kind, each in found.items():
        shares = f"{each['held']:.0%} | {each['least']:.0%}"
        lines.append(f"| {kind} | {each['sets']} | {shares} | {each['width']:.2f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path, nargs="+")
    parser.add_argument("--model", type=Path, help="instead of the packaged one")
    options = parser.parse_args()
    try:
        found = measure(Verifier.load(options.model), options.trials)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"Claimed: {CLAIMED:.0%}.\n\n{table(found)}")
    bars = [bar(f"not held, {kind}", 1 - each["held"], 1 - LEAST) for kind, each in found.items()]
    return 0 if all(each["met"] for each in bars) else 1


if __name__ == "__main__":
    sys.exit(main())
