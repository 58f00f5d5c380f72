"""Cautions about the texts themselves, which no network is asked for.

The thresholds were set on texts and trials of fifteen genres that no model was trained on; how
often each fires there by mistake stands in docs/verifying.md, and benchmarks/cautions.py counts it.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from samehand.cautions.caution import Caution
from samehand.cautions.text_quality import unnatural
from samehand.text.language import language
from samehand.text.overlap import shared
from samehand.text.words import words

LEAST_WORDS = 20
"""Shorter texts are refused."""
FEW_WORDS = 100
"""Shorter texts are judged with a caution."""
COPIED_RUN, COPIED_SHARE = 40, 0.2
"""Shared words in a row, or a share of one text in shared runs, that make it a copy."""
QUOTED_RUN = 12
"""Shared words in a row that hardly come about by chance."""


@dataclass(frozen=True)
class Text:
    """A text, and what its cautions are about."""

    name: str
    """As a sentence begins: "The questioned text", "Known text 2"."""
    content: str
    digest: bytes
    """By which a text is known again; spacing counts."""
    n_words: int
    read: list[str]
    """The words that the model reads."""

    @classmethod
    def of(cls, name: str, content: str, digest: bytes, read_to: int) -> "Text":
        """`read_to`: how many characters the model reads."""
        read = words(content[:read_to])
        rest = words(content[read_to:])
        return cls(name, content, digest, len(read) + len(rest), read)

    @cached_property
    def language(self) -> str:
        return language(self.read)

    @cached_property
    def plain(self) -> str:
        """The text with single spaces, whatever white space there is."""
        return plain(self.content)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def own(self) -> tuple[Caution, ...]:
        """Cautions about the text by itself."""
        return tuple(of_one(self))


def names(n_known: int) -> list[str]:
    """Names of a trial's texts where a sentence begins, the questioned one first."""
    several = [f"Known text {number}" for number in range(1, n_known + 1)]
    return ["The questioned text", *(several if n_known > 1 else ["The known text"])]


def titles(n_known: int) -> list[str]:
    """Titles of a trial's texts, in tables and above them: "Questioned text"."""
    return [name.removeprefix("The ").capitalize() for name in names(n_known)]


def digest(content: str) -> bytes:
    """By which a text is known again; spacing counts."""
    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def of_all(of_trial: Sequence[Text]) -> Iterator[Caution]:
    """Cautions about the texts of a trial, of which the questioned one comes first."""
    questioned, *known = of_trial
    for text in of_trial:
        yield from text.own
    yield from of_copying(questioned, known)
    yield from of_repeats(known)


def of_too_short(of_trial: Sequence[Text]) -> Iterator[Caution]:
    """Texts that hold too little to be compared at all."""
    for text in of_trial:
        if text.n_words < LEAST_WORDS:
            yield Caution(too_short(text.name, text.n_words), True)


def too_short(name: str, n_words: int) -> str:
    """The fault of a text with too few words."""
    counted = f"{n_words} word{'' if n_words == 1 else 's'}"
    return f"{name} has {counted}; give at least {LEAST_WORDS}, better some hundreds."


def of_one(text: Text) -> Iterator[Caution]:
    """Cautions about a text by itself."""
    if text.n_words < FEW_WORDS:
        yield Caution(
            f"{text.name} has only {text.n_words} words: below {FEW_WORDS}, style hardly shows."
        )
    yield from unnatural(text.name, text.content, text.read, text.language)
    if len(text.read) < text.n_words:
        yield Caution(
            f"{text.name} has {text.n_words:,} words, of which only the first {len(text.read):,} "
            f"were read."
        )


def of_copying(questioned: Text, known: Sequence[Text]) -> Iterator[Caution]:
    """Passages that the questioned text shares with known ones."""
    for text in known:
        if questioned.plain == text.plain:
            yield Caution(
                f"{questioned.name} and {_inside(text)} are the same text: a copy is no evidence "
                f"of style.",
                True,
            )
            continue
        there = shared(questioned.read, text.read)
        if not there.longest:
            continue
        back = shared(text.read, questioned.read)
        longest, share = max(there.longest, back.longest), max(there.share, back.share)
        if longest >= COPIED_RUN or share > COPIED_SHARE:
            yield Caution(
                f"{questioned.name} and {_inside(text)} share long passages (up to {longest} words "
                f"in a row, {share:.0%} of the one or the other): a copy is no evidence of style; "
                f"take them out.",
                True,
            )
        elif longest >= QUOTED_RUN:
            yield Caution(
                f"{questioned.name} and {_inside(text)} share a passage of {longest} words, which "
                f"may be a quotation or boilerplate; better take it out."
            )


def of_repeats(known: Sequence[Text]) -> Iterator[Caution]:
    """Known texts that were given twice, or are partly copies of each other."""
    for one, other in combinations(known, 2):
        if one.plain == other.plain:
            yield Caution(f"{other.name} is the same as {_inside(one)}: it was counted once.")
        elif shared(other.read, one.read).share > COPIED_SHARE:
            yield Caution(
                f"{other.name} shares long passages with {_inside(one)}: together they count for "
                f"more than they should."
            )


def plain(content: str) -> str:
    """A text with single spaces."""
    return " ".join(content.split())


def firsts(contents: Sequence[str]) -> list[int]:
    """Where each text stands for the first time, of some that may be given more than once."""
    met: dict[str, int] = {}
    return [met.setdefault(content, place) for place, content in enumerate(contents)]


def _inside(text: Text) -> str:
    """Its name inside a sentence."""
    return text.name[0].lower() + text.name[1:]
