"""A bidirectional LSTM over sequences of table rows.

The input projection of an LSTM depends on its input alone. Where inputs repeat (a token's
projection is the same at every occurrence of its type) it is computed once, into a table, and what
is left to do at each step is a look-up and a small matrix product. For the paper's sizes that is
20,000 multiplications a token instead of 152,000.

`recur` runs in a fused kernel on a GPU that has Triton, by cuDNN on one that has not, and as a loop
over steps everywhere else, which is also what a mask on the states takes without Triton. All three
are one differentiable function with the same contract; sequences end where they end, padding takes
part in nothing.
"""

import warnings
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

GATES = 4
"""Input, forget, cell, output: their order in the last dimension of tables and weights."""


def recur(
    table: Tensor, index: Tensor, lengths: Tensor, weight: Tensor, keep: Tensor | None = None
) -> Tensor:
    """Hidden states of both directions at every step.

    table    (rows, 2, 4 · hidden)    input gates of both directions, bias included
    index    (sequences, steps)       the row of the table at each step; any row past the end
    lengths  (sequences,)             steps in each sequence
    weight   (2, hidden, 4 · hidden)  from the hidden state to the gates
    keep     (sequences, 2, hidden)   dropout mask on the hidden state, the same at every step
    returns  (sequences, steps, 2 · hidden), zero where a sequence has ended

    States have the weight's type. The table's may be a finer one: a state is rounded at each of its
    steps anew, a gate of the table by as much at every occurrence of its type.
    """
    kernel = _kernel_for(weight)
    if kernel is _Loop and weight.is_cuda and keep is None and len(index):
        return by_library(table, index, lengths, weight)
    states: Tensor = _Recurrence.apply(kernel, table, index, lengths, weight, keep)  # type: ignore[no-untyped-call]
    return states


def by_library(table: Tensor, index: Tensor, lengths: Tensor, weight: Tensor) -> Tensor:
    """`recur` by PyTorch's own LSTM: cuDNN's, on a GPU.

    It insists on a projection of its inputs. What it gets is the gates, and ones to multiply by.
    """
    (n, steps), hidden = index.shape, weight.shape[1]
    gates = F.embedding(index, table.flatten(1).to(weight.dtype))
    chosen = torch.eye(2 * GATES * hidden, dtype=weight.dtype, device=weight.device).chunk(2)
    weights = [w for way in (0, 1) for w in (chosen[way], weight[way].T.contiguous())]
    # A sequence without steps is read as one of a single step, which is then struck out.
    packed = pack_padded_sequence(
        gates, lengths.clamp(1, steps).cpu(), batch_first=True, enforce_sorted=False
    )
    start = weight.new_zeros(2, n, hidden)
    with warnings.catch_warnings():
        # That they do not lie side by side; cuDNN puts them so, which is nothing to the rest.
        warnings.filterwarnings("ignore", "RNN module weights")
        states = torch.lstm(
            packed.data, packed.batch_sizes, (start, start), weights, False, 1, 0.0, True, True
        )[0]
    padded, _ = pad_packed_sequence(packed._replace(data=states), True, total_length=steps)
    found: Tensor = padded * (lengths > 0)[:, None, None]
    return found


class _Recurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        kernel: Any,
        table: Tensor,
        index: Tensor,
        lengths: Tensor,
        weight: Tensor,
        keep: Tensor | None,
    ) -> Tensor:
        keep = None if keep is None else keep.to(weight.dtype)
        needed = any(ctx.needs_input_grad)
        states, saved = kernel.forward(table, index, lengths, weight, keep, needed)
        ctx.save_for_backward(index, lengths, weight, keep, states, *saved)
        ctx.kernel, ctx.n_rows = kernel, table.shape[0]
        result: Tensor = states
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        index, lengths, weight, keep, states, *saved = ctx.saved_tensors
        grad_table, grad_weight = ctx.kernel.backward(
            gradient, index, lengths, weight, keep, states, saved, ctx.n_rows
        )
        return None, grad_table, None, None, grad_weight, None


