"""The peers' answers to sets of trials, kept so that another model is measured without them anew.

What an answer depends on is in its file's name: the peer and its source code, the training text,
the trials. Whatever changes makes new files; old ones may be deleted at any time.
"""

import inspect
import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from peers import PEERS, CalibratedPeer, calibrated, draw_training_pairs, peer, training_pairs
from samehand.corpus.readers import Trial, read_trials, sources


class PeerAnswers:
    """Answers of every peer; a peer is calibrated when the first answer of it is not yet there."""

    def __init__(self, train: Path, cache: Path) -> None:
        self.train, self.cache = train, cache
        self._calibrated: dict[str, CalibratedPeer] = {}

    def answers(self, name: str, trial_set: Path) -> Path:
        """The file with one peer's answers to one set."""
        content = [*self._training_content, *_source_code(name), *_content(trial_set)]
        path = self.cache / f"{trial_set.name}.{name}.{_digest(content)}.jsonl"
        if not path.exists():
            self._write(name, list(read_trials(trial_set)), path)
        return path

    def _write(self, name: str, trials: list[Trial], path: Path) -> None:
        if name not in self._calibrated:
            self._calibrated[name] = CalibratedPeer(PEERS[name](), self._training_pairs)
        pairs = [("\n\n".join(trial.known), trial.questioned) for trial in trials]
        values = self._calibrated[name].probability(pairs).tolist()
        self.cache.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        with unfinished.open("w", encoding="utf-8") as file:
            for trial, value in zip(trials, values, strict=True):
                file.write(json.dumps({"id": trial.id, "value": value}) + "\n")
        unfinished.replace(path)

    @cached_property
    def _training_pairs(self) -> training_pairs.LabelledPairs:
        return draw_training_pairs(self.train)

    @cached_property
    def _training_content(self) -> list[bytes]:
        return [part for _, path in sources(self.train) for part in _content(path)]


def _source_code(name: str) -> Iterator[bytes]:
    for part in (PEERS[name], peer, calibrated, training_pairs):
        yield Path(inspect.getfile(part)).read_bytes()


def _content(path: Path) -> Iterator[bytes]:
    """The bytes of a file, or of all files of a folder, in the order of their names."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        if file.is_file():
            yield file.name.encode() + b"\0" + file.read_bytes()


def _digest(parts: Iterable[bytes]) -> str:
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(blake2b(part).digest())
    return digest.hexdigest()
