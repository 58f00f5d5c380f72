"""The recurrence as two fused Triton kernels: all steps of a block of sequences on the chip.

A step reads its gates from the table by row number, multiplies the hidden state (in registers) with
the recurrent weights, and keeps the cell state to itself; device memory sees each gate once. cuDNN
spends most of its time in the input projection, which the table has already done.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

_SEQUENCES = 32
"""Sequences a program runs: enough for the matrix units, few enough for many programs at a time."""
_ROWS = 4_096
"""Rows of one chunk of the product that yields the weights' gradient."""
_WIDEST = 64
"""Hidden units a direction. All four weight matrices stay on the chip, padded to a power of two: at
128 the backward kernel would need 319,488 bytes of shared memory, where an H200 has 232,448."""


def fits(table: Tensor) -> bool:
    """Whether the kernels can take these sizes and this type."""
    hidden = table.shape[-1] // 4
    return hidden <= _WIDEST and table.dtype in (torch.bfloat16, torch.float32)


@triton.jit
def _sigmoid(x):  # type: ignore[no-untyped-def]
    return 1.0 / (1.0 + tl.exp(-x))


@triton.jit
def _tanh(x):  # type: ignore[no-untyped-def]
    return 2.0 / (1.0 + tl.exp(-2.0 * x)) - 1.0


@triton.jit  # type: ignore[untyped-decorator]
def _forward(  # type: ignore[no-untyped-def]
    table, index, lengths, weight, keep, states, gates, cells, n, steps,
    HIDDEN: tl.constexpr, WIDTH: tl.constexpr, BLOCK: tl.constexpr,
    KEEP: tl.constexpr, SAVE: tl.constexpr,
):  # fmt: skip
    way = tl.program_id(1)
    row = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)  # (block,)
    unit = tl.arange(0, WIDTH)  # (width,) of which HIDDEN are real
    inside, real = row < n, unit < HIDDEN
    length = tl.load(lengths + row, mask=inside, other=0)
    square = weight + way * HIDDEN * 4 * HIDDEN + unit[:, None] * 4 * HIDDEN + unit[None, :]
    both = real[:, None] & real[None, :]
    w_i = tl.load(square, mask=both, other=0.0)
    w_f = tl.load(square + HIDDEN, mask=both, other=0.0)
    w_g = tl.load(square + 2 * HIDDEN, mask=both, other=0.0)
    w_o = tl.load(square + 3 * HIDDEN, mask=both, other=0.0)
    h = tl.zeros((BLOCK, WIDTH), tl.float32)
    c = tl.zeros((BLOCK, WIDTH), tl.float32)
    if KEEP:
        kept = tl.load(
            keep + (row[:, None] * 2 + way) * HIDDEN + unit[None, :],
            mask=inside[:, None] & real[None, :],
            other=0.0,
        ).to(tl.float32)
    longest = tl.max(length, 0)
    for s in range(longest):
        t = s * (1 - way) + (longest - 1 - s) * way
        going = (t < length)[:, None] & real[None, :]
        entry = tl.load(index + row * steps + t, mask=inside, other=0).to(tl.int64)
        x = table + (entry[:, None] * 2 + way) * 4 * HIDDEN + unit[None, :]
        if KEEP:  # noqa: SIM108 (the branch not taken is never compiled)
            start = (h * kept).to(w_i.dtype)
        else:
            start = h.to(w_i.dtype)
        i = _sigmoid(tl.load(x, mask=going, other=0.0).to(tl.float32) + tl.dot(start, w_i))
        f = _sigmoid(tl.load(x + HIDDEN, mask=going, other=0.0).to(tl.float32) + tl.dot(start, w_f))
        g = _tanh(
            tl.load(x + 2 * HIDDEN, mask=going, other=0.0).to(tl.float32) + tl.dot(start, w_g)
        )
        o = _sigmoid(
            tl.load(x + 3 * HIDDEN, mask=going, other=0.0).to(tl.float32) + tl.dot(start, w_o)
        )
        c = tl.where(going, f * c + i * g, 0.0)
        h = tl.where(going, o * _tanh(c), 0.0)
        step = (row * steps + t)[:, None] * 2 + way  # of (sequences, steps, 2)
        tl.store(states + step * HIDDEN + unit[None, :], h, mask=going)
        if SAVE:
            at = gates + step * 4 * HIDDEN + unit[None, :]
            tl.store(at, i, mask=going)
            tl.store(at + HIDDEN, f, mask=going)
            tl.store(at + 2 * HIDDEN, g, mask=going)
            tl.store(at + 3 * HIDDEN, o, mask=going)
            tl.store(cells + step * HIDDEN + unit[None, :], c, mask=going)


