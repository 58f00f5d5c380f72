"""Of two processes that would write into one folder, the second is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.io.locking import alone_in

HOLD = (
    "import sys; from pathlib import Path; from samehand.io.locking import alone_in\n"
    "with alone_in(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
)


def test_a_folder_is_held_until_its_process_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(InputError, match="another samehand is at work in it"),
            alone_in(tmp_path),
        ):
            pass
        other.kill()
        other.wait()
        with alone_in(tmp_path):
            assert list(tmp_path.iterdir()) == []
