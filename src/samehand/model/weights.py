"""A network on disk: weights as safetensors, everything else as JSON. Nothing in it can run."""

import hashlib
import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load, save

from samehand import __version__
from samehand.corpus.store import read_vocabulary, write_vocabulary
from samehand.errors import InputError
from samehand.model.config import NetworkConfig
from samehand.model.network import Network
from samehand.text.vocabulary import Vocabulary

FORMAT = 1


def save_network(
    folder: Path, network: Network, vocabulary: Vocabulary, about: dict[str, Any]
) -> None:
    """Write a network with its vocabulary; `about` tells of its training data and its figures."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = save(
        {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    )
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
        description = json.loads(path.read_text("utf-8"))
        if description["format"] != FORMAT:
            raise InputError(
                f"{folder}: a model of format {description['format']}; this samehand reads "
                f"format {FORMAT}."
            )
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
        network.load_state_dict(load(contents["weights.safetensors"]))
    except (SafetensorError, RuntimeError):
        raise InputError(
            f"{folder}: the weights do not fit the network that model.json describes."
        ) from None
    return network.eval(), vocabulary, description


def _unaltered(path: Path, digest: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError:
        raise InputError(
            f"{path}: missing, though model.json names it; copy the whole folder."
        ) from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise InputError(
            f"{path}: cut or altered (its SHA-256 is not the one in model.json); copy it again."
        )
    return content
