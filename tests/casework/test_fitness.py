"""The verdict on a model, for likelihood ratios of which it is known what they are worth."""

from pathlib import Path

import numpy as np
import pytest

from samehand.casework.calibrating import worthwhile
from samehand.casework.cross_validation import Measured
from samehand.casework.fitness import judge_fitness
from samehand.casework.labelled import Gathered, GatheredTrial
from samehand.errors import InputError
from samehand.network.last_stage import LastStage

from .test_fitting import drawn


def measure(same, log_lrs, shared: str = "") -> tuple[Gathered, Measured | None]:
    trials = tuple(
        GatheredTrial(str(i), bool(s), (shared or f"a{i}", f"b{i}"), 100, ())
        for i, s in enumerate(same)
    )
    gathered = Gathered(Path("pairs.jsonl"), Path("truth.jsonl"), trials, 0)
    return gathered, Measured.of(gathered, 1 / (1 + np.exp(-log_lrs)))


def verdict(same, log_lrs, shared: str = "") -> str:
    gathered, measured = measure(same, log_lrs, shared)
    return judge_fitness(gathered.counts, measured).kind


def test_right_likelihood_ratios_are_fit():
    assert verdict(*drawn(150, 150)) == "fit"


@pytest.mark.parametrize(("steepness", "shift"), [(4, 0), (0.2, 0), (1, 2), (1, -2)])
def test_distorted_ones_are_badly_calibrated(steepness, shift):
    same, llrs = drawn(150, 150)
    assert verdict(same, steepness * llrs + shift) == "badly calibrated"


def test_noise_says_nothing_however_cautious_or_bold():
    random = np.random.default_rng(0)
    for size in (0.01, 5):
        assert verdict(drawn(150, 150)[0], size * random.normal(size=300)) == "says nothing"


def test_misleading_ones_say_nothing():
    same, llrs = drawn(150, 150)
    assert verdict(same, -llrs) == "says nothing"


def test_few_trials_say_nothing_of_the_model():
    assert verdict(*drawn(49, 150)) == "too few"
    assert verdict(*drawn(150, 10)) == "too few"
    assert verdict(*drawn(150, 150), shared="in all") == "too few"


def test_a_flaw_too_small_to_matter_is_forgiven_however_certain_it_is():
    same, llrs = drawn(4_000, 4_000)
    assert verdict(same, 1.1 * llrs) == "fit"


def test_a_last_stage_is_replaced_only_by_a_better_one():
    outcomes = set()
    for seed in range(6):
        _, measured = measure(*drawn(60, 60, seed=seed))
        before, after = (measured.figures[name]["cllr"] for name in ("as_is", "fitted"))
        stage = worthwhile(measured)
        assert stage == (measured.stage if after < before else LastStage())
        outcomes.add(stage == LastStage())
    assert outcomes == {True, False}


def test_no_last_stage_mends_what_says_nothing():
    same, llrs = drawn(100, 100)
    for useless in (-llrs, 3 * np.random.default_rng(0).normal(size=200)):
        with pytest.raises(InputError, match="says nothing"):
            worthwhile(measure(same, useless)[1])
