"""What a reader sees of tokens: common words as they are, others by what they look like.

A word that is not listed goes by its kind (capital, figures, no letter) and its last two letters;
one whose ending is rare, by its kind alone. So it tells its part of speech, and little of a topic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from samehand.text.layout import BLANK_LINE, LINE_END

Symbols = NDArray[np.int16]

BEGIN = 0
"""The symbol before the first of a text."""
_KINDS = 8
_SHORTEST = 5
"""Letters of a word whose ending is told."""


@dataclass(frozen=True)
class Alphabet:
    """Symbols by number: the beginning, kinds, then looks, then words."""

    looks: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def count(
        cls, words: Sequence[str], types: Sequence[str], counts: NDArray[np.int64], n_looks: int
    ) -> "Alphabet":
        """These words, and the commonest looks of other types, which occur so often."""
        listed = set(words)
        met: dict[str, int] = {}
        for name, count in zip(types, counts.tolist(), strict=True):
            look = _look(name)
            if name not in listed and len(look) > 1:
                met[look] = met.get(look, 0) + count
        ranked = sorted(met.items(), key=lambda item: (-item[1], item[0]))
        return cls(tuple(look for look, _ in ranked[:n_looks]), tuple(words))

    @property
    def size(self) -> int:
        """How many symbols there are."""
        return 1 + _KINDS + len(self.looks) + len(self.words)

    def symbols(self, types: Sequence[str]) -> Symbols:
        """What each type of token stands for."""
        number = self._number_of_word
        found = (number[name] if name in number else self._masked(name) for name in types)
        return np.fromiter(found, np.int16, len(types))

    @cached_property
    def hidden(self) -> Symbols:
        """(symbols,) what each would be if less were seen of it: words by look, looks by kind."""
        kinds = [1 + int(look[0]) for look in self.looks]
        seen = [*range(1 + _KINDS), *kinds, *map(self._masked, self.words)]
        return np.array(seen, np.int16)

    @property
    def counted(self) -> NDArray[np.bool_]:
        """(symbols,) which are evidence: kinds and words.

        Endings tell of a genre; in one that the reader had not met they misled.
        """
        counted = np.ones(self.size, np.bool_)
        counted[1 + _KINDS : 1 + _KINDS + len(self.looks)] = False
        return counted

    @cached_property
    def line_ends(self) -> Symbols:
        """The symbols of line ends and blank lines."""
        return self.symbols([LINE_END, BLANK_LINE])

    @cached_property
    def _number_of_word(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words, 1 + _KINDS + len(self.looks))}

    @cached_property
    def _number_of_look(self) -> dict[str, int]:
        return {look: place for place, look in enumerate(self.looks, 1 + _KINDS)}

    def _masked(self, name: str) -> int:
        look = _look(name)
        return self._number_of_look.get(look, 1 + int(look[0]))


def _look(name: str) -> str:
    """The kind of a word, a figure, and its ending if it is long enough to have one."""
    capital, figure = name[:1].isupper(), any(map(str.isdigit, name))
    kind = 4 * capital + 2 * figure + (not any(map(str.isalpha, name)))
    ending = name[-2:]
    has_ending = len(name) >= _SHORTEST and ending.isalpha()
    return f"{kind}{ending.lower() if has_ending else ''}"
