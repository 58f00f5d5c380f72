"""A network on disk: weights as safetensors, everything else as JSON. Nothing in it can run."""

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load, save

from samehand import __version__
from samehand.corpus.store import read_vocabulary, write_vocabulary
from samehand.errors import InputError
from samehand.network.config import NetworkConfig
from samehand.network.network import Network
from samehand.text.ngrams import NgramModel, ngram_bytes, read_ngrams
from samehand.text.vocabulary import Vocabulary

FORMAT = 4
ENSEMBLE = "ensemble.json"
WORDING = "wording.safetensors"
POPULATION = "population.safetensors"
_PARTS = ("model.json", "weights.safetensors", "vocabulary.json")
"""Files of a network."""


def save_network(
    folder: Path,
    network: Network,
    vocabulary: Vocabulary,
    about: dict[str, Any],
    half: bool = False,
) -> None:
    """Write a network with its vocabulary; `about` tells of its training data and its figures.

    `half` keeps all but the Bayes factor in half precision.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: t.detach().cpu().contiguous() for name, t in network.state_dict().items()}
    if half:
        tensors = {
            name: t.half() if t.is_floating_point() and not name.startswith("scoring.bayes") else t
            for name, t in tensors.items()
        }
    weights = save(tensors)
    (folder / "weights.safetensors").write_bytes(weights)
    write_vocabulary(folder / "vocabulary.json", vocabulary)
    description = {
        "format": FORMAT,
        "made_by": f"samehand {__version__}",
        "network": network.config.model_dump(mode="json"),
        "sha256": hashlib.sha256(weights).hexdigest(),
        "vocabulary_sha256": hashlib.sha256((folder / "vocabulary.json").read_bytes()).hexdigest(),
        "about": about,
    }
    (folder / "model.json").write_text(
        json.dumps(description, indent=1, ensure_ascii=False), "utf-8"
    )


def load_network(folder: Path) -> tuple[Network, Vocabulary, dict[str, Any]]:
    """The network, its vocabulary and its description.

    What is wrong, cut or altered raises `InputError`.
    """
    path = folder / "model.json"
    try:
        description = _read_description(path)
        config = NetworkConfig.model_validate(description["network"])
        digests = {
            "weights.safetensors": description["sha256"],
            "vocabulary.json": description["vocabulary_sha256"],
        }
    except FileNotFoundError:
        raise InputError(f"{folder}: there is no model here (no model.json).") from None
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        raise InputError(
            f"{path}: not the description of a samehand model, or a damaged one."
        ) from None
    contents = {name: _unaltered(folder / name, digest) for name, digest in digests.items()}
    vocabulary = read_vocabulary(folder / "vocabulary.json")
    network = Network(config, len(vocabulary.words), len(vocabulary.characters))
    try:
        tensors = load(contents["weights.safetensors"])
        network.load_state_dict(
            {name: t.float() if t.is_floating_point() else t for name, t in tensors.items()}
        )
    except (SafetensorError, RuntimeError):
        raise InputError(
            f"{folder}: the weights do not fit the network that model.json describes."
        ) from None
    return network.eval(), vocabulary, description


class Member(NamedTuple):
    """A network, and the words and characters it knows."""

    network: Network
    vocabulary: Vocabulary
    wording: NgramModel | None = None
    """What tells it of the wording of texts, the same for all networks of a model."""


def save_ensemble(
    folder: Path, members: Sequence[str], about: dict[str, Any], wording: NgramModel | None = None
) -> None:
    """Make one model of the networks in some subfolders; `about` tells of all of them."""
    digests = {
        name: hashlib.sha256((folder / name / "model.json").read_bytes()).hexdigest()
        for name in members
    }
    description = {
        "format": FORMAT,
        "made_by": f"samehand {__version__}",
        "members": digests,
        "sha256": hashlib.sha256("".join(digests.values()).encode()).hexdigest(),
        "about": about,
    }
    if wording is not None:
        content = ngram_bytes(wording)
        (folder / WORDING).write_bytes(content)
        described = [*digests.values(), hashlib.sha256(content).hexdigest()]
        description["wording_sha256"] = described[-1]
        description["sha256"] = hashlib.sha256("".join(described).encode()).hexdigest()
    (folder / ENSEMBLE).write_text(json.dumps(description, indent=1, ensure_ascii=False), "utf-8")


def load_members(folder: Path) -> tuple[list[Member], dict[str, Any]]:
    """The networks of a model, which may be one or an ensemble, and its description."""
    path = folder / ENSEMBLE
    if not path.is_file():
        network, vocabulary, description = load_network(folder)
        if network.config.wording:
            raise InputError(f"{folder}: a part of a model; name the folder it is in.")
        return [Member(network, vocabulary)], description
    try:
        description = _read_description(path)
        digests = {str(name): str(digest) for name, digest in description["members"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path}: not the description of an ensemble, or a damaged one.") from None
    if not digests or any(Path(name).name != name or name in ("", "..") for name in digests):
        raise InputError(f"{path}: names no members, or such as are not in its folder.")
    for name, digest in digests.items():
        _unaltered(folder / name / "model.json", digest)
    members = [Member(*load_network(folder / name)[:2]) for name in digests]
    if len({member.network.config.windowing for member in members}) > 1:
        raise InputError(f"{path}: its members cut texts into different units.")
    if len({member.network.config.wording for member in members}) > 1:
        raise InputError(f"{path}: only some of its members are told of the wording of texts.")
    if members[0].network.config.wording:
        digest = str(description.get("wording_sha256"))
        wording = read_ngrams(_unaltered(folder / WORDING, digest), folder / WORDING)
        members = [member._replace(wording=wording) for member in members]
    return members, description


def save_population(folder: Path, levs: NDArray[np.float32]) -> str:
    """Write the LEVs of a population beside a model; what its description is to hold: SHA-256."""
    content = save({"levs": torch.from_numpy(np.ascontiguousarray(levs))})
    (folder / POPULATION).write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def load_population(folder: Path, description: dict[str, Any]) -> NDArray[np.float32] | None:
    """LEVs of the population that a model is acquainted with, if it is with any."""
    stated = (description.get("about") or {}).get("population")
    if stated is None:
        return None
    path = folder / POPULATION
    digest = stated.get("sha256") if isinstance(stated, dict) else None
    content = _unaltered(path, str(digest))
    try:
        levs: NDArray[np.float32] = load(content)["levs"].float().numpy()
    except (SafetensorError, KeyError):
        raise InputError(f"{path}: holds no population; acquaint the model again.") from None
    return levs


def description_file(folder: Path) -> Path:
    """Where a model's description is: that of the ensemble, or of the one network."""
    path = folder / ENSEMBLE
    return path if path.is_file() else folder / "model.json"


