"""Types numbered by frequency, vocabularies counted, tokens written: the arrays of a store."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.store import write_vocabulary
from samehand.text.vocabulary import CHARACTERS_PER_TOKEN, PAD, SPECIAL, UNK, Vocabulary

Longs = NDArray[np.int64]
_CHUNK = 1 << 24  # tokens counted at a time


def write_tokens(
    folder: Path,
    tokens: NDArray[np.int32],
    ends: Longs,
    types: list[str],
    training: NDArray[np.bool_],
    kept: Longs,
    n_words: int,
    n_characters: int,
) -> tuple[Vocabulary, dict[str, Any]]:
    """Write the tokens of the documents kept, their types, and the vocabulary of the training documents.

    `ends` are the documents' ends in `tokens`, with a 0 in front. The most frequent type of the training documents
    comes first, ties by spelling: the numbers do not depend on the order of reading.
    """
    counts = _count(tokens, ends, training, len(types))
    met = np.zeros(len(types), np.bool_)
    lengths = np.diff(ends)
    for document in kept.tolist():
        met[tokens[ends[document] : ends[document + 1]]] = True
    order = sorted(np.flatnonzero(met).tolist(), key=lambda number: (-counts[number], types[number]))
    renumber = np.zeros(len(types), np.int32)
    renumber[order] = np.arange(len(SPECIAL), len(SPECIAL) + len(order))

    n_tokens = int(lengths[kept].sum())
    written = np.lib.format.open_memmap(folder / "tokens.npy", "w+", np.int32, (n_tokens,))
    at = 0
    for document in kept.tolist():
        end = at + int(lengths[document])
        written[at:end] = renumber[tokens[ends[document] : ends[document + 1]]]
        at = end
    written.flush()
    np.save(folder / "document_ends.npy", np.cumsum(lengths[kept]))

    ranked, seen = [types[number] for number in order], counts[order]
    vocabulary = Vocabulary.count(ranked, seen, n_words, n_characters)
    known = _write_types(folder, ranked, vocabulary)
    about = {
        "tokens": n_tokens,
        "types": len(ranked),
        "coverage": float(seen[known].sum() / max(1, seen.sum())),
    }
    return vocabulary, about


def _write_types(folder: Path, ranked: list[str], vocabulary: Vocabulary) -> NDArray[np.bool_]:
    """Write each type's word and characters; returns which of them are in the vocabulary."""
    write_vocabulary(folder / "vocabulary.json", vocabulary)
    word = vocabulary.word_ids(ranked)
    blank = np.full((len(SPECIAL), CHARACTERS_PER_TOKEN), PAD, np.int16)
    np.save(folder / "type_word.npy", np.concatenate([np.array([PAD, UNK], np.int32), word]))
    np.save(folder / "type_characters.npy", np.concatenate([blank, vocabulary.character_ids(ranked)]))
    (folder / "types.txt").write_text("\n".join([*SPECIAL, *ranked]), "utf-8", "surrogatepass")
    return word != UNK


def _count(tokens: NDArray[np.int32], ends: Longs, wanted: NDArray[np.bool_], n_types: int) -> Longs:
    """How often each type occurs in the wanted documents."""
    counts = np.zeros(n_types, np.int64)
    for start in range(0, len(tokens), _CHUNK):
        stop = min(start + _CHUNK, len(tokens))
        document = np.searchsorted(ends, [start, stop - 1], side="right") - 1
        inside = slice(document[0], document[1] + 1)
        lengths = np.diff(np.clip(ends[document[0] : document[1] + 2], start, stop))
        counts += np.bincount(tokens[start:stop][np.repeat(wanted[inside], lengths)], minlength=n_types)
    return counts
