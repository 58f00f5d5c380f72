"""An exact interval for a proportion.

Clopper and Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934).
"""

import math

import numpy as np

_HALVINGS = 60


def exact_interval(count: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The proportions under which `count` or more, or as few or fewer, of `n` are not too rare."""
    tail = (1 - level) / 2
    low = _rises_to(tail, count, n) if count > 0 else 0.0
    high = 1 - _rises_to(tail, n - count, n) if count < n else 1.0
    return low, high


def _rises_to(tail: float, count: int, n: int) -> float:
    """The proportion under which `count` or more of `n` have the probability `tail`."""
    numbers = np.arange(count, n + 1)
    ways = np.array([math.lgamma(k + 1) + math.lgamma(n - k + 1) for k in numbers.tolist()])
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        logs = numbers * math.log(middle) + (n - numbers) * math.log1p(-middle) - ways
        if np.exp(logs + math.lgamma(n + 1)).sum() < tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2
