"""Where there is no GPU, Triton's interpreter runs the kernels, if Triton is installed.

That has to be said before the first kernel is defined. The interpreter cannot multiply matrices of
bfloat16, so there the kernels are tested in single precision alone.
"""

import os

import pytest
import torch

if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")


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
