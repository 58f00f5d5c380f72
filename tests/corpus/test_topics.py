"""Topics out of texts: they follow the content words, and nothing else."""

import random
import sys
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.corpus.topics import cluster_topics as cluster_documents
from samehand.corpus.topics import content_words, topics_are_informative
from samehand.errors import InputError
from samehand.text.tokenise import Tokeniser

CONTENT = {
    "sea": ["harbour", "anchor", "sailor", "rudder", "lighthouse", "mast", "tide", "captain"],
    "kitchen": ["flour", "oven", "butter", "recipe", "saucepan", "pepper", "onion", "dough"],
    "court": ["lawyer", "verdict", "jury", "witness", "statute", "appeal", "judge", "plaintiff"],
}
FILLER = [
    "really",
    "just",
    "the",
    "and",
    "then",
    "there",
    "because",
    "would",
    "yeah",
    "gonna",
    "haha",
    "dont",
]


def corpus(size: int = 240, seed: int = 0) -> tuple[list[str], list[str]]:
    """Topics and texts, each text half content words of its topic and half words of manner."""
    rng = random.Random(seed)
    topics = [rng.choice(list(CONTENT)) for _ in range(size)]
    texts = [
        " ".join(rng.choices(CONTENT[topic], k=12) + rng.choices(FILLER, k=12)) for topic in topics
    ]
    return topics, texts


def cluster_topics(texts: Iterable[str], n_topics: int, seed: int) -> list[str]:
    tokeniser = Tokeniser()
    documents = [tokeniser(text).types for text in texts]
    return cluster_documents(iter(documents), content_words(tokeniser.types), n_topics, seed)


def test_clusters_are_the_topics_and_are_named_by_their_words() -> None:
    topics, texts = corpus(40)
    clusters = cluster_topics(texts, 3, seed=1)
    assert len(set(zip(topics, clusters, strict=True))) == len(set(clusters)) == 3
    for topic, cluster in zip(topics, clusters, strict=True):
        label, *words = cluster.split()
        assert label.startswith("cluster-00")
        assert len(words) == 3
        assert set(words) <= set(CONTENT[topic])


def test_same_seed_same_topics() -> None:
    _, texts = corpus()
    assert cluster_topics(texts, 5, seed=3) == cluster_topics(texts, 5, seed=3)


def test_a_document_counts_the_same_in_a_chunk_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    _, texts = corpus(60)
    whole = cluster_topics(texts, 5, seed=3)
    monkeypatch.setattr("samehand.corpus.topics._CHUNK", 7)
    assert cluster_topics(texts, 5, seed=3) == whole


def test_texts_without_content_words_share_a_topic() -> None:
    _, texts = corpus(40)
    clusters = cluster_topics([*texts, "", "the and then", "Hahaha yeah sooooo gonna"], 3, seed=0)
    assert clusters[-3:] == ["cluster-none"] * 3
    assert "cluster-none" not in clusters[:-3]
    assert cluster_topics([], 3, seed=0) == []
    assert cluster_topics(["the", "of"], 3, seed=0) == ["cluster-none"] * 2


@settings(max_examples=25, deadline=None)
@given(
    texts=st.lists(st.text(st.sampled_from("ab éß't "), max_size=40), max_size=12),
    n_topics=st.integers(1, 20),
)
def test_any_corpus_gets_a_topic_a_text(texts: list[str], n_topics: int) -> None:
    clusters = cluster_topics(texts, n_topics, seed=0)
    assert len(clusters) == len(texts)
    assert len(set(clusters) - {"cluster-none"}) <= n_topics


def test_without_scikit_learn_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(InputError, match=r"needs sklearn, .* pip install '\.\[train\]'"):
        cluster_topics(["text"], 1, seed=0)


@pytest.mark.parametrize(
    ("authors", "topics", "informative"),
    [
        ("aabb", ["x", "x", "y", "y"], False),  # the blogger's trade
        ("aabb", ["x", "y", "y", "y"], True),
        ("aabb", ["", "", "", ""], False),
        ("aabb", ["x", "", "y", ""], False),
        ("ab", ["x", "y"], False),  # nobody wrote twice
        ("", [], False),
    ],
)
def test_labels_inform_if_an_author_has_two(
    authors: str, topics: list[str], informative: bool
) -> None:
    assert topics_are_informative(authors, topics) is informative
