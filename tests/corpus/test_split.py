"""Parts share neither authors nor topics, and every document is accounted for."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.corpus.split import (
    DROPPED,
    check_disjoint_authors,
    kept_authors,
    parse_shares,
    split,
    used_authors,
)
from samehand.errors import InputError


@st.composite
def corpora(draw):
    n = draw(st.integers(3, 60))
    authors = draw(st.lists(st.integers(0, 20), min_size=n, max_size=n))
    topics = draw(st.lists(st.integers(0, 20), min_size=n - 3, max_size=n - 3))
    return np.array(authors, dtype=np.int32), np.array([21, 22, 23, *topics], dtype=np.int32)


@given(corpora(), st.integers(0, 9))
def test_parts_share_no_author_and_no_topic(corpus, seed):
    authors, topics = corpus
    parts = split(authors, topics, seed=seed)
    for column in (authors, topics):
        for value in np.unique(column):
            assert np.setdiff1d(parts.part[column == value], [DROPPED]).size <= 1
    in_parts = sum(parts.documents(part).size for part in range(3))
    assert in_parts + parts.dropped == authors.size


@given(corpora(), st.integers(0, 9))
def test_no_author_is_lost_and_each_keeps_most_of_what_it_can(corpus, seed):
    authors, topics = corpus
    parts = split(authors, topics, seed=seed)
    by_topic = {t: p for t, p in zip(topics, parts.part, strict=True) if p != DROPPED}
    for author in np.unique(authors):
        kept = (authors == author) & (parts.part != DROPPED)
        assert kept.any()
        known = [by_topic[t] for t in topics[authors == author] if t in by_topic]
        assert kept.sum() >= max(np.bincount(known))


@given(corpora(), st.integers(0, 9))
def test_by_authors_alone_nothing_is_dropped(corpus, seed):
    authors, topics = corpus
    parts = split(authors, topics, seed=seed, disjoint_topics=False)
    assert parts.dropped == 0
    for author in np.unique(authors):
        assert np.unique(parts.part[authors == author]).size == 1


def test_topics_go_to_the_parts_by_share():
    topics = np.arange(1600)
    parts = split(topics, topics, shares=(0.75, 0.25))
    assert [parts.documents(part).size for part in range(2)] == [1200, 400]
    parts = split(np.arange(4), np.arange(4))
    assert [parts.documents(part).size for part in range(3)] == [2, 1, 1]


def test_the_seed_fixes_the_split():
    rng = np.random.default_rng(0)
    authors, topics = rng.integers(200, size=900), rng.integers(40, size=900)
    assert (split(authors, topics, seed=1).part == split(authors, topics, seed=1).part).all()
    assert (split(authors, topics, seed=1).part != split(authors, topics, seed=2).part).any()


def test_empty_and_single_author_corpora():
    empty = np.empty(0, dtype=np.int32)
    assert split(empty, empty).part.size == 0
    assert split(empty, empty, disjoint_topics=False).part.size == 0
    parts = split(np.zeros(9, dtype=int), np.arange(9))
    assert parts.documents(0).size + parts.dropped == 9


def test_too_few_topics_and_wrong_shares_are_refused():
    with pytest.raises(InputError, match="split by authors alone"):
        split(np.arange(5), np.zeros(5, dtype=int))
    with pytest.raises(InputError, match="sum to 1"):
        split(np.arange(5), np.arange(5), shares=(0.5, 0.1))
    with pytest.raises(InputError, match="0 or more"):
        split(np.arange(5), np.arange(5), shares=(1.5, -0.5))


def test_shares_are_percentages():
    assert parse_shares("75,25") == (0.75, 0.25, 0.0)
    assert parse_shares("75, 12.5, 12.5") == (0.75, 0.125, 0.125)
    for listed in ("", "75", "75,20", "75,x", "nan,100", "50,20,20,10", "150,-50"):
        with pytest.raises(InputError, match="sum to 100"):
            parse_shares(listed)


def test_authors_in_two_parts_are_named():
    assert check_disjoint_authors(["ann", "bob", "ann"], ["cy"], ["bob", "dee", "cy"]) == [
        "bob",
        "cy",
    ]
    assert check_disjoint_authors(["ann"], []) == []


def test_authors_are_kept_by_their_names_whoever_else_there_is():
    names = [f"blogs/author {number}" for number in range(2_000)] + ["\ud800", ""]
    kept = kept_authors(names, 0.1)
    assert kept.mean() == pytest.approx(0.1, abs=0.02)
    assert kept_authors(names[::-3], 0.1).tolist() == kept[::-3].tolist()
    more = kept_authors(names, 0.3)
    assert more[kept].all()
    assert not kept_authors(names, 0.0).any()
    assert kept_authors(names, 1.0).all()
    # What later networks keep has to be what earlier ones kept.
    assert kept_authors(["ann", "bob", "Zoë", "42"], 0.5).tolist() == [False, True, True, True]


def test_the_authors_of_a_smaller_share_are_among_those_of_a_larger():
    names = [f"author {number}" for number in range(2_000)]
    shares = (0.125, 0.25, 0.5, 1.0)
    used = [used_authors(names, share) for share in shares]
    for some, share in zip(used, shares, strict=True):
        assert some.mean() == pytest.approx(share, abs=0.03)
    for smaller, larger in pairwise(used):
        assert larger[smaller].all()
    kept = kept_authors(names, 0.5)  # one choice says nothing of the other
    assert used[2][kept].mean() == pytest.approx(0.5, abs=0.05)
