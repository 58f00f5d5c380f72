"""Topics from the text, for corpora whose labels are missing or one and the same per author."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_NO_TOPIC = "cluster-none"
_CHARACTERS_READ = 6_000  # about 1,000 words tell the topic; a bound on time and memory
_COMMONEST = 0.1  # share of the documents beyond which a word says nothing about the topic
_COMMON_ANYWHERE = 20  # documents, so that a small corpus keeps words at all
_RAREST = 1 / 3_000  # share of the documents below which a word joins nothing to anything
_VOCABULARY = 30_000
_SAMPLE = 40_000  # documents that the clusters are fitted on
_DIMENSIONS = 100
_CHUNK = 10_000
_NAME_WORDS = 3

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOT_CONTENT = re.compile(
    r".{1,3}|.*['’].*"  # short words and contractions
    r"|(?:[aeiou]*h+[aeiou]*)+|.*(\w)\1\1.*"  # haha, ohhh, sooo
)
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


def cluster_topics(texts: Iterable[str], n_topics: int, seed: int) -> list[str]:
    """A topic for every text, such as `cluster-017 guitar band song`: clusters of content words.

    The texts are read once and not kept. English function words, words in more than a tenth of the
    texts and those of manner (slang, oaths, laughter) do not count. The same texts and seed give
    the same topics, whatever the number of cores. Texts without any content word share the topic
    `cluster-none`; there are at most `n_topics` others.
    """
    try:
        import sklearn  # noqa: F401
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
    except ImportError:
        raise InputError(
            "topics cannot be clustered without scikit-learn; run `pip install samehand[train]`"
        ) from None
    with threadpool_limits(1):  # threads add up in another order, which can move a text
        weights, words = _content_weights(texts)
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


def _content_weights(texts: Iterable[str]) -> tuple["csr_matrix", list[str]]:
    """Tf-idf of content words, rows of length 1 (documents, words), and the words."""
    from sklearn.feature_extraction.text import TfidfTransformer

    counts, words = _count_words(texts)
    columns = _content_columns(counts, words)
    chosen = counts[:, columns].astype(np.float32)
    if chosen.nnz:
        chosen = TfidfTransformer(sublinear_tf=True).fit_transform(chosen)
    return chosen, [words[column] for column in columns.tolist()]


def _count_words(texts: Iterable[str]) -> tuple["csr_matrix", list[str]]:
    """How often each word is in each text (documents, words), and the words as they came."""
    from scipy.sparse import csr_matrix

    ids: dict[str, int] = {}
    columns, counts, ends = array("i"), array("i"), array("q", [0])
    for text in texts:
        found = Counter(_WORD.findall(text[:_CHARACTERS_READ].lower()))
        columns.extend([ids.setdefault(word, len(ids)) for word in found])
        counts.extend(found.values())
        ends.append(len(columns))
    arrays = (np.frombuffer(part, dtype=part.typecode) for part in (counts, columns, ends))
    return csr_matrix(tuple(arrays), shape=(len(ends) - 1, len(ids))), list(ids)


def _content_columns(counts: "csr_matrix", words: list[str]) -> NDArray[np.intp]:
    """The commonest words of those that tell a topic."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    n_documents = counts.shape[0]
    documents = np.bincount(counts.indices, minlength=len(words))  # (words,)
    rarest = max(2, n_documents * _RAREST)
    commonest = max(_COMMON_ANYWHERE, n_documents * _COMMONEST)
    candidates = np.flatnonzero((documents >= rarest) & (documents <= commonest))
    ignored = ENGLISH_STOP_WORDS.union(_MANNER.split())
    content = [
        column
        for column in candidates.tolist()
        if words[column] not in ignored and not _NOT_CONTENT.fullmatch(words[column])
    ]
    columns = np.array(content, dtype=np.intp)
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
