"""Whether texts are worded like those that a model knows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.network.weights import Member

Floats = NDArray[np.float32]

_OWN = 0.95
"""Share of the texts that a model was acquainted with, or calibrated on, whose wording is familiar
to it by that."""


class Familiarity:
    """How unfamiliar the wording of texts is to a model, and how unfamiliar it may be.

    That is the limit learned in training, or what its population or calibration has made familiar.
    """

    def __init__(
        self, members: Sequence[Member], description: dict[str, Any], population: Floats | None
    ) -> None:
        first = members[0]
        # The last that the first network is told of a text.
        self._measure = None if first.wording is None else first.network.config.lev_width - 1
        limits = [0.0 if first.wording is None else first.wording.limit]
        if population is not None:
            limits.append(self.of_most(population))
        calibration = (description.get("about") or {}).get("calibration") or {}
        stated = calibration.get("familiar_to")
        if isinstance(stated, int | float):
            limits.append(stated)
        self._limit = max(limits)

    def unlike(self, levs: Floats) -> NDArray[np.bool_]:
        """Which texts (texts,), or means of texts, are unlike those the model knows."""
        beyond: NDArray[np.bool_] = self._measured(levs) > self._limit
        return beyond

    def of_most(self, levs: Floats) -> float:
        """How unfamiliar nearly all of these texts are at most: what is no more so is like them."""
        return float(np.nanquantile(self._measured(levs), _OWN))

    def _measured(self, levs: Floats) -> Floats:
        if self._measure is None:
            return np.zeros(len(levs), np.float32)
        return levs[:, self._measure]
