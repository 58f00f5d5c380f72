"""`Verifier.verify`, whatever the model."""

import hashlib
from math import inf, nan
from pathlib import Path

import pytest

import samehand
from samehand.errors import InputError
from samehand.verifier import Verifier
from tests.models import essay

ANNA, ANNA_2, BRUNO, BRUNO_2 = map(essay, ("anna-1", "anna-2", "bruno-1", "bruno-2"))


def test_the_numbers_agree(verifier: Verifier) -> None:
    verdict = verifier.verify(ANNA, BRUNO)
    p = verdict.probability
    assert 10**verdict.log10_lr == pytest.approx(p / (1 - p))
    assert verdict.confidence == max(p, 1 - p)
    assert verdict == verifier.verify(ANNA, [BRUNO])
    assert verdict.log10_lr == pytest.approx(verdict.known[0].log10_lr, abs=1e-6)


def test_several_known_texts_are_weighed_together_and_alone(verifier: Verifier) -> None:
    known = [ANNA_2, BRUNO, BRUNO_2]
    verdict = verifier.verify(ANNA, known)
    for text, facts in zip(known, verdict.known, strict=True):
        alone = verifier.verify(ANNA, text).log10_lr
        assert facts.log10_lr == pytest.approx(alone, abs=1e-9)


def test_a_prior_moves_the_probability_alone(verifier: Verifier) -> None:
    even, odd = verifier.verify(ANNA, BRUNO), verifier.verify(ANNA, BRUNO, prior=0.1)
    assert odd.log10_lr == even.log10_lr
    assert odd.decision == even.decision
    odds = [p / (1 - p) for p in (odd.probability, even.probability)]
    assert odds[0] == pytest.approx(0.1 * odds[1])


@pytest.mark.parametrize("prior", [0.0, -1.0, inf, nan])
def test_a_prior_that_is_no_odds_is_refused(verifier: Verifier, prior: float) -> None:
    with pytest.raises(InputError, match="prior odds are"):
        verifier.verify(ANNA, BRUNO, prior=prior)


def test_a_known_text_given_twice_counts_once(verifier: Verifier) -> None:
    once = verifier.verify(ANNA, [ANNA_2, BRUNO])
    twice = verifier.verify(ANNA, [ANNA_2, BRUNO, ANNA_2 + "\n"])
    assert twice.log10_lr == pytest.approx(once.log10_lr, abs=1e-6)
    assert len(twice.known) == 3
    assert twice.known[2].log10_lr == twice.known[0].log10_lr
    assert "Known text 3 is the same as known text 1: it was counted once." in twice.reasons


def test_texts_are_described(verifier: Verifier) -> None:
    verdict = verifier.verify(ANNA, BRUNO[:1000])
    assert verdict.questioned.sha256 == hashlib.sha256(ANNA.encode()).hexdigest()
    assert verdict.questioned.words == 739
    assert verdict.questioned.words_read < 550  # tokens that this model reads
    assert any("739 words, of which only the first" in reason for reason in verdict.reasons)
    assert verdict.known[0].words == verdict.known[0].words_read
    assert verdict.known[0].language == "English"


def test_only_what_is_read_is_judged(verifier: Verifier) -> None:
    whole, start = (
        verifier.verify(ANNA, BRUNO),
        verifier.verify(ANNA[: verifier.engine.read([ANNA]).ends[0]], BRUNO),
    )
    assert whole.log10_lr == start.log10_lr


def test_a_copy_is_undecided_and_the_first_reason_says_so(verifier: Verifier) -> None:
    verdict = verifier.verify(ANNA, [BRUNO, ANNA])
    assert verdict.decision == "undecided"
    assert "are the same text" in verdict.reasons[0]


def test_a_model_without_validation_is_held_to_a_hundred(verifier: Verifier) -> None:
    verdict = verifier.verify(ANNA, BRUNO)
    assert verdict.log10_lr_bounds == pytest.approx((-2, 2))
    assert not verdict.model.validated
    assert any("not validated" in reason for reason in verdict.reasons)


def test_likelihood_ratios_stay_within_the_models_bounds(narrow_model: Path) -> None:
    verdict = Verifier.load(narrow_model).verify(ANNA, [BRUNO, BRUNO_2])
    assert abs(verdict.log10_lr) == pytest.approx(1e-9)
    assert verdict.probability == pytest.approx(0.5, abs=1e-8)
    assert verdict.decision == "undecided"
    assert all(abs(text.log10_lr or 0) <= 1.1e-9 for text in verdict.known)
    assert any("the bound" in reason for reason in verdict.reasons)
    assert (verdict.model.name, verdict.model.validated) == ("narrow", True)


@pytest.mark.parametrize("known", [[], ["only a few words"], [BRUNO, ""]])
def test_too_little_is_refused(verifier: Verifier, known: list[str]) -> None:
    with pytest.raises(InputError, match=r"no known text|nown text( 2)? has [04] words"):
        verifier.verify(ANNA, known)
    with pytest.raises(InputError, match="The questioned text has 2 words"):
        verifier.verify("too short", BRUNO)


def test_the_package_offers_its_verifier() -> None:
    assert samehand.Verifier is Verifier
    with pytest.raises(AttributeError, match="no attribute 'Verifyer'"):
        samehand.Verifyer  # noqa: B018
