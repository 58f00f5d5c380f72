"""Pairs to judge by: drawn as trials are, each once, with somebody the encoder has not met."""

import numpy as np
import pytest

from samehand.fitting.pairs import _FEW, _MOST, draw_pairs
from samehand.training.texts import Texts


def texts(author, topic, source):
    n = len(author)
    one = np.ones(n, np.int64)
    labels = (np.array(column) for column in (author, topic, source))
    return Texts(np.arange(n), one, np.arange(n + 1), one, *labels)


def drawn(authors=600, topics=5, sources=2):
    """Authors write four texts on two of the topics of their source."""
    rng = np.random.default_rng(0)
    author = np.repeat(np.arange(authors), 4)
    source = author % sources
    topic = (author // sources * 2 + np.tile([0, 1, 0, 1], authors)) % topics
    strange = rng.random(authors)[author] < 0.3
    found = texts(author, topic, source)
    return found, strange, draw_pairs(found, strange, np.random.default_rng(1))


def test_same_authors_cross_topics_and_different_ones_share_theirs():
    found, strange, pairs = drawn()
    one, other = pairs.first, pairs.second
    assert np.array_equal(found.author[one] == found.author[other], pairs.same_author)
    assert np.array_equal(pairs.same_topic, ~pairs.same_author)
    assert np.array_equal(found.topic[one] == found.topic[other], pairs.same_topic)
    assert (found.source[one] == found.source[other]).all()
    assert (strange[one] | strange[other]).all()
    assert not strange[np.concatenate([one, other])].all()
    assert len(np.unique(np.sort([one, other], axis=0), axis=1).T) == len(one)  # each once


def test_no_source_has_more_than_a_set_of_trials():
    found, _, pairs = drawn()
    kinds = np.bincount(2 * found.source[pairs.first] + pairs.same_author)
    assert kinds.max() == _MOST
    assert kinds.min() > _MOST / 2


def test_where_topics_are_never_shared_authors_need_not_share_them():
    found, _, pairs = drawn(authors=200, topics=10_000, sources=1)
    apart = ~pairs.same_author
    assert apart.sum() > _FEW
    assert not pairs.same_topic.any()
    assert (found.author[pairs.first][apart] != found.author[pairs.second][apart]).all()


@pytest.mark.parametrize("author", [[], [7], [7, 7]])
def test_texts_that_make_no_pair_give_none(author):
    n = len(author)
    found = texts(np.array(author, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64))
    pairs = draw_pairs(found, np.ones(n, np.bool_), np.random.default_rng(0))
    assert len(pairs) == 0
