"""A bidirectional LSTM over sequences of table rows.

The input projection of an LSTM depends on its input alone. Where inputs repeat (a token's projection is the same at every
occurrence of its type) it is computed once, into a table, and what is left to do at each step is a look-up and a small
matrix product. For the paper's sizes that is 20,000 multiplications a token instead of 152,000.

`recur` runs in a fused kernel on a GPU that has Triton, and as a loop over steps everywhere else. Both are one
differentiable function with the same contract; sequences end where they end, padding takes part in nothing.
"""

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx, once_differentiable

GATES = 4
"""Input, forget, cell, output: their order in the last dimension of tables and weights."""


def recur(table: Tensor, index: Tensor, lengths: Tensor, weight: Tensor, keep: Tensor | None = None) -> Tensor:
    """Hidden states of both directions at every step.

    table    (rows, 2, 4 · hidden)    input gates of both directions, bias included
    index    (sequences, steps)       the row of the table at each step; any row where a sequence has ended
    lengths  (sequences,)             steps in each sequence
    weight   (2, hidden, 4 · hidden)  from the hidden state to the gates
    keep     (sequences, 2, hidden)   dropout mask on the hidden state, the same at every step
    returns  (sequences, steps, 2 · hidden), zero where a sequence has ended
    """
    states: Tensor = _Recurrence.apply(table, index, lengths, weight, keep)  # type: ignore[no-untyped-call]
    return states


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(  # type: ignore[override]
        ctx: FunctionCtx, table: Tensor, index: Tensor, lengths: Tensor, weight: Tensor, keep: Tensor | None
    ) -> Tensor:
        kernel = _kernel_for(table)
        weight = weight.to(table.dtype)
        keep = None if keep is None else keep.to(table.dtype)
        states, saved = kernel.forward(table, index, lengths, weight, keep, any(ctx.needs_input_grad))  # type: ignore[attr-defined]
        ctx.save_for_backward(index, lengths, weight, states, *saved, *(() if keep is None else (keep,)))  # type: ignore[attr-defined]
        ctx.kernel, ctx.n_rows, ctx.n_saved = kernel, table.shape[0], len(saved)  # type: ignore[attr-defined]
        return states

    @staticmethod
    @once_differentiable
    def backward(ctx: FunctionCtx, gradient: Tensor) -> tuple[Tensor | None, ...]:  # type: ignore[override]
        index, lengths, weight, states, *rest = ctx.saved_tensors  # type: ignore[attr-defined]
        saved, keep = rest[: ctx.n_saved], (rest[ctx.n_saved :] or [None])[0]  # type: ignore[attr-defined]
        gates = ctx.kernel.backward(gradient, lengths, weight, saved, keep)  # type: ignore[attr-defined]
        # (sequences, steps, 2, 4 · hidden): the gradient of the gates before their activation, zero past the end
        n, steps, _, width = gates.shape
        before = _states_before(states)  # (sequences, steps, 2, hidden)
        if keep is not None:
            before = before * keep[:, None]
        grad_weight = torch.einsum("nsdh,nsdg->dhg", before, gates)
        # Sorting the rows and summing runs of them is deterministic, and many times as fast as adding one by one.
        grad_table = torch.ops.aten.embedding_dense_backward(
            gates.view(n * steps, 2 * width), index.reshape(-1), ctx.n_rows, -1, False  # type: ignore[attr-defined]
        )
        return grad_table.view(-1, 2, width), None, None, grad_weight, None


