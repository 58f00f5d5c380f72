"""An index by a Ray cluster of two nodes, of which one loses its worker on the way.

    python benchmarks/ray_nodes.py CORPUS [--documents 12000]

CORPUS is a JSON Lines file. Needs root and `ip`: each node is in a network namespace of its own on
this machine, with one worker. The worker on the second node is killed after the first slice that is
done. Exits with 1 unless every document that can be compared is in the index, and once.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

RAY = Path(sys.executable).with_name("ray")
NODES = ("samehand-1", "samehand-2")
HEAD = "10.77.0.1:7001"
OWN = {"RAY_AUTH_MODE": "token", "RAY_USAGE_STATS_ENABLED": "0"}


def ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


@contextmanager
def nodes(folder: Path) -> Iterator[None]:
    """Two namespaces with a cable between them, and a node of Ray in each."""
    try:
        for node in NODES:
            ip("netns", "add", node)
        ip("link", "add", "cable-1", "netns", NODES[0], "type", "veth", "peer", "name", "cable-2",
           "netns", NODES[1])  # fmt: skip
        for number, node in enumerate(NODES, start=1):
            ip("-n", node, "addr", "add", f"10.77.0.{number}/24", "dev", f"cable-{number}")
            for device in ("lo", f"cable-{number}"):
                ip("-n", node, "link", "set", device, "up")
        head, other = ("--head", f"--port={HEAD.split(':')[1]}"), (f"--address={HEAD}",)
        start(NODES[0], "10.77.0.1", *head, "--include-dashboard=false", f"--temp-dir={folder}")
        start(NODES[1], "10.77.0.2", *other)
        yield
    finally:
        for node in NODES:
            for process in processes(node):
                os.kill(process, signal.SIGKILL)
            subprocess.run(["ip", "netns", "del", node], capture_output=True)


def start(node: str, address: str, *options: str) -> None:
    command = ["ip", "netns", "exec", node, RAY, "start", f"--node-ip-address={address}"]
    command += ["--num-cpus=1", "--disable-usage-stats", *options]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | OWN)


def processes(node: str) -> list[int]:
    found = subprocess.run(["ip", "netns", "pids", node], capture_output=True, text=True)
    return [int(each) for each in found.stdout.split()]


def kill_worker(node: str) -> bool:
    """Kill the worker of a node, if it has begun."""
    for process in processes(node):
        if b"EmbedSlice" in Path(f"/proc/{process}/cmdline").read_bytes():
            os.kill(process, signal.SIGKILL)
            return True
    return False


def inside(corpus: Path, place: Path) -> int:
    """The first node's program."""
    from samehand.corpus.readers import Columns
    from samehand.index import Index
    from samehand.verifier import Verifier

    killed = False

    def watch(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        nonlocal killed
        killed = killed or (done > 0 and kill_worker(NODES[1]))

    index, begun = Index.at(place, Verifier.load()), time.monotonic()
    added = index.add_by_ray([corpus], Columns(), address=HEAD, progress=watch)
    ids = [name for batch in index.batches(["id"]) for name in batch["id"].to_pylist()]
    read = sum(1 for _ in corpus.open())
    print(
        f"{read:,} documents in {time.monotonic() - begun:.0f} s; a worker was "
        f"{'' if killed else 'not '}killed; {added.too_short:,} too short, {len(ids):,} in the "
        f"index, {len(set(ids)):,} of them distinct."
    )
    return 0 if killed and len(ids) == len(set(ids)) == read - added.too_short else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=12_000)
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        return inside(options.corpus, options.inside)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        some = folder / "some.jsonl"
        with options.corpus.open() as source:
            some.write_text("".join(islice(source, options.documents)))
        with nodes(folder / "ray"):
            command = ["ip", "netns", "exec", NODES[0], sys.executable, __file__, some]
            command += ["--inside", folder / "index"]
            return subprocess.run(command, env=os.environ | OWN).returncode


if __name__ == "__main__":
    sys.exit(main())
