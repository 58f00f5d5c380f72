"""The fused kernels beside the recurrence: sums of rows, and attention."""

import pytest
import torch

from samehand.network.encoder import Attention

try:
    from samehand.network.kernels import attention_triton, row_sums_triton
except ImportError:
    attention_triton = row_sums_triton = None  # type: ignore[assignment]

pytestmark = pytest.mark.skipif(
    attention_triton is None or not torch.cuda.is_available(),
    reason="the fused kernels need CUDA and Triton",
)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    ("n", "sums"), [(0, 3), (1, 3), (64, 2), (65, 70), (9_000, 3), (20_000, 7_000)]
)
@pytest.mark.parametrize("width", [200, 520])
def test_sums_of_rows_are_those_of_double_precision(n, sums, width, dtype):
    g = torch.Generator("cuda").manual_seed(n)
    rows = torch.randn(2, n, width, generator=g, device="cuda").to(dtype)
    # Some numbers are frequent, most are rare, some are missing.
    numbers = (torch.rand(n, generator=g, device="cuda") ** 4 * sums).long()
    exact = torch.zeros(sums, 2, width, dtype=torch.double, device="cuda")
    exact.index_add_(0, numbers, rows.double().transpose(0, 1))
    found = row_sums_triton.sum_rows(rows, numbers, sums)
    assert found.dtype == torch.float32
    assert (found - exact).norm() <= 1e-5 * exact.norm()
    assert torch.equal(found, row_sums_triton.sum_rows(rows, numbers, sums))  # to the bit


@pytest.mark.parametrize(("size", "steps"), [(100, 30), (100, 7), (128, 32), (20, 1)])
def test_fused_attention_agrees_with_the_plain_one_in_double_precision(size, steps):
    torch.manual_seed(0)
    n = 1_000
    attention = Attention(size).cuda()
    for parameter in attention.parameters():
        parameter.data.uniform_(-0.3, 0.3)
    lengths = torch.randint(1, steps + 1, (n,), device="cuda")
    ended = torch.arange(steps, device="cuda") >= lengths[:, None]
    states = torch.randn(n, steps, size, device="cuda").masked_fill(ended[..., None], 0).bfloat16()
    gradient = torch.randn(n, size, device="cuda").bfloat16()
    found = []
    for dtype in (torch.bfloat16, torch.double):
        attention.double() if dtype == torch.double else attention.float()
        leaf = states.to(dtype, copy=True).requires_grad_()
        attention.zero_grad()
        with torch.autocast("cuda", torch.bfloat16, enabled=dtype == torch.bfloat16):
            sums, weights = attention(leaf, lengths)
        sums.backward(gradient.to(sums.dtype))
        found.append((sums, weights, leaf.grad, *(p.grad.double() for p in attention.parameters())))
    assert attention_triton.fits(states)
    for ours, exact in zip(*found, strict=True):
        assert (ours.double() - exact).norm() <= 1e-2 * exact.norm() + 1e-6
