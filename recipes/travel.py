"""Take a store to a machine that only small parcels reach.

    python recipes/travel.py pack STORE PARCELS [--megabytes 56]    # writes PARCELS/0, PARCELS/1, …
    python recipes/travel.py unpack PARCELS STORE                   # needs numpy and pyarrow only

A store's tokens are type numbers by frequency: split into planes of bytes, they compress to about
1.4 bytes a token. What training does not read (trials as text) stays behind.
"""

import argparse
import ast
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa

CODEC = pa.Codec("zstd", 9)
CHUNK = 1 << 22  # items compressed at a time
LEFT_BEHIND = ("pair-counts.png", "test-trials")


def pack(store: Path, parcels: Path, limit: int) -> None:
    shutil.rmtree(parcels, ignore_errors=True)
    number, size = 0, 0
    for path in sorted(
        p
        for p in store.rglob("*")
        if p.is_file() and not set(p.relative_to(store).parts) & set(LEFT_BEHIND)
    ):
        name = str(path.relative_to(store)).replace("/", "@")
        for chunk, content in enumerate(_chunks(path)):
            if size + len(content) > limit:
                number, size = number + 1, 0
            folder = parcels / str(number)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.{chunk:04d}").write_bytes(content)
            size += len(content)
    total = sum(path.stat().st_size for path in parcels.rglob("*") if path.is_file())
    print(f"{number + 1} parcels, {total / 2**20:.1f} MiB")


def _chunks(path: Path):  # type: ignore[no-untyped-def]
    if path.suffix != ".npy":
        yield _compressed(path.read_bytes())
        return
    array = np.load(path, mmap_mode="r")
    yield _compressed(repr((array.dtype.str, array.shape)).encode())
    flat = array.reshape(-1)
    for start in range(0, len(flat), CHUNK):
        planes = (
            np.ascontiguousarray(flat[start : start + CHUNK])
            .view(np.uint8)
            .reshape(-1, array.dtype.itemsize)
        )
        yield _compressed(np.ascontiguousarray(planes.T).tobytes())


def _compressed(content: bytes) -> bytes:
    return len(content).to_bytes(8, "little") + CODEC.compress(content, asbytes=True)


def _plain(content: bytes) -> bytes:
    return CODEC.decompress(content[8:], int.from_bytes(content[:8], "little"), asbytes=True)


def unpack(parcels: Path, store: Path) -> None:
    files: dict[str, list[Path]] = {}
    for path in sorted(parcels.rglob("*.[0-9][0-9][0-9][0-9]"), key=lambda p: p.name):
        files.setdefault(path.name[:-5], []).append(path)
    for name, chunks in files.items():
        to = store / name.replace("@", "/")
        to.parent.mkdir(parents=True, exist_ok=True)
        if to.suffix != ".npy":
            to.write_bytes(_plain(chunks[0].read_bytes()))
            continue
        kind, shape = ast.literal_eval(_plain(chunks[0].read_bytes()).decode())
        array = np.lib.format.open_memmap(to, "w+", np.dtype(kind), shape)
        flat, at = array.reshape(-1), 0
        for chunk in chunks[1:]:
            planes = np.frombuffer(_plain(chunk.read_bytes()), np.uint8).reshape(
                array.dtype.itemsize, -1
            )
            values = np.ascontiguousarray(planes.T).view(array.dtype).reshape(-1)
            flat[at : at + len(values)] = values
            at += len(values)
        array.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("way", choices=["pack", "unpack"])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--megabytes", type=float, default=56)
    options = parser.parse_args()
    if options.way == "pack":
        pack(options.source, options.target, int(options.megabytes * 2**20))
    else:
        unpack(options.source, options.target)
