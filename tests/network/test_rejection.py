"""O2D2: what it sees, what it calls undecidable, and that it learns to tell which trials are."""

import torch

from samehand.network.network import Scoring
from samehand.network.rejection import Rejection, fit_rejection, undecidable

from .drawn import without_dropout


def test_undecidable_is_what_is_decided_wrongly_or_hardly():
    p = torch.tensor([0.1, 0.1, 0.31, 0.5, 0.69, 0.71, 0.71])
    same = torch.tensor([False, True, False, True, True, True, False])
    assert undecidable(p, same).tolist() == [False, True, True, True, True, False, True]


def test_it_sees_both_sides_alike():
    y1, y2 = torch.rand(2, 8, 5)
    log_confusion = torch.rand(8, 2, 2).log()
    made = Rejection(5).eval()
    there, back = made(y1, y2, log_confusion), made(y2, y1, log_confusion)
    assert torch.equal(there, back)
    assert (there - made(y1, y2.flip(0), log_confusion)).abs().min() > 0


def trials(n, seed):
    """Half of the trials are pure chance, and show it by large values of their first feature."""
    g = torch.Generator().manual_seed(seed)
    same = torch.arange(n) % 2 == 0
    chance = torch.arange(n) % 4 < 2
    y1 = 0.3 * torch.randn(n, 5, generator=g)
    apart = torch.where(same ^ (chance & (torch.rand(n, generator=g) < 0.5)), 0.05, 0.8)
    y2 = y1 + apart[:, None] * torch.randn(n, 5, generator=g).sign()
    y1[:, 0] += chance.float()
    y2[:, 0] += chance.float()
    return torch.tanh(y1), torch.tanh(y2), same, chance


def test_it_rejects_what_cannot_be_decided():
    torch.manual_seed(0)
    scoring = Scoring(without_dropout(bfs_activation="none", bfs_domain="unknown"))
    y1, y2, same, chance = trials(2_000, seed=1)
    scoring.start_from_pairs(y1[~chance], y2[~chance], same[~chance])
    made = fit_rejection(scoring, *trials(2_000, seed=2)[:3], seed=0)
    y1, y2, same, chance = trials(1_000, seed=3)
    with torch.no_grad():
        _, adapted = scoring(y1, y2.unsqueeze(1))
        logits = made(y1, y2, adapted.log_confusion)
    auc = (logits[chance].unsqueeze(1) > logits[~chance]).float().mean()
    assert auc > 0.9
    rejected = logits > 0
    assert rejected[chance].float().mean() > 0.2
    assert rejected[~chance].float().mean() < 0.03
    undecided = undecidable(adapted.probability, same)
    assert undecided[rejected].float().mean() > 1.5 * undecided.float().mean()
