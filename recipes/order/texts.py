"""Training data of word order: pieces of natural texts, and pieces made of the same words.

    PYTHONPATH=benchmarks python recipes/order/texts.py CORPUS... -o PIECES.npz [--texts 4000]

CORPUS are Parquet files with a column `text`, one a genre; as many texts are drawn from each.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pyarrow.parquet as pq
from hostile import scrambled
from hostile.chains import character_chain, word_chain

from samehand.text.word_order import MARKS, numbers, read
from samehand.text.words import words as plain_words

N_WORDS = 6_000
LEAST_GENRES = 6
"""Only words of at least so many genres are taken: no names, no jargon."""
POOL = 300
"""Texts that one chain learns from: more make less of it a copy of any one."""
BEGINNING = 25
"""Words at the start of a chain, taken from half: all chains begin with a text's first words."""
LENGTHS = (100, 150, 250, 350)
CHAINS = ((1, 0.15), (2, 0.5), (3, 0.9))
"""Words that follow each other in some text, and pieces made so for each natural text."""
FEW, FEW_SHARE = (3, 10, 30), 0.2
"""Texts that some chains and lists of random words come from, so that words come up again."""
CHARACTER_CHAINS = ((3, 0.04), (4, 0.08), (5, 0.15))
SCRAMBLES = (
    (scrambled.words_anyhow, 0.2),
    (scrambled.words_in_windows, 0.35),
    (scrambled.inner_letters, 0.12),
    (scrambled.letters, 0.03),
)


def piece(text: str, rng: Random) -> str:
    """Some of a text's words in a row, with the marks between them; half begin where it begins."""
    words = text.split()
    n = rng.choice(LENGTHS)
    start = rng.choice((0, rng.randrange(max(1, len(words) - n + 1))))
    return " ".join(words[start : start + n])


def made(pool: list[str], rng: Random) -> Iterator[tuple[str, str]]:
    """Pieces that nobody wrote, each with its kind."""
    for width, share in CHAINS:
        chain = word_chain(pool, width)
        for _ in range(int(share * len(pool))):
            sample = chain.sample(rng.choice(LENGTHS) + BEGINNING, rng)
            yield f"words {width}", " ".join(sample[rng.choice((0, BEGINNING)) :])
    for width, share in CHARACTER_CHAINS:
        chain = character_chain(pool[:100], width)
        for _ in range(int(share * len(pool))):
            yield f"characters {width}", "".join(chain.sample(6 * rng.choice(LENGTHS), rng))
    for _ in range(int(FEW_SHARE * len(pool))):
        few = rng.sample(pool, rng.choice(FEW))
        sample = word_chain(few, 2).sample(rng.choice(LENGTHS), rng)
        yield "words 2, few texts", " ".join(sample)
        words = sorted({word for text in few for word in text.split()})
        drawn = " ".join(rng.choices(words, k=rng.choice(LENGTHS)))
        yield "random words", rng.choice((drawn, " ".join(plain_words(drawn))))
    for scramble, share in SCRAMBLES:
        for text in rng.sample(pool, int(share * len(pool))):
            yield scramble.__name__, scramble(piece(text, rng), rng)


def pieces(corpus: Path, n_texts: int) -> Iterator[tuple[str, str]]:
    rng = Random(0)
    texts = pq.read_table(corpus, columns=["text"])["text"].to_pylist()
    rng.shuffle(texts)
    for start in range(0, min(n_texts, len(texts)), POOL):
        pool = [text[:8_000] for text in texts[start : start + POOL]]
        for text in pool:
            yield "natural", piece(text, rng)
            yield "natural", piece(text, rng)
        yield from made(pool, rng)


def common_words(counts: dict[str, Counter[str]]) -> list[str]:
    """By their mean share in the genres, marks first."""
    genres = Counter(word for found in counts.values() for word in found)
    share: Counter[str] = Counter()
    for found in counts.values():
        total = found.total()
        for word, n in found.items():
            if genres[word] >= LEAST_GENRES and word not in MARKS:
                share[word] += n / total
    return [*MARKS, *(word for word, _ in share.most_common(N_WORDS - len(MARKS)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=4_000)
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    rows = []
    for corpus in options.corpora:
        counts[corpus.stem] = Counter()
        for kind, text in pieces(corpus, options.texts):
            tokens = read(text)
            rows.append((corpus.stem, kind, tokens))
            if kind == "natural":
                counts[corpus.stem].update(tokens.plain)
        print(corpus.stem, len(rows), flush=True)
    words = common_words(counts)
    number = {word: place for place, word in enumerate(words, 1)}
    np.savez(
        options.output,
        words="\n".join(words),
        genre=[genre for genre, _, _ in rows],
        kind=[kind for _, kind, _ in rows],
        length=[len(tokens.plain) for _, _, tokens in rows],
        number=np.concatenate([numbers(t.plain, number) for _, _, t in rows]).astype(np.int16),
        flags=np.concatenate([t.flags for _, _, t in rows]).astype(np.bool_),
    )


if __name__ == "__main__":
    main()
