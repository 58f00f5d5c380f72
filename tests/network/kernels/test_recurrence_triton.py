"""The fused recurrence is the loop, forward and backward."""

import pytest
import torch

from samehand.network.kernels.recurrence import _Recurrence, recur

from .test_recurrence import drawn

pytest.importorskip("triton")


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("hidden", [10, 50, 64])
def test_it_agrees_with_the_loop_in_double_precision(hidden, keep, dtype, device):
    from samehand.network.kernels.recurrence_triton import Fused

    g = torch.Generator().manual_seed(1)
    sequences, steps = (70, 33) if device == "cuda" else (20, 9)
    lengths = torch.randint(0, steps - 1, (sequences,), generator=g).tolist()
    table, index, lengths, weight, kept = drawn(lengths, steps, hidden, 40, keep, torch.float32)
    weight = (0.2 * weight).to(dtype)
    found = []
    for place, kind in ((device, dtype), ("cpu", torch.double)):
        finer = torch.promote_types(kind, torch.float32)
        leaves = [table.to(place, finer), weight.to(place, kind)]
        leaves = [leaf.detach().clone().requires_grad_() for leaf in leaves]
        mask = None if kept is None else kept.to(dtype).to(place, kind)
        given = leaves[0], index.to(place), lengths.to(place), leaves[1], mask
        fused = kind != torch.double
        states = _Recurrence.apply(Fused, *given) if fused else recur(*given)
        states.backward(torch.linspace(-1, 1, states.numel()).view_as(states).to(states))
        found.append((states, *(leaf.grad for leaf in leaves)))
    # Matrix units of a GPU round to TF32 or bfloat16.
    tolerance = {"cpu": 1e-5, "cuda": 1e-3 if dtype == torch.float32 else 1e-2}[device]
    for ours, exact in zip(*found, strict=True):
        assert (ours.cpu() - exact).norm() < tolerance * exact.norm()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("hidden", [10, 50, 64, 65, 100, 128, 129])
def test_every_size_runs_on_a_gpu(hidden):
    from samehand.network.kernels.recurrence_triton import fits

    table, index, lengths, weight, _ = drawn(hidden=hidden, dtype=torch.float32)
    table, weight = table.cuda().requires_grad_(), weight.bfloat16().cuda()
    recur(table, index.cuda(), lengths.cuda(), weight).float().sum().backward()
    assert table.grad.isfinite().all()
    assert fits(weight) == (hidden <= 128)
