"""The answers of the packaged model, as it comes and adapted, are those on record, for all entries.

Where they are meant to change, `python -m tests.golden` writes them anew and tells what moved.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from samehand.verifier import PACKAGED, Verifier
from tests.entries import Answer, api_of, by_answer, by_api, by_command, by_score, by_verify
from tests.golden import TRIALS, adapted_model, stored

TOLERANCE = 1e-4
"""Of log10 LRs: machines round differently."""


class Recorded(NamedTuple):
    """A model, and the answers that it gave."""

    model: Path
    answers: list[Answer]


@pytest.fixture(scope="module", params=["packaged", "adapted"])
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    adapted = request.param == "adapted"
    model = adapted_model(tmp_path_factory.mktemp("adapted")) if adapted else PACKAGED
    answers = stored()[request.param]
    return Recorded(model, [answers[name] for name in TRIALS])


def assert_recorded(found: list[Answer], recorded: Recorded) -> None:
    for name, answer, expected in zip(TRIALS, found, recorded.answers, strict=True):
        assert answer.log10_lr == pytest.approx(expected.log10_lr, abs=TOLERANCE), name
        assert answer.decision == expected.decision, name


def test_in_python(recorded: Recorded) -> None:
    verifier = Verifier.load(recorded.model)
    assert_recorded(by_score(verifier, list(TRIALS.values())), recorded)
    assert_recorded(by_verify(verifier, list(TRIALS.values())), recorded)


def test_by_verify(recorded: Recorded) -> None:
    assert_recorded(by_command(recorded.model, list(TRIALS.values())), recorded)


def test_by_answer(recorded: Recorded) -> None:
    assert_recorded(by_answer(recorded.model, list(TRIALS.values())), recorded)


def test_by_the_api(recorded: Recorded) -> None:
    with api_of(recorded.model) as client:
        assert_recorded(by_api(client, list(TRIALS.values())), recorded)


def test_trials_of_all_kinds_are_on_record(recorded: Recorded) -> None:
    found = list(Verifier.load(recorded.model).score(TRIALS.values()))
    assert len(found) >= 30
    assert {answer.decision for answer in recorded.answers} == {"same", "different", "undecided"}
    assert sum(bool(each.cautions) for each in found) >= 10
    assert sum(len(known) > 1 for _, known in TRIALS.values()) >= 10
    said = [caution.sentence for each in found for caution in each.cautions]
    adapted = recorded.model != PACKAGED
    assert any("the model was adapted to" in sentence for sentence in said) == adapted
