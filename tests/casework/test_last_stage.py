"""The last stage of a model: an affine map of log-odds that keeps the order of trials."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.network.last_stage import LastStage, in_words, underlying

probabilities = st.lists(st.floats(0, 1), min_size=2, max_size=20)
stages = st.builds(LastStage, st.floats(-5, 5), st.floats(0.01, 20))


@given(stages, probabilities)
def test_order_is_kept_and_certainty_stays_certain(stage, given_probabilities):
    p = np.array(sorted(given_probabilities))
    found = stage.probability(p)
    assert (np.diff(found) >= 0).all()
    assert ((found >= 0) & (found <= 1)).all()
    np.testing.assert_array_equal(stage.probability(np.array([0.0, 1.0])), [0.0, 1.0])


@given(stages, st.floats(0.001, 0.999))
def test_it_is_affine_in_the_log_odds(stage, p):
    [found] = stage.probability(np.array([p]))
    odds = np.exp(stage.offset) * (p / (1 - p)) ** stage.slope
    assert found == pytest.approx(odds / (1 + odds), rel=1e-9, abs=1e-300)


def test_the_identity_changes_no_bit_and_what_is_unknown_stays_unknown():
    p = np.array([0.1, np.nan, 1 / 3])
    assert LastStage().probability(p).tobytes() == p.tobytes()
    assert np.isnan(LastStage(1.0, 2.0).probability(p)).tolist() == [False, True, False]


@pytest.mark.parametrize(
    "stated",
    [{}, {"offset": 1}, {"offset": 0, "slope": 0}, {"offset": 0, "slope": -1}, "twice", [1, 2],
     {"offset": float("nan"), "slope": 1}, {"offset": 0, "slope": "steep"}],
)  # fmt: skip
def test_a_description_with_a_senseless_stage_is_refused(stated):
    with pytest.raises(InputError, match="calibrate it again"):
        LastStage.of({"about": {"calibration": stated}})
    assert "does not tell how" in in_words(stated if isinstance(stated, dict) else {})


def test_a_model_without_calibration_has_the_identity():
    for description in ({}, {"about": None}, {"about": {"name": "plain"}}):
        assert LastStage.of(description) == LastStage()
        assert underlying(description) is description


def test_what_a_model_told_before_comes_back():
    plain = {"sha256": "1", "about": {"name": "plain", "validation": {"on": "x"}, "data": {}}}
    before = {key: plain["about"][key] for key in ("name", "validation")}
    calibrated = plain["about"] | {"name": "new", "validation": {"on": "y"}}
    calibrated["calibration"] = {"offset": 1, "slope": 2, "underlying": before}
    assert underlying({"sha256": "1", "about": calibrated}) == plain
