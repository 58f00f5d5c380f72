"""Answers to PAN's trials are those of `verify`, whatever stands beside them."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from samehand.casework.answering import answer, assessed
from samehand.corpus.readers import Trial
from samehand.errors import InputError
from samehand.model.folder import read_model
from samehand.scoring.distance import Trials
from samehand.scoring.paper import Component, PaperEvidence
from samehand.verifier import Verifier
from tests.casework.written import write_pairs
from tests.models import ESSAYS, essay, save_model

NAMES = sorted(path.stem for path in ESSAYS.glob("*.txt"))
PAIRS = [(essay(one), essay(other)) for one in NAMES[:3] for other in NAMES[2:5] if one != other]

ROUNDING = 1e-12
"""By how much the score of a trial may differ alone and among others."""


def read_answers(path: Path) -> dict[str, float]:
    return {each["id"]: each["value"] for each in map(json.loads, path.read_text().splitlines())}


def test_answers_are_those_of_verify(verifier: Verifier, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", PAIRS)
    verdicts = [verifier.verify(questioned, known) for known, questioned in PAIRS]
    done = answer(verifier, trials, tmp_path / "selective")
    undecided = sum(verdict.decision == "undecided" for verdict in verdicts)
    assert done == (len(PAIRS), undecided, 0)
    expected = [
        0.5 if verdict.decision == "undecided" else verdict.probability for verdict in verdicts
    ]
    found = list(read_answers(tmp_path / "selective").values())
    assert found == pytest.approx(expected, abs=ROUNDING)
    answer(verifier, trials, tmp_path / "always", always=True)
    given = list(read_answers(tmp_path / "always").values())
    assert given == pytest.approx([verdict.probability for verdict in verdicts], abs=ROUNDING)


def test_bounds_hold_for_answers_too(narrow_model: Path, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", PAIRS)
    answer(Verifier.load(narrow_model), trials, tmp_path / "out", always=True)
    assert all(abs(p - 0.5) < 1e-8 for p in read_answers(tmp_path / "out").values())


@pytest.mark.parametrize("component", ["dml", "bfs", "ual"])
def test_a_component_of_the_paper_answers_free_of_bounds(
    narrow_model: Path, verifier: Verifier, tmp_path: Path, component: Component
) -> None:
    alone = Verifier.load(narrow_model, component=component)
    vectors = alone.vectors([text for pair in PAIRS for text in pair])
    n = 2 * len(PAIRS)
    odds = PaperEvidence.of(alone.model.networks[0]).log_odds(
        vectors, Trials.of(range(1, n, 2), [[place] for place in range(0, n, 2)]), component
    )
    answer(alone, write_pairs(tmp_path / "in", PAIRS), tmp_path / "out", always=True)
    found = list(read_answers(tmp_path / "out").values())
    assert found == pytest.approx(1 / (1 + np.exp(-odds)), abs=ROUNDING)


def test_the_components_of_several_networks_are_averaged(tmp_path: Path) -> None:
    folder = save_model(tmp_path / "model", networks=2)
    trials = write_pairs(tmp_path / "in", PAIRS)
    answer(Verifier.load(folder, component="dml"), trials, tmp_path / "both", always=True)
    model = read_model(folder)
    by_one = []
    for network in model.networks:
        entry = model.description.networks[0].model_copy(update={"name": network.name})
        stated = model.description.model_copy(update={"networks": (entry,)})
        single = model._replace(description=stated, networks=(network,))
        answer(Verifier(single, component="dml"), trials, tmp_path / "one", always=True)
        by_one.append(list(read_answers(tmp_path / "one").values()))
    found = list(read_answers(tmp_path / "both").values())
    assert found == pytest.approx(np.mean(by_one, axis=0), abs=ROUNDING)


def test_evidence_by_genres_has_no_components(genres_model: Path) -> None:
    with pytest.raises(InputError, match="none of the paper's components; leave out --component"):
        Verifier.load(genres_model, component="bfs")


def test_a_known_text_given_twice_counts_once(verifier: Verifier, tmp_path: Path) -> None:
    known, questioned = essay("anna-1"), essay("bruno-1")
    for name, texts in (("EN1", [known, known]), ("EN2", [known])):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "unknown.txt").write_text(questioned)
        for number, text in enumerate(texts, start=1):
            (tmp_path / "in" / name / f"known{number:02}.txt").write_text(text)
    answer(verifier, tmp_path / "in", tmp_path / "out", always=True)
    answers = read_answers(tmp_path / "out")
    assert answers["EN1"] == pytest.approx(answers["EN2"], abs=ROUNDING)


@pytest.mark.parametrize("always", [False, True])
def test_a_text_too_short_to_compare_gets_a_half(
    verifier: Verifier, tmp_path: Path, always: bool
) -> None:
    pairs = [(essay("anna-1"), text) for text in ("", "Too short to compare.", essay("anna-2"))]
    done = answer(verifier, write_pairs(tmp_path / "in", pairs), tmp_path / "out", always=always)
    assert done.too_short == 2
    answers = read_answers(tmp_path / "out")
    assert (answers["t0"], answers["t1"]) == (0.5, 0.5)


def test_trials_are_read_as_they_are_answered(verifier: Verifier) -> None:
    """Their number has no limit, so neither has the time until the last is read."""

    def without_end() -> Iterator[Trial]:
        for number in count():
            yield Trial(str(number), (essay("anna-1"),), essay("bruno-1"), None, None)

    trial, found = next(assessed(verifier, without_end()))
    assert trial.id == "0"
    verdict = verifier.verify(trial.questioned, trial.known)
    assert found.log10_lr == pytest.approx(verdict.log10_lr, abs=ROUNDING)


def test_a_fault_leaves_what_was_there(verifier: Verifier, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", PAIRS[:1])
    answers = tmp_path / "out" / "answers.jsonl"
    answers.parent.mkdir()
    answers.write_text("as it was")
    with (trials / "pairs.jsonl").open("a") as file:
        file.write('{"id": "a", "pair": ["one"]}\n')
    with pytest.raises(InputError, match=r"pairs\.jsonl, line 2"):
        answer(verifier, trials, answers)
    with pytest.raises(InputError, match="is read, and would be lost"):
        answer(verifier, trials / "pairs.jsonl", trials / "pairs.jsonl")
    assert answers.read_text() == "as it was"
    assert list(answers.parent.iterdir()) == [answers]
