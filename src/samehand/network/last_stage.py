"""The last stage of a model: an affine map of its log likelihood ratios, fitted to a kind of text.

log LR' = offset + slope · log LR. Brümmer and du Preez, Computer Speech and Language 20 (2006);
Morrison, "Tutorial on logistic-regression calibration and fusion", Australian Journal of Forensic
Sciences 45 (2013). `samehand.casework` fits it; without that it is the identity.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError

Floats = NDArray[np.float64]


class LastStage(NamedTuple):
    """What becomes of a log likelihood ratio at the end. It keeps the order of trials."""

    offset: float = 0.0
    slope: float = 1.0

    @classmethod
    def of(cls, description: dict[str, Any]) -> "LastStage":
        """The one that a model's description states under `about`, `calibration`, if any."""
        calibration = (description.get("about") or {}).get("calibration")
        if calibration is None:
            return cls()
        try:
            stage = cls(float(calibration["offset"]), float(calibration["slope"]))
        except (KeyError, TypeError, ValueError):
            stage = cls(math.nan, math.nan)
        if not (math.isfinite(stage.offset) and 0.0 < stage.slope < math.inf):
            raise InputError(
                "The model's description states a calibration without a finite offset and a slope "
                "above 0; calibrate it again."
            )
        return stage

    def log_lrs(self, log_lrs: Floats) -> Floats:
        """The calibrated log likelihood ratios, in the same base: natural logarithms."""
        return self.offset + self.slope * log_lrs

    def probability(self, probability: Floats) -> Floats:
        """The same for probabilities at prior 1:1; not a number stays so."""
        if self == LastStage():
            return probability  # to the bit
        from scipy.special import expit, logit

        calibrated: Floats = expit(self.log_lrs(logit(probability)))
        return calibrated


def underlying(description: dict[str, Any]) -> dict[str, Any]:
    """The description of a model as it was before it was calibrated."""
    about = dict(description.get("about") or {})
    calibration = about.pop("calibration", None)
    if not isinstance(calibration, dict):
        return description
    for key in ("name", "validation"):
        about.pop(key, None)
        before = (calibration.get("underlying") or {}).get(key)
        if before is not None:
            about[key] = before
    return description | {"about": about}


def in_words(calibration: dict[str, Any]) -> str:
    """What a description tells of its calibration, in sentences."""
    try:
        stage = f"log LR' = {calibration['offset']:+.3f} {calibration['slope']:+.3f} · log LR"
        if not calibration.get("fitted", True):
            stage = "found calibrated already, so that only its bounds changed"
        trials = calibration["trials"]
        before, after = (calibration[when]["cllr"] for when in ("before", "after"))
        return (
            f"Calibrated on {calibration['date']} from {calibration['model']['name']}, on "
            f"{trials['same']:,} trials by one author and {trials['different']:,} by two (SHA-256 "
            f"of the pairs {calibration['pairs_sha256'][:12]}, of the truth "
            f"{calibration['truth_sha256'][:12]}): {stage}. Cllr {before:.3f} before, {after:.3f} "
            "after, cross-validated."
        )
    except (KeyError, TypeError, ValueError):
        return "Calibrated, but its description does not tell how."
