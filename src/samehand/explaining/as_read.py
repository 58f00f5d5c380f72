"""How the networks of a model read a text: tokens in units that overlap, and words they mask.

The paper's Fig. `sliwin` shows this for an example; here it is for any text and any model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samehand.engine.reading import Lexicon, Types
from samehand.engine.vectors import Longs
from samehand.errors import InputError
from samehand.model.folder import StoredNetwork
from samehand.text.tokenise import Tokens
from samehand.text.units import Windowing
from samehand.text.vocabulary import PAD, SPECIAL, UNK, Masking
from samehand.text.words import words

_LONGEST = 32
"""Characters of a token that are shown."""
_UNSEEN = "\ufffd"
"""Stands for a character that the network does not know, or that cannot be printed."""


@dataclass(frozen=True)
class View:
    """How some networks of a model see the tokens of a text."""

    networks: tuple[str, ...]
    n_words: int
    """The size of their vocabulary."""
    masking: Masking
    seen: tuple[str | None, ...]
    """Of each token outside the vocabulary, the characters that are seen; None for the others."""

    @property
    def n_unknown(self) -> int:
        """How many of the tokens are not in the vocabulary."""
        return sum(one is not None for one in self.seen)

    @property
    def in_words(self) -> str:
        """A sentence on tokens outside the vocabulary: how many, and how they are seen."""
        shown = "the spelling" if self.masking == "rare" else "shape and ending"
        return (
            f"{self.n_unknown:,} tokens are not among the {self.n_words:,} of the vocabulary; of "
            f"these the network sees {shown}."
        )

    def mark(self, token: int) -> str | None:
        """The mark of a token outside the vocabulary; None for the others."""
        seen = self.seen[token]
        if seen is None:
            return None
        return "<UNK>" if self.masking == "rare" else f"<{printable(seen)}>"


@dataclass(frozen=True)
class TextAsRead:
    """The tokens of a text that a model reads, and its units."""

    text: str
    tokens: Tokens
    """With their characters in the text as it was given."""
    names: tuple[str, ...]
    """The type of each token."""
    windowing: Windowing
    units: tuple[tuple[int, int], ...]
    """First and one-past-last token of each unit."""
    end: int
    """How many characters of the text are read."""
    views: tuple[View, ...]
    """One for all networks that see the same."""

    @property
    def in_words(self) -> str:
        """How much of the text is read, in which units, as sentences."""
        n, unread = len(self.units), self.n_words_unread
        width, hop, most = self.windowing
        units = "1 unit" if n == 1 else f"{n:,} units"
        said = f"{len(self.names):,} tokens in {units}: windows of {width}, one every {hop} tokens."
        if unread:
            said += f" Beyond {most:,} units nothing is read: {unread:,} more words."
        return said

    @property
    def shared(self) -> list[bool]:
        """Whether each token is in more than one unit."""
        edges = np.zeros(len(self.names) + 1, np.int64)
        for first, last in self.units:
            edges[first] += 1
            edges[last] -= 1
        found: list[bool] = (edges.cumsum()[:-1] > 1).tolist()
        return found

    @property
    def n_words_unread(self) -> int:
        """How many words stand beyond the last unit."""
        return len(words(self.text[self.end :]))

    def first_units(self, n: int) -> list[int]:
        """The places of so many units from the first on, and of the last one."""
        last = len(self.units) - 1
        return [*range(min(n, last)), last]

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON; of each unit and token the first and one-past-last character."""
        starts, ends = self.tokens.starts.tolist(), self.tokens.ends.tolist()
        return {
            "width": self.windowing.width,
            "hop": self.windowing.hop,
            "most_units": self.windowing.cap,
            "characters": len(self.text),
            "characters_read": self.end,
            "words_unread": self.n_words_unread,
            "units": [
                {"tokens": [first, last], "start": starts[first], "end": ends[last - 1]}
                for first, last in self.units
            ],
            "tokens": [
                {"token": name, "start": start, "end": end}
                for name, start, end in zip(self.names, starts, ends, strict=True)
            ],
            "networks": [
                {
                    "names": view.networks,
                    "words": view.n_words,
                    "masking": view.masking,
                    "unknown": view.n_unknown,
                    "seen_of_unknown": view.seen,
                }
                for view in self.views
            ],
        }


def as_read(networks: Sequence[StoredNetwork], text: str, source: str) -> TextAsRead:
    """How a model with these networks reads a text; `source` names it where it has no token."""
    windowing = networks[0].config.windowing
    read = Lexicon(networks, windowing.span(windowing.cap)).read([text])
    (tokens,), (end,) = read.documents, read.ends
    if not len(tokens.types):
        raise InputError(f"{source}: there is no word and no mark in it; give another text.")
    seen: dict[tuple[int, Masking, tuple[str | None, ...]], list[str]] = {}
    for network, types in zip(networks, read.types, strict=True):
        n_words = len(network.vocabulary.words) - len(SPECIAL)
        own = _seen(types, network.vocabulary.characters, tokens.types.astype(np.int64))
        seen.setdefault((n_words, network.config.masking, own), []).append(network.name)
    return TextAsRead(
        text,
        tokens,
        tuple(read.names[number] for number in tokens.types.tolist()),
        windowing,
        tuple(windowing.bounds(len(tokens.types))),
        end,
        tuple(View(tuple(names), *key) for key, names in seen.items()),
    )


def printable(token: str) -> str:
    """A token as it can be shown: at most so long, and nothing that steers a terminal."""
    shown = token if len(token) <= _LONGEST else f"{token[: _LONGEST - 1]}…"
    return "".join(c if c.isprintable() else _UNSEEN for c in shown)


def _seen(types: Types, characters: Sequence[str], tokens: Longs) -> tuple[str | None, ...]:
    """The characters seen of each token outside the vocabulary; None for the others."""
    spelling = [*characters]
    spelling[PAD], spelling[UNK] = "", _UNSEEN
    known = types.words[tokens] != UNK
    return tuple(
        None if is_known else "".join(spelling[number] for number in row)
        for is_known, row in zip(known.tolist(), types.characters[tokens].tolist(), strict=True)
    )
