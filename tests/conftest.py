"""What holds for all tests.

Hypothesis without a stopwatch: the first example may import something big, on a busy machine.

One thread each for PyTorch and BLAS, here and in the commands that tests start: several would wait
for one another at every small operation, all the more where tests run beside each other. Those
that are about threads ask for more.
"""

import os

from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before PyTorch is loaded

from tests.models import model, narrow_model, verifier  # noqa: F401  fixtures for all

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
