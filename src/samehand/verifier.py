"""The one way everything else uses a trained network: texts in, LEVs and probabilities out."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from samehand.errors import InputError
from samehand.judgement import judge
from samehand.model.documents import Documents, Types, assemble
from samehand.model.network import Network
from samehand.model.weights import load_network
from samehand.text.tokenise import Tokeniser, Tokens
from samehand.text.vocabulary import CHARACTERS_PER_TOKEN, PAD, SPECIAL, UNK, Vocabulary
from samehand.verdict import Caution, Verdict

if TYPE_CHECKING:
    from samehand.explanation import Explanation

Floats = NDArray[np.float32]

DEFAULT_MODEL = Path(__file__).with_name("models") / "default"
"""The model that comes with the package."""

_UNITS_AT_ONCE = 2_048
"""Units encoded in one go: enough to keep the cores busy, few enough for a modest memory."""
_MOST_TYPES = 1_000_000
"""Distinct tokens remembered; past that the tokeniser starts afresh."""


class Verifier:
    """A trained network, ready for use. Threads may share it."""

    def __init__(
        self, network: Network, vocabulary: Vocabulary, description: dict[str, Any]
    ) -> None:
        self.network = network.eval()
        self.description = description
        self._vocabulary = vocabulary
        self._lock = Lock()  # on what was met so far
        self._forget()

    @classmethod
    def load(cls, folder: Path | None = None) -> "Verifier":
        """The model in a folder, as `samehand train` leaves it in RUN/model; or the packaged one.

        A folder without a model raises `InputError`.
        """
        if folder is None and not DEFAULT_MODEL.is_dir():
            raise InputError(
                "This installation of samehand has no model of its own; install it again, or name "
                "a trained model (--model DIR)."
            )
        folder = Path(folder or DEFAULT_MODEL)
        verifier = cls(*load_network(folder))
        verifier.description.setdefault("name", folder.resolve().name)
        return verifier

    def verify(self, questioned: str, known: str | Sequence[str]) -> Verdict:
        """Did the author of the known text, or of the several known texts, write the questioned?

        A text of fewer than 20 words raises `InputError`.
        """
        return judge(self, questioned, [known] if isinstance(known, str) else list(known))

    def doubts(self, questioned: Floats, known: Floats) -> list[Caution]:
        """What the model itself has to say against judging these LEVs, such as: out of domain."""
        return []

    def embed(self, texts: Sequence[str]) -> Floats:
        """LEVs (texts, lev size); not a number for a text without a token, which has none."""
        levs = np.full((len(texts), self.network.config.lev_size), np.nan, np.float32)
        windowing = self.network.config.windowing
        documents, types = self._read(texts)
        for chosen in self._batches([len(document.types) for document in documents]):
            tokens = np.concatenate([_shifted(documents[i]) for i in chosen])
            lengths = torch.tensor([len(documents[i].types) for i in chosen])
            batch = assemble(torch.from_numpy(tokens), lengths, types, windowing)
            with torch.inference_mode():
                levs[chosen] = self.network(batch).numpy()
        return levs

    def probability(self, questioned: Floats, known: Sequence[Floats]) -> NDArray[np.float64]:
        """p(same author), prior 1:1, of each questioned LEV.

        `known` holds for each the LEVs (n, lev size) of texts that are by one author. Several known
        texts are weighed by the closed form of the Bayes factor, not by averaging scores.
        """
        most = max(len(levs) for levs in known)
        padded = torch.zeros(len(known), most, questioned.shape[1])
        there = torch.zeros(len(known), most, dtype=torch.bool)
        for row, levs in enumerate(known):
            padded[row, : len(levs)] = torch.from_numpy(levs)
            there[row, : len(levs)] = True
        with torch.inference_mode():
            q = torch.from_numpy(questioned)
            scoring = self.network.scoring
            log_lr = scoring.bayes.log_lr_known(q, padded, there)
            mean = padded.sum(1) / there.sum(1, keepdim=True)
            answer: Tensor = scoring.adaptation(q, mean, log_lr).probability
        return answer.double().numpy()

    def explain(self, questioned: str, known: str | Sequence[str]) -> "Explanation":
        """What weighed in: for each unit and token, where it stands in the text and its weight."""
        from samehand.explanation import explain

        return explain(self, questioned, [known] if isinstance(known, str) else list(known))

    def units(self, text: str) -> tuple[Tokens, Documents]:
        """The tokens of a text that are read, and its units as the network takes them."""
        [tokens], types = self._read([text])
        read = torch.from_numpy(_shifted(tokens))
        length = torch.tensor([len(read)])
        return tokens, assemble(read, length, types, self.network.config.windowing)

    @property
    def most_tokens(self) -> int:
        """Tokens of a text that are read, from its start."""
        windowing = self.network.config.windowing
        return windowing.span(windowing.cap)

    def read_to(self, text: str) -> int:
        """How many characters of a text are read: all of most texts."""
        ends = self._tokeniser(text).ends
        return len(text) if len(ends) <= self.most_tokens else int(ends[self.most_tokens - 1])

    def _read(self, texts: Sequence[str]) -> tuple[list[Tokens], Types]:
        """The tokens of each text that are read, and the types that they number."""
        most = self.most_tokens
        with self._lock:
            if len(self._tokeniser.types) > _MOST_TYPES:
                self._forget()
            documents = [Tokens(*(a[:most] for a in self._tokeniser(text))) for text in texts]
            return documents, self._types()

    def _forget(self) -> None:
        self._tokeniser = Tokeniser()
        self._words = torch.tensor([PAD, UNK], dtype=torch.int32)
        self._characters = torch.zeros(len(SPECIAL), CHARACTERS_PER_TOKEN, dtype=torch.int16)

    def _types(self) -> Types:
        """What the network knows of each type met so far."""
        new = self._tokeniser.types[len(self._words) - len(SPECIAL) :]
        if new:
            words = self._vocabulary.word_ids(new)
            spelt = self._vocabulary.character_ids(new)
            shown = self._vocabulary.mask(words, spelt, self.network.config.masking)
            self._words = torch.cat([self._words, torch.from_numpy(words)])
            self._characters = torch.cat([self._characters, torch.from_numpy(shown)])
        return Types(self._words, self._characters)

    def _batches(self, lengths: list[int]) -> Iterator[list[int]]:
        """Texts of similar length together, so that little is padded."""
        count = self.network.config.windowing.count
        batch: list[int] = []
        units = 0
        for i in sorted((i for i, length in enumerate(lengths) if length), key=lengths.__getitem__):
            if batch and units + count(lengths[i]) > _UNITS_AT_ONCE:
                yield batch
                batch, units = [], 0
            batch.append(i)
            units += count(lengths[i])
        if batch:
            yield batch


def _shifted(tokens: Tokens) -> NDArray[np.int64]:
    """Type numbers, behind the two that stand for padding and for what is masked."""
    return tokens.types.astype(np.int64) + len(SPECIAL)
