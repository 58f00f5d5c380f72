"""Which fused kernels may be used on a device: those that do there what plain PyTorch does.

Chips and compilers differ more than any of us can try. So each kernel, before its first use in a
process, answers a small example; one that fails or is off is named once and left alone.
"""

import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

_TOLERANCE = 0.03
"""Of the norm of what is right: several times what half precision is off by."""
_NOTHING = 1e-6
"""A norm that only rounding makes differ from 0, as of the scores of a single step."""
_SEQUENCES, _STEPS, _ROWS = 70, 11, 40


def agrees(
    what: str, ours: Callable[[], Sequence[Tensor]], plain: Callable[[], Sequence[Tensor]]
) -> bool:
    """Whether two ways to compute the same come to the same; a warning where they do not."""
    try:
        both = [[t.detach().double() for t in pair] for pair in zip(ours(), plain(), strict=True)]
        off = [float((a - b).norm() / b.norm().clamp(min=_NOTHING)) for a, b in both]
        beyond = [part for part in off if not part <= _TOLERANCE]  # such as are no numbers, too
        fault = f"is off by {beyond[0]:.0%}" if beyond else None
    except Exception as error:  # whatever a compiler or a driver may raise
        fault = f"fails ({type(error).__name__})"
    if fault:
        message = f"The fused {what} {fault} on this device; plain PyTorch is used, and is slower."
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    return fault is None


@cache
def recurrence_agrees(
    fused: Any, loop: Any, hidden: int, dtype: torch.dtype, device: torch.device
) -> bool:
    """Whether the fused recurrence does what the loop does, forward and backward."""

    def run(kernel: Any, kind: torch.dtype) -> Sequence[Tensor]:
        g = torch.Generator(device).manual_seed(0)

        def draw(*shape: int) -> Tensor:
            return torch.randn(*shape, generator=g, device=device)

        table, weight = draw(_ROWS, 2, 4 * hidden), draw(2, hidden, 4 * hidden) / 8
        index = torch.randint(_ROWS, (_SEQUENCES, _STEPS), generator=g, device=device)
        lengths = torch.randint(1, _STEPS + 1, (_SEQUENCES,), generator=g, device=device)
        keep = (draw(_SEQUENCES, 2, hidden) > -1).to(kind)
        gradient = draw(_SEQUENCES, _STEPS, 2 * hidden).to(kind)
        given = index, lengths, weight.to(kind), keep
        states, saved = kernel.forward(table, *given, True)
        return [states, *kernel.backward(gradient, *given, states, saved, _ROWS)]

    with torch.no_grad(), torch.autocast(device.type, enabled=False):
        return agrees("recurrence", lambda: run(fused, dtype), lambda: run(loop, torch.float32))


@cache
def attention_agrees(fused: Any, size: int, steps: int, device: torch.device) -> bool:
    """Whether fused attention over half-precision states does what its definition says."""
    g = torch.Generator(device).manual_seed(0)
    drawn = [
        torch.randn(*shape, generator=g, device=device)
        for shape in ((_SEQUENCES, steps, size), (size, size), (size,), (1, size))
    ]
    lengths = torch.randint(1, steps + 1, (_SEQUENCES,), generator=g, device=device)
    gradient = torch.randn(_SEQUENCES, size, generator=g, device=device)
    states = drawn[0].bfloat16()

    def run(attend: Callable[..., tuple[Tensor, Tensor]], kind: torch.dtype) -> Sequence[Tensor]:
        leaves = [states.to(kind, copy=True), *(0.1 * parameter for parameter in drawn[1:])]
        leaves = [leaf.requires_grad_() for leaf in leaves]
        sums, weights = attend(leaves[0], lengths, *leaves[1:])
        return [sums, weights, *torch.autograd.grad(sums, leaves, gradient.to(sums))]

    with torch.enable_grad(), torch.autocast(device.type, enabled=False):
        return agrees(
            "attention",
            lambda: run(fused.attend, torch.bfloat16),
            lambda: run(_plain, torch.float32),
        )


def _plain(
    states: Tensor, lengths: Tensor, bend: Tensor, bias: Tensor, score: Tensor
) -> tuple[Tensor, Tensor]:
    scores = (torch.tanh(states @ bend.T + bias) @ score.T).squeeze(-1)
    steps = torch.arange(states.shape[1], device=states.device)
    weights = torch.softmax(scores.masked_fill(steps >= lengths[:, None], -torch.inf), 1)
    return torch.bmm(weights[:, None], states).squeeze(1), weights
