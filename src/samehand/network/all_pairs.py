"""Posteriors of all pairs of two sets of LEVs.

What a text says by itself, its reduced vector and how near its impostors are, is computed once for
each. The log-likelihood ratios are then squared distances, one matrix product; what is left to do
for each pair is the adaptation.
"""

import torch
from torch import Tensor

from samehand.network.doubt import told_of_all_pairs
from samehand.network.network import Scoring

_PAIRS_AT_ONCE = 2_048
"""Pairs adapted in one go: their differences still fit a processor's cache."""


def of_all_pairs(scoring: Scoring, questioned: Tensor, known: Tensor) -> Tensor:
    """p(same author) (n, m) of LEVs (n, lev) with LEVs (m, lev)."""
    n, m = len(questioned), len(known)
    log_lr = _log_lrs(scoring, questioned, known)
    if scoring.doubt is not None:
        told = told_of_all_pairs(questioned[:, scoring.lev_size :], known[:, scoring.lev_size :])
        log_lr = scoring.doubt(log_lr, told)
    if scoring.adaptation.is_constant:
        return _adapted_alike(scoring, log_lr)
    answers = questioned.new_empty(n, m)
    columns = max(1, min(m, _PAIRS_AT_ONCE))
    rows = max(1, _PAIRS_AT_ONCE // columns)
    for top in range(0, n, rows):
        for left in range(0, m, columns):
            here = slice(top, top + rows), slice(left, left + columns)
            q, k = _paired(scoring.style(questioned[here[0]]), scoring.style(known[here[1]]))
            adapted = scoring.adaptation(q, k, log_lr[here].flatten()).probability
            answers[here] = adapted.view(-1, len(known[here[1]]))
    return answers


def _log_lrs(scoring: Scoring, questioned: Tensor, known: Tensor) -> Tensor:
    """(n, m), without doubt."""
    covariances, impostors = scoring.bayes.covariances, scoring.impostors
    if covariances.domain == "known":
        log_lr = questioned.new_empty(len(questioned), len(known))
        for row, q in enumerate(questioned):
            log_lr[row] = scoring.log_lr_of_style(q.expand_as(known), known.unsqueeze(1), None)
        return log_lr
    x, y = (
        scoring.bayes.reduce(scoring.style(levs)) if impostors is None else scoring.vectors(levs)
        for levs in (questioned, known)
    )
    project, most = covariances.log_lr_as_distance()
    distance = torch.cdist(x.to(project) @ project, y.to(project) @ project).square_()
    if impostors is not None:
        near = (impostors.nearness(x)[:, None] + impostors.nearness(y)) / 2
        distance *= impostors.scale(torch.cdist(x, y).square_(), near)
    return (most - distance).to(questioned.dtype)


def _adapted_alike(scoring: Scoring, log_lr: Tensor) -> Tensor:
    """p(same author) where one confusion matrix serves all pairs: two of its entries, then."""
    nobody = log_lr.new_zeros(1, scoring.lev_size)
    confusion = scoring.adaptation(nobody, nobody, log_lr.new_zeros(1)).log_confusion[0].exp()
    given_different, given_same = confusion[1].tolist()  # p(H1 | Ĥ0), p(H1 | Ĥ1)
    return torch.sigmoid(log_lr).mul_(given_same - given_different).add_(given_different)


def _paired(questioned: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:
    """The two sides (n · m, lev) of all pairs."""
    return questioned.repeat_interleave(len(known), 0), known.repeat(len(questioned), 1)
