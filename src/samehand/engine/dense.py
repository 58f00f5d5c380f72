"""Layers of a network, and statistics of units, in Python that numba compiles.

Every row is computed by the same operations in the same order, whatever rows stand beside it. So a
result does not depend on how the work is shared out, as it would with a library's matrix product.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import numba
import numpy as np

from samehand.engine.compiling import compiled_kernel
from samehand.engine.kernels import tanh
from samehand.engine.product import LANES, add_product

COLUMNS = 16
"""Outputs of a layer are padded to multiples of this."""

_F = {1: numba.float32[::1], 2: numba.float32[:, ::1]}
_I = {1: numba.int64[::1], 2: numba.int64[:, ::1]}
Bend = Literal["none", "relu", "tanh"]
_ZERO, _LEAST_VARIANCE = np.float32(0), 1e-4


@cache
def layer(bend: Bend) -> Callable[..., None]:
    """A dense layer of any size, for one activation.

    rows    (n, depth)
    chosen  (some,)         the rows to take
    weight  (depth, width)
    bias    (width,)
    out     (n, width)      takes the activations of the chosen rows
    """
    is_relu, is_tanh = bend == "relu", bend == "tanh"

    def apply(rows: Any, chosen: Any, weight: Any, bias: Any, out: Any) -> None:
        depth, width = weight.shape
        x = np.empty((LANES, depth), np.float32)
        sums = np.empty((LANES, width), np.float32)
        for first in range(0, len(chosen), LANES):
            for lane in range(LANES):  # where there are fewer, the last takes part several times
                row = chosen[min(first + lane, len(chosen) - 1)]
                for k in range(depth):
                    x[lane, k] = rows[row, k]
                for j in range(width):
                    sums[lane, j] = bias[j]
            add_product(x, weight, sums, depth, width)
            for lane in range(min(LANES, len(chosen) - first)):
                row = chosen[first + lane]
                for j in range(width):
                    value = sums[lane, j]
                    if is_relu:
                        value = max(value, _ZERO)
                    elif is_tanh:
                        value = tanh(value)
                    out[row, j] = value

    return compiled_kernel(apply, (_F[2], _I[1], _F[2], _F[1], _F[2]))


@cache
def summariser() -> Callable[..., None]:
    """A document's summary: what was attended to, mean and spread of its units' features.

    totals    (documents, size)
    features  (units, width)
    index     (documents, most)  the units of each document
    lengths   (documents,)       how many there are, one at least
    chosen    (some,)            the documents to take
    out       (documents, size + 2 · width)
    """

    def summarise(
        totals: Any, features: Any, index: Any, lengths: Any, chosen: Any, out: Any
    ) -> None:
        size, width = totals.shape[1], features.shape[1]
        mean, squares = np.empty(width, np.float64), np.empty(width, np.float64)
        for document in chosen:
            for j in range(size):
                out[document, j] = totals[document, j]
            mean[:] = 0.0
            squares[:] = 0.0
            for place in range(lengths[document]):
                unit = index[document, place]
                for j in range(width):
                    mean[j] += features[unit, j]
            for j in range(width):
                mean[j] /= lengths[document]
            for place in range(lengths[document]):
                unit = index[document, place]
                for j in range(width):
                    squares[j] += (features[unit, j] - mean[j]) ** 2
            for j in range(width):
                variance = max(squares[j] / lengths[document], _LEAST_VARIANCE)
                out[document, size + j] = mean[j]
                out[document, size + width + j] = np.sqrt(variance)

    return compiled_kernel(summarise, (_F[2], _F[2], _I[2], _I[1], _I[1], _F[2]))
