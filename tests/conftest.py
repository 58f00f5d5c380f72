"""Settings for all tests.

Hypothesis without a stopwatch: the first example may import something big, on a busy machine.

One thread each for PyTorch and BLAS, here and in the commands that tests start: several would wait
for one another at every small operation, all the more where tests run beside each other. Those
that are about threads ask for more.

Where there is no GPU, Triton's interpreter runs its kernels. That has to be said before Triton is
loaded, and Lightning loads it.
"""

import os
import shutil

from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before PyTorch is loaded
if shutil.which("nvidia-smi") is None:
    os.environ.setdefault("TRITON_INTERPRET", "1")

from tests.models import by_genres, genres_model, model, narrow_model, verifier  # noqa: F401  for all

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
