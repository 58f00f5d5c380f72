"""The texts of an epoch are true to the store, however they are joined and cropped."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from samehand.training.config import LengthConfig
from samehand.training.texts import Stored, Texts, draw_texts, whole_texts

corpora = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=25
)
lengths = st.tuples(st.integers(1, 60), st.integers(0, 80)).map(
    lambda t: LengthConfig(vary=True, shortest=t[0], longest=t[0] + t[1])
)


def stored(corpus: list[tuple[int, int, int]]) -> Stored:
    """Documents of (length, author, topic), one after another in a store, in another order."""
    length, author, topic = np.array(corpus).T
    starts = np.cumsum(length) - length
    shuffled = np.random.default_rng(0).permutation(len(corpus))
    return Stored(starts, length, author, topic, author % 2).at(shuffled)


def tokens(texts: Texts, text: int) -> list[int]:
    """The places in the store of a text's tokens."""
    places: list[int] = []
    for start, length in zip(*texts.runs(np.array([text])), strict=True):
        places.extend(range(start, start + length))
    return places


def document_of(documents: Stored) -> dict[int, int]:
    return {
        place: number
        for number, (start, length) in enumerate(
            zip(documents.starts, documents.lengths, strict=True)
        )
        for place in range(start, start + length)
    }


@given(corpora, lengths, st.integers(1, 120), st.integers(0, 9))
def test_texts_are_runs_of_one_authors_tokens_on_one_topic(corpus, config, cap, seed):
    documents = stored(corpus)
    texts = draw_texts(documents, cap, config, np.random.default_rng(seed))
    owner = document_of(documents)
    used: list[int] = []
    for text in range(len(texts)):
        places = tokens(texts, text)
        assert len(places) == texts.lengths[text] <= min(config.longest, cap)
        used += places
        made_of = list(dict.fromkeys(owner[place] for place in places))
        for document in made_of:
            assert documents.author[document] == texts.author[text]
            assert documents.topic[document] == texts.topic[text]
            assert documents.source[document] == texts.source[text]
        for document in made_of[1:-1]:  # between the ends, documents are whole
            assert sum(owner[place] == document for place in places) == documents.lengths[document]
        breaks = [i for i in range(1, len(places)) if places[i] != places[i - 1] + 1]
        assert all(owner[places[i]] != owner[places[i - 1]] for i in breaks)
    assert len(used) == len(set(used))


@given(corpora, lengths, st.integers(1, 120), st.integers(0, 9))
def test_a_text_stays_short_only_where_there_is_no_more(corpus, config, cap, seed):
    """One short text at most is left of each author and topic."""
    documents = stored(corpus)
    texts = draw_texts(documents, cap, config, np.random.default_rng(seed))
    shortest = min(config.shortest, cap)
    short = texts.lengths < shortest
    cells = list(zip(texts.author[short].tolist(), texts.topic[short].tolist(), strict=True))
    assert len(cells) == len(set(cells))
    groups = set(zip(documents.author.tolist(), documents.topic.tolist(), strict=True))
    assert set(zip(texts.author.tolist(), texts.topic.tolist(), strict=True)) == groups


@given(corpora, st.integers(1, 120), st.integers(0, 9))
def test_without_variation_documents_stay_apart(corpus, cap, seed):
    documents = stored(corpus)
    config = LengthConfig(vary=False)
    texts = draw_texts(documents, cap, config, np.random.default_rng(seed))
    assert sorted(texts.lengths) == sorted(np.minimum(documents.lengths, cap))
    owner = document_of(documents)
    for text in range(len(texts)):
        places = tokens(texts, text)
        assert len({owner[place] for place in places}) == min(1, len(places))
        assert places == list(range(places[0], places[0] + len(places))) if places else True


@given(corpora, st.integers(1, 120))
def test_whole_texts_are_the_documents_up_to_the_cap(corpus, cap):
    documents = stored(corpus)
    texts = whole_texts(documents, cap)
    for text, (start, length) in enumerate(zip(documents.starts, documents.lengths, strict=True)):
        assert tokens(texts, text) == list(range(start, start + min(length, cap)))


@given(corpora, st.lists(st.integers(0, 1000), max_size=8))
def test_runs_of_any_texts_in_any_order(corpus, chosen):
    documents = stored(corpus)
    texts = draw_texts(
        documents, 100, LengthConfig(vary=True, shortest=30, longest=90), np.random.default_rng(0)
    )
    some = np.array([number % len(texts) for number in chosen], np.int64)
    starts, lengths = texts.runs(some)
    together = [p for s, n in zip(starts, lengths, strict=True) for p in range(s, s + n)]
    assert together == [place for text in some for place in tokens(texts, text)]


def test_the_same_generator_draws_the_same_texts():
    documents = stored([(20, i % 5, i % 2) for i in range(60)])
    config = LengthConfig(vary=True, shortest=10, longest=80)
    first, again, other = (
        draw_texts(documents, 100, config, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first.run_starts, other.run_starts)


def test_half_of_the_crops_begin_at_the_beginning():
    documents = stored([(500, i, 0) for i in range(2000)])
    config = LengthConfig(vary=True, shortest=10, longest=20)
    texts = draw_texts(documents, 100, config, np.random.default_rng(0))
    assert abs(np.isin(texts.run_starts, documents.starts).mean() - 0.5) < 0.04


def test_lengths_are_spread_evenly_over_their_logarithm():
    documents = stored([(5000, i, 0) for i in range(3000)])
    config = LengthConfig(vary=True, shortest=100, longest=4900)
    texts = draw_texts(documents, 6000, config, np.random.default_rng(0))
    middle = np.median(texts.lengths)
    assert 100 <= texts.lengths.min() < 105
    assert 4700 < texts.lengths.max() <= 4900
    assert 630 < middle < 780  # √(100 · 4900) = 700
