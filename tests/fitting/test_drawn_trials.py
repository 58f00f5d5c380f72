"""Trials drawn from a store: of what kinds, and by whom."""

import numpy as np

from samehand.fitting.drawn_trials import FEW, KNOWN, WITHIN, DrawnTrials, draw_trials, varied_texts
from samehand.training.texts import Stored, Texts, whole_texts

RNG = np.random.default_rng(0)


def stored(authors: int, documents: int, topics: int, source: int = 0, first: int = 0) -> Stored:
    """Authors take topics in turn; all documents have 200 tokens."""
    n = authors * documents
    author = np.repeat(np.arange(authors), documents)
    topic = (author + np.tile(np.arange(documents), authors)) % topics
    return Stored(
        200 * np.arange(n), np.full(n, 200), author + first, topic + 100 * source,
        np.full(n, source),
    )  # fmt: skip


def both(one: Stored, other: Stored) -> Stored:
    joined = [np.concatenate(pair) for pair in zip(one, other, strict=True)]
    return Stored(*joined)


def drawn(of: Stored) -> tuple[Texts, DrawnTrials]:
    texts = whole_texts(of, 200)
    return texts, draw_trials(texts, np.random.default_rng(1))


def test_authors_are_the_same_or_not_as_trials_say() -> None:
    texts, found = drawn(stored(60, 10, 7))
    trials = found.trials
    there = trials.known >= 0
    by_known = np.where(there, texts.author[trials.known], -1)
    first = by_known[:, 0]
    assert ((by_known == first[:, None]) | ~there).all()
    assert ((texts.author[trials.questioned] == first) == found.same).all()
    assert not (trials.known == trials.questioned[:, None]).any()


def test_same_authors_cross_topics_and_half_of_the_others_share_one() -> None:
    texts, found = drawn(stored(80, 8, 7))
    one = (found.trials.known >= 0).sum(1) == 1
    shared = texts.topic[found.trials.questioned] == texts.topic[found.trials.known[:, 0]]
    assert not shared[one & found.same].any()
    assert abs(shared[one & ~found.same].mean() - WITHIN) < 0.15


def test_where_few_authors_have_several_topics_all_give_trials() -> None:
    texts, found = drawn(stored(FEW - 1, 4, 1))
    assert found.same.any()
    assert set(texts.author[found.trials.questioned[found.same]]) == set(range(FEW - 1))


def test_several_known_texts_are_those_of_the_same_questions() -> None:
    _, found = drawn(stored(30, 10, 5))
    numbers = (found.trials.known >= 0).sum(1)
    questions = [
        sorted(zip(found.trials.questioned[numbers == n], found.same[numbers == n], strict=True))
        for n in KNOWN[1:]
    ]
    assert questions[0]
    assert questions[0] == questions[1] == questions[2]


def test_authors_of_two_sources_give_trials_across_them() -> None:
    texts, found = drawn(both(stored(30, 4, 3), stored(30, 4, 3, source=1)))
    mixed = found.mixed
    assert found.same[mixed].any()
    assert (~found.same[mixed]).any()
    known = found.trials.known[mixed, 0]
    assert (texts.source[found.trials.questioned[mixed]] != texts.source[known]).all()
    _, apart = drawn(both(stored(30, 4, 3), stored(30, 4, 3, source=1, first=30)))
    assert not apart.mixed.any()


def test_no_document_is_in_two_texts_and_the_same_seed_gives_the_same_trials() -> None:
    of = stored(40, 6, 3)
    texts = varied_texts(of, 600, np.random.default_rng(3))
    starts = np.repeat(texts.run_starts // 200, 1)
    assert len(np.unique(starts)) == len(starts)
    first, again = (draw_trials(texts, np.random.default_rng(2)) for _ in range(2))
    assert first.trials.known.tobytes() == again.trials.known.tobytes()


def test_a_source_of_one_author_gives_no_trials() -> None:
    _, found = drawn(both(stored(1, 10, 3), stored(50, 4, 3, source=1, first=1)))
    assert set(found.genres.ravel()) == {1}
