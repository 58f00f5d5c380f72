"""All parts of a job are done once, whoever does them."""

import os
import threading
from collections import Counter

import pytest
import torch

from samehand.engine import threads

PARTS = [slice(first, first + 3) for first in range(0, 300, 3)]


@pytest.fixture(params=["team", "pool"])
def several(request, monkeypatch):
    """Several threads, of either kind."""
    if request.param == "pool":
        monkeypatch.setattr(threads, "_team", lambda: None)
    elif threads._team() is None:
        pytest.skip("PyTorch's threads are not GNU OpenMP's here")
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def done() -> Counter:
    seen: Counter = Counter()
    lock = threading.Lock()

    def job(part: slice) -> None:
        with lock:
            seen.update(range(part.start, part.stop))

    threads.in_parallel(job, PARTS)
    return seen


def test_each_part_is_done_once(several) -> None:
    assert done() == Counter(range(300))


def test_others_do_their_share(several) -> None:
    meeting = threading.Barrier(3, timeout=20)
    threads.in_parallel(lambda part: meeting.wait() and None, PARTS[:3])


@pytest.mark.parametrize("bad", [0, 150])
def test_what_goes_wrong_in_any_thread_is_told(several, bad) -> None:
    def job(part: slice) -> None:
        if part.start == bad:
            raise IndexError("no such row")

    with pytest.raises(IndexError, match="no such row"):
        threads.in_parallel(job, PARTS)
    assert done() == Counter(range(300))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(several) -> None:
    done()
    child = os.fork()
    if child == 0:
        os._exit(0 if done() == Counter(range(300)) else 1)
    assert status_of(child) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_can_do_what_pytorch_shares_out(several) -> None:
    """It would wait for threads that only its parent has."""
    numbers = torch.arange(1_000_000)
    numbers.sum()
    child = os.fork()
    if child == 0:
        os._exit(0 if numbers.double().sum() == 499_999_500_000 else 1)
    assert status_of(child) == 0


def status_of(child: int) -> int:
    """How it ended; one that hangs is killed."""
    ended: list[int] = []
    timer = threading.Timer(20, lambda: ended or os.kill(child, 9))
    timer.start()
    ended.append(os.waitpid(child, 0)[1])
    timer.cancel()
    return ended[0]
