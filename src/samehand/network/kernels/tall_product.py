"""Products of matrices with very many rows and few columns, as gradients of weights are.

A library computes aᵀ b as one product, on a handful of a chip's processors; it took half of a
training step. In chunks of rows it keeps all of them busy.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

_ROWS = 4_096
"""Of one chunk."""


def tall_product(a: Tensor, b: Tensor) -> Tensor:
    """aᵀ b of (rows, some) and (rows, others)."""
    whole = len(a) // _ROWS * _ROWS
    chunks = [part[:whole].view(-1, _ROWS, part.shape[1]) for part in (a, b)]
    product = torch.bmm(chunks[0].transpose(1, 2), chunks[1]).sum(0, dtype=torch.float32)
    return (product + a[whole:].T @ b[whole:]).to(a.dtype)


def tall_linear(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """x Wᵀ + b of contiguous x (..., in), W (out, in) and b (out,), all in the type of x."""
    flat = x.reshape(-1, x.shape[-1])
    with torch.autocast(x.device.type, enabled=False):
        found: Tensor = _Linear.apply(flat, weight.to(x.dtype), bias.to(x.dtype))  # type: ignore[no-untyped-call]
    return found.view(*x.shape[:-1], len(weight))


class _Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        ctx.save_for_backward(x, weight)
        return torch.addmm(bias, x, weight.T)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x, weight = ctx.saved_tensors
        gradient = gradient.contiguous()
        return gradient @ weight, tall_product(gradient, x), gradient.sum(0)
