"""Engine and scoring judge by a network as the network itself would, which has the gradients.

That the engine makes the network's vectors, see tests/engine/test_forward.py.
"""

from typing import get_args

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.engine.embed import Embedder
from samehand.model.config import Activation, Domain
from samehand.network.network import Network
from samehand.scoring.distance import Trials
from samehand.scoring.paper import PaperEvidence
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
texts = st.lists(prose.filter(lambda text: any(map(str.isalnum, text))), min_size=2, max_size=7)


@st.composite
def trials(draw, most: int) -> list[tuple[int, list[int]]]:
    """A questioned text and some known ones of each trial, by their places."""
    places = st.integers(0, most - 1)
    return draw(st.lists(st.tuples(places, st.lists(places, min_size=1, max_size=8)), min_size=1))


def by_network(
    network: Network, some: list[str], posed: list[tuple[int, list[int]]]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Log LRs by the Bayes factor, and log odds after the adaptation, trial by trial."""
    with torch.no_grad():
        levs = network(cut(network, some)[0])
        found = [network.scoring(levs[[q]], levs[known].unsqueeze(0)) for q, known in posed]
    return torch.cat([bfs for bfs, _ in found]), torch.cat([ual.log_odds for _, ual in found])


@settings(max_examples=60)
@given(configs, scorings, st.integers(0, 1_000), texts, st.data())
def test_log_lrs_are_those_of_the_network(sizes, scoring, seed, some, data) -> None:
    network, stored = untrained(seed, 1.0, **{**sizes, **scoring})
    posed = data.draw(trials(len(some)))
    vectors = Embedder([stored]).embed(some)
    found = PaperEvidence.of(stored).components(vectors, Trials.of(*zip(*posed, strict=True)))
    for ours, theirs in zip(found, by_network(network, some, posed), strict=True):
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=TOLERANCE, atol=TOLERANCE)


@settings(max_examples=25)
@given(configs, scorings, st.integers(0, 1_000), texts, st.data())
def test_several_networks_answer_by_the_mean_of_their_posteriors(
    sizes, scoring, seed, some, data
) -> None:
    both = [untrained(seed + i, 1.0, **{**sizes, **scoring}) for i in range(2)]
    posed = data.draw(trials(len(some)))
    vectors = Embedder([stored for _, stored in both]).embed(some)
    evidence = [PaperEvidence.of(stored) for _, stored in both]
    found = paper_log_lr(evidence, vectors, Trials.of(*zip(*posed, strict=True)))
    odds = torch.stack([by_network(network, some, posed)[1] for network, _ in both])
    expected = torch.logit(torch.sigmoid(odds).mean(0)).numpy()
    np.testing.assert_allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE)
