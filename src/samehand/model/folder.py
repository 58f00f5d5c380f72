"""A model on disk, read and written: weights as safetensors, everything else as JSON.

    model.json                   the description, with the SHA-256 of every other file
    NAME/weights.safetensors     of each network
    NAME/vocabulary.json
    evidence.safetensors         what turns distances of texts into likelihood ratios
    case.safetensors             what was fitted to the texts of a case

Nothing in a model can run, and a file from a stranger is safe to open: whatever is missing, cut,
altered, out of proportion or no number at all raises `InputError`.
"""

import hashlib
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from samehand import __version__
from samehand.errors import InputError
from samehand.io.atomic import all_or_nothing
from samehand.model import shapes
from samehand.model.config import NetworkConfig
from samehand.model.description import (
    CASE,
    EVIDENCE,
    VOCABULARY,
    WEIGHTS,
    Description,
    NetworkEntry,
    Statement,
    parsed,
)
from samehand.text.vocabulary import Vocabulary, read_vocabulary, vocabulary_bytes

Tensors = dict[str, NDArray[Any]]
Weights = dict[str, NDArray[np.float32]]

DESCRIPTION = "model.json"
SIGNATURE = "model.json.sig"
_MOST_BYTES = 1 << 32
_MOST_DESCRIBED = 1 << 24
_LARGEST = 1e6
"""No weight is larger; with larger ones sums might not be numbers any more."""
_PRECISE = "scoring."
"""Prefix of weights never rounded: LRs hang on them."""


class StoredNetwork(NamedTuple):
    """A network: what it is made of, the words and characters it knows, and its weights."""

    name: str
    config: NetworkConfig
    vocabulary: Vocabulary
    tensors: Weights

    def encoder(self) -> "StoredNetwork":
        """The network without its own Bayes factor and adaptation."""
        kept = {name: own for name, own in self.tensors.items() if not name.startswith(_PRECISE)}
        return self._replace(tensors=kept)


class StoredModel(NamedTuple):
    """All that a model's folder holds."""

    description: Description
    networks: tuple[StoredNetwork, ...]
    evidence: Tensors | None
    case: Tensors | None
    sha256: str
    """The digest that identifies the model, of all that its answers depend on."""


def read_model(folder: Path, *, without_evidence: bool = False) -> StoredModel:
    """The model in a folder; whatever is wrong with it raises `InputError`.

    `without_evidence` also takes encoders alone, whose evidence is still to be fitted.
    """
    path = folder / DESCRIPTION
    if not path.exists():
        raise InputError(
            f"{folder}: there is no model here (no {DESCRIPTION}); name the folder of a model."
        )
    description = parsed(_content(path, _MOST_DESCRIBED), str(path))
    files = description.files
    if description.evidence == "genres" and EVIDENCE not in files and not without_evidence:
        raise InputError(
            f"{path}: the model has networks but no evidence yet; fit it (`samehand fit`)."
        )
    networks = [_read_network(folder, entry, description) for entry in description.networks]
    evidence, case = (
        _tensors(_unaltered(folder, name, files), folder / name) if name in files else None
        for name in (EVIDENCE, CASE)
    )
    return StoredModel(description, tuple(networks), evidence, case, description.digest())


def manifest_sha256(folder: Path) -> str:
    """The SHA-256 of a model's description, which states that of every other file."""
    return hashlib.sha256(_content(folder / DESCRIPTION, _MOST_DESCRIBED)).hexdigest()


