"""`Verifier.explain`: weights that stand where they say, and effects that are what they say."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.explaining.units import Evidence, Explanation, TextExplanation, UnitWeight
from samehand.verifier import Verifier
from tests.models import essay, save_genres_model, save_model

ANNA, ANNA_2, BRUNO = map(essay, ("anna-1", "anna-2", "bruno-1"))
UNIT, HOP = 30, 26

some_text = st.builds(
    lambda content, start, length: content[start : start + length],
    st.sampled_from([ANNA, ANNA_2, BRUNO]),
    st.integers(0, 500),
    st.integers(300, 4_000),
)
trials = st.tuples(some_text, st.lists(some_text, min_size=1, max_size=4))


@pytest.fixture(scope="module", params=[save_model, save_genres_model])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    """A model with either evidence, and with bounds that hold nothing back."""
    return Verifier.load(request.param(tmp_path_factory.mktemp("both"), bounds=(-100, 100)))


def evidence_of(verifier: Verifier, questioned: str, known: list[str]) -> Evidence:
    return Evidence(verifier.engine, verifier.assessor, questioned, known)


def test_weights_stand_at_the_characters_of_the_users_own_text(verifier: Verifier) -> None:
    text = "\u202eCafé 👩‍🚀 — “well”,\r\n\tI  don’t know… " + ANNA[:900]
    explained = verifier.explain(text, BRUNO).questioned
    shown = [text[t.start : t.end] for t in explained.tokens]
    assert shown[-1] in ANNA
    assert "n’t" in shown
    assert all(token.split() or token == "\n" for token in shown)  # a line end is a token
    assert explained.units[0].start == explained.tokens[0].start
    assert explained.units[-1].end == explained.tokens[-1].end
    for unit, following in zip(explained.units, explained.units[1:], strict=False):
        assert unit.start < following.start < unit.end  # they overlap
        inside = [t for t in explained.tokens if unit.start <= t.start and t.end <= unit.end]
        assert len(inside) == UNIT


def test_attentions_sum_to_one_over_what_is_read(both: Verifier) -> None:
    found = both.explain(ANNA, [BRUNO, ANNA_2[:1500]])
    for text in (found.questioned, *found.known):
        assert sum(unit.attention for unit in text.units) == pytest.approx(1, abs=1e-5)
        assert sum(token.attention for token in text.tokens) == pytest.approx(1, abs=1e-5)
    assert found.questioned.tokens[-1].end == both.engine.read([ANNA]).ends[0] < len(ANNA)


@settings(max_examples=20)
@given(trials)
def test_what_is_explained_is_the_ratio_of_the_verdict(
    both: Verifier, trial: tuple[str, list[str]]
) -> None:
    expected = both.verify(*trial).log10_lr  # from one product of matrices with other trials
    assert both.explain(*trial).log10_lr == pytest.approx(expected, abs=1e-12)


@settings(max_examples=20)
@given(trials)
def test_leaving_out_nothing_changes_nothing(both: Verifier, trial: tuple[str, list[str]]) -> None:
    evidence = evidence_of(both, *trial)
    assert evidence.log10_lr_without([]) == evidence.explain().log10_lr


def test_a_ratio_is_explained_before_it_is_held_to_its_bounds(
    verifier: Verifier, narrow_model: Path
) -> None:
    narrow = Verifier.load(narrow_model)
    assert narrow.explain(ANNA, BRUNO).log10_lr == verifier.verify(ANNA, BRUNO).log10_lr


def test_the_effect_of_a_unit_is_what_the_ratio_loses_without_it(both: Verifier) -> None:
    evidence = evidence_of(both, ANNA, [BRUNO, ANNA_2])
    found = evidence.explain()
    for text, explained in enumerate((found.questioned, *found.known)):
        for place in (0, 7, len(explained.units) - 1):
            without = evidence.log10_lr_without([(text, place)])
            assert explained.units[place].effect == pytest.approx(
                found.log10_lr - without, abs=1e-9
            )
    assert any(unit.effect for unit in found.questioned.units)


def test_leaving_out_the_last_unit_is_reading_the_text_without_it(verifier: Verifier) -> None:
    found = verifier.explain(ANNA, BRUNO)
    before, last = found.questioned.units[-2:]
    shorter = verifier.explain(ANNA[: before.end], BRUNO)
    assert last.effect == pytest.approx(found.log10_lr - shorter.log10_lr, abs=1e-6)


@given(st.lists(st.booleans(), min_size=21, max_size=21).filter(any))
def test_a_text_without_units_has_the_tokens_of_the_others(
    verifier: Verifier, kept: list[bool]
) -> None:
    text = evidence_of(verifier, ANNA, [BRUNO]).texts[0]
    assert len(text.bounds) == len(kept)
    left = {token for unit, there in enumerate(kept) if there for token in _tokens(unit)}
    assert text.keeping(np.array([kept])).tokens.tolist() == [len(left)]


def _tokens(unit: int) -> range:
    return range(unit * HOP, unit * HOP + UNIT)


def test_a_known_text_given_twice_counts_once(verifier: Verifier) -> None:
    once, twice = verifier.explain(ANNA, BRUNO), verifier.explain(ANNA, [BRUNO, BRUNO + "\n"])
    assert twice.log10_lr == once.log10_lr
    assert twice.known[0] == twice.known[1]


def test_the_weightiest_units_all_pull_towards_the_answer() -> None:
    effects = [0.1, -0.9, 0.5, 0.2]
    text = TextExplanation(tuple(UnitWeight(0, 1, 0.25, effect) for effect in effects), ())
    other = TextExplanation((UnitWeight(0, 1, 1.0, 0.3),), ())
    assert Explanation(1.0, text, (other,), ()).weightiest(0.4) == [(0, 2), (1, 0)]
    assert Explanation(-1.0, text, (other,), ()).weightiest(0.2) == [(0, 1)]


def test_one_unit_cannot_be_left_out(verifier: Verifier) -> None:
    short = "Twenty-five words make one unit, so that there is nothing to leave out."
    found = verifier.explain(short, ANNA)
    assert [unit.effect for unit in found.questioned.units] == [0.0]
    assert evidence_of(verifier, short, [ANNA]).log10_lr_without([(0, 0)]) == found.log10_lr


@pytest.mark.parametrize(("questioned", "known"), [("", [ANNA]), (ANNA, ["  "]), (ANNA, [])])
def test_nothing_cannot_be_explained(verifier: Verifier, questioned: str, known: list[str]) -> None:
    with pytest.raises(InputError):
        verifier.explain(questioned, known)
