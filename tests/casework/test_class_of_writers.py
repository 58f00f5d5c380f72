"""Many writers at once: each is answered as alone, and what chance does is told beside it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from samehand.casework.class_of_writers import LRS, ClassFindings, Writer, compare_each
from samehand.model.description import LogRatios
from samehand.verifier import Verifier
from tests.models import ESSAYS, essay

TEXTS = [path.read_text("utf-8") for path in sorted((ESSAYS.parent / "corpus").rglob("*.txt"))]
FOUR = [essay(name) for name in ("anna-1", "anna-2", "bruno-1", "bruno-2")]


def tried(by_genres: Verifier, same: list[float], different: list[float]) -> Verifier:
    """A model with these log10 LRs as its validation."""
    told = by_genres.model.description
    validation = told.about.validation.model_copy(
        update={"log10_lrs": LogRatios(same=tuple(same), different=tuple(different))}
    )
    about = told.about.model_copy(update={"validation": validation})
    described = told.model_copy(update={"about": about})
    return Verifier(by_genres.model._replace(description=described))


def class_of(n: int) -> list[Writer]:
    return [Writer(str(place), TEXTS[place], [TEXTS[-1 - place]]) for place in range(n)]


def test_each_writer_is_answered_as_alone(by_genres: Verifier) -> None:
    one, two, three, four = FOUR
    writers = [Writer("anna", one, [two]), Writer("bruno", three, [four, two])]
    seen: list[tuple[str, int, int | None]] = []

    def watch(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        seen.append((doing, done, total))

    found = compare_each(by_genres, writers, prior=0.1, progress=watch)
    assert [each.name for each in found.findings] == ["anna", "bruno"]
    assert found.compared == (
        by_genres.verify(one, [two], prior=0.1),
        by_genres.verify(three, [four, two], prior=0.1),
    )
    assert seen == [("comparing writers", 0, 2), ("comparing writers", 1, 2)]


def test_what_cannot_be_compared_is_said_and_ends_nothing(by_genres: Verifier) -> None:
    one, two, *_ = FOUR
    writers = [
        Writer("short", "Too short.", [one]),
        Writer("none", one, []),
        Writer("torn", "", [], fault="torn.pdf: damaged; copy it again."),
        Writer("old", one, [two], doubts=("old.txt: not UTF-8.",)),
    ]
    found = compare_each(by_genres, writers)
    faults = [each.fault for each in found.findings]
    assert faults == [
        "The questioned text has 2 words; give at least 20, better some hundreds.",
        "There is no earlier text.",
        "torn.pdf: damaged; copy it again.",
        None,
    ]
    assert found.findings[0].sentence == f"Not compared: {faults[0]}"
    (verdict,) = found.compared
    assert verdict.reasons[-1] == "old.txt: not UTF-8."
    said = json.loads(json.dumps(found.as_dict()))
    assert said["compared"] == 1
    assert said["writers"][3]["log10_lr"] == verdict.log10_lr
    assert "log10_lr" not in said["writers"][0]
    assert said["model"]["name"] == "of genres"


def test_nobody_to_compare_is_no_fault(by_genres: Verifier) -> None:
    found = compare_each(by_genres, [Writer("none", "", [])])
    assert found.compared == ()
    assert all(each.expected == each.found == each.any == 0 for each in found.if_own)
    assert compare_each(by_genres, []).as_dict()["model"] is None


def test_what_chance_does_is_the_share_of_the_validation_that_misleads(by_genres: Verifier) -> None:
    rng = np.random.default_rng(0)
    same, different = rng.normal(0.6, 0.7, 2_000), rng.normal(-0.6, 0.7, 3_000)
    verifier = tried(by_genres, same.tolist(), different.tolist())
    found = compare_each(verifier, class_of(12))
    lrs = np.array([verdict.log10_lr for verdict in found.compared])
    assert [each.lr for each in found.if_own] == [1 / lr for lr in LRS]
    assert [each.lr for each in found.if_others] == list(LRS)
    for low, high, lr in zip(found.if_own, found.if_others, LRS, strict=True):
        share = np.mean(same <= -np.log10(lr))
        assert low.expected == pytest.approx(12 * share, abs=0.02)
        assert low.any == pytest.approx(1 - (1 - share) ** 12, abs=0.01)
        assert low.found == np.count_nonzero(lrs <= -np.log10(lr))
        assert high.expected == pytest.approx(12 * np.mean(different >= np.log10(lr)), abs=0.02)
        assert high.found == np.count_nonzero(lrs >= np.log10(lr))
        assert not low.at_most
    ranks = tried(
        by_genres, *([*np.quantile(x, np.linspace(0, 1, 101))] for x in (same, different))
    )
    of_ranks = compare_each(ranks, class_of(12))
    for one, other in zip(found.if_own, of_ranks.if_own, strict=True):
        assert one.expected == pytest.approx(other.expected, abs=0.05)


def test_without_a_validation_an_expectation_is_an_upper_limit(by_genres: Verifier) -> None:
    """At most one in t LRs misleads by t or more, if LRs may be taken at their word."""
    adapted = tried(by_genres, [-9.0, 9.0], [-9.0, 9.0]).adapted(texts=TEXTS[12:24])
    for verifier in (by_genres, adapted):
        found = compare_each(verifier, class_of(4))
        assert [each.expected for each in found.if_own] == [4 / lr for lr in LRS]
        assert [each.expected for each in found.if_others] == [4 / lr for lr in LRS]
        assert all(each.at_most for each in (*found.if_own, *found.if_others))
        assert "An LR of 1/5 or less: at most 0.8 to be expected" in found.if_own[1].in_words


def test_an_lr_beyond_the_bounds_is_not_spoken_of(by_genres: Verifier) -> None:
    described = by_genres.model.description.model_copy(update={"log10_lr_bounds": (-1.2, 0.5)})
    narrow = Verifier(by_genres.model._replace(description=described))
    found = compare_each(narrow, class_of(2))
    assert [each.lr for each in found.if_own] == [1 / 2, 1 / 5, 1 / 10]
    assert [each.lr for each in found.if_others] == [2]


def test_texts_that_are_no_evidence_do_not_count(by_genres: Verifier) -> None:
    one, two, *_ = FOUR
    found = compare_each(by_genres, [Writer("copy", one, [one]), Writer("anna", one, [two])])
    assert [each.expected for each in found.if_own] == [1 / lr for lr in LRS]


def test_expectations_are_put_in_words(by_genres: Verifier) -> None:
    found: ClassFindings = compare_each(by_genres, class_of(2))
    (own, low), (others, high) = found.expectations
    assert own == "If every writer wrote the new text that is compared, by chance alone:"
    assert others == "If somebody else wrote every new text, by chance alone:"
    assert [len(low), len(high)] == [len(LRS)] * 2
    many = replace(found.if_own[0], expected=12.4, at_most=False)
    assert many.expected_in_words == "12"