def strangers(folder: Path, description: Description) -> list[str]:
    """The files in a model's folder that are no part of the model; hidden ones do not count."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if not path.is_dir())
    names = {path.as_posix() for path in files if not path.name.startswith(".")}
    return sorted(names - description.files.keys() - {DESCRIPTION, SIGNATURE})


def write_model(
    folder: Path,
    statement: Statement,
    networks: Sequence[StoredNetwork],
    *,
    evidence: Tensors | None = None,
    case: Tensors | None = None,
    half: bool = False,
) -> None:
    """Write a model, in place of what is in the folder; on failure all stays as it was.

    Of a `Description` only what is a `Statement` counts. With `half` the weights of networks are
    rounded to half precision. What that holds exactly is kept in it anyway, so that a model that
    was read gives the same files again.
    """
    contents = {
        name: None if tensors is None else _saved(_checked(tensors, folder / name))
        for name, tensors in ((EVIDENCE, evidence), (CASE, case))
    }
    for network in networks:
        kept = {name: _kept(name, tensor, half) for name, tensor in network.tensors.items()}
        contents[f"{network.name}/{WEIGHTS}"] = _saved(kept)
        contents[f"{network.name}/{VOCABULARY}"] = vocabulary_bytes(network.vocabulary)
    written = {name: content for name, content in contents.items() if content is not None}
    said = {name: getattr(statement, name) for name in Statement.model_fields}
    description = Description(
        **said,
        made_by=f"samehand {__version__}",
        networks=tuple(NetworkEntry(name=each.name, config=each.config) for each in networks),
        files={name: hashlib.sha256(content).hexdigest() for name, content in written.items()},
    )
    written[DESCRIPTION] = description.model_dump_json(indent=1).encode()
    _write(folder, written)


def entries(folder: Path) -> set[str]:
    """The names at the top of the folder of a model; nothing where there is no model."""
    path = folder / DESCRIPTION
    try:
        files = parsed(_content(path, _MOST_DESCRIBED), str(path)).files
    except InputError:
        return set()
    return {DESCRIPTION, *(name.split("/")[0] for name in files)}


def _read_network(folder: Path, entry: NetworkEntry, description: Description) -> StoredNetwork:
    file, path = f"{entry.name}/{VOCABULARY}", folder / entry.name / WEIGHTS
    known = read_vocabulary(_unaltered(folder, file, description.files), folder / file)
    content = _unaltered(folder, f"{entry.name}/{WEIGHTS}", description.files)
    tensors = _tensors(content, path)
    scoring = description.evidence == "paper"
    fault = shapes.fault(tensors, entry.config, known, scoring=scoring)
    if fault is None and any(tensor.dtype.kind != "f" for tensor in tensors.values()):
        fault = "some of its numbers are whole ones"
    if fault is not None:
        raise InputError(
            f"{path}: not the weights of the network that {DESCRIPTION} describes ({fault}); copy "
            f"the whole folder again."
        )
    with np.errstate(over="ignore"):
        weights = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    if any(np.abs(tensor).max(initial=0) > _LARGEST for tensor in weights.values()):
        raise InputError(f"{path}: holds numbers that no network has; take another copy of it.")
    return StoredNetwork(entry.name, entry.config, known, weights)


def _unaltered(folder: Path, name: str, files: Mapping[str, str]) -> bytes:
    path = folder / name
    content = _content(path, _MOST_BYTES)
    if hashlib.sha256(content).hexdigest() != files[name]:
        raise InputError(
            f"{path}: cut or altered (its SHA-256 is not the one on record); copy it again."
        )
    return content


def _content(path: Path, most: int) -> bytes:
    """The bytes of a regular file of at most so many."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            raise InputError(f"{path}: no file of a model, or too large for one; take another.")
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: missing; copy the model's whole folder again.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: cannot be read ({reason}); check the path.") from None


def _tensors(content: bytes, path: Path) -> Tensors:
    try:
        tensors: Tensors = load(content)
    except (SafetensorError, KeyError, TypeError, ValueError):
        raise InputError(
            f"{path}: not safetensors that samehand can read, or damaged; copy it again."
        ) from None
    return _checked(tensors, path)


def _checked(tensors: Tensors, path: Path) -> Tensors:
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise InputError(
                f"{path}: {name[:80]!r} holds what is not a number; take another copy of the model."
            )
    return tensors


def _kept(name: str, tensor: NDArray[np.float32], half: bool) -> NDArray[Any]:
    """A tensor as it is stored: in half precision, if that holds it or is precise enough."""
    with np.errstate(over="ignore"):
        halved = tensor.astype(np.float16)
    exact = np.array_equal(halved, tensor)
    rounds = half and not name.startswith(_PRECISE) and bool(np.isfinite(halved).all())
    return halved if exact or rounds else tensor


def _saved(tensors: Tensors) -> bytes:
    """As safetensors, which writes parts of larger arrays wrong."""
    return save({name: np.asarray(tensor, order="C") for name, tensor in tensors.items()})


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    try:
        with all_or_nothing(folder) as made:
            for name, content in contents.items():
                (made / name).parent.mkdir(exist_ok=True)
                (made / name).write_bytes(content)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{folder}: cannot be written ({reason}); choose another place.") from None
