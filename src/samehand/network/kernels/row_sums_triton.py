"""Sums of rows by number: the gradient of a look-up in a table, at the speed of memory.

Rows are visited in the order of their numbers, a block at a time. Those with one number are a run;
the sums of a block's runs are a matrix product with ones where two numbers are equal. A run inside
a block is done with. The first and the last may go on in the blocks beside it: what they come to is
a row again, and the same is done to those rows, of which there are far fewer. Each sum is made in
one fixed order, in float32, without atomic additions, and written once.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

_BLOCK = 32
"""Rows a program adds up. With 64 it takes half as long again: fewer programs run at a time."""
_COLUMNS = 256
"""Columns a program takes at most: with 512 its sums no longer fit the registers (five times as
long)."""


@triton.jit  # type: ignore[untyped-decorator]
def _sum_runs(  # type: ignore[no-untyped-def]
    rows, order, numbers, sums, rest, rest_numbers, n,
    WIDTH: tl.constexpr, COLUMNS: tl.constexpr, BLOCK: tl.constexpr,
    ORDERED: tl.constexpr, LAST: tl.constexpr,
):  # fmt: skip
    block, way, strip = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    place = block * BLOCK + tl.arange(0, BLOCK)
    column = strip * COLUMNS + tl.arange(0, COLUMNS)  # of which those below WIDTH are real
    end = tl.minimum(block * BLOCK + BLOCK, n)
    inside, real = place < n, (column < WIDTH)[None, :]
    number = tl.load(numbers + place, mask=inside, other=-1)
    following = tl.load(numbers + place + 1, mask=place + 1 < end, other=-1)
    opening, closing = tl.load(numbers + block * BLOCK), tl.load(numbers + end - 1)
    source = place.to(tl.int64)
    if ORDERED:
        source = tl.load(order + place, mask=inside, other=0)
    source += way.to(tl.int64) * n
    x = tl.load(
        rows + source[:, None] * WIDTH + column[None, :], mask=inside[:, None] & real, other=0.0
    )
    # Chosen and not cast: on the cast of a comparison Triton 3.2's compiler breaks down.
    same = tl.where(number[:, None] == number[None, :], 1.0, 0.0).to(x.dtype)
    total = tl.dot(same, x, input_precision="ieee")  # of its whole run, at each of its rows
    ends = inside & (number != following)
    done, edge = ends, (number == opening) | (number == closing)
    if not LAST:
        done = ends & ~edge
    to = (number.to(tl.int64) * 2 + way) * WIDTH
    tl.store(sums + to[:, None] + column[None, :], total, mask=done[:, None] & real)
    if not LAST:
        left = rest + (way.to(tl.int64) * tl.num_programs(0) + block) * 2 * WIDTH
        to = ((number != opening) * WIDTH)[:, None] + column[None, :]
        tl.store(left + to, total, mask=(ends & edge)[:, None] & real)
        if opening == closing:
            tl.store(left + WIDTH + column, tl.zeros((COLUMNS,), tl.float32), mask=column < WIDTH)
        if (way == 0) & (strip == 0):
            tl.store(rest_numbers + block * 2, opening)
            tl.store(rest_numbers + block * 2 + 1, closing)


def sum_rows(rows: Tensor, numbers: Tensor, n_sums: int) -> Tensor:
    """Sums (n_sums, 2, width), in float32, of the rows (2, n, width) of each number.

    `numbers` are (n,).
    """
    _, n, width = rows.shape
    sums = torch.zeros(n_sums, 2, width, device=rows.device)
    columns = min(_COLUMNS, max(16, triton.next_power_of_2(width)))
    strips = triton.cdiv(width, columns)
    numbers, order = torch.sort(numbers.to(torch.int32))
    rest, ordered = rows, True
    while n:
        rows, blocks = rest, triton.cdiv(n, _BLOCK)
        last = blocks == 1
        size = 0 if last else 2 * blocks
        rest = torch.empty(2, size, width, device=rows.device)  # float32
        rest_numbers = numbers.new_empty(size)
        _sum_runs[blocks, 2, strips](
            rows, order, numbers, sums, rest, rest_numbers, n,
            WIDTH=width, COLUMNS=columns, BLOCK=_BLOCK,
            ORDERED=ordered, LAST=last, num_warps=4,
        )  # fmt: skip
        numbers, n, ordered = rest_numbers, size, False
    return sums
