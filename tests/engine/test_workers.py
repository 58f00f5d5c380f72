"""All jobs are done once, whoever does them."""

import os
import threading
from collections import Counter
from functools import partial

import pytest

from samehand.engine.workers import cores, in_parallel

N = 300


def done(threads: int = 3) -> Counter:
    seen: Counter = Counter()
    lock = threading.Lock()

    def job(number: int) -> None:
        with lock:
            seen.update([number])

    in_parallel([partial(job, number) for number in range(N)], threads)
    return seen


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
def test_each_job_is_done_once(threads) -> None:
    assert done(threads) == Counter(range(N))


def test_others_do_their_share() -> None:
    meeting = threading.Barrier(3, timeout=20)
    in_parallel([meeting.wait] * 3, 3)


def test_one_thread_does_them_in_order() -> None:
    found: list[int] = []
    in_parallel([partial(found.append, number) for number in range(N)], 1)
    assert found == list(range(N))


@pytest.mark.parametrize("bad", [0, 150])
@pytest.mark.parametrize("threads", [1, 3])
def test_what_goes_wrong_in_any_thread_is_told(threads, bad) -> None:
    def job(number: int) -> None:
        if number == bad:
            raise IndexError("no such row")

    with pytest.raises(IndexError, match="no such row"):
        in_parallel([partial(job, number) for number in range(N)], threads)
    assert done() == Counter(range(N))


def test_jobs_may_have_jobs() -> None:
    """More of them than the pool has threads: nobody waits for a thread that waits for him."""
    in_parallel([done] * 20, 20)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    done()
    child = os.fork()
    if child == 0:
        os._exit(0 if done() == Counter(range(N)) else 1)
    killer = threading.Timer(20, os.kill, (child, 9))
    killer.start()
    status = os.waitpid(child, 0)[1]
    killer.cancel()
    assert status == 0


def test_the_number_of_cores_may_be_stated(monkeypatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert cores() == 7
    for nothing in ("", "0", "many"):
        monkeypatch.setenv("OMP_NUM_THREADS", nothing)
        assert 1 <= cores() <= (os.cpu_count() or 1)
