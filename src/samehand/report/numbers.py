"""Numbers of an answer as people and programs get to see them."""

from dataclasses import replace

from samehand.verdict import Log10Bounds, TextFacts, Verdict

DECIMALS = 6
"""Of log10 LRs that are shown. Further ones may differ between machines, and mean nothing."""
_SHARE = 3
"""Decimals of the probability of a genre."""


def rounded(verdict: Verdict) -> Verdict:
    """The verdict with its log10 LRs rounded, so that all that is shown follows from what is."""
    ends, before = verdict.log10_lr_interval, verdict.log10_lr_unadapted
    return replace(
        verdict,
        log10_lr=round_log(verdict.log10_lr),
        log10_lr_bounds=_both(verdict.log10_lr_bounds),
        log10_lr_interval=ends and _both(ends),
        log10_lr_by_network=tuple(map(round_log, verdict.log10_lr_by_network)),
        log10_lr_unadapted=None if before is None else round_log(before),
        genres=tuple((name, round(share, _SHARE)) for name, share in verdict.genres),
        known=tuple(map(_rounded, verdict.known)),
    )


def round_log(log10_lr: float) -> float:
    """A log10 LR with so many decimals; 0 has no sign."""
    return round(log10_lr, DECIMALS) + 0.0


def _both(ends: Log10Bounds) -> Log10Bounds:
    low, high = ends
    return round_log(low), round_log(high)


def plain_odds(odds: float) -> str:
    """Odds for reading: 1:1, 1:99, 2.5:1."""
    if odds < 1.0:
        return f"1:{_plain(1.0 / odds)}"
    return f"{_plain(odds)}:1"


def _rounded(known: TextFacts) -> TextFacts:
    alone = known.log10_lr
    return known if alone is None else replace(known, log10_lr=round_log(alone))


def _plain(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
