"""Everything that is read, once: labels in memory, texts and tokens spooled to disk."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.duplicates import DuplicateFilter
from samehand.corpus.pairs import Pairs
from samehand.corpus.readers import (
    Columns,
    n_documents,
    n_trials,
    read_corpus,
    read_trials,
    sources,
)
from samehand.corpus.readers.corpora import detect
from samehand.corpus.tokeniser_pool import TokeniserPool
from samehand.errors import InputError
from samehand.io.progress import Progress
from samehand.text.tokenise import Ints


class IngestedDocuments:
    """The documents of all corpora in order of reading, with a place on disk for texts and tokens.

    Faults of single records go to `on_bad`, if it is given, and the records are left out. Authors
    of one name are one author, unless `authors_apart` keeps those of each source apart. As a
    context manager, it removes at its end what it put on disk.
    """

    def __init__(
        self,
        folder: Path,
        encoder: TokeniserPool,
        on_bad: Callable[[str], None] | None = None,
        authors_apart: bool = False,
    ) -> None:
        self.authors: list[str] = []
        self.topics: list[str] = []
        self.source_names: list[str] = []
        self.source = array("i")
        self.part = array("b")
        """The part each document was given for; the split may change it."""
        self.shared_authors: dict[str, tuple[str, str]] = {}
        """The authors in several sources, each with the two it was first met in."""
        self.trials: dict[str, Pairs] = {}
        self.trials_of: dict[str, list[tuple[int, int]]] = {}
        """For each set of trials: a trial and a document, where one has the text of the other."""
        self.dropped: dict[str, int] = {"duplicate": 0, "without words": 0, "unreadable": 0}
        self._encoder = encoder
        self._on_bad = on_bad
        self._texts = (folder / "texts.raw").open("w+b")
        self._tokens = (folder / "tokens.raw").open("w+b")
        self._text_ends, self._token_ends = array("q", [0]), array("q", [0])
        self._unique = DuplicateFilter()
        self._authors_apart = authors_apart
        self._met: Counter[str] = Counter()
        self._first_met: dict[str, str] = {}

    def __enter__(self) -> "IngestedDocuments":
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._texts, self._tokens):
            file.close()
            Path(file.name).unlink(missing_ok=True)

    @property
    def types(self) -> list[str]:
        """The distinct tokens by number."""
        return self._encoder.types

    def token_ends(self) -> NDArray[np.int64]:
        """Where each document's tokens end, with a 0 in front."""
        return np.array(self._token_ends, np.int64)

    def tokens(self) -> Ints:
        """The types of all tokens, memory-mapped."""
        self._tokens.flush()
        if not self._token_ends[-1]:
            return np.zeros(0, np.int32)
        return np.memmap(self._tokens, np.int32, "r", shape=(self._token_ends[-1],))

    def text(self, document: int) -> str:
        """One document's text."""
        start, end = self._text_ends[document], self._text_ends[document + 1]
        self._texts.seek(start)
        return self._texts.read(end - start).decode("utf-8", "surrogatepass")

    def read(
        self,
        paths: Sequence[Path],
        part: int,
        columns: Columns,
        format: str | None,
        progress: Progress,
    ) -> None:
        """Read corpora, document by document, without duplicates of anything read before."""
        for path in paths:
            for name, source in sources(path, format):
                if name not in self.source_names:
                    self.source_names.append(name)
                doing, before = f"reading {name}", len(self.authors)
                progress(f"counting {name}")
                total = n_documents(source, columns, format)
                progress(doing, 0, total)
                for done in self._spool(self._documents(name, source, part, columns, format)):
                    progress(doing, done - before, total)
        self.dropped["duplicate"] = self._unique.dropped

    def _documents(
        self, name: str, path: Path, part: int, columns: Columns, format: str | None
    ) -> Iterator[str]:
        """The new texts of one source; their labels are noted on the way."""
        number = self.source_names.index(name)
        self._met[name] += 1
        origin = name if self._met[name] == 1 else f"{name} {self._met[name]}"
        # Every set of PAN's problems has an EN001, and each is by somebody else.
        apart = self._authors_apart or (format or detect(path)) == "pan13"
        for document in read_corpus(path, columns, format, self._count_bad()):
            if self._unique.is_new(document.text):
                author = f"{origin}/{document.author}" if apart else document.author
                first = self._first_met.setdefault(author, origin)
                if first != origin:
                    self.shared_authors.setdefault(author, (first, origin))
                self._label(author, document.topic, number, part)
                yield document.text

    def read_trials(self, folder: Path, part: int, progress: Progress) -> None:
        """Read a set of trials in PAN format; several known texts are taken as one."""
        name = folder.resolve().name
        if name in self.trials:
            raise InputError(f"{folder}: there are two sets of trials of this name; rename one")
        self.source_names.append(f"trials/{name}")
        first = len(self.authors)
        same, alike = array("b"), array("b")
        found = self.trials_of[name] = []

        def texts() -> Iterator[str]:
            for number, trial in enumerate(read_trials(folder, on_bad=self._count_bad())):
                if trial.same is None:
                    raise InputError(f"{folder}: trials are scored by their truth; add its file")
                documents = map(self._unique.number_of, (*trial.known, trial.questioned))
                found.extend((number, document) for document in documents if document is not None)
                topics = trial.topics or ("", "")
                same.append(trial.same)
                alike.append(bool(trial.topics) and topics[0] == topics[1])
                for topic in topics:
                    self._label(f"{name}/?", topic, len(self.source_names) - 1, part)
                yield "\n\n".join(trial.known)
                yield trial.questioned

        doing, total = f"reading trials {name}", 2 * (n_trials(folder) or 0)
        progress(doing, 0, total)
        for done in self._spool(texts(), keep_empty=True):
            progress(doing, done - first, total)
        known = first + 2 * np.arange(len(same))
        flags = (np.array(flag, np.bool_) for flag in (same, alike))
        self.trials[name] = Pairs(known, known + 1, *flags)

    def _count_bad(self) -> Callable[[str], None] | None:
        report = self._on_bad
        if report is None:
            return None

        def count(fault: str) -> None:
            self.dropped["unreadable"] += 1
            report(fault)

        return count

    def _label(self, author: str, topic: str, source: int, part: int) -> None:
        self.authors.append(author)
        self.topics.append(topic)
        self.source.append(source)
        self.part.append(part)

    def _spool(self, texts: Iterable[str], keep_empty: bool = False) -> Iterator[int]:
        """Write texts and their tokens; yields how many documents there are so far."""

        def spooled() -> Iterator[str]:
            for text in texts:
                size = self._texts.write(text.encode("utf-8", "surrogatepass"))
                self._text_ends.append(self._text_ends[-1] + size)
                yield text

        for lengths, types in self._encoder(spooled()):
            types.tofile(self._tokens)
            self._token_ends.extend((self._token_ends[-1] + np.cumsum(lengths)).tolist())
            if not keep_empty:
                self.dropped["without words"] += int((lengths == 0).sum())
            yield len(self._token_ends) - 1
