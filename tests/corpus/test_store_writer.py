"""Tokens on their way into a store: renumbered by frequency, document by document the same."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.corpus import store_writer as module
from samehand.corpus.store_writer import count_words, write_tokens

TYPES = ["b", "a", "…", "word1", "-", "zz"]
documents = st.lists(st.lists(st.integers(0, len(TYPES) - 1), max_size=6), min_size=1, max_size=9)


def commonness(name: str, sources: list[list[str]]) -> float:
    """Its share in the source that stands a quarter of the way up, counted from below."""
    shares = sorted(source.count(name) / max(1, len(source)) for source in sources)
    return shares[(len(shares) - 1) // 4]


@given(documents, st.data(), st.integers(1, 8))
def test_every_token_keeps_its_type(
    tmp_path_factory: pytest.TempPathFactory, given: list[list[int]], data: st.DataObject, size: int
) -> None:
    flags = st.lists(st.booleans(), min_size=len(given), max_size=len(given))
    kept = np.array(data.draw(flags)) | (np.array([len(d) for d in given]) > 3)
    training = kept & np.array(data.draw(flags))
    left = [document for document, keep in zip(given, kept, strict=True) if keep]
    if not any(left) or not training.any():
        return
    numbers = st.integers(0, 2)
    source = np.array(data.draw(st.lists(numbers, min_size=len(given), max_size=len(given))))
    tokens = np.array([token for document in given for token in document], np.int32)
    ends = np.cumsum([0, *map(len, given)])
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", size)
        vocabulary, about = write_tokens(folder, tokens, ends, TYPES, source, training, kept, 2, 9)
        words = count_words(tokens, ends, TYPES)

    types = (folder / "types.txt").read_text().split("\n")
    written = np.split(np.load(folder / "tokens.npy"), np.load(folder / "document_ends.npy"))[:-1]
    assert [[types[token] for token in document] for document in written] == [
        [TYPES[token] for token in document] for document in left
    ]
    learnt = [TYPES[t] for d, train in zip(given, training, strict=True) if train for t in d]
    ranking = sorted({TYPES[t] for d in left for t in d}, key=lambda n: (-learnt.count(n), n))
    assert types == ["<PAD>", "<UNK>", *ranking]
    by_source = [
        [TYPES[t] for d, of in zip(given, np.where(training, source, -1), strict=True)
         if of == number for t in d]
        for number in sorted(set(source[training].tolist()))
    ]  # fmt: skip
    common = sorted(ranking, key=lambda n: (-commonness(n, by_source), -learnt.count(n), n))
    assert list(vocabulary.words[2:]) == [name for name in common[:2] if name in learnt]
    known = sum(name in vocabulary.words for name in learnt)
    assert about == {
        "tokens": sum(map(len, left)),
        "types": len(ranking),
        "coverage": pytest.approx(known / max(1, len(learnt))),
    }
    assert words.tolist() == [sum(TYPES[t] not in "…-" for t in document) for document in given]


def written(folder: Path, *texts: str, n_words: int) -> tuple[str, ...]:
    """The words of a vocabulary of texts, each a source of its own."""
    names = sorted({name for text in texts for name in text.split()})
    documents = [[names.index(name) for name in text.split()] for text in texts]
    tokens = np.array([token for document in documents for token in document], np.int32)
    ends, every = np.cumsum([0, *map(len, documents)]), np.ones(len(texts), np.bool_)
    source = np.arange(len(texts))
    vocabulary, _ = write_tokens(folder, tokens, ends, names, source, every, every, n_words, 9)
    return vocabulary.words[2:]


def test_a_word_of_one_source_stands_behind_those_that_all_use(tmp_path: Path) -> None:
    about = "dragon " * 50 + "the of the"
    assert written(tmp_path, about, "the and of", "the of", "the of of", n_words=3) == (
        "the",
        "of",
        "dragon",  # in one source only, as is "and": then by their counts
    )


def test_in_one_source_words_go_by_their_counts(tmp_path: Path) -> None:
    assert written(tmp_path, "dragon the dragon a of of of", n_words=3) == ("of", "dragon", "a")