def entries(folder: Path) -> set[str]:
    """What a model's folder holds, by name; nothing where there is no model."""
    file = description_file(folder)
    if not file.is_file():
        return set()
    try:
        members = _read_description(file).get("members") or ()
    except (OSError, ValueError, KeyError, TypeError):
        members = ()
    return {ENSEMBLE, WORDING, POPULATION, *_PARTS, *members}


def copy_model(folder: Path, to: Path, about: dict[str, Any]) -> None:
    """The same networks in another folder, with something else told about them."""
    file = description_file(folder)
    description = _read_description(file)
    for name in description.get("members") or [""]:
        (to / name).mkdir(parents=True, exist_ok=True)
        for part in _PARTS:
            shutil.copyfile(folder / name / part, to / name / part)
    if "wording_sha256" in description:
        shutil.copyfile(folder / WORDING, to / WORDING)
    if (description.get("about") or {}).get("population"):
        shutil.copyfile(folder / POPULATION, to / POPULATION)
    description["about"] = about
    (to / file.name).write_text(json.dumps(description, indent=1, ensure_ascii=False), "utf-8")


def _read_description(path: Path) -> dict[str, Any]:
    description: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if description["format"] != FORMAT:
        raise InputError(
            f"{path.parent}: a model of format {description['format']}; this samehand reads "
            f"format {FORMAT}."
        )
    about = description.get("about") or {}
    if not isinstance(about, dict) or not isinstance(about.get("validation") or {}, dict):
        raise ValueError(about)
    return description


def _unaltered(path: Path, digest: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError:
        raise InputError(
            f"{path}: missing, though the model's description names it; copy the whole folder."
        ) from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise InputError(
            f"{path}: cut or altered (its SHA-256 is not the one on record); copy it again."
        )
    return content
