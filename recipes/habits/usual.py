"""How usual habits are: rates of marks, words and endings over texts of many genres.

    python recipes/habits/usual.py CORPUS... [-o usual.json] [--authors 300]

CORPUS are Parquet files with columns `author` and `text`, one a genre, which counts as much as any
other. A writer counts once, by texts of about 1,000 words in all. What few genres have is left out.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pyarrow.parquet as pq

from samehand.explaining.features import Feature, Kind, forms, table_bytes
from samehand.text.tokenise import Tokeniser
from samehand.text.words import words

Counts = Counter[tuple[Kind, str]]
Genre = tuple[list[Counts], list[int]]
"""Of each text: how often each form occurs, and how many words there are."""

WORDS, LEAST_WORDS = 1_000, 300
"""Of a writer: what is beyond is left out, and writers who have less."""
MOST_CHARACTERS = 20 * WORDS
MOST_WORDS = 250
"""The commonest are taken."""
LEAST_SHARE = 0.5
"""Of genres in which anything else has to occur …"""
LEAST_RATE = 0.05
"""… and how often per 1,000 words, in the mean over genres."""


def samples(corpus: Path, n_authors: int, rng: Random) -> Iterator[str]:
    """Texts of about WORDS words by different authors."""
    by_author: defaultdict[str, str] = defaultdict(str)
    table = pq.read_table(corpus, columns=["author", "text"])
    for author, text in zip(*(table[name].to_pylist() for name in ("author", "text")), strict=True):
        if len(by_author[author]) < MOST_CHARACTERS:
            by_author[author] += f"{text[:MOST_CHARACTERS]}\n\n"
    authors = sorted(by_author)
    rng.shuffle(authors)
    begun = (first_words(by_author[author]) for author in authors)
    return islice((text for text in begun if len(words(text)) >= LEAST_WORDS), n_authors)


def first_words(text: str) -> str:
    """The beginning of a text, up to white space."""
    found = list(islice(re.finditer(r"\S+", text), WORDS))
    return text[: found[-1].end()]


def counted(texts: Iterator[str], tokeniser: Tokeniser) -> Genre:
    """How often each form occurs in each text, and how many words each has."""
    counts, lengths = [], []
    for text in texts:
        found: Counts = Counter()
        for name, n in Counter(tokeniser.strings(text)).items():
            for form in forms(name):
                found[form] += n
        counts.append(found)
        lengths.append(len(words(text)))
    return counts, lengths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("-o", "--output", type=Path, default=Path("usual.json"))
    parser.add_argument("--authors", type=int, default=300, help="of each genre, at most")
    args = parser.parse_args()
    tokeniser, genres = Tokeniser(), []
    for corpus in args.corpora:
        genres.append(counted(samples(corpus, args.authors, Random(0)), tokeniser))
        print(f"{corpus.stem}: {len(genres[-1][0])} writers", flush=True)
    n, total = sum(len(lengths) for _, lengths in genres), sum(sum(own) for _, own in genres)
    on = f"{n:,} writers, {total:,} words, of {len(genres)} genres, each of the same weight"
    args.output.write_bytes(table_bytes(chosen(genres), on))
    print(f"{args.output}: {on}")


def chosen(genres: list[Genre]) -> list[Feature]:
    """The features that are common to genres, the commonest first."""
    lengths = np.concatenate([own for _, own in genres])
    genre = np.repeat(np.arange(len(genres)), [len(own) for _, own in genres])
    weights = 1 / np.bincount(genre)[genre] / len(genres)
    met = Counter(form for counts, _ in genres for form in set().union(*counts))
    found = []
    for kind, form in sorted(form for form, n in met.items() if n >= LEAST_SHARE * len(genres)):
        counts = np.array([each[kind, form] for own, _ in genres for each in own])
        rates = 1000 * counts / lengths
        mean = weights @ rates
        if mean < LEAST_RATE:
            continue
        by_chance = weights @ (1000 * rates / lengths)
        spread = max(weights @ (rates - mean) ** 2 - by_chance, 0) ** 0.5
        figures = (mean, spread, *quantiles(rates, weights))
        of_genres = np.bincount(genre, counts) / np.bincount(genre, lengths)
        feature = Feature(kind, form, *(float(f"{figure:.3g}") for figure in figures))
        found.append((np.median(of_genres), feature))
    found.sort(key=lambda item: -item[0])
    of_words = [feature for _, feature in found if feature.kind == "word"]
    others = [feature for _, feature in found if feature.kind != "word"]
    return [*others, *of_words[:MOST_WORDS]]


def quantiles(values: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """Between which nine in ten lie, by their weights."""
    order = values.argsort()
    so_far = weights[order].cumsum()
    low, high = np.searchsorted(so_far, [0.05, 0.95])
    return float(values[order][low]), float(values[order][min(high, len(values) - 1)])


if __name__ == "__main__":
    main()