@triton.jit  # type: ignore[untyped-decorator]
def _backward(  # type: ignore[no-untyped-def]
    arriving, lengths, weight, keep, gates, cells, result, n, steps,
    HIDDEN: tl.constexpr, WIDTH: tl.constexpr, BLOCK: tl.constexpr, KEEP: tl.constexpr,
):  # fmt: skip
    way = tl.program_id(1)
    row = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.int64)
    unit = tl.arange(0, WIDTH)
    inside, real = row < n, unit < HIDDEN
    length = tl.load(lengths + row, mask=inside, other=0)
    # Transposed: from the gates back to the hidden state.
    square = weight + way * HIDDEN * 4 * HIDDEN + unit[None, :] * 4 * HIDDEN + unit[:, None]
    both = real[:, None] & real[None, :]
    w_i = tl.load(square, mask=both, other=0.0)
    w_f = tl.load(square + HIDDEN, mask=both, other=0.0)
    w_g = tl.load(square + 2 * HIDDEN, mask=both, other=0.0)
    w_o = tl.load(square + 3 * HIDDEN, mask=both, other=0.0)
    dh = tl.zeros((BLOCK, WIDTH), tl.float32)
    dc = tl.zeros((BLOCK, WIDTH), tl.float32)
    if KEEP:
        kept = tl.load(
            keep + (row[:, None] * 2 + way) * HIDDEN + unit[None, :],
            mask=inside[:, None] & real[None, :],
            other=0.0,
        ).to(tl.float32)
    longest = tl.max(length, 0)
    for s in range(longest):
        t = s * way + (longest - 1 - s) * (1 - way)
        going = (t < length)[:, None] & real[None, :]
        before = t - 1 + 2 * way  # the step this one started from
        there = going & ((before >= 0) & (before < length))[:, None]
        step = (row * steps + t)[:, None] * 2 + way
        at = gates + step * 4 * HIDDEN + unit[None, :]
        i = tl.load(at, mask=going, other=0.0).to(tl.float32)
        f = tl.load(at + HIDDEN, mask=going, other=0.0).to(tl.float32)
        g = tl.load(at + 2 * HIDDEN, mask=going, other=0.0).to(tl.float32)
        o = tl.load(at + 3 * HIDDEN, mask=going, other=0.0).to(tl.float32)
        bent = _tanh(
            tl.load(cells + step * HIDDEN + unit[None, :], mask=going, other=0.0).to(tl.float32)
        )
        behind = (row * steps + before)[:, None] * 2 + way
        c = tl.load(cells + behind * HIDDEN + unit[None, :], mask=there, other=0.0).to(tl.float32)
        dh += tl.load(arriving + step * HIDDEN + unit[None, :], mask=going, other=0.0).to(
            tl.float32
        )
        dc += dh * o * (1.0 - bent * bent)
        d_i = (dc * g * i * (1.0 - i)).to(w_i.dtype)
        d_f = (dc * c * f * (1.0 - f)).to(w_i.dtype)
        d_g = (dc * i * (1.0 - g * g)).to(w_i.dtype)
        d_o = (dh * bent * o * (1.0 - o)).to(w_i.dtype)
        to = result + step * 4 * HIDDEN + unit[None, :]
        tl.store(to, d_i, mask=going)
        tl.store(to + HIDDEN, d_f, mask=going)
        tl.store(to + 2 * HIDDEN, d_g, mask=going)
        tl.store(to + 3 * HIDDEN, d_o, mask=going)
        dc = tl.where(going, dc * f, 0.0)
        dh = tl.dot(d_i, w_i) + tl.dot(d_f, w_f) + tl.dot(d_g, w_g) + tl.dot(d_o, w_o)
        if KEEP:
            dh *= kept
        dh = tl.where(going, dh, 0.0)


