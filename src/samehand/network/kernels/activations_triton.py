"""Activations for fused kernels."""

import torch
import triton
import triton.language as tl
from torch import Tensor


def may_be_fast(inputs: Tensor) -> bool:
    """Whether NVIDIA's one instruction, right to 11 bits, will do: for bfloat16, which has 8."""
    return inputs.is_cuda and inputs.dtype == torch.bfloat16 and torch.version.hip is None


@triton.jit  # type: ignore[untyped-decorator]
def tanh(x, FAST: tl.constexpr):  # type: ignore[no-untyped-def]
    """The hyperbolic tangent, in one instruction where it `may_be_fast`."""
    if FAST:
        y = tl.inline_asm_elementwise(
            "tanh.approx.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )
    else:
        y = 2.0 / (1.0 + tl.exp(-2.0 * x)) - 1.0
    return y


@triton.jit  # type: ignore[untyped-decorator]
def sigmoid(x, FAST: tl.constexpr):  # type: ignore[no-untyped-def]
    """The logistic function."""
    if FAST:  # noqa: SIM108 (the branch not taken is never compiled)
        y = 0.5 * tanh(0.5 * x, FAST) + 0.5
    else:
        y = 1.0 / (1.0 + tl.exp(-x))
    return y
