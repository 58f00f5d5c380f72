"""Each figure draws what it says, on odd inputs too, and without a warning."""

import warnings

import numpy as np
import pytest

from samehand.errors import InputError
from samehand.evaluation import cllr, cllr_min, figures, log_lr
from samehand.evaluation.calibration_error import Binning
from samehand.evaluation.strata import Strata

SAME = np.array([True, True, True, False, False, False])
PROBABILITY = np.array([0.9, 0.5, 0.2, 0.1, 0.5, 0.8])


@pytest.fixture
def ax():
    figure, (axis,) = figures.new_figure()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield axis
        figure.canvas.draw()


def said(ax):
    legend = [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []
    return " ".join([ax.get_title(), *legend, *(text.get_text() for text in ax.texts)])


@pytest.mark.parametrize("spacing", ["equal", "adaptive"])
@pytest.mark.parametrize("of", ["confidence", "probability"])
def test_reliability_bars_are_as_high_as_the_accuracy(ax, of, spacing):
    figures.reliability_diagram(ax, SAME, PROBABILITY, Binning(of, spacing))
    heights = [bar.get_height() for bar in ax.patches]
    if (of, spacing) == ("confidence", "equal"):
        assert heights == [0.5, 0.0, 1.0]
        assert "ECE 0.300" in said(ax)


def test_reliability_of_a_single_answer(ax):
    figures.reliability_diagram(ax, SAME[:1], PROBABILITY[:1])


def test_histogram_states_accuracy_confidence_and_non_responses(ax):
    figures.posterior_histogram(ax, SAME[:3], PROBABILITY[:3], "SA")
    assert "accuracy 0.500\nconfidence 0.850\n1 non-responses" in said(ax)
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(2 / 3)


def test_histogram_of_non_responses_only(ax):
    figures.posterior_histogram(ax, [True], [0.5], "SA")
    assert "1 non-responses" in said(ax)


def test_kernel_starts_at_one_and_passes_the_thresholds(ax):
    figures.kernel_mapping(ax, (0.09, 1.5), (0.02, 2.4))
    r, before = ax.get_lines()[0].get_data()
    assert before[0] == 1.0
    assert np.interp([1.0, 3.0], r, before) == pytest.approx([0.91, 0.09], abs=0.01)


def test_entropy_has_a_point_for_each_epoch(ax):
    figures.entropy_curves(ax, [3.0, 2.0, 1.5], [3.0, 4.0, 4.5])
    assert [line.get_xdata().tolist() for line in ax.get_lines()] == [[1, 2, 3]] * 2


def test_tippett_states_misleading_evidence(ax):
    figures.tippett_plot(ax, SAME, log_lr(PROBABILITY))
    assert "same author, LR < 1: 33.3%" in said(ax)
    assert "different authors, LR > 1: 33.3%" in said(ax)


def test_pav_marks_what_becomes_infinite(ax):
    figures.pav_plot(ax, SAME, log_lr(PROBABILITY))
    assert "+∞ after PAV" in said(ax)
    assert "−∞ after PAV" in said(ax)


def test_cross_entropy_at_even_odds_is_cllr(ax):
    figures.cross_entropy_plot(ax, SAME, log_lr(PROBABILITY))
    nothing, given, best = (dict(zip(*line.get_data(), strict=True)) for line in ax.get_lines())
    assert nothing[0.0] == 1.0
    assert given[0.0] == pytest.approx(cllr(SAME, log_lr(PROBABILITY)))
    assert best[0.0] == pytest.approx(cllr_min(SAME, PROBABILITY))


def test_det_takes_several_systems_and_states_their_eer(ax):
    figures.det_curve(ax, SAME, PROBABILITY, "A")
    figures.det_curve(ax, SAME, SAME.astype(float), "B")
    assert "A: EER 50.0% B: EER 0.0%" in said(ax)


@pytest.mark.parametrize("draw", ["tippett_plot", "pav_plot", "det_curve", "cross_entropy_plot"])
def test_one_kind_of_trial_alone_is_no_obstacle(ax, draw):
    getattr(figures, draw)(ax, SAME[:3], log_lr(PROBABILITY[:3]))


def test_all_figures_of_a_run_are_written(tmp_path):
    strata = Strata(np.array([0, 1, 0, 1, 0, 1], dtype=np.int8), np.full(6, 100))
    paths = figures.save_figures(tmp_path / "new" / "plots", SAME, PROBABILITY, strata=strata)
    names = {path.stem for path in paths}
    assert names == {"histograms", "reliability", "tippett", "pav", "cross-entropy", "det"}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "plots").touch()
    with pytest.raises(InputError, match="plots: this is a file"):
        figures.save_figures(tmp_path / "plots", SAME, PROBABILITY)


def test_a_link_in_place_of_a_figure_is_not_followed(tmp_path):
    (tmp_path / "victim").write_text("dear to somebody")
    (tmp_path / "det.png").symlink_to(tmp_path / "victim")
    with pytest.raises(InputError, match=r"det\.png: this is a link"):
        figures.save_figures(tmp_path, SAME, PROBABILITY)
    assert (tmp_path / "victim").read_text() == "dear to somebody"
