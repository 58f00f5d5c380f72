"""Mean and spread of features of units, as NumPy has them, in any order and of any number."""

import numpy as np
import pytest
import torch

from samehand.network.statistics import Statistics

SIZE, FEATURES = 6, 5


def statistics(seed: int = 0) -> Statistics:
    torch.manual_seed(seed)
    return Statistics(SIZE, FEATURES)


def units(lengths: list[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Units of documents with so many each, the document of each unit, and the numbers."""
    g = torch.Generator().manual_seed(len(lengths))
    counts = torch.tensor(lengths)
    drawn = 3 * torch.randn(sum(lengths), SIZE, generator=g)
    return drawn, torch.arange(len(lengths)).repeat_interleave(counts), counts


@pytest.mark.parametrize("lengths", [[4], [1, 7, 2], [210, 3]])
def test_they_are_numpys_mean_and_standard_deviation(lengths):
    made = statistics()
    drawn, of_unit, counts = units(lengths)
    with torch.no_grad():
        found = made(drawn, of_unit, counts).double().numpy()
    weight, bias = (p.detach().double().numpy() for p in made.parameters())
    features = np.maximum(drawn.double().numpy() @ weight.T + bias, 0)
    for row, document in zip(found, np.split(features, np.cumsum(lengths)[:-1]), strict=True):
        np.testing.assert_allclose(row[:FEATURES], document.mean(0), atol=1e-5)
        spread = np.maximum(document.std(0), 0.01)  # nothing varies less
        np.testing.assert_allclose(row[FEATURES:], spread, atol=1e-5)


def test_the_order_of_units_does_not_matter():
    made = statistics()
    drawn, of_unit, counts = units([5, 1, 9])
    order = torch.randperm(len(drawn), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        straight, mixed = made(drawn, of_unit, counts), made(drawn[order], of_unit[order], counts)
    assert torch.allclose(straight, mixed, atol=1e-5)
    assert torch.pdist(straight).min() > 0.1


@pytest.mark.parametrize("twice", [False, True])
def test_what_does_not_vary_has_a_gradient(twice):
    """One unit, or the same one again: the spread is that of nothing, its root at its steepest."""
    made = statistics()
    drawn, _, _ = units([1])
    drawn = drawn.repeat(1 + twice, 1).requires_grad_()
    found = made(drawn, torch.zeros(len(drawn), dtype=torch.long), torch.tensor([len(drawn)]))
    found.square().sum().backward()
    for gradient in (drawn.grad, *(p.grad for p in made.parameters())):
        assert gradient.isfinite().all()
        assert gradient.any()
