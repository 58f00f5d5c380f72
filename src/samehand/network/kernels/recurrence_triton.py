"""The recurrence as two fused Triton kernels: all steps of a block of sequences on the chip.

A step reads its gates from the table by row number, multiplies the hidden state (in registers) with
the recurrent weights, and keeps the cell state to itself; device memory sees each gate once. cuDNN
spends most of its time in the input projection, which the table has already done.

What decides the speed is waiting, not arithmetic: a step needs the one before it. So a step's gates
are on their way while the one before is computed, and programs are small, for many to run side by
side. What is kept for the way back has the direction outermost, each direction's part one matrix,
and the kernels write all of it, zeros included: copying and clearing it cost milliseconds a step.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from samehand.network.kernels.activations_triton import may_be_fast, sigmoid, tanh
from samehand.network.kernels.row_sums_triton import sum_rows
from samehand.network.kernels.tall_product import tall_product

_SEQUENCES, _WARPS = 16, 8
"""Sequences a program runs, as few as the matrix units take, and groups of threads it has."""
_STAGES = {"forward": 1, "backward": 3}
"""Steps in flight. The forward kernel looks ahead by itself, since what it reads depends on what it
read; the backward kernel knows where everything is, and leaves it to the compiler."""
_WIDEST = 128
"""Hidden units a direction. All four weight matrices stay on the chip, padded to a power of two."""


def fits(weight: Tensor) -> bool:
    """Whether the kernels can take recurrent weights of this size and this type."""
    return weight.shape[1] <= _WIDEST and weight.dtype in (torch.bfloat16, torch.float32)


@triton.jit  # type: ignore[untyped-decorator]
def _load_gates(at, mask, HIDDEN: tl.constexpr):  # type: ignore[no-untyped-def]
    i = tl.load(at, mask=mask, other=0.0)
    f = tl.load(at + HIDDEN, mask=mask, other=0.0)
    g = tl.load(at + 2 * HIDDEN, mask=mask, other=0.0)
    o = tl.load(at + 3 * HIDDEN, mask=mask, other=0.0)
    return i, f, g, o


@triton.jit  # type: ignore[untyped-decorator]
def _store_gates(at, i, f, g, o, mask, HIDDEN: tl.constexpr):  # type: ignore[no-untyped-def]
    tl.store(at, i, mask=mask)
    tl.store(at + HIDDEN, f, mask=mask)
    tl.store(at + 2 * HIDDEN, g, mask=mask)
    tl.store(at + 3 * HIDDEN, o, mask=mask)


@triton.jit  # type: ignore[untyped-decorator]
def _forward(  # type: ignore[no-untyped-def]
    table, index, lengths, weight, keep, states, starts, gates, cells, n, steps,
    HIDDEN: tl.constexpr, WIDTH: tl.constexpr, BLOCK: tl.constexpr,
    KEEP: tl.constexpr, SAVE: tl.constexpr, FAST: tl.constexpr,
):  # fmt: skip
    way = tl.program_id(1)
    place = tl.arange(0, BLOCK)  # (block,)
    row = tl.program_id(0) * BLOCK + place
    unit = tl.arange(0, WIDTH)  # (width,) of which HIDDEN are real
    inside, real = row < n, unit < HIDDEN
    here = inside[:, None] & real[None, :]
    length = tl.load(lengths + row, mask=inside, other=0).to(tl.int32)
    square = weight + (way * HIDDEN + unit[:, None]) * 4 * HIDDEN + unit[None, :]
    w_i, w_f, w_g, w_o = _load_gates(square, real[:, None] & real[None, :], HIDDEN)
    if KEEP:
        masks = (row.to(tl.int64)[:, None] * 2 + way) * HIDDEN + unit[None, :]
        kept = tl.load(keep + masks, mask=here, other=0.0)
    # Where a block begins takes 64 bits; places in it take 32.
    first = tl.program_id(0).to(tl.int64) * BLOCK * steps  # of (sequences, steps)
    within = way.to(tl.int64) * n * steps + first  # of (2, sequences, steps)
    index += first + place * steps
    table += way * 4 * HIDDEN + unit[None, :]
    states += (2 * first + way) * HIDDEN
    starts += within * HIDDEN
    cells += within * HIDDEN
    gates += within * 4 * HIDDEN
    start = tl.zeros((BLOCK, WIDTH), w_i.dtype)
    c = tl.zeros((BLOCK, WIDTH), tl.float32)
    longest = tl.max(length, 0)
    ahead = 1 - 2 * way
    t = (longest - 1) * way
    # Gates of the step at hand, and the row of the table for the next one.
    entry = tl.load(index + t, mask=row < tl.where(longest > 0, n, 0), other=0).to(tl.int64)
    x_i, x_f, x_g, x_o = _load_gates(table + entry[:, None] * 8 * HIDDEN, real[None, :], HIDDEN)
    more = row < tl.where(longest > 1, n, 0)
    entry = tl.load(index + t + ahead, mask=more, other=0).to(tl.int64)
    for s in range(longest):
        i, f, g, o = x_i.to(tl.float32), x_f.to(tl.float32), x_g.to(tl.float32), x_o.to(tl.float32)
        x_i, x_f, x_g, x_o = _load_gates(table + entry[:, None] * 8 * HIDDEN, real[None, :], HIDDEN)
        more = row < tl.where(s + 2 < longest, n, 0)
        entry = tl.load(index + t + 2 * ahead, mask=more, other=0).to(tl.int64)
        step = (place * steps + t)[:, None]
        if SAVE:
            tl.store(starts + step * HIDDEN + unit[None, :], start, mask=here)
        i = sigmoid(tl.dot(start, w_i) + i, FAST)
        g = tanh(tl.dot(start, w_g) + g, FAST)
        f = sigmoid(tl.dot(start, w_f) + f, FAST)
        o = sigmoid(tl.dot(start, w_o) + o, FAST)
        c = tl.where((t < length)[:, None], f * c + i * g, 0.0)
        h = o * tanh(c, FAST)
        tl.store(states + step * 2 * HIDDEN + unit[None, :], h, mask=here)
        if SAVE:
            tl.store(cells + step * HIDDEN + unit[None, :], c, mask=here)
            _store_gates(gates + step * 4 * HIDDEN + unit[None, :], i, f, g, o, here, HIDDEN)
        start = h.to(w_i.dtype)
        if KEEP:
            start *= kept
        t += ahead
    nothing = tl.zeros((BLOCK, WIDTH), w_i.dtype)
    for t in range(longest, steps):
        step = (place * steps + t)[:, None]
        tl.store(states + step * 2 * HIDDEN + unit[None, :], nothing, mask=here)
        if SAVE:
            tl.store(starts + step * HIDDEN + unit[None, :], nothing, mask=here)


@triton.jit  # type: ignore[untyped-decorator]
def _backward(  # type: ignore[no-untyped-def]
    arriving, lengths, weight, keep, gates, cells, result, n, steps,
    HIDDEN: tl.constexpr, WIDTH: tl.constexpr, BLOCK: tl.constexpr,
    KEEP: tl.constexpr, FAST: tl.constexpr,
):  # fmt: skip
    way = tl.program_id(1)
    place = tl.arange(0, BLOCK)
    row = tl.program_id(0) * BLOCK + place
    unit = tl.arange(0, WIDTH)
    inside, real = row < n, unit < HIDDEN
    here = inside[:, None] & real[None, :]
    length = tl.load(lengths + row, mask=inside, other=0).to(tl.int32)
    # Transposed: from the gates back to the hidden state.
    square = weight + (way * HIDDEN + unit[None, :]) * 4 * HIDDEN + unit[:, None]
    w_i, w_f, w_g, w_o = _load_gates(square, real[:, None] & real[None, :], HIDDEN)
    if KEEP:
        masks = (row.to(tl.int64)[:, None] * 2 + way) * HIDDEN + unit[None, :]
        kept = tl.load(keep + masks, mask=here, other=0.0)
    first = tl.program_id(0).to(tl.int64) * BLOCK * steps
    within = way.to(tl.int64) * n * steps + first
    arriving += (2 * first + way) * HIDDEN
    cells += within * HIDDEN
    gates += within * 4 * HIDDEN
    result += within * 4 * HIDDEN
    dh = tl.zeros((BLOCK, WIDTH), tl.float32)
    dc = tl.zeros((BLOCK, WIDTH), tl.float32)
    longest = tl.max(length, 0)
    t = (longest - 1) * (1 - way)
    there = here & (t < length)[:, None]
    step = (place * steps + t)[:, None]
    c = tl.load(cells + step * HIDDEN + unit[None, :], mask=there, other=0.0)
    for _ in range(longest):
        step = (place * steps + t)[:, None]
        going = here & (t < length)[:, None]
        d = tl.load(arriving + step * 2 * HIDDEN + unit[None, :], mask=going, other=0.0)
        i, f, g, o = _load_gates(gates + step * 4 * HIDDEN + unit[None, :], here, HIDDEN)
        i, f, g, o = i.to(tl.float32), f.to(tl.float32), g.to(tl.float32), o.to(tl.float32)
        before = t - 1 + 2 * way  # the step this one started from
        # As a number without a sign, a place before the first lies beyond every length.
        there = here & (before.to(tl.uint32) < length.to(tl.uint32))[:, None]
        behind = (place * steps + before)[:, None]
        c_before = tl.load(cells + behind * HIDDEN + unit[None, :], mask=there, other=0.0)
        bent = tanh(c.to(tl.float32), FAST)
        dh += d.to(tl.float32)
        dc += dh * o * (1.0 - bent * bent)
        d_i = (dc * g * i * (1.0 - i)).to(w_i.dtype)
        d_f = (dc * c_before.to(tl.float32) * f * (1.0 - f)).to(w_i.dtype)
        d_g = (dc * i * (1.0 - g * g)).to(w_i.dtype)
        d_o = (dh * bent * o * (1.0 - o)).to(w_i.dtype)
        to = result + step * 4 * HIDDEN + unit[None, :]
        _store_gates(to, d_i, d_f, d_g, d_o, here, HIDDEN)
        dh = tl.dot(d_i, w_i)
        dh = tl.dot(d_f, w_f, dh)
        dh = tl.dot(d_g, w_g, dh)
        dh = tl.dot(d_o, w_o, dh)
        if KEEP:
            dh *= kept.to(tl.float32)
        dh = tl.where(there, dh, 0.0)
        dc = tl.where(there, dc * f, 0.0)
        c = c_before
        t = before
    nothing = tl.zeros((BLOCK, WIDTH), w_i.dtype)
    for t in range(longest, steps):
        to = result + (place * steps + t)[:, None] * 4 * HIDDEN + unit[None, :]
        _store_gates(to, nothing, nothing, nothing, nothing, here, HIDDEN)


class Fused:
    """The kernels behind the contract of `samehand.network.kernels.recurrence`."""

    @staticmethod
    def forward(
        table: Tensor,
        index: Tensor,
        lengths: Tensor,
        weight: Tensor,
        keep: Tensor | None,
        save: bool,
    ) -> tuple[Tensor, list[Tensor]]:
        """States (sequences, steps, 2 · hidden), and what `backward` needs of them."""
        n, steps = index.shape
        hidden = weight.shape[1]
        states = weight.new_empty(n, steps, 2 * hidden)
        starts, cells = weight.new_empty((2, 2, n, steps, hidden) if save else (2, 0))
        gates = weight.new_empty((2, n, steps, 4 * hidden) if save else 0)
        if n:
            _forward[_grid(n)](
                table.contiguous(), index.contiguous(), lengths, weight.contiguous(),
                weight if keep is None else keep.contiguous(), states, starts, gates, cells,
                n, steps, KEEP=keep is not None, SAVE=save, **_shape(weight, "forward"),
            )  # fmt: skip
        return states, [starts, gates, cells]

    @staticmethod
    def backward(
        gradient: Tensor,
        index: Tensor,
        lengths: Tensor,
        weight: Tensor,
        keep: Tensor | None,
        states: Tensor,
        saved: list[Tensor],
        n_rows: int,
    ) -> tuple[Tensor, Tensor]:
        """Gradients of table and weight."""
        starts, gates, cells = saved
        _, n, steps, width = gates.shape
        pushed = torch.empty_like(gates)  # the gradient of the gates before their activation
        if n:
            _backward[_grid(n)](
                gradient.contiguous(), lengths, weight.contiguous(),
                weight if keep is None else keep.contiguous(), gates, cells, pushed, n, steps,
                KEEP=keep is not None, **_shape(weight, "backward"),
            )  # fmt: skip
        pushed = pushed.view(2, n * steps, width)
        tall = zip(starts.view(2, n * steps, width // 4), pushed, strict=True)
        grad_weight = torch.stack([tall_product(*both) for both in tall])
        return sum_rows(pushed, index.reshape(-1), n_rows), grad_weight


def _grid(n: int) -> tuple[int, int]:
    return (triton.cdiv(n, _SEQUENCES), 2)


def _shape(weight: Tensor, which: str) -> dict[str, int]:
    hidden = weight.shape[1]
    return {
        "HIDDEN": hidden,
        "WIDTH": max(16, triton.next_power_of_2(hidden)),
        "BLOCK": _SEQUENCES,
        "FAST": may_be_fast(weight),
        "num_warps": _WARPS,
        "num_stages": _STAGES[which],
    }
