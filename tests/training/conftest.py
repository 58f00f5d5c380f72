"""One small store, and one run on it by the console script, for all tests of training."""

from collections.abc import Iterator

import pytest
import torch

from samehand.corpus.store import Store

from .planted import make_store
from .runs import Run, run_to_the_end


@pytest.fixture(scope="session", autouse=True)
def _one_core() -> Iterator[None]:
    """As the console script has it in these tests: sums depend on how many share them."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return make_store(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def finished(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run_to_the_end(store, tmp_path_factory.mktemp("runs") / "finished")
