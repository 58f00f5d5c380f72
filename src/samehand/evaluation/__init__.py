"""PAN's metrics, calibration, likelihood-ratio metrics, and figures."""

from samehand.evaluation.answers import Answers, Truth, read_answers, read_truth
from samehand.evaluation.calibration_error import PAPER_BINNING, Binning, ece, mce, reliability
from samehand.evaluation.cross_entropy import empirical_cross_entropy
from samehand.evaluation.discrimination import auc, eer
from samehand.evaluation.likelihood_ratio import (
    cllr,
    cllr_cal,
    cllr_min,
    devpav,
    log_lr,
    pav,
)
from samehand.evaluation.pan import brier, c_at_1, f1, f_05_u
from samehand.evaluation.scores import score
from samehand.evaluation.strata import read_strata

__all__ = [
    "PAPER_BINNING",
    "Answers",
    "Binning",
    "Truth",
    "auc",
    "brier",
    "c_at_1",
    "cllr",
    "cllr_cal",
    "cllr_min",
    "devpav",
    "ece",
    "eer",
    "empirical_cross_entropy",
    "f1",
    "f_05_u",
    "log_lr",
    "mce",
    "pav",
    "read_answers",
    "read_strata",
    "read_truth",
    "reliability",
    "score",
]
