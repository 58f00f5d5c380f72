"""Texts to vectors of style: the networks of a model, and how the cores share their work."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain

import numpy as np

from samehand.engine.cutting import Cut, cut
from samehand.engine.encoded import EncodedText
from samehand.engine.forward import CompiledNetwork, Floats, Units
from samehand.engine.reading import Lexicon, TextsRead, Types
from samehand.engine.vectors import Longs, TextVectors
from samehand.engine.workers import Job, cores, in_parallel
from samehand.errors import InputError
from samehand.model.folder import StoredNetwork

_UNITS_AT_ONCE = 2_048
"""Units of all networks that are encoded in one go: enough to keep the cores busy, few enough for a
modest memory."""
_FEW_TYPES = 256
"""So many are done in less time than another thread takes to wake."""
_PARTS_A_THREAD = 4
"""So that no thread waits long for another's last part."""


class Embedder:
    """The networks of a model, which make vectors of texts. Threads and forks may share it.

    A text has the same vectors, to the last bit, alone or among others, by however many threads.
    """

    def __init__(self, networks: Sequence[StoredNetwork], *, threads: int | None = None) -> None:
        """`threads`: as many as there are cores."""
        self.windowing = networks[0].config.windowing
        self.sizes = tuple(network.config.lev_size for network in networks)
        """The size of each network's LEVs."""
        self._threads = threads or cores()
        self._networks = [CompiledNetwork(network) for network in networks]
        self._lexicon = Lexicon(networks, self.most_tokens)

    @property
    def most_tokens(self) -> int:
        """Tokens of a text that are read, from its start."""
        return self.windowing.span(self.windowing.cap)

    def read(self, texts: Sequence[str]) -> TextsRead:
        """The tokens of texts, as far as they are read."""
        return self._lexicon.read(texts)

    def rare(self, spellings: Sequence[str]) -> list[Types]:
        """For each network, the types of words beyond its vocabulary that show these letters."""
        return self._lexicon.rare(spellings)

    def embed(self, texts: Sequence[str]) -> TextVectors:
        """Vectors of texts; the style of a text without a token is not a number."""
        return self.embed_read(self.read(texts))

    def embed_read(self, read: TextsRead, beside: Sequence[Job] = ()) -> TextVectors:
        """Vectors of texts that were read.

        `beside` is what else has to be done, and is, while the networks leave Python's lock alone.
        """
        lengths = read.lengths()
        style = np.full((len(lengths), sum(self.sizes)), np.nan, np.float32)
        for batch in self._batches(lengths):
            style[batch] = self._style(read, self._cut(read, batch), beside)
            beside = ()
        in_parallel(beside, self._threads)
        return TextVectors(style, np.array(lengths, np.int64), self.sizes)

    def embed_all(self, chunks: Iterable[Sequence[str]]) -> Iterator[TextVectors]:
        """Vectors of one chunk of texts after another.

        The next chunk is fetched and tokenised while the networks are at work on one.
        """
        source = iter(chunks)

        def fetch() -> TextsRead | None:
            texts = next(source, None)
            return None if texts is None else self.read(texts)

        with ThreadPoolExecutor(1) as thread:
            coming = thread.submit(fetch)
            while (read := coming.result()) is not None:
                coming = thread.submit(fetch)
                yield self.embed_read(read)

    def encode(self, read: TextsRead) -> list[EncodedText]:
        """Texts whose units are encoded, of which some may then be left out."""
        if not all(read.lengths()):
            raise InputError("A text without a word has no style; give more of it.")
        return [self._encoded(read, place) for place in range(len(read.documents))]

    def _encoded(self, read: TextsRead, place: int) -> EncodedText:
        tokens = read.documents[place]
        return EncodedText.of(
            tokens,
            self.windowing.bounds(len(tokens.types)),
            self._encode(read, self._cut(read, [place])),
            self.sizes,
            self._describe,
        )

    def _style(self, read: TextsRead, of: Cut, beside: Sequence[Job]) -> Floats:
        """LEVs of some documents, those of all networks side by side."""
        units = self._encode(read, of, beside)
        return self._describe(units, of.units, of.lengths)[0]

    def _cut(self, read: TextsRead, batch: Sequence[int]) -> Cut:
        documents = [read.documents[i] for i in batch]
        return cut(documents, len(read.types[0].words), self.windowing)

    def _encode(self, read: TextsRead, of: Cut, beside: Sequence[Job] = ()) -> list[Units]:
        """The units of some documents in each network."""
        n, width = of.tokens.shape
        every, each = np.arange(n), list(zip(self._networks, read.types, strict=True))
        tables = [network.room_for_types(len(of.types)) for network in self._networks]
        self._share(
            partial(network.fill_types, table, types.at(of.types), part)
            for (network, types), table in zip(each, tables, strict=True)
            for part in self._parts(len(of.types), _FEW_TYPES)
        )
        encoded = [network.room_for_units(n, width) for network in self._networks]
        in_units = [
            partial(network.fill_units, units, table, of.tokens, of.unit_lengths, every[part])
            for network, table, units in zip(self._networks, tables, encoded, strict=True)
            for part in self._parts(n)
        ]
        self._share(chain(beside, in_units))
        return encoded

    def _describe(
        self, encoded: Sequence[Units], index: Longs, lengths: Longs
    ) -> tuple[Floats, list[Floats]]:
        """LEVs of documents, those of all networks side by side; and attention in each network."""
        style = np.empty((len(index), sum(self.sizes)), np.float32)
        attention = [np.empty(index.shape, np.float32) for _ in encoded]

        def fill(place: int, part: slice) -> None:
            end = sum(self.sizes[: place + 1])
            columns = slice(end - self.sizes[place], end)
            style[part, columns], attention[place][part] = self._networks[place].describe(
                encoded[place], index[part], lengths[part]
            )

        self._share(
            partial(fill, place, part)
            for part in reversed(self._parts(len(index)))  # the longest first
            for place in range(len(encoded))
        )
        return style, attention

    def _share(self, jobs: Iterable[Job]) -> None:
        in_parallel(jobs, self._threads)

    def _parts(self, n: int, least: int = 4) -> list[slice]:
        """Parts of so many rows, which are done one by one."""
        parts = -(-self._threads * _PARTS_A_THREAD // len(self._networks))
        size = -(-max(least, -(-n // parts)) // 4) * 4  # kernels take four rows at a time
        return [slice(first, first + size) for first in range(0, n, size)]

    def _batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Texts of similar length together, so that little is padded."""
        most, count = _UNITS_AT_ONCE // len(self._networks), self.windowing.count
        batch: list[int] = []
        units = 0
        for i in sorted((i for i, length in enumerate(lengths) if length), key=lengths.__getitem__):
            if batch and units + count(lengths[i]) > most:
                yield batch
                batch, units = [], 0
            batch.append(i)
            units += count(lengths[i])
        if batch:
            yield batch