def _states_before(states: Tensor) -> Tensor:
    """The hidden state each step started from: of the step before going forward, of the step after going back."""
    n, steps, width = states.shape
    both = states.view(n, steps, 2, width // 2)
    before = torch.zeros_like(both)
    before[:, 1:, 0] = both[:, :-1, 0]
    before[:, :-1, 1] = both[:, 1:, 1]
    return before


class _Loop:
    """Step by step in plain PyTorch. Sequences are sorted by length, so that each step runs on those still going."""

    @staticmethod
    def forward(
        table: Tensor, index: Tensor, lengths: Tensor, weight: Tensor, keep: Tensor | None, save: bool
    ) -> tuple[Tensor, list[Tensor]]:
        n, steps = index.shape
        hidden = weight.shape[1]
        order, going = _by_length(lengths, steps)
        rows = index[order].t().contiguous()  # (steps, sequences)
        states = table.new_zeros(steps, n, 2, hidden)
        gates = table.new_zeros(steps, 2, n, GATES * hidden) if save else table.new_zeros(0)
        cells = table.new_zeros(steps, 2, n, hidden) if save else table.new_zeros(0)
        for way in range(2):
            h, c = table.new_zeros(n, hidden), table.new_zeros(n, hidden)
            kept = None if keep is None else keep[order, way]
            inputs = table[:, way]
            for step in _walk(steps, way):
                m = going[step]
                start = h[:m] if kept is None else h[:m] * kept[:m]
                a = torch.addmm(inputs[rows[step, :m]], start, weight[way])  # (going, 4 · hidden)
                a[:, : 2 * hidden].sigmoid_()
                a[:, 2 * hidden : 3 * hidden].tanh_()
                a[:, 3 * hidden :].sigmoid_()
                i, f, g, o = a.split(hidden, 1)
                torch.addcmul(i * g, f, c[:m], out=c[:m])
                torch.mul(o, c[:m].tanh(), out=h[:m])
                states[step, :m, way] = h[:m]
                if save:
                    gates[step, way, :m], cells[step, way, :m] = a, c[:m]
        unsorted = torch.empty_like(order).scatter_(0, order, torch.arange(n, device=order.device))
        return states.view(steps, n, 2 * hidden)[:, unsorted].transpose(0, 1).contiguous(), [gates, cells]

    @staticmethod
    def backward(
        gradient: Tensor, lengths: Tensor, weight: Tensor, saved: list[Tensor], keep: Tensor | None
    ) -> Tensor:
        gates, cells = saved
        n, steps, _ = gradient.shape
        hidden = weight.shape[1]
        order, going = _by_length(lengths, steps)
        arriving = gradient[order].view(n, steps, 2, hidden).transpose(0, 1)  # (steps, sequences, 2, hidden)
        result = gradient.new_zeros(n, steps, 2, GATES * hidden)
        for way in range(2):
            dh, dc = gradient.new_zeros(n, hidden), gradient.new_zeros(n, hidden)
            kept = None if keep is None else keep[order, way]
            back = weight[way].t()
            for step in _walk(steps, 1 - way):
                m = going[step]
                i, f, g, o = gates[step, way, :m].split(hidden, 1)
                before = step - 1 if way == 0 else step + 1
                first = before < 0 or before >= steps
                c_before = torch.zeros_like(i) if first else cells[before, way, :m]
                bent = cells[step, way, :m].tanh()
                dh_now = dh[:m] + arriving[step, :m, way]
                dc_now = torch.addcmul(dc[:m], dh_now * o, 1 - bent * bent)
                d = torch.cat(
                    [dc_now * g * i * (1 - i), dc_now * c_before * f * (1 - f),
                     dc_now * i * (1 - g * g), dh_now * bent * o * (1 - o)], 1,
                )  # fmt: skip
                result[order[:m], step, way] = d
                dc[:m] = dc_now * f
                dh[:m] = d @ back if kept is None else (d @ back) * kept[:m]
        return result


def _by_length(lengths: Tensor, steps: int) -> tuple[Tensor, list[int]]:
    """The sequences from long to short, and how many of them are still going at each step."""
    order = torch.argsort(lengths, descending=True, stable=True)
    ended = torch.bincount(lengths.clamp(max=steps), minlength=steps + 1).cumsum(0)[:steps]
    return order, (len(lengths) - ended).tolist()


def _walk(steps: int, way: int) -> range:
    return range(steps) if way == 0 else range(steps - 1, -1, -1)


def _kernel_for(table: Tensor):  # type: ignore[no-untyped-def]
    """The fused kernel where the device has one, else the loop."""
    if table.is_cuda:
        try:
            from samehand.model import recurrence_triton
        except ImportError:
            return _Loop
        if recurrence_triton.fits(table):
            return recurrence_triton.Fused
    return _Loop
