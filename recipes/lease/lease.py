"""Carry training runs over several leases of a machine that only small files reach.

    python recipes/lease/lease.py begin RUN COMMAND...      # in the background; resumes an old RUN
    python recipes/lease/lease.py watch RUNS --seconds 500  # one line a run, till all have ended
    python recipes/lease/lease.py pack RUNS PIECES [--models] [--megabytes 15]
    python recipes/lease/lease.py unpack PIECES RUNS

It needs nothing but Python. README.md beside it has the whole way.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

TO_RESUME = ("config.json", "store.sha256", "metrics.jsonl")
DIGESTS = "sha256sums"


def begin(run: Path, command: list[str]) -> None:
    """Start a run that outlives this process; a training gets `--resume` if it was begun before."""
    if (run / "config.json").exists() and "train" in command:
        command = [*command, "--resume"]
    run.parent.mkdir(parents=True, exist_ok=True)
    with _beside(run, "log").open("ab") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    _beside(run, "pid").write_text(str(process.pid))
    print(f"{run}: process {process.pid}: {' '.join(command)}")


def watch(runs: Path, seconds: float) -> int:
    """Show how far all runs are. Returns 0 if all are finished, 1 if one failed, 3 otherwise."""
    until = time.monotonic() + seconds
    while True:
        pids = sorted(runs.glob("*.pid"))
        found = [(path.with_suffix(""), _is_alive(int(path.read_text()))) for path in pids]
        print(time.strftime("%H:%M:%S"), *(_progress(run) for run, _ in found), sep=" | ")
        sys.stdout.flush()
        if not any(alive for _, alive in found) or time.monotonic() >= until:
            break
        time.sleep(min(20.0, max(0.0, until - time.monotonic())))
    failed = [run for run, alive in found if not alive and not (run / "model").exists()]
    for run in failed:
        print(f"{run} has ended without a model:", *_last_lines(_beside(run, "log"), 15), sep="\n")
    if failed:
        return 1
    return 3 if any(alive for _, alive in found) else 0


def pack(runs: Path, pieces: Path, limit: int, models_only: bool) -> None:
    """Write what resuming needs as numbered pieces with digests; runs may be going on meanwhile."""
    shutil.rmtree(pieces, ignore_errors=True)
    pieces.mkdir(parents=True)
    with tempfile.TemporaryFile() as whole:
        with tarfile.open(fileobj=whole, mode="w") as tar:
            for run in sorted(path.parent for path in runs.glob("*/config.json")):
                _add(tar, run, models_only)
        whole.seek(0)
        digests = []
        for number, content in enumerate(iter(lambda: whole.read(limit), b"")):
            (pieces / f"{number:03d}").write_bytes(content)
            digests.append(f"{hashlib.sha256(content).hexdigest()}  {number:03d}\n")
        (pieces / DIGESTS).write_text("".join(digests))
        print(f"{len(digests)} pieces, {whole.tell() / 2**20:.1f} MiB")


def unpack(pieces: Path, runs: Path) -> None:
    """Put the pieces together, once all are there and whole."""
    listed = [line.split() for line in (pieces / DIGESTS).read_text().splitlines()]
    with tempfile.TemporaryFile() as whole:
        for digest, name in listed:
            content = (pieces / name).read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                raise SystemExit(f"{pieces / name}: damaged on its way; fetch it again.")
            whole.write(content)
        whole.seek(0)
        with tarfile.open(fileobj=whole) as tar:
            tar.extractall(runs, filter="data")
    print(*sorted(str(path) for path in runs.glob("*/checkpoints/*.ckpt")), sep="\n")


def _add(tar: tarfile.TarFile, run: Path, models_only: bool) -> None:
    for path in _wanted(run, models_only):
        if not path.exists():  # a checkpoint, replaced by the next epoch's since it was listed
            path = _last_checkpoint(run)[0]
        tar.add(path, str(path.relative_to(run.parent)))


def _wanted(run: Path, models_only: bool) -> Iterator[Path]:
    checkpoints = [] if models_only else _last_checkpoint(run)
    model = (run / "model").rglob("*")
    yield from (
        path
        for path in (*checkpoints, *(run / name for name in TO_RESUME), *model)
        if path.is_file()
    )


def _last_checkpoint(run: Path) -> list[Path]:
    """The one to resume from, if any."""
    found = run.glob("checkpoints/epoch=*.ckpt")
    return sorted(found, key=lambda path: int(path.stem.split("=")[1]))[-1:]


def _progress(run: Path) -> str:
    lines = _last_lines(run / "metrics.jsonl", 1)
    if not lines:
        return f"{run.name} no epoch yet"
    last = json.loads(lines[0])
    epochs = json.loads((run / "config.json").read_text())["epochs"]
    state = ", model" if (run / "model").exists() else ""
    loss, seconds = last["loss"]["dml"], last["seconds"]
    return f"{run.name} {last['epoch'] + 1}/{epochs} loss {loss:.3f} {seconds} s an epoch{state}"


def _last_lines(path: Path, n: int) -> list[str]:
    """Whole ones only: the last may be in the middle of being written."""
    whole = path.read_text(errors="replace").rpartition("\n")[0] if path.exists() else ""
    return whole.splitlines()[-n:]


def _is_alive(pid: int) -> bool:
    """Whether the process works; one that has ended may still be listed, as a zombie."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def _beside(run: Path, ending: str) -> Path:
    return run.with_name(f"{run.name}.{ending}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ways = parser.add_subparsers(dest="way", required=True)
    one = ways.add_parser("begin")
    one.add_argument("run", type=Path)
    one.add_argument("command", nargs=argparse.REMAINDER)
    one = ways.add_parser("watch")
    one.add_argument("runs", type=Path)
    one.add_argument("--seconds", type=float, default=500)
    one = ways.add_parser("pack")
    one.add_argument("runs", type=Path)
    one.add_argument("pieces", type=Path)
    one.add_argument("--models", action="store_true", help="leave the checkpoints behind")
    one.add_argument("--megabytes", type=float, default=15)
    one = ways.add_parser("unpack")
    one.add_argument("pieces", type=Path)
    one.add_argument("runs", type=Path)
    given = parser.parse_args()
    if given.way == "begin":
        begin(given.run, given.command)
    elif given.way == "watch":
        return watch(given.runs, given.seconds)
    elif given.way == "pack":
        pack(given.runs, given.pieces, int(given.megabytes * 2**20), given.models)
    else:
        unpack(given.pieces, given.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
