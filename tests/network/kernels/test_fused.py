"""A fused kernel is used only where it does what plain PyTorch does."""

import pytest
import torch

from samehand.network.kernels.fused import _plain, agrees, attention_agrees, recurrence_agrees
from samehand.network.kernels.recurrence import _Loop

CPU = torch.device("cpu")


def right():
    return [torch.ones(3), torch.arange(4.0)]


@pytest.mark.parametrize(
    ("ours", "told"),
    [
        (lambda: [torch.ones(3) * 1.1, torch.arange(4.0)], "off by 10%"),
        (lambda: [torch.ones(3), torch.full((4,), torch.nan)], "off by nan"),
        (lambda: [torch.ones(3)], "fails"),
        (lambda: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_what_is_off_or_fails_is_named_and_not_used(ours, told):
    with pytest.warns(RuntimeWarning, match=told):
        assert not agrees("example", ours, right)


def test_what_agrees_is_used(recwarn):
    assert agrees("example", lambda: [part * 1.001 for part in right()], right)
    assert not recwarn.list


def test_the_loop_agrees_with_itself():
    # Not in bfloat16: where the CPU has none, torch gives up on one of its libraries for good.
    assert recurrence_agrees(_Loop, _Loop, 50, torch.float32, CPU)


class Forgetful(_Loop):
    """Takes no notice of dropout."""

    @staticmethod
    def forward(table, index, lengths, weight, keep, save):
        return _Loop.forward(table, index, lengths, weight, None, save)


def test_a_recurrence_that_is_wrong_is_found_out():
    with pytest.warns(RuntimeWarning, match="recurrence is off"):
        assert not recurrence_agrees(Forgetful, _Loop, 50, torch.float32, CPU)


class Unmasked:
    @staticmethod
    def attend(states, lengths, *parameters):
        return _plain(states, lengths.clamp(min=states.shape[1]), *parameters)


def test_an_attention_that_is_wrong_is_found_out():
    with pytest.warns(RuntimeWarning, match="attention"):
        assert not attention_agrees(Unmasked, 20, 7, CPU)
