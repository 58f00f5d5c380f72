"""Cautions, and how likelihood ratios are written in them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Caution:
    """One plain sentence on why an answer is to be read with care."""

    sentence: str
    disqualifies: bool = False
    """Whether the texts are no evidence at all, so that nothing can be decided from them."""


def plain_lr(log10_lr: float) -> str:
    """A likelihood ratio for reading: 3.2, 450, 1/25, 10,000."""
    if log10_lr < 0:
        inverse = plain_lr(-log10_lr)
        return "1" if inverse == "1" else f"1/{inverse}"
    lr = 10.0**log10_lr
    if lr < 10:
        return f"{lr:.1f}".removesuffix(".0")
    digits = 1 - int(log10_lr)  # two that count
    return f"{round(lr, digits):,.0f}"
