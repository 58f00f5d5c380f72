"""Folds: what shares a text, or an author, is never on both sides."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from samehand.casework.folds import FOLDS, fold, groups
from samehand.casework.labelled import GatheredTrial


def trial(number: int, *texts: str, same: bool | None = None, authors: tuple[str, ...] = ()):
    is_same = number % 2 == 0 if same is None else same
    return GatheredTrial(str(number), is_same, texts, 100, authors)


def separate(count: int) -> list[GatheredTrial]:
    return [trial(i, f"a{i}", f"b{i}") for i in range(count)]


@given(st.lists(st.sets(st.integers(0, 12), min_size=1, max_size=3), min_size=1, max_size=15))
def test_groups_are_what_hangs_together(labels):
    found = groups(labels)
    merged = [set(of_item) for of_item in labels]
    for _ in labels:  # spread each set until nothing changes
        merged = [set().union(*(m for m in merged if m & one)) for one in merged]
    for i, one in enumerate(merged):
        for j, other in enumerate(merged):
            assert (found[i] == found[j]) == bool(one & other)


def test_separate_trials_are_dealt_evenly():
    trials = separate(130)
    found = fold(trials)
    assert found is not None
    assert found.kept_apart == "texts"
    same = np.array([t.same for t in trials])
    for kind in (same, ~same):
        counts = np.bincount(found.number[kind], minlength=FOLDS)
        assert counts.max() - counts.min() <= 1


@given(st.lists(st.tuples(st.integers(0, 250), st.integers(0, 250)), min_size=120, max_size=120))
def test_no_text_is_in_two_folds(pairs):
    trials = [trial(i, f"t{a}", f"t{b}") for i, (a, b) in enumerate(pairs)]
    found = fold(trials)
    if found is None:
        return
    where: dict[str, int] = {}
    for one, number in zip(trials, found.number.tolist(), strict=True):
        for text in one.texts:
            assert where.setdefault(text, number) == number


def test_one_text_in_all_trials_cannot_be_kept_apart():
    assert fold([trial(i, "the same", f"b{i}") for i in range(200)]) is None


def test_named_authors_are_kept_apart_where_that_can_be_done():
    trials = [
        one._replace(authors=(f"x{i // 3}", f"x{i // 3}")) for i, one in enumerate(separate(150))
    ]
    found = fold(trials)
    assert found is not None
    assert found.kept_apart == "texts and authors"
    for start in range(0, 150, 3):
        assert len(set(found.number[start : start + 3])) == 1


def test_authors_that_are_all_crossed_are_not():
    trials = [one._replace(authors=("x", f"y{i}")) for i, one in enumerate(separate(150))]
    found = fold(trials)
    assert found is not None
    assert found.kept_apart == "texts"