class Fused:
    """The kernels behind the contract of `samehand.model.recurrence`."""

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
        states = table.new_zeros(n, steps, 2 * hidden)
        gates = table.new_empty((n, steps, 2, 4 * hidden) if save else 0)
        cells = torch.empty(
            (n, steps, 2, hidden) if save else 0, device=table.device
        )  # sums: float32
        if n:
            _forward[_grid(n)](
                table.contiguous(), index.contiguous(), lengths, weight.contiguous(),
                weight if keep is None else keep.contiguous(), states, gates, cells, n, steps,
                KEEP=keep is not None, SAVE=save, **_shape(hidden),
            )  # fmt: skip
        return states, [gates, cells]

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
        gates, cells = saved
        n, steps, _, width = gates.shape
        pushed = torch.zeros_like(gates)  # the gradient of the gates before their activation
        if n:
            _backward[_grid(n)](
                gradient.contiguous(), lengths, weight.contiguous(),
                weight if keep is None else keep.contiguous(), gates, cells, pushed, n, steps,
                KEEP=keep is not None, **_shape(weight.shape[1]),
            )  # fmt: skip
        start = _states_before(states)  # (sequences, steps, 2, hidden)
        if keep is not None:
            start = start * keep[:, None]
        grad_weight = torch.stack(
            [
                _tall_product(start[:, :, way].reshape(n * steps, -1), pushed[:, :, way])
                for way in range(2)
            ]
        )
        # Sorting the rows and summing runs of them is deterministic, and many times as fast as
        # adding one by one.
        grad_table = torch.ops.aten.embedding_dense_backward(
            pushed.view(n * steps, 2 * width), index.reshape(-1), n_rows, -1, False
        )
        return grad_table.view(-1, 2, width), grad_weight


def _tall_product(a: Tensor, b: Tensor) -> Tensor:
    """aᵀ b of matrices with very many rows.

    As one product it runs on a handful of the chip's processors, and took half of a training step;
    in chunks of rows it keeps all of them busy.
    """
    b = b.reshape(len(a), -1)
    whole = len(a) // _ROWS * _ROWS
    chunks = [part[:whole].view(-1, _ROWS, part.shape[1]) for part in (a, b)]
    product = torch.bmm(chunks[0].transpose(1, 2), chunks[1]).sum(0, dtype=torch.float32)
    return (product + a[whole:].T @ b[whole:]).to(a.dtype)


def _states_before(states: Tensor) -> Tensor:
    """The hidden state each step started from: of the step before it in its direction."""
    n, steps, width = states.shape
    both = states.view(n, steps, 2, width // 2)
    before = torch.zeros_like(both)
    before[:, 1:, 0] = both[:, :-1, 0]
    before[:, :-1, 1] = both[:, 1:, 1]
    return before


def _grid(n: int) -> tuple[int, int]:
    return (triton.cdiv(n, _SEQUENCES), 2)


def _shape(hidden: int) -> dict[str, int]:
    width = max(16, triton.next_power_of_2(hidden))
    return {
        "HIDDEN": hidden,
        "WIDTH": width,
        "BLOCK": _SEQUENCES,
        "num_warps": 4 if width <= 64 else 8,
    }