class _Lockstep(NamedTuple):
    """Both directions side by side, sequences from long to short.

    At step s the first direction is at place s of each sequence, the second at place s from its
    end, and only the sequences that still go on take part: the first `going[s]` of them.
    """

    order: Tensor
    """(sequences,) from long to short"""
    going: list[int]
    """sequences at each step, up to the longest one's last"""
    place: Tensor
    """(steps, 2, sequences) which place it is, of the caller's (sequences · steps · 2)"""

    @classmethod
    def of(cls, lengths: Tensor, steps: int) -> "_Lockstep":
        lengths = lengths.clamp(max=steps)
        order = torch.argsort(lengths, descending=True, stable=True)
        ended = torch.bincount(lengths, minlength=steps + 1).cumsum(0)[:steps]
        going = [count for count in (len(lengths) - ended).tolist() if count]
        forth = torch.arange(len(going), device=lengths.device)[:, None]  # (steps, 1)
        back = (lengths[order] - 1 - forth).clamp(min=0)  # (steps, sequences)
        when = torch.stack([forth.expand_as(back), back], dim=1)  # (steps, 2, sequences)
        way = torch.arange(2, device=lengths.device)[:, None]
        return cls(order, going, (order * steps + when) * 2 + way)

    def rows(self, index: Tensor) -> Tensor:
        """(steps, 2, sequences) rows of a table (rows · 2, 4 · hidden) at those places."""
        return index.reshape(-1)[self.place // 2] * 2 + self.place % 2


class _Loop:
    """Step by step in plain PyTorch.

    What is kept for the way back is kept a step at a time: blocks of that size are recycled by the
    allocator, where a large one would be fetched from the system, and paid for, at each call.
    """

    @staticmethod
    def forward(
        table: Tensor,
        index: Tensor,
        lengths: Tensor,
        weight: Tensor,
        keep: Tensor | None,
        save: bool,
    ) -> tuple[Tensor, list[Tensor]]:
        """States (sequences, steps, 2 · hidden), and what `backward` needs: gates and cells."""
        n, steps = index.shape
        hidden = weight.shape[1]
        lockstep = _Lockstep.of(lengths, steps)
        table = table.to(weight.dtype)
        rows, inputs = lockstep.rows(index), table.reshape(-1, GATES * hidden)
        kept = None if keep is None else keep[lockstep.order].transpose(0, 1)
        states = table.new_zeros(n * steps * 2, hidden)
        saved: list[Tensor] = []
        h, c = table.new_zeros(2, n, hidden), table.new_zeros(2, n, hidden)
        for step, m in enumerate(lockstep.going):
            a = inputs.index_select(0, rows[step, :, :m].reshape(-1)).view(2, m, -1)
            start = h[:, :m] if kept is None else h[:, :m] * kept[:, :m]
            a.baddbmm_(start, weight)  # (2, going, 4 · hidden)
            i, f, g, o = a.chunk(GATES, 2)
            a[..., : 2 * hidden].sigmoid_()
            g.tanh_()
            o.sigmoid_()
            c = torch.addcmul(i * g, f, c[:, :m])
            h = c.tanh().mul_(o)
            states[lockstep.place[step, :, :m].reshape(-1)] = h.view(2 * m, hidden)
            if save:
                saved += [a, c]
        return states.view(n, steps, 2 * hidden), saved

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
        steps = gradient.shape[1]
        hidden = weight.shape[1]
        lockstep = _Lockstep.of(lengths, steps)
        rows = lockstep.rows(index)
        kept = None if keep is None else keep[lockstep.order].transpose(0, 1)
        arriving, states = gradient.reshape(-1, hidden), states.view(-1, hidden)
        pushed, met = [gradient.new_zeros(0, GATES * hidden)], [rows.new_zeros(0)]
        grad_weight = torch.zeros_like(weight)
        back = weight.transpose(1, 2)
        dh, dc = gradient.new_zeros(2, 0, hidden), gradient.new_zeros(2, 0, hidden)
        for step in reversed(range(len(lockstep.going))):
            m, later = lockstep.going[step], dh.shape[1]
            place = lockstep.place[step, :, :m].reshape(-1)
            a, c = saved[2 * step], saved[2 * step + 1]
            i, f, g, o = a.chunk(GATES, 2)
            bent = c.tanh()
            dh_now = arriving.index_select(0, place).view(2, m, hidden)
            dh_now[:, :later] += dh
            dc_now = torch.ops.aten.tanh_backward(dh_now * o, bent)
            dc_now[:, :later] += dc
            d = torch.empty_like(a)  # before the activations
            d_i, d_f, d_g, d_o = d.chunk(GATES, 2)
            torch.ops.aten.sigmoid_backward(dc_now * g, i, grad_input=d_i)
            torch.ops.aten.tanh_backward(dc_now * i, g, grad_input=d_g)
            torch.ops.aten.sigmoid_backward(dh_now * bent, o, grad_input=d_o)
            if step:
                c_before = saved[2 * step - 1][:, :m]
                torch.ops.aten.sigmoid_backward(dc_now * c_before, f, grad_input=d_f)
                before = lockstep.place[step - 1, :, :m].reshape(-1)
                start = states.index_select(0, before).view(2, m, hidden)
                dh = torch.bmm(d, back)
                if kept is not None:
                    start *= kept[:, :m]
                    dh *= kept[:, :m]
                grad_weight.baddbmm_(start.transpose(1, 2), d)
                dc = dc_now.mul_(f)
            else:
                d_f.zero_()
            pushed.append(d.view(2 * m, -1))
            met.append(rows[step, :, :m].reshape(-1))
        # Sums the gradients of each row in one order, on any device, and without atomic additions.
        grad_table = torch.ops.aten.embedding_dense_backward(
            torch.cat(pushed), torch.cat(met), n_rows * 2, -1, False
        )
        return grad_table.view(n_rows, 2, -1), grad_weight


def _kernel_for(weight: Tensor) -> Any:
    """The fused kernel where the device has one that works, else the loop."""
    if weight.is_cuda:
        try:
            from samehand.network.kernels import recurrence_triton
        except ImportError:
            return _Loop
        from samehand.network.kernels.fused import recurrence_agrees

        fused, hidden = recurrence_triton.Fused, weight.shape[1]
        if recurrence_triton.fits(weight) and recurrence_agrees(
            fused, _Loop, hidden, weight.dtype, weight.device
        ):
            return fused
    return _Loop
