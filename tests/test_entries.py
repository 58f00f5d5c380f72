"""There is one way to answer a trial: whoever asks gets the same likelihood ratio and decision."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.assessment import LabelledPair
from samehand.casework.adapting import Brought, adapt
from samehand.verifier import Verifier
from tests.casework.written import Writer, trials, write
from tests.entries import Answer, Trial, api_of, by_answer, by_api, by_score, by_verify
from tests.models import essay, save_genres_model, save_model

BATCH = 1e-9
"""By how much a log10 LR may differ alone and among others."""
STATED = 1e-6
"""By how much it may differ where it was rounded for people and programs."""

OF_CASE = [Writer(seed).text(24) for seed in range(6)]
ESSAYS = [essay(name) for name in ("anna-1", "anna-2", "bruno-1")]
TEXTS = [
    *ESSAYS,
    ESSAYS[0] + "\n",
    ESSAYS[1][:900],
    ESSAYS[2][:300],
    ESSAYS[0][:400] + ESSAYS[2][400:3000],
    "The committee met at noon. The committee adjourned at one. " * 30,
    *OF_CASE[:2],
    "It rained all morning, and then it did not.",
    "One",
    " ".join(["-- word"] * 19),
]
a_text = st.sampled_from(TEXTS)
a_trial = st.tuples(a_text, st.lists(a_text, min_size=1, max_size=4))


class Asked(NamedTuple):
    """A model, and what runs with it."""

    model: Path
    verifier: Verifier
    client: httpx.Client


def adapted_model(folder: Path) -> Path:
    """A model that was adapted to some of the texts."""
    plain = save_genres_model(folder / "plain")
    for number, text in enumerate(OF_CASE):
        (folder / "texts").mkdir(exist_ok=True)
        (folder / "texts" / f"{number}.txt").write_text(text, "utf-8")
    pairs, truth = write(folder / "pairs", trials(2, 2))
    adapt(plain, Brought((folder / "texts",), pairs, truth), folder / "adapted")
    return folder / "adapted"


@pytest.fixture(scope="module", params=[save_model, save_genres_model, adapted_model])
def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Asked]:
    model = request.param(tmp_path_factory.mktemp("asked"))
    with api_of(model) as client:
        yield Asked(model, Verifier.load(model), client)


def assert_same(found: list[Answer], expected: list[Answer], tolerance: float) -> None:
    assert [one.log10_lr for one in found] == pytest.approx(
        [one.log10_lr for one in expected], abs=tolerance
    )
    assert [one.decision for one in found] == [one.decision for one in expected]


@settings(max_examples=12)
@given(st.lists(a_trial, min_size=1, max_size=5))
def test_all_entries_give_the_same_answers(asked: Asked, drawn: list[Trial]) -> None:
    expected = by_score(asked.verifier, drawn)
    assert_same(by_verify(asked.verifier, drawn), expected, BATCH)
    assert_same(by_answer(asked.model, drawn), expected, BATCH)
    assert_same(by_api(asked.client, drawn), expected, STATED)


def test_a_known_text_given_twice_counts_once_everywhere(asked: Asked) -> None:
    anna, anna_2, bruno = ESSAYS
    once, twice = (bruno, [anna, anna_2]), (bruno, [anna, anna_2, f"{anna}\n", anna])
    first, second = by_score(asked.verifier, [once, twice])
    assert second.log10_lr == pytest.approx(first.log10_lr, abs=BATCH)
    for answers in (
        by_verify(asked.verifier, [once, twice]),
        by_answer(asked.model, [once, twice]),
        by_api(asked.client, [once, twice]),
    ):
        assert_same(answers, [first, second], STATED)


def test_a_model_adapted_in_python_answers_as_one_adapted_by_the_command(tmp_path: Path) -> None:
    model = adapted_model(tmp_path)
    pairs = [LabelledPair(other, [one], same) for _, (one, other), same in trials(2, 2)]
    in_python = Verifier.load(tmp_path / "plain").adapted(OF_CASE, pairs)
    drawn: list[Trial] = [(ESSAYS[0], ESSAYS[1:]), (ESSAYS[0], OF_CASE[:2]), (OF_CASE[0], ESSAYS)]
    assert_same(by_score(in_python, drawn), by_answer(model, drawn), BATCH)
