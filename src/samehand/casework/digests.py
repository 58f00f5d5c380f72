"""By what the files that a case brings are known again."""

import hashlib
from pathlib import Path

from samehand.errors import InputError
from samehand.io.opening import is_pipe


def sha256_of(path: Path) -> str:
    """SHA-256 of a file; of a folder, that of the names and contents of all files in it."""
    if path.is_dir():
        digest = hashlib.sha256()
        for file in sorted(path.rglob("*")):
            if file.is_file() and not file.name.startswith("."):
                name = str(file.relative_to(path))
                digest.update(f"{name}\n{sha256_of(file)}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def refuse_pipe(path: Path) -> None:
    """Raise where a path can be read only once: what is read is checked or digested first."""
    if is_pipe(path):
        raise InputError(f"{path}: a pipe, which can be read only once; give a file.")
