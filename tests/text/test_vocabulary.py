"""Vocabularies: the most frequent, the same every time; and what masking leaves of the rest."""

import json
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.text.vocabulary import (
    CHARACTERS_PER_TOKEN,
    PAD,
    SPECIAL,
    UNK,
    Vocabulary,
    read_vocabulary,
    vocabulary_bytes,
)

corpora = st.dictionaries(
    st.text(min_size=1, max_size=20), st.integers(0, 5), min_size=1, max_size=30
)


def count(corpus: dict[str, int], n_words: int = 5_000, n_characters: int = 300) -> Vocabulary:
    return Vocabulary.count(list(corpus), np.array(list(corpus.values())), n_words, n_characters)


def test_the_most_frequent_come_first_and_ties_go_by_spelling() -> None:
    vocabulary = count({"b": 2, "the": 9, "a": 2, "c": 2, "never": 0}, n_words=3, n_characters=2)
    assert vocabulary.words == ("<PAD>", "<UNK>", "the", "a", "b")
    assert vocabulary.characters == ("<PAD>", "<UNK>", "e", "h")


def test_words_go_by_commonness_then_by_counts_and_characters_by_counts_alone() -> None:
    types, counts = ["ddd", "the", "of", "no", "never"], np.array([90, 9, 9, 8, 0])
    common = np.array([0.0, 0.3, 0.3, 0.0, 0.0])
    vocabulary = Vocabulary.count(types, counts, 9, 1, common)
    assert vocabulary.words == (*SPECIAL, "of", "the", "ddd", "no")
    assert vocabulary.characters == (*SPECIAL, "d")
    assert Vocabulary.count(types, counts, 9, 1).words == (*SPECIAL, "ddd", "of", "the", "no")


def test_the_first_words_alone_are_known() -> None:
    vocabulary = count({"the": 9, "of": 8, "and": 7})
    first = vocabulary.first(2)
    assert first.words == (*SPECIAL, "the", "of")
    assert first.characters == vocabulary.characters
    assert first.word_ids(["of", "and"]).tolist() == [3, UNK]
    assert vocabulary.first(None) is vocabulary
    assert vocabulary.first(99) == vocabulary


@given(corpora, st.integers(1, 10), st.integers(1, 10))
def test_counts_are_those_of_a_counter(corpus: dict[str, int], words: int, characters: int) -> None:
    vocabulary = count(corpus, words, characters)
    seen: Counter[str] = Counter()
    for name, times in corpus.items():
        seen.update(dict.fromkeys(name, 0))
        for character in name[:CHARACTERS_PER_TOKEN]:
            seen[character] += times
    for counts, size, kept in (
        (corpus, words, vocabulary.words),
        (seen, characters, vocabulary.characters),
    ):
        ranked = sorted((-times, name) for name, times in counts.items() if times)
        assert list(kept) == [*SPECIAL, *(name for _, name in ranked[:size])]


@given(corpora, st.randoms())
def test_the_order_of_reading_does_not_matter(corpus: dict[str, int], rng: random.Random) -> None:
    names = list(corpus)
    rng.shuffle(names)
    assert count({name: corpus[name] for name in names}, 5, 5) == count(corpus, 5, 5)


@given(corpora)
def test_ids_lead_back_to_the_type(corpus: dict[str, int]) -> None:
    vocabulary = count(corpus, 3, 4)
    types = [*corpus, "a type that was never met"]
    words, characters = vocabulary.word_ids(types), vocabulary.character_ids(types)
    assert characters.shape == (len(types), CHARACTERS_PER_TOKEN)
    for name, word, row in zip(types, words, characters, strict=True):
        assert vocabulary.words[word] == (name if name in vocabulary.words else "<UNK>")
        for place, number in enumerate(row):
            if place >= len(name):
                assert number == PAD
            elif name[place] in vocabulary.characters:
                assert vocabulary.characters[number] == name[place]
            else:
                assert number == UNK


def masked(types: list[str], masking: str) -> list[str]:
    vocabulary = Vocabulary((*SPECIAL, "Known"), (*SPECIAL, *"KnowXxabc01-Z"))
    words, characters = vocabulary.word_ids(types), vocabulary.character_ids(types)
    shown = {PAD: "", UNK: "?"}
    left = vocabulary.mask(words, characters, masking)  # type: ignore[arg-type]
    return ["".join(shown.get(n, vocabulary.characters[n]) for n in row) for row in left.tolist()]


@pytest.mark.parametrize(
    ("masking", "left"),
    [
        ("rare", ["Known", "Zaa-10", "b?c", "Zabacab"]),
        ("suffix", ["Known", "Xxx-00", "x?x", "Xxxxcab"]),
    ],
)
def test_masking_spares_the_vocabulary(masking: str, left: list[str]) -> None:
    assert masked(["Known", "Zaa-10", "bęc", "Zabacab"], masking) == left


def test_a_shape_whose_letter_is_unknown_is_unknown() -> None:
    vocabulary = Vocabulary(SPECIAL, (*SPECIAL, "a", "-"))
    ids = vocabulary.character_ids(["a-"])
    assert vocabulary.mask(vocabulary.word_ids(["a-"]), ids, "suffix")[0, :3].tolist() == [
        UNK,
        3,
        PAD,
    ]


def test_a_vocabulary_comes_back_whatever_is_in_it() -> None:
    vocabulary = Vocabulary((*SPECIAL, "naïve", "\ud800", '"'), (*SPECIAL, "\ud83d", "é", "\\"))
    assert read_vocabulary(vocabulary_bytes(vocabulary), Path("v.json")) == vocabulary


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "{}",
        "[" * 100_000,
        '{"words": 3, "characters": []}',
        json.dumps({"words": SPECIAL, "characters": [*SPECIAL, "ab"]}),
        json.dumps({"words": SPECIAL, "characters": [*SPECIAL, *map(chr, range(256, 33_100))]}),
        json.dumps({"words": ["the"], "characters": SPECIAL}),
        json.dumps({"words": [*SPECIAL, 3], "characters": SPECIAL}),
    ],
)
def test_a_vocabulary_that_is_none(content: str) -> None:
    with pytest.raises(InputError, match=r"v\.json: not a list of words and one of characters"):
        read_vocabulary(content.encode(), Path("v.json"))
