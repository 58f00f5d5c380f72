"""Test trials: sampled once by the paper's procedure, and kept in the PAN format."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.pairs import SUBSETS, Bools, Deltas, Ints, Pairs, sample_epoch
from samehand.errors import InputError

PerDocument = Callable[[int], str] | Sequence[str]
"""A string for each document: by its index, or from a function of its index."""


def parse_subsets(names: str) -> frozenset[str]:
    """The subsets in a list such as `SA_DF,DA_SF`."""
    given = {name.strip().upper() for name in names.split(",")} - {""}
    unknown = sorted(given - set(SUBSETS))
    if unknown or not given:
        what = f"'{', '.join(unknown)}' is no subset" if unknown else "no subset is named"
        raise InputError(f"{what}: choose from {', '.join(sorted(SUBSETS))}, separated by commas.")
    return frozenset(given)


def subset_names(same_author: Bools, same_topic: Bools) -> NDArray[np.str_]:
    """The paper's name for the subset of each pair, such as `SA_DF`."""
    place = 2 * same_author.astype(np.int64) + same_topic
    return np.array(SUBSETS, dtype=np.str_)[place]


def sample_trials(
    authors: Ints,
    topics: Ints,
    deltas: Deltas,
    seed: int,
    subsets: Collection[str] = SUBSETS,
    groups: Ints | None = None,
) -> Pairs:
    """One epoch's pairs, of which only those in `subsets` are kept."""
    pairs = sample_epoch(authors, topics, deltas, seed, epoch=0, groups=groups)
    return pairs.where(np.isin(subset_names(pairs.same_author, pairs.same_topic), list(subsets)))


def write_pan_trials(
    folder: Path,
    pairs: Pairs,
    texts: PerDocument,
    authors: PerDocument,
    topics: PerDocument,
) -> None:
    """Write `pairs.jsonl` and `truth.jsonl`. Where `pairs.jsonl` stands, both are whole.

    `texts`, `authors` and `topics` give the text and the names for each document of the corpus.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = ("truth.jsonl", "pairs.jsonl")  # the order in which they appear
    unfinished = [folder / f".{name}.unfinished" for name in names]
    try:
        with (
            unfinished[0].open("w", encoding="utf-8") as truth_file,
            unfinished[1].open("w", encoding="utf-8") as pairs_file,
        ):
            for pair, truth in _records(pairs, _lookup(texts), _lookup(authors), _lookup(topics)):
                pairs_file.write(json.dumps(pair) + "\n")
                truth_file.write(json.dumps(truth) + "\n")
        (folder / names[1]).unlink(missing_ok=True)
        for source, name in zip(unfinished, names, strict=True):
            source.replace(folder / name)
    finally:
        for source in unfinished:
            source.unlink(missing_ok=True)


def _records(
    pairs: Pairs,
    text: Callable[[int], str],
    author: Callable[[int], str],
    topic: Callable[[int], str],
) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    both = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    for number, ((first, second), same) in enumerate(
        zip(both, pairs.same_author.tolist(), strict=True)
    ):
        trial = f"trial-{number}"
        fandoms, texts = [topic(first), topic(second)], [text(first), text(second)]
        yield (
            {"id": trial, "fandoms": fandoms, "pair": texts},
            {"id": trial, "same": same, "authors": [author(first), author(second)]},
        )


def _lookup(source: PerDocument) -> Callable[[int], str]:
    return source if callable(source) else source.__getitem__
