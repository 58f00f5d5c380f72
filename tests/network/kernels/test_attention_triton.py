"""Fused attention is attention, forward and backward."""

import pytest
import torch

from samehand.network.encoder import Attention

pytest.importorskip("triton")


@pytest.mark.parametrize(("size", "steps"), [(100, 30), (100, 7), (128, 32), (20, 1)])
def test_it_agrees_with_the_plain_one_in_double_precision(size, steps, dtype, device):
    from samehand.network.kernels import attention_triton

    if device == "cuda" and dtype != torch.bfloat16:
        pytest.skip("on a GPU it is used for bfloat16 alone")
    torch.manual_seed(0)
    n = 1_000 if device == "cuda" else 20
    attention = Attention(size).to(device)
    for parameter in attention.parameters():
        parameter.data.uniform_(-0.3, 0.3)
    lengths = torch.randint(1, steps + 1, (n,), device=device)
    ended = torch.arange(steps, device=device) >= lengths[:, None]
    states = torch.randn(n, steps, size, device=device).masked_fill(ended[..., None], 0).to(dtype)
    gradient = torch.randn(n, size, device=device).to(dtype)

    def fused(leaf):
        bend = attention.bend
        return attention_triton.attend(
            leaf, lengths, bend.weight, bend.bias, attention.score.weight
        )

    found = []
    for kind, attend in ((dtype, fused), (torch.double, lambda leaf: attention(leaf, lengths))):
        attention.to(torch.double if kind == torch.double else torch.float32)
        leaf = states.to(kind, copy=True).requires_grad_()
        attention.zero_grad()
        with torch.autocast(device, dtype, enabled=kind == torch.bfloat16):
            sums, weights = attend(leaf)
        sums.backward(gradient.to(sums.dtype))
        found.append((sums, weights, leaf.grad, *(p.grad.double() for p in attention.parameters())))
    tolerance = 1e-2 if dtype == torch.bfloat16 else 1e-5
    for ours, exact in zip(*found, strict=True):
        assert (ours.double() - exact).norm() <= tolerance * exact.norm() + 1e-6
