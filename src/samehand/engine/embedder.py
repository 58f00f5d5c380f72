"""Texts to LEVs: the networks of a model as readers, and how the cores share their work."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray

from samehand.engine.reader import Lexicon, TextsRead
from samehand.engine.threads import in_parallel
from samehand.network.documents import Documents, Types, assemble
from samehand.network.weights import Member
from samehand.text.tokenise import Tokens

Floats = NDArray[np.float32]

_UNITS_AT_ONCE = 2_048
"""Units encoded in one go: enough to keep the cores busy, few enough for a modest memory."""
_FEW_TOKENS = 6_000
"""Tokens of all texts up to which a network is done on one core."""


class Encoders:
    """The networks of a model, and what it takes to have them read texts. Threads may share it."""

    def __init__(self, members: Sequence[Member]) -> None:
        self._networks = [member.network for member in members]
        self.windowing = self._networks[0].config.windowing
        self.widths = [network.config.lev_width for network in self._networks]
        """How many LEVs each network has."""
        self.lexicon = Lexicon(members, self.most_tokens)

    @property
    def most_tokens(self) -> int:
        """Tokens of a text that are read, from its start."""
        return self.windowing.span(self.windowing.cap)

    def embed(self, texts: Sequence[str]) -> Floats:
        """LEVs (texts, lev size), those of all networks side by side.

        Not a number for a text without a token.
        """
        return self.embed_read(self.lexicon.read(texts))

    def embed_read(self, read: TextsRead, beside: Sequence[Callable[[], object]] = ()) -> Floats:
        """The same, of texts that the lexicon has read.

        `beside` is what else has to be done, and is, where there is little to read, on cores that
        would stand idle.

        Of much text each network in turn reads a batch on all cores. Of little text each reads all
        on one core, and others on other cores: there is too little to do in one network to share it
        out. Networks that are left over when the others have had a core each read the texts one by
        one, or else cores would stand idle.
        """
        lengths = read.lengths()
        levs = np.full((len(lengths), sum(self.widths)), np.nan, np.float32)
        batches = list(self._batches(lengths))
        if sum(lengths) > _FEW_TOKENS:
            for job in beside:
                job()
            for batch in batches:
                for job in self._reading(read, levs, batch):
                    job()
            return levs
        networks = len(self._networks)
        whole = networks - networks % torch.get_num_threads()
        alone = [[text] for batch in batches for text in batch] if whole < networks else []
        first = [self._reading(read, levs, batch)[:whole] for batch in batches if whole]
        left_over = [self._reading(read, levs, text)[whole:] for text in alone]
        # What is done beside needs Python's lock, which a network at work leaves alone: so one at a
        # time, the first while the first network begins, the others when that has ended.
        jobs = [*beside[:1], *chain(*first), *beside[1:], *chain(*left_over)]
        in_parallel(
            lambda part: [job() for job in jobs[part]],
            [slice(place, place + 1) for place in range(len(jobs))],
        )
        return levs

    def embed_all(self, chunks: Iterable[Sequence[str]]) -> Iterator[tuple[list[int], Floats]]:
        """Tokens read of each text, and LEVs, of one chunk of texts after another.

        The next chunk is fetched and tokenised while the networks are at work on one.
        """
        source = iter(chunks)

        def fetch() -> TextsRead | None:
            texts = next(source, None)
            return None if texts is None else self.lexicon.read(texts)

        with ThreadPoolExecutor(1) as thread:
            coming = thread.submit(fetch)
            while (read := coming.result()) is not None:
                coming = thread.submit(fetch)
                yield read.lengths(), self.embed_read(read)

    def units(self, text: str) -> tuple[Tokens, list[Documents]]:
        """The tokens of a text that are read, and its units as each network takes them."""
        read = self.lexicon.read([text])
        return read.documents[0], self._documents(read, [0])

    def _reading(
        self, read: TextsRead, levs: Floats, some: list[int]
    ) -> list[Callable[[], object]]:
        """Jobs, one for each network, to put its LEVs of some of the texts among those of all.

        The texts are cut into units now: that needs Python's lock, and the networks share it.
        """

        def embed(network: int, documents: Documents) -> None:
            end = sum(self.widths[: network + 1])
            with torch.inference_mode():  # of which each thread has its own
                found = self._networks[network](documents)
            levs[some, end - self.widths[network] : end] = found.numpy()

        return [partial(embed, *each) for each in enumerate(self._documents(read, some))]

    def _documents(self, read: TextsRead, some: list[int]) -> list[Documents]:
        """Some of the texts as each network takes them: cut alike, but with types of its own."""
        lengths = torch.tensor([len(read.documents[text].types) for text in some])
        told = None if read.told is None else read.told[some]
        tokens = torch.from_numpy(read.tokens(some))
        # Cut by the types' numbers, which show what to fetch of what each network knows of them.
        numbers = torch.arange(len(read.types[0].words))
        cut = assemble(tokens, lengths, Types(numbers, numbers), self.windowing, told=told)
        met = cut.types.words
        return [
            cut._replace(types=Types(types.words[met], types.characters[met]))
            for types in read.types
        ]

    def _batches(self, lengths: list[int]) -> Iterator[list[int]]:
        """Texts of similar length together, so that little is padded."""
        count = self.windowing.count
        batch: list[int] = []
        units = 0
        for i in sorted((i for i, length in enumerate(lengths) if length), key=lengths.__getitem__):
            if batch and units + count(lengths[i]) > _UNITS_AT_ONCE:
                yield batch
                batch, units = [], 0
            batch.append(i)
            units += count(lengths[i])
        if batch:
            yield batch
