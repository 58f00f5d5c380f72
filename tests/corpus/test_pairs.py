"""Facts about the re-sampled pairs that hold for a corpus of any shape, and their shares."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.corpus.pairs import SUBSETS, Deltas, Pairs, sample_epoch
from samehand.corpus.zipf import DIFFERENT, SAME, count_pairs, plot_pair_counts
from samehand.errors import InputError

probability = st.sampled_from([0.0, 0.3, 0.6, 0.7, 1.0])
deltas_of_any_kind = st.builds(Deltas, probability, probability, probability)


@st.composite
def corpora(draw):
    """Authors, topics and groups of up to 80 documents, from all alike to all distinct."""
    n = draw(st.integers(0, 80))
    columns = []
    for _ in range(3):
        kinds = draw(st.integers(1, 12))
        column = draw(st.lists(st.integers(0, kinds - 1), min_size=n, max_size=n))
        columns.append(np.array(column, dtype=np.int32))
    return columns


def subset_shares(pairs: Pairs) -> np.ndarray:
    subset = 2 * pairs.same_author.astype(int) + pairs.same_topic
    return np.bincount(subset, minlength=len(SUBSETS)) / len(pairs)


def skewed_corpus(seed: int, documents=30_000, authors=19_865, topics=120):
    """The proportions of the paper's training set: most authors have one document, a few many."""
    rng = np.random.default_rng(seed)
    eagerness = rng.pareto(1.3, authors)
    more = rng.choice(authors, documents - authors, p=eagerness / eagerness.sum())
    author = np.concatenate([np.arange(authors), more]).astype(np.int32)
    home = rng.integers(topics, size=authors)
    topic = np.where(
        rng.random(documents) < 0.5, home[author], rng.integers(topics, size=documents)
    )
    return author, topic.astype(np.int32)


@given(corpora(), deltas_of_any_kind, st.integers(0, 5))
def test_pairs_of_any_corpus_are_true_and_use_a_document_once(corpus, deltas, epoch):
    authors, topics, _ = corpus
    pairs = sample_epoch(authors, topics, deltas, 7, epoch)
    used = np.concatenate([pairs.first, pairs.second])
    assert np.unique(used).size == used.size
    assert used.size >= authors.size - 1, "only an odd document may be left over"
    assert (pairs.same_author == (authors[pairs.first] == authors[pairs.second])).all()
    assert (pairs.same_topic == (topics[pairs.first] == topics[pairs.second])).all()


@given(corpora(), deltas_of_any_kind)
def test_different_authors_meet_within_one_group_only(corpus, deltas):
    authors, topics, groups = corpus
    pairs = sample_epoch(authors, topics, deltas, 7, 0, groups)
    used = np.concatenate([pairs.first, pairs.second])
    assert np.unique(used).size == used.size
    assert used.size >= authors.size - np.unique(groups).size
    crossing = groups[pairs.first] != groups[pairs.second]
    assert pairs.same_author[crossing].all()


@given(corpora(), st.integers(0, 3), st.integers(0, 3))
def test_seed_and_epoch_fix_the_pairs(corpus, seed, epoch):
    authors, topics, groups = corpus
    one = sample_epoch(authors, topics, Deltas(), seed, epoch, groups)
    two = sample_epoch(authors, topics, Deltas(), seed, epoch, groups)
    assert one.first.tolist() == two.first.tolist()
    assert one.second.tolist() == two.second.tolist()


def test_every_epoch_and_every_seed_draw_new_pairs():
    authors, topics = skewed_corpus(1, 2000, 1300, 20)

    def drawn(seed, epoch):
        pairs = sample_epoch(authors, topics, Deltas(), seed, epoch)
        return {frozenset(p) for p in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)}

    assert len(drawn(0, 0) & drawn(0, 1)) < 500
    assert len(drawn(0, 0) & drawn(1, 0)) < 500


def test_about_seventy_percent_are_by_different_authors():
    authors, topics = skewed_corpus(0)
    pairs = sample_epoch(authors, topics, Deltas(), 0, 0)
    assert 0.65 <= 1 - pairs.same_author.mean() <= 0.75
    same_topic_of_different = pairs.same_topic[~pairs.same_author].mean()
    assert same_topic_of_different == pytest.approx(0.6, abs=0.03)


def test_numbers_need_not_be_dense():
    authors = np.array([2**31 - 1, 5, 5, -3], dtype=np.int32)
    topics = np.array([2**31 - 1, -7, -7, 2**31 - 1], dtype=np.int32)
    pairs = sample_epoch(authors, topics, Deltas(1, 1, 1), 0, 0)
    assert sorted(sorted(p) for p in zip(pairs.first, pairs.second, strict=True)) == [
        [0, 3],
        [1, 2],
    ]


