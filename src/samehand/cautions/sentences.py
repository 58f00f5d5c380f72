"""Reasons to read an answer with care, each a plain sentence. None of them asks the network.

The thresholds were set on texts and trials of fifteen genres that no model was trained on; how
often each fires there by mistake stands in docs/verifying.md, and benchmarks/cautions.py counts it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

from samehand.cautions.text_quality import unnatural
from samehand.errors import InputError
from samehand.text.language import language
from samehand.text.passages import shared
from samehand.text.words import words
from samehand.verdict import Bounds, Caution

LEAST_WORDS = 20
"""Shorter texts are refused."""
FEW_WORDS = 100
"""Shorter texts are judged with a caution."""
COPIED_RUN, COPIED_SHARE = 40, 0.2
"""Shared words in a row, or a share of one text in shared runs, that make it a copy."""
QUOTED_RUN = 12
"""Shared words in a row that hardly come about by chance."""
APART = 0.6
"""Networks disagree where one puts the probability above this, and another below its complement."""
DOUBTFUL, CONTRADICTED = -0.5, -1.0
"""log10 LR of a known text against the other known ones, below which it does not seem theirs."""


@dataclass(frozen=True)
class Text:
    """A text, and what its cautions are about."""

    name: str
    """As a sentence begins: "The questioned text", "Known text 2"."""
    content: str
    n_words: int
    read: list[str]
    """The words that the model reads."""

    @classmethod
    def of(cls, name: str, content: str, read_to: int | None = None) -> "Text":
        """`read_to`: how many characters the model reads; all of them unless told."""
        read_to = len(content) if read_to is None else read_to
        read = words(content[:read_to])
        rest = words(content[read_to:])
        return cls(name, content, len(read) + len(rest), read)

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
        """What is to be said of the text by itself."""
        return tuple(of_one(self))


def refuse_too_short(name: str, n_words: int) -> None:
    """Raise `InputError` for a text that holds too little to be judged at all."""
    if n_words < LEAST_WORDS:
        counted = f"{n_words} word{'' if n_words == 1 else 's'}"
        raise InputError(
            f"{name} has {counted}; give at least {LEAST_WORDS}, better some hundreds."
        )


def disqualified(questioned: Text, known: Sequence[Text]) -> Caution | None:
    """Why nothing can be decided from these texts, if so; the first reason of several.

    It takes milliseconds and no model. A text that is in many trials is looked at once, if its
    `Text` is kept. What makes a text too short to be judged is not asked.
    """
    own = (caution for text in (questioned, *known) for caution in text.own)
    found = chain(own, of_copying(questioned, known))
    return next((caution for caution in found if caution.disqualifies), None)


def of_one(text: Text) -> Iterator[Caution]:
    """What is to be said of a text by itself."""
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


def of_mixture(known: Sequence[Text], against_rest: Iterable[float]) -> Iterator[Caution]:
    """Whether the known texts seem to be by several authors.

    `against_rest`: the log10 LR of each against the others.
    """
    for text, log10_lr in zip(known, against_rest, strict=True):
        if log10_lr < DOUBTFUL:
            yield Caution(
                f"{text.name} does not fit the other known texts (LR {plain_lr(log10_lr)}): they "
                f"may be by more than one author.",
                log10_lr < CONTRADICTED,
            )


def of_bounds(log10_lr: float, bounds: Bounds, validated: bool) -> Iterator[Caution]:
    """What the bounds did to a likelihood ratio."""
    low, high = (plain_lr(bound) for bound in bounds)
    if not validated:
        yield Caution(
            f"This model was not validated: its likelihood ratio is held between {low} and {high}."
        )
    if bounds.hold(log10_lr) != log10_lr:
        bound = plain_lr(bounds.hold(log10_lr))
        yield Caution(
            f"The likelihood ratio came out beyond what the validation data can support; it is "
            f"given as {bound}, the bound."
        )


def plain(content: str) -> str:
    """A text with single spaces."""
    return " ".join(content.split())


def firsts(contents: Sequence[str]) -> list[int]:
    """Where each text stands for the first time, of some that may be given more than once."""
    met: dict[str, int] = {}
    return [met.setdefault(content, place) for place, content in enumerate(contents)]


def plain_lr(log10_lr: float) -> str:
    """A likelihood ratio for reading: 3.2, 450, 1/25, 10,000."""
    if log10_lr < 0:
        inverse = plain_lr(-log10_lr)
        return "1" if inverse == "1" else f"1/{inverse}"
    lr = 10.0**log10_lr
    if lr < 10:
        return f"{lr:.1f}".removesuffix(".0")
    digits = 1 - int(log10_lr)  # two that count
    return f"{round(lr, digits):,.0f}"


def _inside(text: Text) -> str:
    """Its name inside a sentence."""
    return text.name[0].lower() + text.name[1:]


UNLIKE_ANYTHING = Caution(
    "The wording is unlike anything this model was validated on: fewer than 1 in 100 texts of the "
    "kinds it knows are as unfamiliar.",
    undecides=True,
)

UNLIKE_POPULATION = Caution(
    "These texts are unlike those that the model was acquainted with: acquaint it with texts of "
    "their own kind, or all will seem by one hand.",
    undecides=True,
)


def of_unfamiliar(names: Sequence[str], unlike: Sequence[bool]) -> Iterator[Caution]:
    """Texts whose wording is unlike that of the texts of the model, by their names."""
    for name, is_unlike in zip(names, unlike, strict=True):
        if is_unlike:
            yield Caution(
                f"{name} is worded unlike those the model was validated on, so its figures may "
                "not hold here."
            )


def of_weakness(votes: int, networks: int) -> Caution:
    """Why a model had better not answer, by so many votes."""
    who = f"{votes} of its {networks} networks" if networks > 1 else "the model"
    against = f", and {who} would rather not answer" if votes else ""
    return Caution(
        "The evidence is weak: on texts that compare like these, answers are wrong too often"
        f"{against}.",
        undecides=True,
    )


def of_disagreement(lowest: float, highest: float) -> Iterator[Caution]:
    """Whether the networks of a model, by their lowest and highest probability, contradict."""
    if lowest < 1 - APART and highest > APART:
        yield Caution(
            f"The networks of the model disagree: by one of them the probability is {lowest:.0%}, "
            f"by another {highest:.0%}."
        )
