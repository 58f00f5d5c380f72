"""Topics from the text, for corpora whose labels are missing or one and the same per author."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import needs
from samehand.text.tokenise import Ints

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_NO_TOPIC = "cluster-none"
_TOKENS_READ = 1_200  # about 1,000 words tell the topic; a bound on time and memory
_COMMONEST = 0.1  # share of the documents beyond which a word says nothing about the topic
_COMMON_ANYWHERE = 20  # documents, so that a small corpus keeps words at all
_RAREST = 1 / 3_000  # share of the documents below which a word joins nothing to anything
_VOCABULARY = 30_000
_SAMPLE = 40_000  # documents that the clusters are fitted on
_DIMENSIONS = 100
_CHUNK = 10_000
_NAME_WORDS = 3

_WORD = re.compile(r"[^\W\d_]{4,}")
_LAUGHTER = re.compile(r"(?:[aeiou]*h+[aeiou]*)+|.*(\w)\1\1.*")  # haha, ohhh, sooo
# How someone writes rather than about what: bare contractions, slang, hedges, oaths, thanks.
_MANNER = """
    aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wont
    wouldnt hows lets shes thats theres theyll theyre theyve whats wheres whos youll youre youve
    actually almost alot already alright anyhow anymore anyway anyways awesome basically bitch blah
    bout cause cool coulda crap crappy cuss damn damned definitely dude dunno everytime exactly fuck
    fucked fucker fuckin fucking getting goin gonna gotta guess heck hell hello honestly hopefully
    just kinda like literally lmao lolz lotta maybe mean nope okay okie omfg pissed pretty probably
    quite rather really rofl shit shitty shoulda simply somehow sorry sort sorta stuff suck sucked
    sucks sure thank thanks thing things though totally truly wanna weird well whatever whole woulda
    xoxo yeah yeap
