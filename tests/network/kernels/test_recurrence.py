"""The recurrence is an LSTM: against `nn.LSTM`, against a slow loop, and by its gradients."""

import sys
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from samehand.network import kernels
from samehand.network.kernels import recurrence
from samehand.network.kernels.recurrence import by_library, recur

LENGTHS = [5, 0, 3, 1, 5, 2, 4]


def drawn(lengths=LENGTHS, steps=5, hidden=3, rows=6, keep=False, dtype=torch.double):
    """Arguments of `recur`."""
    g = torch.Generator().manual_seed(0)
    n = len(lengths)
    table = torch.randn(rows, 2, 4 * hidden, generator=g, dtype=dtype)
    index = torch.randint(rows, (n, steps), generator=g)
    weight = 0.5 * torch.randn(2, hidden, 4 * hidden, generator=g, dtype=dtype)
    kept = (torch.rand(n, 2, hidden, generator=g) < 0.7).to(dtype) / 0.7
    return table, index, torch.tensor(lengths), weight, kept if keep else None


def slow(
    table: Tensor, index: Tensor, lengths: Tensor, weight: Tensor, keep: Tensor | None
) -> Tensor:
    """One sequence, one direction, one step at a time."""
    n, steps = index.shape
    hidden = weight.shape[1]
    result = [[[None, None] for _ in range(steps)] for _ in range(n)]
    zero = table.new_zeros(hidden)
    for s in range(n):
        for way in (0, 1):
            h, c = zero, zero
            places = range(int(lengths[s]))
            for t in places if way == 0 else reversed(places):
                start = h if keep is None else h * keep[s, way]
                i, f, g, o = (table[index[s, t], way] + start @ weight[way]).chunk(4)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
                result[s][t][way] = h
    rows = [
        torch.cat([zero if h is None else h for h in both])
        for sequence in result
        for both in sequence
    ]
    return torch.stack(rows).view(n, steps, 2 * hidden)


@pytest.mark.parametrize(("way", "keep"), [(recur, False), (recur, True), (by_library, False)])
def test_states_and_gradients_are_those_of_a_slow_loop(way, keep):
    table, index, lengths, weight, kept = drawn(keep=keep)
    found = []
    for function in (way, slow):
        leaves = table.clone().requires_grad_(), weight.clone().requires_grad_()
        mask = () if function is by_library else (kept,)
        states = function(leaves[0], index, lengths, leaves[1], *mask)
        (states * torch.linspace(-1, 1, states.numel()).view_as(states)).sum().backward()
        found.append((states, *(leaf.grad for leaf in leaves)))
    for ours, theirs in zip(*found, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize("keep", [False, True])
def test_gradcheck(keep):
    table, index, lengths, weight, kept = drawn(keep=keep)
    table.requires_grad_(), weight.requires_grad_()
    assert torch.autograd.gradcheck(
        lambda t, w: recur(t, index, lengths, w, kept), (table, weight), fast_mode=False
    )


def test_equals_torchs_lstm():
    inputs, hidden = 4, 3
    lstm = nn.LSTM(inputs, hidden, bidirectional=True, batch_first=True).double()
    lengths = [4, 6, 1, 6, 2]
    x = torch.randn(11, inputs, dtype=torch.double)
    index = torch.randint(11, (len(lengths), 6))
    packed = pack_padded_sequence(x[index], torch.tensor(lengths), True, enforce_sorted=False)
    expected = pad_packed_sequence(lstm(packed)[0], True, total_length=6)[0]

    def both(name):
        return torch.stack([getattr(lstm, name + suffix) for suffix in ("", "_reverse")])

    bias = both("bias_ih_l0") + both("bias_hh_l0")
    table = torch.einsum("ri,dgi->rdg", x, both("weight_ih_l0")) + bias
    found = recur(table, index, torch.tensor(lengths), both("weight_hh_l0").transpose(1, 2))
    assert torch.allclose(found, expected, atol=1e-12)
    parameters = list(lstm.parameters())
    for ours, theirs in zip(
        torch.autograd.grad(found.square().sum(), parameters),
        torch.autograd.grad(expected.square().sum(), parameters),
        strict=True,
    ):
        assert torch.allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize("recur", [recur, by_library])
def test_nothing_past_the_end_plays_a_part(recur):
    table, index, lengths, weight, _ = drawn()
    states = recur(table, index, lengths, weight)
    past = torch.arange(5) >= lengths[:, None]
    assert (states[past] == 0).all()
    assert (states[~past] != 0).all()
    elsewhere = torch.where(past, 5 - index, index)
    assert torch.equal(recur(table, elsewhere, lengths, weight), states)
    table.requires_grad_()
    recur(table, torch.where(past, 0, index.clamp(min=1)), lengths, weight).sum().backward()
    assert (table.grad[0] == 0).all()
    assert (table.grad[1] != 0).any()


@pytest.mark.parametrize("lengths", [[], [0], [0, 0, 0], [1]])
def test_few_or_empty_sequences(lengths):
    table, _, _, weight, _ = drawn()
    table.requires_grad_(), weight.requires_grad_()
    index = torch.zeros(len(lengths), 2, dtype=torch.long)
    states = recur(table, index, torch.tensor(lengths, dtype=torch.long), weight)
    assert states.shape == (len(lengths), 2, 6)
    states.sum().backward()
    assert table.grad.isfinite().all()
    assert (table.grad != 0).any() == any(lengths)


def test_order_of_sequences_does_not_matter():
    table, index, lengths, weight, kept = drawn(keep=True)
    order = torch.tensor([3, 0, 6, 5, 1, 4, 2])
    states = recur(table, index, lengths, weight, kept)
    shuffled = recur(table, index[order], lengths[order], weight, kept[order])
    assert torch.allclose(shuffled, states[order], atol=1e-12)


@pytest.fixture
def without_triton(monkeypatch):
    monkeypatch.setitem(sys.modules, "samehand.network.kernels.recurrence_triton", None)
    monkeypatch.delattr(kernels, "recurrence_triton", raising=False)


@pytest.mark.usefixtures("without_triton")
def test_a_gpu_without_triton_has_no_kernel():
    assert recurrence._kernel_for(SimpleNamespace(is_cuda=True)) is recurrence._Loop


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
@pytest.mark.usefixtures("without_triton")
@pytest.mark.parametrize("keep", [False, True])
def test_a_gpu_without_triton_does_the_same(keep):
    arguments = drawn(hidden=20, keep=keep, dtype=torch.float32)
    found = []
    for device in ("cuda", "cpu"):
        table, index, lengths, weight, kept = (
            None if a is None else a.to(device) for a in arguments
        )
        table.requires_grad_(), weight.requires_grad_()
        states = recur(table, index, lengths, weight, kept)
        states.square().sum().backward()
        found.append((states, table.grad, weight.grad))
    for ours, exact in zip(*found, strict=True):
        assert (ours.cpu() - exact).norm() < 3e-3 * exact.norm()  # cuDNN rounds to TF32
