"""Where there is no GPU, Triton's interpreter runs the kernels (tests/conftest.py).

It cannot multiply matrices of bfloat16, so there the kernels are tested in single precision alone.
"""

import pytest
import torch


@pytest.fixture
def device() -> str:
    """Where the kernels run."""
    return "cuda" if torch.cuda.is_available() else "cpu"


@pytest.fixture(params=[torch.float32, torch.bfloat16], ids=["float32", "bfloat16"])
def dtype(request: pytest.FixtureRequest, device: str) -> torch.dtype:
    """Each type of number that kernels are made for."""
    chosen: torch.dtype = request.param
    if device == "cpu" and chosen == torch.bfloat16:
        pytest.skip("bfloat16 needs a GPU")
    return chosen