@pytest.mark.parametrize("delta_2", [0.0, 1.0])
def test_delta_2_is_the_share_of_pairs_within_a_topic(delta_2):
    authors = np.repeat(np.arange(50), 4)
    topics = np.tile([0, 0, 1, 1], 50)
    pairs = sample_epoch(authors, topics, Deltas(1.0, delta_2, 0.6), 0, 0)
    within_topic = pairs.same_topic[pairs.same_author]
    assert within_topic.all() if delta_2 == 1 else not within_topic.any()


def paper_loops(authors, topics, deltas, rng):
    """The printed pseudo-algorithm, document by document: shares of the four subsets."""
    counts = np.zeros(4)
    shelf = {a: list(np.flatnonzero(authors == a)) for a in np.unique(authors)}
    pool = []
    while shelf:
        for a in list(shelf):
            docs = shelf[a]
            if rng.random() < deltas.same_author:
                same = rng.random() < deltas.same_topic_given_same_author
                options = [
                    (i, j) for i in docs for j in docs if i < j and (topics[i] == topics[j]) == same
                ]
                taken = list(options[rng.integers(len(options))]) if options else []
                counts[2 + int(same)] += bool(options)
            else:
                taken = [docs[rng.integers(len(docs))]]
                pool += taken
            shelf[a] = [d for d in docs if d not in taken]
            if not shelf[a]:
                del shelf[a]
    failures = 0
    while len(pool) > 1 and failures < 200:
        same = rng.random() < deltas.same_topic_given_different_authors
        one = pool[rng.integers(len(pool))]
        mates = [
            d for d in pool if authors[d] != authors[one] and (topics[d] == topics[one]) == same
        ]
        failures += 1
        if mates:
            pool.remove(one)
            pool.remove(mates[rng.integers(len(mates))])
            counts[int(same)] += 1
            failures = 0
    return counts / counts.sum()


def test_shares_agree_with_the_printed_loops():
    rng = np.random.default_rng(3)
    authors = np.repeat(np.arange(160), rng.integers(1, 7, size=160))
    topics = rng.integers(3, size=authors.size)
    printed = np.mean([paper_loops(authors, topics, Deltas(), rng) for _ in range(10)], axis=0)
    epochs = [sample_epoch(authors, topics, Deltas(), 0, epoch) for epoch in range(40)]
    ours = np.mean([subset_shares(pairs) for pairs in epochs], axis=0)
    assert ours == pytest.approx(printed, abs=0.03)
    of_different = [share[1] / (share[0] + share[1]) for share in (ours, printed)]
    assert of_different[0] == pytest.approx(of_different[1], abs=0.05)


def test_two_documents_on_two_topics_pair_up_as_often_as_retrying_would():
    authors = np.repeat(np.arange(20_000), 2)
    topics = np.tile([0, 1], 20_000)
    pairs = sample_epoch(authors, topics, Deltas(), 0, 0)
    # A pass gives a pair with 0.7 · 0.4, a candidate with 0.3, and else is repeated.
    assert pairs.same_author.sum() / 20_000 == pytest.approx(0.28 / 0.58, abs=0.015)


@pytest.mark.parametrize("n_topics", [1, 2, 50_000])
@pytest.mark.parametrize("n_authors", [1, 2, 50_000])
@pytest.mark.parametrize("deltas", [Deltas(), Deltas(1, 0, 0.001), Deltas(0.001, 1, 0.999)])
def test_large_lopsided_corpora_end(n_authors, n_topics, deltas):
    document = np.arange(50_000)
    pairs = sample_epoch(document % n_authors, document // 7 % n_topics, deltas, 0, 0)
    assert len(pairs) == 25_000
    assert n_authors > 1 or pairs.same_author.all()
    assert n_authors < 50_000 or not pairs.same_author.any()


def test_a_probability_must_be_one():
    with pytest.raises(InputError, match=r"same_author is 1\.5"):
        Deltas(same_author=1.5)


def test_sampling_imports_nothing_but_numpy():
    heavy = "{'torch', 'pydantic', 'matplotlib', 'sklearn', 'pandas'}"
    code = f"import sys, samehand.corpus.pairs; sys.exit(len({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_same_author_pairs_come_back_more_often():
    authors, topics = skewed_corpus(2, 3000, 2000, 30)
    counts = count_pairs(authors, topics, Deltas(), 0, epochs=5)
    drawn = sum(len(sample_epoch(authors, topics, Deltas(), 0, epoch)) for epoch in range(5))
    assert counts[SAME].sum() + counts[DIFFERENT].sum() == drawn
    assert (np.diff(counts[SAME]) <= 0).all()
    assert counts[SAME].max() <= 5
    assert counts[SAME].mean() > 1.5 * counts[DIFFERENT].mean()


@pytest.mark.parametrize("counts", [[], [3], [4, 4, 2, 1, 1, 1]])
def test_zipf_plot_keeps_the_ends_of_the_line(counts):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    plot_pair_counts(ax, {"same author": np.array(counts, dtype=int)})
    rank, frequency = ax.lines[0].get_data()
    assert dict(zip(rank, frequency, strict=True)).items() <= dict(enumerate(counts, 1)).items()
    assert list(rank[-1:]) == ([len(counts)] if counts else [])
