"""The truth that intervals are held to: quadrature against many trials."""

import numpy as np
import pytest
from interval_coverage import ALONE, OTHERS, TOLD

from samehand.evaluation import score


@pytest.mark.parametrize("kind", [*ALONE, *OTHERS], ids=lambda one: one.name)
def test_the_truth_is_what_many_trials_show(kind):
    generator = np.random.default_rng(0)
    same, log_lrs = kind.draw(300_000, generator)
    found, truth = score(same, kind.answer(log_lrs, generator)), kind.truth()
    for name in TOLD:
        assert found[name] == pytest.approx(truth[name], abs=0.015 if name == "mce" else 0.004)
