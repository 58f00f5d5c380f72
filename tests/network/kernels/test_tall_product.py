"""A product in chunks of rows is the product."""

import pytest
import torch
from torch.nn import functional as F

from samehand.network.kernels import tall_product as tall

ROWS = tall._ROWS


@pytest.mark.parametrize("rows", [1, 50, ROWS - 1, ROWS, 2 * ROWS + 77])
def test_values_and_gradients_are_those_of_a_linear_layer(rows):
    g = torch.Generator().manual_seed(rows)
    shapes = (rows, 7), (5, 7), (5,)
    given = [torch.randn(s, generator=g, dtype=torch.double, requires_grad=True) for s in shapes]
    upstream = torch.randn(rows, 5, generator=g, dtype=torch.double)
    ours, theirs = tall.tall_linear(*given), F.linear(*given)
    assert torch.allclose(ours, theirs)
    found, expected = (torch.autograd.grad(y, given, upstream) for y in (ours, theirs))
    for mine, other in zip(found, expected, strict=True):
        assert mine.dtype == torch.double
        # Chunks are added up in single precision.
        assert (mine - other).norm() <= 1e-6 * other.norm()


def test_the_leading_dimensions_stay():
    x, weight, bias = torch.randn(3, 4, 7), torch.randn(5, 7), torch.randn(5)
    assert torch.allclose(tall.tall_linear(x, weight, bias), F.linear(x, weight, bias), atol=1e-5)


def test_weights_are_taken_in_the_type_of_what_they_are_applied_to():
    x = torch.randn(9, 7, dtype=torch.bfloat16)
    weight, bias = torch.randn(5, 7, requires_grad=True), torch.randn(5, requires_grad=True)
    found = tall.tall_linear(x, weight, bias)
    assert found.dtype == torch.bfloat16
    found.sum().backward()
    assert weight.grad.dtype == bias.grad.dtype == torch.float32
