"""Words that were broken at the end of a line."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from samehand.text.word_order import word_order

_FIRST = re.compile(r"((?:[^\W\d_]+[-\u2010])*)([^\W\d_]+)([-\u00ad\u2010])$")
_SECOND = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_CLOSE_DASH = re.compile(r"[^\s–—/-](?:[–—/]|-+)$")


class Hyphens:
    """Tells hyphens that the author wrote from those that a program put at line ends."""

    def __init__(self, lines: Sequence[str]) -> None:
        """`lines` are those of the whole text: what one holds within it is as the author wrote."""
        self._written = Counter(
            word.lower().replace("\u2010", "-") for line in lines for word in _WORD.findall(line)
        )
        self._are_broken = any(self._is_plain_break(*pair) for pair in pairwise(lines))

    def _is_plain_break(self, line: str, following: str) -> bool:
        """Whether a line ends in the middle of a common word, as few do by chance."""
        first, second = _FIRST.search(line), _SECOND.match(following)
        if first is None or second is None or first[1]:
            return False
        whole, parted = f"{first[2]}{second[0]}".lower(), f"{first[2]}-{second[0]}".lower()
        return whole in word_order().common and not self._written[parted]

    def linked(self, line: str, following: str) -> str:
        """A line with what links it to the one that goes on with its paragraph."""
        first, second = _FIRST.search(line), _SECOND.match(following)
        if first is None or second is None:
            # A dash that is close to the word before is so to the word behind.
            return line if _CLOSE_DASH.search(line) else f"{line} "
        before, part, hyphen = first[1].lower().replace("\u2010", "-"), first[2].lower(), first[3]
        if second[0][0].isupper() or not self._was_broken(before, part, hyphen, second[0]):
            return line
        return line[:-1]

    def _was_broken(self, before: str, first: str, hyphen: str, second: str) -> bool:
        """Whether a program put the hyphen between these parts of a word; `before` ends in one."""
        if hyphen != "-":  # which people hardly type
            return True
        whole = self._written[f"{before}{first}{second}"]
        parted = self._written[f"{before}{first}-{second}"]
        if parted != whole:
            return whole > parted
        common = word_order().common
        if f"{first}{second}" in common:
            return not before
        are_words = all(part in common or self._written[part] > 1 for part in (first, second))
        return self._are_broken and not are_words
