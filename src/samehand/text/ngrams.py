"""How plain the wording of a text is, and how unfamiliar: what a verdict on it is worth.

Formal prose leans on the commonest words and shows less of a hand than casual prose does; and where
runs of words surprise one who knows a model's training text, the model is out of its depth. Both
are read off counts of that text: of single words, of two and of three in a row. Rare words go by
their ending or their looks, for subjects should not count. Line ends are passed over.

Counts of runs are kept by hash, in four bits each. What collides seems better known than it is,
rare runs most of all, so that surprise comes from the common ones.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from samehand.errors import InputError
from samehand.text.layout import BLANK_LINE, LINE_END
from samehand.text.vocabulary import SPECIAL

PLAIN, LISTED = 200, 2_000
"""Words and marks that count as plain; and that are told apart."""
MEASURES = 2
"""Numbers told of a text: how plain it is, how unfamiliar."""
MOST = 4.0
"""Standard deviations from the usual, at most: beyond that nothing was learned."""
_FEW = 100
"""Tokens with which half is told of how a text differs from the usual; of fewer, less."""
_PAIR_BITS, _TRIPLE_BITS = 20, 21
_LEVELS = 16
_SMOOTHING = 20.0, 10.0
"""How many occurrences of a run what shorter ones say is worth, for runs of two and of three."""
_ENDINGS = ("ing", "ed", "ly", "s", "ion", "er", "al", "y", "e", "t", "n")
_KINDS = 6 + len(_ENDINGS)
_SYMBOLS = LISTED + _KINDS
_PASSED_OVER = frozenset((*SPECIAL, LINE_END, BLANK_LINE))
_UNUSUAL = 0.995
"""Share of known texts that are less unfamiliar than the limit."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Levels(NamedTuple):
    """Counts as four bits on a logarithmic scale tell them."""

    level: NDArray[np.uint8]
    most: float
    """The logarithm of the highest."""

    @classmethod
    def of(cls, counts: Floats) -> "Levels":
        """The nearest levels."""
        most = float(np.log1p(counts.max(initial=1)))
        return cls(np.rint(np.log1p(counts) * ((_LEVELS - 1) / most)).astype(np.uint8), most)

    def at(self, places: NDArray[np.uint64]) -> Floats:
        """The counts that the levels at some places stand for."""
        table: Floats = np.expm1(np.arange(_LEVELS) * (self.most / (_LEVELS - 1)))
        return table[self.level[places]]


class Runs(NamedTuple):
    """What a model remembers of its training text."""

    listed: tuple[str, ...]
    """The commonest words and marks."""
    share: Floats
    """(symbols,) of all tokens"""
    pairs: Levels
    """(hashes,) how often runs of two were met"""
    triples: Levels
    """The same of three."""
    total: float
    """Tokens that were counted."""


class NgramModel:
    """Counts of a training text, and what they say of other texts."""

    def __init__(self, runs: Runs, usual: Floats, limit: float) -> None:
        self.runs = runs
        self.usual = usual
        """(2, measures) mean and standard deviation of the measures of known texts"""
        self.limit = limit
        """How unfamiliar a pair of texts may be, in standard deviations."""
        self._number = {word: place for place, word in enumerate(runs.listed)}
        self._surprise = -np.log(runs.share)

    @classmethod
    def count(
        cls, types: Sequence[str], sources: Sequence[Ints], known: Sequence[Ints]
    ) -> "NgramModel":
        """From the tokens of several sources, and from other texts of theirs, one by one.

        Tokens are places in `types`; sources should be of one size, for all count alike.
        """
        counts = [np.bincount(tokens, minlength=len(types)) for tokens in sources]
        commonness = np.mean([of / max(1, of.sum()) for of in counts], axis=0)
        commonness[[name in _PASSED_OVER for name in types]] = -1
        listed = tuple(types[place] for place in np.argsort(-commonness, kind="stable")[:LISTED])
        symbol = classes(types, {word: place for place, word in enumerate(listed)})
        single = np.zeros(_SYMBOLS)
        pairs, triples = np.zeros(1 << _PAIR_BITS), np.zeros(1 << _TRIPLE_BITS)
        for tokens in sources:
            read = symbol[tokens]
            read = read[read >= 0]
            two, three = _hashes(read)
            single += np.bincount(read, minlength=_SYMBOLS)
            pairs += np.bincount(two, minlength=len(pairs))
            triples += np.bincount(three, minlength=len(triples))
        share = (single + 0.5) / (single.sum() + 0.5 * _SYMBOLS)
        runs = Runs(listed, share, Levels.of(pairs), Levels.of(triples), float(single.sum()))
        wording = cls(runs, np.array([[0.0] * MEASURES, [1.0] * MEASURES]), np.inf)
        raw = np.array([wording.measure(symbol[tokens]) for tokens in known])
        wording.usual = np.stack([np.nanmean(raw, 0), np.nanstd(raw, 0)])
        told = np.array([wording.covariates(symbol[tokens]) for tokens in known])
        wording.limit = float(np.quantile(told[:, 1], _UNUSUAL))
        return wording

    def classes(self, types: Sequence[str]) -> Ints:
        """What each type of token counts as; −1 for what is passed over."""
        return classes(types, self._number)

    def covariates(self, read: Ints) -> Floats:
        """How plain and how unfamiliar a text is, in standard deviations from the usual.

        `read` is what its tokens count as. Of a short text little is told: it is drawn to 0.
        """
        raw = (self.measure(read) - self.usual[0]) / self.usual[1]
        n = np.count_nonzero(read >= 0)
        told: Floats = np.nan_to_num(raw).clip(-MOST, MOST) * (n / (n + _FEW))
        return told

    def measure(self, read: Ints) -> Floats:
        """The same before it is compared with the usual; not a number where nothing is to measure.

        Mean log probability of its plain words; and mean surprise by runs, as a share of that by
        single words.
        """
        read = read[read >= 0]
        if len(read) < 3:
            return np.full(MEASURES, np.nan)
        runs, surprise = self.runs, self._surprise[read]
        common = surprise[read < PLAIN]
        single = runs.share[read]
        seen = single[:-1] * runs.total
        pair_places, triple_places = _hashes(read)
        two, three = runs.pairs.at(pair_places), runs.triples.at(triple_places)
        a, b = _SMOOTHING
        pair = (two + a * single[1:]) / (seen + a)
        triple = np.minimum(1.0, (three + b * pair[1:]) / (two[:-1] + b))
        plain = -common.mean() if len(common) else np.nan
        return np.array([plain, -np.log(triple).mean() / surprise.mean()])


