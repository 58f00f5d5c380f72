"""Engine and scoring judge by a network as the network itself would, which has the gradients.

That the engine makes the network's vectors, see tests/engine/test_forward.py.
"""

from typing import get_args

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import logsigmoid

from samehand.engine.embed import Embedder
from samehand.model.config import Activation, Domain
from samehand.network.metric import EPSILON
from samehand.network.network import Network
from samehand.scoring.distance import Trials
from samehand.scoring.paper import Component, PaperEvidence
from samehand.scoring.system import paper_log_lr
from tests.engine.test_forward import cut
from tests.engine.untrained import configs, prose, untrained

TOLERANCE = 1e-4

scorings = st.fixed_dictionaries(
    {
        "bfs_size": st.integers(1, 2),  # no network has smaller LEVs
        "bfs_activation": st.sampled_from(get_args(Activation)),
        "bfs_domain": st.sampled_from(get_args(Domain)),
        "ual_size": st.integers(1, 12),
    }
)
components = st.sampled_from(get_args(Component))
texts = st.lists(prose.filter(lambda text: any(map(str.isalnum, text))), min_size=2, max_size=7)


@st.composite
def trials(draw, most: int) -> list[tuple[int, list[int]]]:
    """A questioned text and some known ones of each trial, by their places."""
    places = st.integers(0, most - 1)
    return draw(st.lists(st.tuples(places, st.lists(places, min_size=1, max_size=8)), min_size=1))


def by_network(
    network: Network, some: list[str], posed: list[tuple[int, list[int]]]
) -> dict[str, torch.Tensor]:
    """Log odds by each component, trial by trial."""
    found: dict[str, list[torch.Tensor]] = {name: [] for name in get_args(Component)}
    with torch.no_grad():
        levs = network(cut(network, some)[0])
        for q, places in posed:
            questioned, known = levs[[q]], levs[places].unsqueeze(0)
            log_lr, adapted = network.scoring(questioned, known)
            apart = network.metric.distance(questioned, known.mean(1)).double()
            log_p = -network.metric.gamma * (apart + EPSILON) ** network.metric.alpha
            found["dml"].append(log_p - torch.log(-torch.expm1(log_p)))
            found["bfs"].append(log_lr)
            found["ual"].append(adapted.log_odds)
    return {name: torch.cat(odds) for name, odds in found.items()}


@settings(max_examples=60)
@given(configs, scorings, st.integers(0, 1_000), texts, st.data())
def test_log_odds_of_every_component_are_those_of_the_network(
    sizes, scoring, seed, some, data
) -> None:
    network, stored = untrained(seed, 1.0, **{**sizes, **scoring})
    posed = data.draw(trials(len(some)))
    vectors = Embedder([stored]).embed(some)
    evidence = PaperEvidence.of(stored)
    for component, expected in by_network(network, some, posed).items():
        found = evidence.log_odds(vectors, Trials.of(*zip(*posed, strict=True)), component)
        np.testing.assert_allclose(found, expected.numpy(), rtol=TOLERANCE, atol=TOLERANCE)


@settings(max_examples=25)
@given(configs, scorings, st.integers(0, 1_000), texts, st.data(), components)
def test_several_networks_answer_by_the_mean_of_their_posteriors(
    sizes, scoring, seed, some, data, component
) -> None:
    both = [untrained(seed + i, 1.0, **{**sizes, **scoring}) for i in range(2)]
    posed = data.draw(trials(len(some)))
    vectors = Embedder([stored for _, stored in both]).embed(some)
    evidence = [PaperEvidence.of(stored) for _, stored in both]
    found = paper_log_lr(evidence, vectors, Trials.of(*zip(*posed, strict=True)), component)
    odds = torch.stack([by_network(network, some, posed)[component] for network, _ in both])
    for_same, for_different = (logsigmoid(sign * odds).logsumexp(0) for sign in (1.0, -1.0))
    expected = (for_same - for_different).numpy()  # exact even where a posterior rounds to 1
    np.testing.assert_allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE)