"""


def topics_are_informative(authors: Iterable[str], topics: Iterable[str]) -> bool:
    """Whether some author writes on more than one topic, so that the two can be told apart.

    False without labels, and where every author has one label only. Empty labels do not count.
    """
    first: dict[str, str] = {}
    return any(
        topic != "" and first.setdefault(author, topic) != topic
        for author, topic in zip(authors, topics, strict=True)
    )


class ContentWords(NamedTuple):
    """Which types tell what a text is about: their column, or -1, and the word of each column."""

    column: Ints
    words: list[str]


def content_words(types: Sequence[str]) -> ContentWords:
    """Words of four letters and more, less function words and those of manner; case is ignored."""
    needs("train", "sklearn")
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    ignored = ENGLISH_STOP_WORDS.union(_MANNER.split())
    columns: dict[str, int] = {}

    def column(name: str) -> int:
        word = name.lower()
        if word in columns:
            return columns[word]
        if word in ignored or not _WORD.fullmatch(word) or _LAUGHTER.fullmatch(word):
            return -1
        return columns.setdefault(word, len(columns))

    return ContentWords(np.fromiter(map(column, types), np.int32, len(types)), list(columns))


def cluster_topics(
    documents: Iterable[Ints], content: ContentWords, n_topics: int, seed: int
) -> list[str]:
    """A topic for every document, such as `cluster-017 guitar band song`, by its content words.

    Documents are given by the types of their tokens, read once and not kept. Words in more than a
    tenth of them do not count. The same documents and seed give the same topics, whatever the
    number of cores. Documents without any content word share the topic `cluster-none`; there are
    at most `n_topics` others.
    """
    needs("train", "sklearn")
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(1):  # threads add up in another order, which can move a text
        weights, words = _content_weights(documents, content)
        telling = np.flatnonzero(np.diff(weights.indptr))
        if len(telling) == 0:
            return [_NO_TOPIC] * weights.shape[0]
        weights_told = weights[telling]
        labels = _cluster(weights_told, min(n_topics, len(telling)), seed)
        names = _names(weights_told, labels, words)
    topics = [_NO_TOPIC] * weights.shape[0]
    for document, label in zip(telling.tolist(), labels.tolist(), strict=True):
        topics[document] = names[label]
    return topics


def _content_weights(
    documents: Iterable[Ints], content: ContentWords
) -> tuple["csr_matrix", list[str]]:
    """Tf-idf of content words, rows of length 1 (documents, words), and the words."""
    from scipy.sparse import csr_matrix, vstack
    from sklearn.feature_extraction.text import TfidfTransformer

    nothing = csr_matrix((0, len(content.words)), dtype=np.float32)
    counts = vstack([nothing, *_count_words(iter(documents), content)], format="csr")
    columns = _telling_columns(counts)
    chosen = counts[:, columns]
    if chosen.nnz:
        chosen = TfidfTransformer(sublinear_tf=True).fit_transform(chosen)
    return chosen, [content.words[column] for column in columns.tolist()]


def _count_words(documents: Iterator[Ints], content: ContentWords) -> Iterator["csr_matrix"]:
    """How often each content word is in each document (documents, words), chunk by chunk."""
    from scipy.sparse import csr_matrix

    while chunk := [types[:_TOKENS_READ] for types in islice(documents, _CHUNK)]:
        document = np.repeat(np.arange(len(chunk)), [len(types) for types in chunk])
        column = content.column[np.concatenate(chunk)]
        inside = column >= 0
        ones = np.ones(int(inside.sum()), np.float32)
        shape = (len(chunk), len(content.words))
        yield csr_matrix((ones, (document[inside], column[inside])), shape=shape)


def _telling_columns(counts: "csr_matrix") -> NDArray[np.intp]:
    """The commonest words of those that are neither everywhere nor hardly anywhere."""
    n_documents, n_words = counts.shape
    documents = np.bincount(counts.indices, minlength=n_words)  # (words,)
    rarest = max(2, n_documents * _RAREST)
    commonest = max(_COMMON_ANYWHERE, n_documents * _COMMONEST)
    columns = np.flatnonzero((documents >= rarest) & (documents <= commonest))
    order = np.argsort(-documents[columns], kind="stable")
    return columns[order[:_VOCABULARY]]


def _cluster(weights: "csr_matrix", n_clusters: int, seed: int) -> NDArray[np.intp]:
    """The cluster of each document, from k-means on the leading directions of meaning."""
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    n_documents, n_words = weights.shape
    if n_words == 1:
        return np.zeros(n_documents, dtype=np.intp)
    size = min(n_documents, max(_SAMPLE, 20 * n_clusters))
    sample = np.sort(np.random.default_rng(seed).choice(n_documents, size, replace=False))
    n_dimensions = min(_DIMENSIONS, n_words, size)
    project = make_pipeline(
        TruncatedSVD(n_dimensions, n_iter=3, random_state=seed), Normalizer(copy=False)
    )
    kmeans = MiniBatchKMeans(n_clusters, batch_size=4096, n_init=3, random_state=seed)
    with np.errstate(invalid="ignore"):  # the share of variance explained, where there is none
        kmeans.fit(project.fit_transform(weights[sample]))
    chunks = range(0, n_documents, _CHUNK)
    parts = [kmeans.predict(project.transform(weights[i : i + _CHUNK])) for i in chunks]
    return np.concatenate(parts).astype(np.intp)


def _names(weights: "csr_matrix", labels: NDArray[np.intp], words: list[str]) -> dict[int, str]:
    """A name for each cluster that has documents: its number, and the words that set it apart."""
    overall = np.asarray(weights.mean(axis=0)).ravel()  # (words,)
    names = {}
    for label in np.unique(labels).tolist():
        mean = np.asarray(weights[labels == label].mean(axis=0)).ravel()
        order = np.argsort(overall - mean, kind="stable")[:_NAME_WORDS]
        leading = [words[column] for column in order.tolist() if mean[column] > 0]
        names[label] = " ".join([f"cluster-{label:03d}", *leading])
    return names
