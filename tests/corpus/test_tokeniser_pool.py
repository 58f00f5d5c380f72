"""Encoding: the same numbers in one process as in many, in order, a few texts at a time."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from samehand.corpus import tokeniser_pool as module
from samehand.corpus.tokeniser_pool import TokeniserPool
from samehand.errors import InputError
from samehand.text.tokenise import Tokeniser

RNG = random.Random(0)
TEXTS = [
    " ".join(f"w{int(RNG.paretovariate(0.4)) % 5000:x}," for _ in range(RNG.randrange(60)))
    for _ in range(400)
]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BATCH_CHARACTERS", 2000)


def encoded(encoder: TokeniserPool, texts: list[str]) -> list[list[int]]:
    documents: list[list[int]] = []
    for lengths, types in encoder(texts):
        documents += [part.tolist() for part in np.split(types, np.cumsum(lengths)[:-1])]
    return documents


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("workers", [1, 2])
def test_types_are_numbered_in_order_of_first_sight(workers: int) -> None:
    tokeniser = Tokeniser()
    expected = [tokeniser(text).types.tolist() for text in TEXTS]
    with TokeniserPool(workers) as encoder:
        assert encoded(encoder, TEXTS) == expected
        assert encoder.types == tokeniser.types
        again = ["w1, unheard of", "", *TEXTS[:9]]
        assert encoded(encoder, again) == [tokeniser(text).types.tolist() for text in again]
        assert encoder.types == tokeniser.types


def test_encoders_do_not_know_of_each_other() -> None:
    for _ in range(2):
        with TokeniserPool(1) as encoder:
            assert encoded(encoder, ["b a b"]) == [[0, 1, 0]]
            assert encoder.types == ["b", "a"]


def test_nothing_and_texts_without_words() -> None:
    with TokeniserPool() as encoder:
        assert encoded(encoder, []) == []
        assert encoded(encoder, ["", " \n", "\u200b", "a"]) == [[], [], [], [0]]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("workers", [1, 2])
def test_no_more_is_read_than_is_at_work(workers: int) -> None:
    read = 0

    def texts() -> Iterator[str]:
        nonlocal read
        for text in TEXTS:
            read += 1
            yield text

    given = 0
    with TokeniserPool(workers) as encoder:
        for lengths, _ in encoder(texts()):
            given += len(lengths)
            assert read - given < 150  # some ten texts a batch, three batches a worker
    assert given == read == len(TEXTS)


@pytest.mark.usefixtures("small_batches")
def test_what_goes_wrong_with_the_texts_comes_through() -> None:
    def texts() -> Iterator[str]:
        yield from TEXTS[:300]
        raise InputError("line 301 is broken")

    with pytest.raises(InputError, match="line 301"), TokeniserPool(2) as encoder:
        list(encoder(texts()))


@pytest.mark.usefixtures("small_batches")
def test_a_worker_that_is_killed_is_no_riddle() -> None:
    with TokeniserPool(2) as encoder, pytest.raises(InputError, match="worker process was killed"):  # noqa: PT012
        for _ in encoder(TEXTS * 20):
            assert encoder._pool
            for process in list(encoder._pool._processes.values()):
                process.kill()  # unlike os.kill, at peace with one that is gone already


def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import time\n"
        "from samehand.corpus import tokeniser_pool\n"
        "if __name__ == '__main__':\n"
        "    tokeniser_pool._BATCH_CHARACTERS = 10\n"
        "    with tokeniser_pool.TokeniserPool(2) as encoder:\n"
        "        next(iter(encoder(['some text to begin with'] * 50)))\n"
        "        print(*encoder._pool._processes, flush=True)\n"
        "        time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    workers = [int(number) for number in parent.stdout.readline().split()]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    for _ in range(600):
        if not any(_runs(worker) for worker in workers):
            break
        time.sleep(0.05)
    assert workers
    assert not any(_runs(worker) for worker in workers)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
