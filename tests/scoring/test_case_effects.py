"""Data of a case move its genre's effects to where they lie; more data say more."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from samehand.engine.vectors import TextVectors, joined
from samehand.scoring.case_data import CaseData
from samehand.scoring.case_effects import adapt, copies, unrelated_pairs
from samehand.scoring.distance import Trials, compare
from tests.scoring.made import evidence, vectors

Floats = NDArray[np.float64]


def case(
    of: TextVectors, others: range = range(0), pairs: Trials | None = None, same: bool = True
) -> CaseData:
    pairs = pairs or Trials.of([], [])
    return CaseData(
        of,
        np.zeros((of.texts, 16), np.uint8),
        np.arange(len(others)),
        pairs,
        np.full(len(pairs.questioned), same),
    )


@pytest.mark.parametrize(("n", "pairs"), [(0, 0), (1, 0), (2, 1), (3, 3), (4, 4), (51, 51 * 25)])
def test_each_pair_of_texts_is_met_once_at_most(n: int, pairs: int) -> None:
    found = unrelated_pairs(np.arange(n) + 100)
    sides = {frozenset(pair) for pair in zip(found.questioned, found.known[:, 0], strict=True)}
    assert len(found.questioned) == len(sides) == pairs
    assert all(len(pair) == 2 for pair in sides)


def effects(of: TextVectors, **brought: Any) -> tuple[Floats, Floats]:
    """Mean and deviation of the effects of a case's genre."""
    points = adapt(evidence(), case(of, **brought)).of_case
    assert points is not None
    weight = np.exp(points.log_weight)
    assert weight.sum() == pytest.approx(1)
    mean = weight @ points.effects
    return mean, np.sqrt(weight @ np.square(points.effects - mean))


def test_texts_by_others_move_the_location_of_different_authors() -> None:
    alike, unlike = (effects(vectors(30, spread=s), others=range(30))[0] for s in (0.1, 0.9))
    assert alike[0] > unlike[0] + 0.3


def test_labelled_pairs_move_the_effects_of_their_kind() -> None:
    pairs = Trials.of(range(10), [[i] for i in range(10, 20)])
    for same in (False, True):
        alike, unlike = (
            effects(vectors(20, spread=s), pairs=pairs, same=same)[0] for s in (0.1, 0.9)
        )
        assert alike[int(same)] > unlike[int(same)] + 0.2


def test_more_texts_say_more() -> None:
    few, many = (effects(vectors(60), others=range(n))[1] for n in (5, 60))
    assert many[0] < few[0]


def test_the_same_case_gives_the_same_ratios_and_a_little_change_changes_little() -> None:
    of, trials = vectors(12), Trials.of([0, 1], [[2], [3, 4]])
    first, again = (
        adapt(evidence(), case(of, range(12))).log_lr(compare(of, trials)) for _ in range(2)
    )
    assert first.tobytes() == again.tobytes()
    other = of._replace(style=of.style + np.float32(1e-6))
    moved = adapt(evidence(), case(other, range(12))).log_lr(compare(of, trials))
    assert moved == pytest.approx(first, abs=1e-4)


def test_a_text_of_the_case_and_a_near_copy_are_known_again() -> None:
    of = vectors(12, spread=0.9)
    near = of._replace(style=of.style + np.float32(1e-3))
    found = copies(evidence(), case(of, range(12)), joined([near.at([3]), vectors(2, 9, 0.9)]))
    assert found.shape == (3, 12)
    assert np.flatnonzero(found[0]).tolist() == [3]
    assert not found[1:].any()
