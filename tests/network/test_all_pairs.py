"""All pairs at once score as each does by itself."""

import pytest
import torch

from samehand.network.all_pairs import of_all_pairs
from samehand.network.network import Scoring
from tests.network.drawn import without_dropout


@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize(("doubt", "wording"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("impostors", [0, 30])
@pytest.mark.parametrize("domain", ["known", "unknown"])
@pytest.mark.parametrize("sizes", [(7, 400), (1_100, 2), (1, 1), (0, 3)])
def test_every_pair_scores_as_by_itself(
    impostors: int, domain: str, sizes, doubt: bool, wording: bool, alike
) -> None:
    torch.manual_seed(0)
    changes = {
        "bfs_domain": domain, "impostors": impostors, "doubt": doubt, "wording": wording
    }  # fmt: skip
    scoring = Scoring(without_dropout(**changes)).eval()
    with torch.no_grad():
        for parameter in scoring.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
        if alike:
            scoring.adaptation.reset(0.8)
        if scoring.impostors is not None:
            scoring.impostors.vectors.normal_()
            scoring.impostors.kinds.copy_(torch.arange(impostors) % 3)
        q, k = (torch.randn(n, 5 + doubt + 2 * wording).tanh() for n in sizes)
        if scoring.doubt is not None:
            scoring.doubt.weight.normal_()
            q[:, 5], k[:, 5] = 6 + q[:, 5], 6 + k[:, 5]
        found = of_all_pairs(scoring, q, k)
        assert found.shape == sizes
        for column, lev in enumerate(k):
            there = torch.ones(len(q), 1, dtype=torch.bool)
            alone = (
                scoring.consider(q, lev.expand(len(q), 1, -1), there).probability
                if len(q)
                else q[:, 0]
            )
            assert torch.allclose(found[:, column], alone, atol=1e-6)
            if column == 5:
                break
