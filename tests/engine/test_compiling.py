"""Who waits for the compiler is told why, once; who does not wait is told nothing."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from samehand.engine import compiling
compiling._PATIENCE = float(sys.argv[1])
from samehand.engine.dense import layer
layer("relu"), layer("tanh")
"""


def said(cache: Path, patience: float) -> str:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(patience)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == ""
    return done.stderr


def test_the_first_time_is_announced_in_one_line(tmp_path) -> None:
    assert said(tmp_path, 0.001).count("compiling the network") == 1
    assert list(tmp_path.rglob("*.nbc"))
    assert said(tmp_path, 60.0) == ""
