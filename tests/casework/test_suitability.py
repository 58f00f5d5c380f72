"""The verdict on a model, for likelihood ratios of which it is known what they are worth."""

import numpy as np
import pytest

from samehand.casework.suitability import RULES, Suitability, kind_of
from samehand.casework.validating import sharpened
from samehand.evaluation.bootstrap import Bias, intervals, resampled_scores
from samehand.evaluation.elub import elub
from samehand.evaluation.scores import score


def drawn(n_same: int, n_different: int, spread: float = 1.5, seed: int = 0):
    """Log likelihood ratios that are right: normal, with a mean of half their variance."""
    random = np.random.default_rng(seed)
    same = np.arange(n_same + n_different) < n_same
    middle = np.where(same, 1.0, -1.0) * spread**2 / 2
    return same, random.normal(middle, spread)


def verdict(same, log_lrs) -> str:
    probability = 1 / (1 + np.exp(-log_lrs))
    figures = score(same, probability)
    drawn = resampled_scores(same, [probability], 200)[:, 0]
    spans = intervals(figures, drawn, Bias.of((same, probability)))
    supported = elub(same, log_lrs / np.log(10))
    return kind_of((int(same.sum()), int((~same).sum())), spans, supported)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [50, 150, 500])
def test_right_likelihood_ratios_are_fit(n, seed):
    assert verdict(*drawn(n, n, seed=seed)) == "fit"


@pytest.mark.parametrize(
    ("steepness", "shift"), [(4, 0), (0.3, 0), (0.2, 0), (1, 1), (1, 2), (1, -2)]
)
def test_distorted_ones_are_badly_calibrated(steepness, shift):
    same, llrs = drawn(150, 150)
    assert verdict(same, steepness * llrs + shift) == "badly calibrated"


@pytest.mark.parametrize(
    ("steepness", "shift", "kind"),
    [(0.2, 0, "fit"), (4, 0, "badly calibrated"), (1, 2, "badly calibrated")],
)
def test_only_ones_that_are_too_cautious_are_mended_by_a_power(steepness, shift, kind):
    same, llrs = drawn(150, 150)
    probability = sharpened(same, (steepness * llrs + shift) / np.log(10))
    assert verdict(same, np.log(probability / (1 - probability))) == kind


@pytest.mark.parametrize("size", [0.01, 5])
def test_noise_is_never_fit_and_by_far_most_often_says_nothing(size):
    """Its AUC is above 0.5 for certain, by 95 % intervals, once in forty times."""
    same = drawn(150, 150)[0]
    noise = size * np.random.default_rng(1).normal(size=(20, 300))
    kinds = [verdict(same, llrs) for llrs in noise]
    assert "fit" not in kinds
    assert kinds.count("says nothing") >= 18


def test_misleading_ones_say_nothing():
    same, llrs = drawn(150, 150)
    assert verdict(same, -llrs) == "says nothing"


def test_few_trials_say_nothing_of_the_model():
    assert verdict(*drawn(49, 150)) == "too few"
    assert verdict(*drawn(150, 10)) == "too few"


def test_a_flaw_too_small_to_matter_is_forgiven_however_certain_it_is():
    same, llrs = drawn(4_000, 4_000)
    assert verdict(same, 1.1 * llrs) == "fit"


def test_right_ones_that_are_all_near_1_are_not_fit():
    same, llrs = drawn(2_000, 2_000, spread=0.3)
    assert verdict(same, llrs) == "too weak"


def test_the_sentence_states_which_likelihood_ratios_are_supported():
    found = Suitability.of("fit", (-0.43, 0.46))
    assert found.sentence == (
        "Fit for weak support at most on texts like these: the trials support likelihood ratios "
        "between 1/2.7 and 2.9, and none beyond."
    )
    assert found.rule == RULES["fit"]
    none = Suitability.of("too few", (0.0, 0.0)).sentence
    assert none == ("Too few trials to say; these trials support no likelihood ratio other than 1.")
