"""By what the model that comes with the package is known."""

from pathlib import Path

from samehand.errors import InputError
from samehand.model.folder import manifest_sha256

SHA256 = "230821afe04c4699bc153ca5c903f004821f5b59ec486b21f1501c7a56d7f667"
"""Of its model.json, which names the digest of every other file; recipes/default/pin.py sets it."""


def check_packaged(folder: Path) -> None:
    """Raise unless the model in the package's own folder is the one that came with it."""
    if manifest_sha256(folder) != SHA256:
        raise InputError(
            f"{folder}: not the model that came with this samehand, though it stands in its place; "
            "install samehand again, or name a model (--model DIR)."
        )
