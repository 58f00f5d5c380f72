"""Types numbered by frequency, vocabularies counted, tokens written: the arrays of a store."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.text.tokenise import Ints
from samehand.text.vocabulary import (
    CHARACTERS_PER_TOKEN,
    PAD,
    SPECIAL,
    UNK,
    Vocabulary,
    vocabulary_bytes,
)

Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]
_CHUNK = 1 << 22  # tokens handled at a time
_USED_BY_MOST = 0.25
"""A word is as common as its share of the tokens in the source at this quantile: three of four
sources use it more."""


def write_tokens(
    folder: Path,
    tokens: Ints,
    ends: Longs,
    types: list[str],
    source: Ints,
    training: Bools,
    kept: Bools,
    n_words: int,
    n_characters: int,
) -> tuple[Vocabulary, dict[str, Any]]:
    """Write the tokens of the documents kept, their types, and the vocabulary of the training part.

    `ends` are the documents' ends in `tokens`, with a 0 in front. The most frequent type of the
    training documents comes first, ties by spelling: the numbers do not depend on the order of
    reading. The words of the vocabulary are those that most of the sources use: a word that is
    frequent in one of them alone tells of its subject.
    """
    met = np.zeros(len(types), np.bool_)
    by_source = []
    for number in np.unique(source[training]):
        of_source = np.zeros(len(types), np.int64)
        for some in _of_documents(tokens, ends, training & (source == number)):
            of_source += np.bincount(some, minlength=len(types))
        by_source.append(of_source)
    counts = np.sum(by_source, axis=0)
    shares = [of_source / max(1, of_source.sum()) for of_source in by_source]
    common = np.quantile(shares, _USED_BY_MOST, axis=0, method="lower")
    for some in _of_documents(tokens, ends, kept):
        met[some] = True
    by_spelling = np.array(sorted(np.flatnonzero(met).tolist(), key=types.__getitem__), np.int64)
    order = by_spelling[np.argsort(-counts[by_spelling], kind="stable")]
    ranked, frequency = [types[number] for number in order.tolist()], counts[order]

    renumber = np.zeros(len(types), np.int32)
    renumber[order] = np.arange(len(SPECIAL), len(SPECIAL) + len(order))
    lengths = np.diff(ends)[kept]
    _write_renumbered(folder / "tokens.npy", _of_documents(tokens, ends, kept), renumber, lengths)
    np.save(folder / "document_ends.npy", np.cumsum(lengths))

    vocabulary = Vocabulary.count(ranked, frequency, n_words, n_characters, common[order])
    known = _write_types(folder, ranked, vocabulary)
    about = {
        "tokens": int(lengths.sum()),
        "types": len(ranked),
        "coverage": float(frequency[known].sum() / max(1, frequency.sum())),
    }
    return vocabulary, about


def count_words(tokens: Ints, ends: Longs, types: list[str]) -> Longs:
    """How many tokens of each document are words: have a letter or a digit, and are no marks."""
    is_word = np.fromiter((any(map(str.isalnum, name)) for name in types), np.bool_, len(types))
    words = np.zeros(len(ends) - 1, np.int64)
    for start in range(0, len(tokens), _CHUNK):
        chunk = tokens[start : start + _CHUNK]
        so_far = np.append(0, np.cumsum(is_word[chunk]))
        words += np.diff(so_far[_within(ends, start, len(chunk))])
    return words


def _of_documents(tokens: Ints, ends: Longs, wanted: Bools) -> Iterator[Ints]:
    """The tokens of the wanted documents in order, a chunk at a time."""
    for start in range(0, len(tokens), _CHUNK):
        chunk = tokens[start : start + _CHUNK]
        yield chunk[np.repeat(wanted, np.diff(_within(ends, start, len(chunk))))]


def _within(ends: Longs, start: int, length: int) -> Longs:
    """Where the documents end in a chunk; 0 and `length` stand for before and behind it."""
    return np.minimum(np.maximum(ends - start, 0), length)


def _write_renumbered(path: Path, chunks: Iterator[Ints], renumber: Ints, lengths: Longs) -> None:
    written = np.lib.format.open_memmap(path, "w+", np.int32, (int(lengths.sum()),))
    at = 0
    for chunk in chunks:
        written[at : at + len(chunk)] = renumber[chunk]
        at += len(chunk)
    written.flush()


def _write_types(folder: Path, ranked: list[str], vocabulary: Vocabulary) -> Bools:
    """Write each type's word and characters; returns which of them are in the vocabulary."""
    (folder / "vocabulary.json").write_bytes(vocabulary_bytes(vocabulary))
    word = vocabulary.word_ids(ranked)
    blank = np.full((len(SPECIAL), CHARACTERS_PER_TOKEN), PAD, np.int16)
    characters = np.concatenate([blank, vocabulary.character_ids(ranked)])
    np.save(folder / "type_word.npy", np.concatenate([np.array([PAD, UNK], np.int32), word]))
    np.save(folder / "type_characters.npy", characters)
    (folder / "types.txt").write_text("\n".join([*SPECIAL, *ranked]), "utf-8", "surrogatepass")
    known: Bools = word != UNK
    return known
