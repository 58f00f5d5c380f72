"""Markov text: every run of `width` words or characters occurs in the texts it was learnt from."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from random import Random


class Chain:
    """Runs of items, and what followed each: words for `words`, characters for `characters`."""

    def __init__(self, texts: Iterable[Sequence[str]], width: int) -> None:
        self.context = width - 1
        self.follows: dict[Hashable, list[str]] = defaultdict(list)
        self.begins: list[tuple[str, ...]] = []
        for items in texts:
            self.begins.append(tuple(items[: self.context]))
            for place in range(self.context, len(items)):
                run = tuple(items[place - self.context : place])
                self.follows[run].append(items[place])

    def sample(self, n: int, rng: Random) -> list[str]:
        """So many items; where nothing ever followed, it begins again with a text's beginning."""
        made: list[str] = []
        while len(made) < n:
            run = rng.choice(self.begins)
            made += run
            while len(made) < n and (follows := self.follows.get(run)):
                made.append(rng.choice(follows))
                run = tuple(made[len(made) - self.context :])
        return made[:n]


def word_chain(texts: Iterable[str], width: int) -> Chain:
    return Chain([text.split() for text in texts], width)


def character_chain(texts: Iterable[str], width: int) -> Chain:
    return Chain([" ".join(text.split()) for text in texts], width)
