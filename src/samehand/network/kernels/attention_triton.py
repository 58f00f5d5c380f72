"""Attention over short sequences as two fused kernels, each reading the states once.

In steps of its own it would write what the states are bent to, and its gradient, to memory and read
them again many times. Here a program takes sequence after sequence, with the weights at hand, and
adds up the weights' gradients where it stands.
"""

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

from samehand.network.kernels.activations_triton import may_be_fast, tanh

_MOST_STEPS = 32
_WIDEST = 128
_PROGRAMS = {"forward": 4, "backward": 1}
"""On each of the chip's processors: as many as fit."""


def fits(states: Tensor) -> bool:
    """Whether the kernels can take states (sequences, steps, size) of this kind."""
    _, steps, size = states.shape
    return states.dtype == torch.bfloat16 and steps <= _MOST_STEPS and size <= _WIDEST


def attend(
    states: Tensor, lengths: Tensor, bend: Tensor, bias: Tensor, score: Tensor
) -> tuple[Tensor, Tensor]:
    """Sums (sequences, size) and weights (sequences, steps), through which no gradient passes."""
    sums, weights = _Attend.apply(states, lengths, bend, bias, score)  # type: ignore[no-untyped-call]
    return sums, weights


@triton.jit  # type: ignore[untyped-decorator]
def _forward(  # type: ignore[no-untyped-def]
    states, lengths, bend, bias, score, sums, weights, n, steps,
    WIDTH: tl.constexpr, COLUMNS: tl.constexpr, STEPS: tl.constexpr, FAST: tl.constexpr,
):  # fmt: skip
    step, column = tl.arange(0, STEPS), tl.arange(0, COLUMNS)  # of which WIDTH are real
    real = column < WIDTH
    there = (step < steps)[:, None] & real[None, :]
    at = step[:, None] * WIDTH + column[None, :]
    square = column[None, :] * WIDTH + column[:, None]
    w = tl.load(bend + square, mask=real[:, None] & real[None, :], other=0.0)  # (in, out)
    b = tl.load(bias + column, mask=real, other=0.0)
    v = tl.load(score + column, mask=real, other=0.0)
    sequence = tl.program_id(0).to(tl.int64)
    for _ in range(tl.program_id(0), n, tl.num_programs(0)):
        length = tl.load(lengths + sequence)
        h = tl.load(states + sequence * steps * WIDTH + at, mask=there, other=0.0)
        bent = tanh(tl.dot(h, w) + b[None, :], FAST)
        scores = tl.where(step < length, tl.sum(bent * v[None, :], 1), float("-inf"))
        shares = tl.exp(scores - tl.max(scores, 0))
        shares /= tl.sum(shares, 0)
        tl.store(weights + sequence * steps + step, shares, mask=step < steps)
        total = tl.sum(shares[:, None] * h.to(tl.float32), 0)
        tl.store(sums + sequence * WIDTH + column, total, mask=real)
        sequence += tl.num_programs(0)


@triton.jit  # type: ignore[untyped-decorator]
def _backward(  # type: ignore[no-untyped-def]
    arriving, states, weights, bend, bias, score, d_states, d_bend, d_bias, d_score, n, steps,
    WIDTH: tl.constexpr, COLUMNS: tl.constexpr, STEPS: tl.constexpr, FAST: tl.constexpr,
):  # fmt: skip
    step, column = tl.arange(0, STEPS), tl.arange(0, COLUMNS)
    real = column < WIDTH
    both = real[:, None] & real[None, :]
    there = (step < steps)[:, None] & real[None, :]
    at = step[:, None] * WIDTH + column[None, :]
    square = column[None, :] * WIDTH + column[:, None]
    w = tl.load(bend + square, mask=both, other=0.0)  # (in, out)
    b = tl.load(bias + column, mask=real, other=0.0)
    v = tl.load(score + column, mask=real, other=0.0)
    to_bend = tl.zeros((COLUMNS, COLUMNS), tl.float32)  # (out, in)
    to_bias = tl.zeros((STEPS, COLUMNS), tl.float32)
    to_score = tl.zeros((STEPS, COLUMNS), tl.float32)
    sequence = tl.program_id(0).to(tl.int64)
    for _ in range(tl.program_id(0), n, tl.num_programs(0)):
        h = tl.load(states + sequence * steps * WIDTH + at, mask=there, other=0.0)
        shares = tl.load(weights + sequence * steps + step, mask=step < steps, other=0.0)
        d = tl.load(arriving + sequence * WIDTH + column, mask=real, other=0.0).to(tl.float32)
        bent = tanh(tl.dot(h, w) + b[None, :], FAST)
        d_shares = tl.sum(h.to(tl.float32) * d[None, :], 1)
        d_scores = shares * (d_shares - tl.sum(shares * d_shares, 0))
        to_score += d_scores[:, None] * bent
        d_bent = d_scores[:, None] * v[None, :] * (1.0 - bent * bent)  # before the tangent
        to_bias += d_bent
        low = d_bent.to(h.dtype)
        to_bend = tl.dot(tl.trans(low), h, to_bend)
        d_h = tl.dot(low, tl.trans(w)) + shares[:, None] * d[None, :]
        tl.store(d_states + sequence * steps * WIDTH + at, d_h, mask=there)
        sequence += tl.num_programs(0)
    part = tl.program_id(0)
    tl.store(d_bend + part * WIDTH * WIDTH + tl.trans(square), to_bend, mask=both)
    tl.store(d_bias + part * WIDTH + column, tl.sum(to_bias, 0), mask=real)
    tl.store(d_score + part * WIDTH + column, tl.sum(to_score, 0), mask=real)


class _Attend(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, states: Tensor, lengths: Tensor, bend: Tensor, bias: Tensor, score: Tensor
    ) -> tuple[Tensor, Tensor]:
        n, steps, size = states.shape
        states, bend = states.contiguous(), bend.to(states.dtype).contiguous()
        sums, weights = states.new_empty(n, size), torch.empty(n, steps, device=states.device)
        if n:
            _forward[_programs("forward", states)](
                states, lengths, bend, bias, score, sums, weights, n, steps,
                num_warps=4, **_shape(states),
            )  # fmt: skip
        ctx.save_for_backward(states, weights, bend, bias, score)
        ctx.mark_non_differentiable(weights)
        return sums, weights

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        states, weights, bend, bias, score = ctx.saved_tensors
        n, steps, size = states.shape
        programs = _programs("backward", states)
        d_states = torch.empty_like(states)
        d_bend = torch.empty(programs[0], size, size, device=states.device)
        d_bias, d_score = torch.empty(2, programs[0], size, device=states.device)
        if n:
            _backward[programs](
                gradient.contiguous(), states, weights, bend, bias, score,
                d_states, d_bend, d_bias, d_score, n, steps, num_warps=8, **_shape(states),
            )  # fmt: skip
        return d_states, None, d_bend.sum(0), d_bias.sum(0), d_score.sum(0).view_as(score)


def _programs(which: str, states: Tensor) -> tuple[int]:
    processors = 1  # of Triton's interpreter, which runs on a CPU
    if states.is_cuda:
        processors = torch.cuda.get_device_properties(states.device).multi_processor_count
    return (min(len(states), processors * _PROGRAMS[which]),)


def _shape(states: Tensor) -> dict[str, int]:
    _, steps, size = states.shape
    return {
        "WIDTH": size,
        "COLUMNS": max(16, triton.next_power_of_2(size)),
        "STEPS": max(16, triton.next_power_of_2(steps)),
        "FAST": may_be_fast(states),
    }
