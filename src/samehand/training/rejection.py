"""A network with doubt learns which trials it had better not answer (O2D2).

From the pairs of authors kept from its encoder. Some of these authors are kept from this, too: on
their pairs the limit is chosen, as the one of least cost.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from samehand.model.network import Network
from samehand.model.rejection import undecidable
from samehand.training.impostors import Fitted

UNANSWERED = 0.4
"""What a trial costs that is not answered, where a wrong answer costs 1 and a right one nothing:
two wrong answers are as bad as five missing ones."""
_FOR_LIMIT = 0.3
"""Share of the authors on whose pairs the limit is chosen."""
_EPOCHS, _BATCH = 20, 128
_RATES = 1e-3, 5e-4


def add_rejection(fitted: Fitted, seed: int) -> Fitted:
    """The same network with a rejection."""
    torch.manual_seed(seed)
    network = _copy(fitted.network)
    scoring, drawn = network.scoring, fitted.drawn
    assert scoring.rejection is not None
    with torch.no_grad():
        amounts = drawn.lengths.clamp(min=1).float().log()  # (2, pairs)
        levs = torch.cat([drawn.levs, amounts.unsqueeze(2)], 2)
        seen = scoring.seen_by_rejection(levs[0], levs[1].unsqueeze(1), None)
        p = seen[2].probability
    wrong = undecidable(p, drawn.same)
    apart = _authors_apart(drawn.authors, np.random.default_rng([seed, 4]))
    _train(network, seen, wrong, ~apart)
    network.eval()
    with torch.no_grad():
        logits = scoring.rejection(*seen)
        error = (p > 0.5) != drawn.same
        limit, cost = cheapest_limit(logits[apart], error[apart])
        scoring.rejection.limit.copy_(limit)
        answered = (logits <= limit) & apart
    about = {
        "unanswered_costs": UNANSWERED,
        "unanswered": 1.0 - float(answered.sum() / apart.sum()),
        "error": float(error[apart].float().mean()),
        "error_of_answered": float(error[answered].float().mean()),
        "cost": cost,
    }
    return fitted._replace(network=network, about=fitted.about | {"rejection": about})


def cheapest_limit(logits: Tensor, error: Tensor) -> tuple[Tensor, float]:
    """The limit on logits at which errors and missing answers cost least, and that cost a trial."""
    ranked, order = logits.sort()
    errors = torch.cat([torch.zeros(1), error[order].float().cumsum(0)])
    missing = torch.arange(len(logits), -1, -1)
    costs = (errors + UNANSWERED * missing) / len(logits)  # where so many are answered
    best = int(costs.argmin())
    limit = ranked[best - 1] if best else ranked[0] - 1.0
    return limit, float(costs[best])


def _authors_apart(authors: Tensor, rng: np.random.Generator) -> Tensor:
    """Which pairs are by the authors kept for choosing the limit; mixed ones count for training."""
    distinct = np.unique(authors.numpy())
    chosen = distinct[rng.random(len(distinct)) < _FOR_LIMIT]
    return torch.from_numpy(np.isin(authors.numpy(), chosen).all(0))


def _train(network: Network, seen: tuple[Any, ...], wrong: Tensor, used: Tensor) -> None:
    rejection = network.scoring.rejection
    assert rejection is not None
    places = used.nonzero().squeeze(1)
    y1, y2, adapted, amount = seen
    optimiser = torch.optim.Adam(rejection.parameters(), _RATES[0])
    fall = (_RATES[1] / _RATES[0]) ** (1 / _EPOCHS)
    rate = torch.optim.lr_scheduler.ExponentialLR(optimiser, fall)
    rejection.train()
    for _ in range(_EPOCHS):
        for rows in torch.split(places[torch.randperm(len(places))], _BATCH):
            part = type(adapted)(*(log[rows] for log in adapted))
            logits = rejection(y1[rows], y2[rows], part, amount[rows])
            loss = F.binary_cross_entropy_with_logits(logits, wrong[rows].float())
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        rate.step()


def _copy(network: Network) -> Network:
    sizes = len(network.encoder.words.weight), len(network.encoder.characters.weight)
    rejecting = Network(network.config.model_copy(update={"rejection": True}), *sizes)
    _, unexpected = rejecting.load_state_dict(network.state_dict(), strict=False)
    assert not unexpected
    return rejecting
