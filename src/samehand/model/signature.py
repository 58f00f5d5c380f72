"""Whether the maker of a model signed it, by OpenSSH, which nearly every machine has.

    ssh-keygen -Y sign -f KEY -n samehand MODEL/model.json

leaves MODEL/model.json.sig. model.json names the SHA-256 of every other file, so that it speaks for
all of them.
"""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from samehand.errors import InputError
from samehand.model.folder import DESCRIPTION, SIGNATURE

_NAMESPACE = "samehand"
_MAKER = "maker"
_SECONDS = 20
_LARGEST = 100_000


def check_signature(folder: Path, public_key: Path) -> None:
    """Raise unless the model in this folder is signed by this key."""
    signature = folder / SIGNATURE
    if not signature.is_file():
        raise InputError(f"{folder}: it is not signed, for {SIGNATURE} is missing.")
    if signature.stat().st_size > _LARGEST:
        raise InputError(f"{signature}: too large for a signature.")
    with TemporaryDirectory() as place:
        signers = Path(place) / "signers"
        signers.write_text(f"{_MAKER} {_key(public_key)}\n", "utf-8")
        command = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", _MAKER]
        command += ["-n", _NAMESPACE, "-s", str(signature)]
        try:
            with (folder / DESCRIPTION).open("rb") as content:
                done = subprocess.run(
                    command, stdin=content, capture_output=True, timeout=_SECONDS, check=False
                )
        except FileNotFoundError:
            raise InputError(
                "A signature is checked by ssh-keygen, which this machine lacks; install OpenSSH."
            ) from None
        except subprocess.TimeoutExpired:
            raise InputError(f"{signature}: ssh-keygen found no end with it.") from None
    if done.returncode:
        raise InputError(
            f"{folder}: {SIGNATURE} is no signature of this model by the key in {public_key}; get "
            "the model from its maker again."
        )


def _key(path: Path) -> str:
    """The public key in a file such as `ssh-keygen` writes: kind, key, comment."""
    try:
        with path.open("rb") as file:
            kind, key, *_ = file.read(_LARGEST).decode("ascii").splitlines()[0].split()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except (OSError, ValueError, IndexError):
        raise InputError(f"{path}: not a public key as `ssh-keygen` writes it (.pub).") from None
    return f"{kind} {key}"
