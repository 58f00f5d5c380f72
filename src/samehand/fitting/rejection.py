"""A network with doubt learns which trials it had better not answer (O2D2).

From the pairs of authors kept from its encoder. Some of these authors are kept from this, too: on
their pairs the limit is chosen, as the one of least cost.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from samehand.fitting.impostors import Fitted
from samehand.network.network import Network, even_weights
from samehand.network.rejection import undecidable

UNANSWERED = 0.375
"""What a trial costs that is not answered, where a wrong answer costs 1 and a right one nothing:
three wrong answers are as bad as eight missing ones."""
_FOR_LIMIT = 0.3
"""Share of the authors on whose pairs the limit is chosen."""
_EPOCHS, _BATCH = 10, 128
_RATES = 1e-3, 5e-4


def add_rejection(fitted: Fitted, seed: int) -> Fitted:
    """The same network with a rejection."""
    torch.manual_seed(seed)
    network = fitted.network.with_parts(rejection=True)
    scoring, drawn = network.scoring, fitted.drawn
    assert scoring.rejection is not None
    with torch.no_grad():
        levs = drawn.all_levs()
        seen = scoring.seen_by_rejection(levs[0], levs[1].unsqueeze(1))
        p = seen[2].probability
    wrong = undecidable(p, drawn.same)
    apart = _authors_apart(drawn.authors, np.random.default_rng([seed, 4]))
    weights = even_weights(drawn.same).double()
    _train(network, seen, wrong, weights * ~apart)
    network.eval()
    with torch.no_grad():
        logits = scoring.rejection(*seen)
        error = ((p > 0.5) != drawn.same).double()
        weights = even_weights(drawn.same[apart]).double()
        limit, cost = cheapest_limit(logits[apart], error[apart], weights)
        scoring.rejection.limit.copy_(limit)
        answered = weights * (logits[apart] <= limit)
    about = {
        "unanswered_costs": UNANSWERED,
        "unanswered": 1.0 - float(answered.sum()),
        "error": float(weights @ error[apart]),
        "error_of_answered": float(answered @ error[apart] / answered.sum()),
        "cost": cost,
    }
    return fitted._replace(network=network, about=fitted.about | {"rejection": about})


def cheapest_limit(logits: Tensor, error: Tensor, weights: Tensor) -> tuple[Tensor, float]:
    """The limit on logits at which errors and missing answers cost least, and that cost a trial.

    `error` is 1 where an answer would be wrong; `weights` sum to 1.
    """
    ranked, order = logits.sort()
    nothing = weights.new_zeros(1)
    errors = torch.cat([nothing, (weights * error)[order].cumsum(0)])
    answered = torch.cat([nothing, weights[order].cumsum(0)])
    costs = errors + UNANSWERED * (1.0 - answered)  # where so many are answered
    best = int(costs.argmin())
    limit = ranked[best - 1] if best else ranked[0] - 1.0
    return limit, float(costs[best])


def _authors_apart(authors: Tensor, rng: np.random.Generator) -> Tensor:
    """Which pairs are by the authors kept for choosing the limit; mixed ones count for training."""
    distinct = np.unique(authors.numpy())
    chosen = distinct[rng.random(len(distinct)) < _FOR_LIMIT]
    return torch.from_numpy(np.isin(authors.numpy(), chosen).all(0))


def _train(network: Network, seen: tuple[Any, ...], wrong: Tensor, weights: Tensor) -> None:
    """Learn which pairs are wrong; those of no weight are not looked at."""
    rejection = network.scoring.rejection
    assert rejection is not None
    places = weights.nonzero().squeeze(1)
    weights = (weights / weights[places].mean()).float()
    y1, y2, adapted, amount = seen
    optimiser = torch.optim.Adam(rejection.parameters(), _RATES[0])
    fall = (_RATES[1] / _RATES[0]) ** (1 / _EPOCHS)
    rate = torch.optim.lr_scheduler.ExponentialLR(optimiser, fall)
    rejection.train()
    for _ in range(_EPOCHS):
        for rows in torch.split(places[torch.randperm(len(places))], _BATCH):
            part = type(adapted)(*(log[rows] for log in adapted))
            logits = rejection(y1[rows], y2[rows], part, amount[rows])
            loss = F.binary_cross_entropy_with_logits(logits, wrong[rows].float(), weights[rows])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        rate.step()