def classes(types: Sequence[str], number: dict[str, int]) -> Ints:
    """What each type counts as, where the listed ones have numbers."""
    found = (
        -1 if name in _PASSED_OVER else number[name] if name in number else LISTED + _kind(name)
        for name in types
    )
    return np.fromiter(found, np.int64, len(types))


def _kind(name: str) -> int:
    """What a word that is not listed looks like."""
    if name.islower():
        for place, ending in enumerate(_ENDINGS, 6):
            if name.endswith(ending):
                return place
        return 0
    if not any(map(str.isalnum, name)):
        return 1
    if any(map(str.isdigit, name)):
        return 2
    if name.isupper() and len(name) > 1:
        return 3
    return 4 if name[:1].isupper() else 5


def _hashes(read: Ints) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Where the runs of two and of three that begin at each token are counted."""
    two = (read[:-1] * _SYMBOLS + read[1:]).astype(np.uint64)
    three = two[:-1] * np.uint64(_SYMBOLS) + read[2:].astype(np.uint64)
    spread = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio
    pair_shift, triple_shift = np.uint64(64 - _PAIR_BITS), np.uint64(64 - _TRIPLE_BITS)
    return (two * spread) >> pair_shift, (three * spread) >> triple_shift


def ngram_bytes(wording: NgramModel) -> bytes:
    """A wording as it is kept: safetensors, two levels a byte."""
    runs = wording.runs
    pairs, triples = runs.pairs, runs.triples
    return save(
        {
            "listed": np.frombuffer("\n".join(runs.listed).encode(), np.uint8),
            "share": runs.share,
            "pairs": pairs.level[::2] | pairs.level[1::2] << 4,
            "triples": triples.level[::2] | triples.level[1::2] << 4,
            "figures": np.array([pairs.most, triples.most, runs.total, wording.limit]),
            "usual": wording.usual,
        }
    )


def read_ngrams(content: bytes, path: Path) -> NgramModel:
    """What `ngram_bytes` made."""
    try:
        tensors = load(content)
        most_pairs, most_triples, total, limit = tensors["figures"].tolist()
        pairs, triples = (
            Levels(np.stack([tensors[name] & 15, tensors[name] >> 4], 1).ravel(), most)
            for name, most in (("pairs", most_pairs), ("triples", most_triples))
        )
        listed = tuple(tensors["listed"].tobytes().decode().split("\n"))
        sizes = len(tensors["share"]), len(pairs.level), len(triples.level)
        if len(listed) > LISTED or sizes != (_SYMBOLS, 1 << _PAIR_BITS, 1 << _TRIPLE_BITS):
            raise ValueError(sizes)
        runs = Runs(listed, tensors["share"], pairs, triples, total)
        return NgramModel(runs, tensors["usual"].reshape(2, MEASURES), limit)
    except (SafetensorError, KeyError, ValueError, TypeError):
        raise InputError(f"{path}: not a wording of samehand, or a damaged one.") from None
