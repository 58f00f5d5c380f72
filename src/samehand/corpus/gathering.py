"""Everything that is read, once: labels in memory, texts and tokens spooled to disk."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.duplicates import DuplicateFilter
from samehand.corpus.encode import Encoder
from samehand.corpus.pairs import Pairs
from samehand.corpus.readers import Columns, read_corpus, read_trials, sources
from samehand.corpus.readers.corpora import detect
from samehand.errors import InputError

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how far it is, and how far it has to go where that is known."""


class Gathered:
    """The documents of all corpora in order of reading, with a place on disk for texts and tokens."""

    def __init__(self, folder: Path, encoder: Encoder) -> None:
        self.authors: list[str] = []
        self.topics: list[str] = []
        self.source_names: list[str] = []
        self.source = array("i")
        self.part = array("b")
        """The part each document was given for; the split may change it."""
        self.trials: dict[str, Pairs] = {}
        self.dropped: dict[str, int] = {"duplicate": 0, "without words": 0, "unreadable": 0}
        self._encoder = encoder
        self._texts = (folder / "texts.raw").open("w+b")
        self._tokens = (folder / "tokens.raw").open("w+b")
        self._text_ends, self._token_ends = array("q", [0]), array("q", [0])
        self._unique = DuplicateFilter()

    @property
    def types(self) -> list[str]:
        """The distinct tokens by number."""
        return self._encoder.types

    def token_ends(self) -> NDArray[np.int64]:
        """Where each document's tokens end, with a 0 in front."""
        return np.array(self._token_ends)

    def tokens(self) -> NDArray[np.int32]:
        """The types of all tokens, memory-mapped."""
        self._tokens.flush()
        return np.memmap(self._tokens, np.int32, "r", shape=(self._token_ends[-1],))

    def text(self, document: int) -> str:
        """One document's text."""
        start, end = self._text_ends[document], self._text_ends[document + 1]
        self._texts.seek(start)
        return self._texts.read(end - start).decode("utf-8", "surrogatepass")

    def discard(self) -> None:
        """Remove what was spooled."""
        for file in (self._texts, self._tokens):
            file.close()
            Path(file.name).unlink()

    def read(
        self,
        paths: Sequence[Path],
        part: int,
        columns: Columns,
        format: str | None,
        on_bad: Callable[[str], None] | None,
        progress: Progress,
    ) -> None:
        """Read corpora, document by document, without duplicates of anything read before."""

        def count_bad(fault: str) -> None:
            self.dropped["unreadable"] += 1
            if on_bad:
                on_bad(fault)

        for path in paths:
            for name, source in sources(path, format):
                if name not in self.source_names:
                    self.source_names.append(name)
                number = self.source_names.index(name)
                prefix = f"{name}/" if (format or detect(source)) == "pan13" else ""  # EN001 is in all of them
                before = len(self.authors)

                def texts(source: Path = source, number: int = number, prefix: str = prefix) -> Iterator[str]:
                    documents = read_corpus(source, columns, format, count_bad if on_bad else None)
                    for document in documents:
                        if self._unique.is_new(document.text):
                            self._label(prefix + document.author, document.topic, number, part)
                            yield document.text

                for done in self._spool(texts()):
                    progress(f"reading {name}", done - before, None)
        self.dropped["duplicate"] = self._unique.dropped

    def read_trials(self, folder: Path, part: int, progress: Progress) -> None:
        """Read a set of trials in PAN format; several known texts are taken as one."""
        name = folder.resolve().name
        if name in self.trials:
            raise InputError(f"{folder}: there are two sets of trials of this name; rename one.")
        self.source_names.append(f"trials/{name}")
        first = len(self.authors)
        same, alike = array("b"), array("b")

        def texts() -> Iterator[str]:
            for trial in read_trials(folder):
                if trial.same is None:
                    raise InputError(f"{folder}: the truth is missing; trials can be scored only with it.")
                same.append(trial.same)
                alike.append(bool(trial.topics) and len(set(trial.topics or ())) == 1)
                for topic in trial.topics or ("", ""):
                    self._label(f"{name}/?", topic, len(self.source_names) - 1, part)
                yield "\n\n".join(trial.known)
                yield trial.questioned

        for done in self._spool(texts(), keep_empty=True):
            progress(f"reading trials {name}", done - first, None)
        known = first + 2 * np.arange(len(same))
        flags = (np.array(flag, np.bool_) for flag in (same, alike))
        self.trials[name] = Pairs(known, known + 1, *flags)

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

        for types in self._encoder(spooled()):
            types.tofile(self._tokens)
            self._token_ends.append(self._token_ends[-1] + len(types))
            if not len(types) and not keep_empty:
                self.dropped["without words"] += 1
            yield len(self._token_ends) - 1
