"""Accounts are compared as `Verifier.score` compares texts, and near ones are found."""

import math
from pathlib import Path

import numpy as np
import pytest

from samehand.errors import InputError
from samehand.index import Entry, Index
from samehand.index.accounts import QUESTIONED, Accounts, Comparison, candidates
from samehand.index.links import Pairs
from samehand.verifier import Verifier
from tests.index.documents import documents, pieces


def accounts_of(place: Path, entries: list[Entry], verifier: Verifier) -> Accounts:
    index = Index.build(place, entries, verifier)
    return Accounts.of(index.batches, verifier.embedder.sizes)


def test_evidence_is_the_mean_of_what_the_verifier_says(
    tmp_path: Path, by_genres: Verifier
) -> None:
    entries = documents(5)
    accounts = accounts_of(tmp_path / "index", entries, by_genres)
    pairs = Pairs.of(*np.triu_indices(5, 1))
    comparison = Comparison(by_genres.system, accounts)
    found = comparison(pairs).log_lr / math.log(10)
    texts: dict[str, list[str]] = {}
    for entry in entries:
        texts.setdefault(str(entry.author), []).append(entry.text)
    lengths = dict(zip(pieces(), by_genres.vectors(pieces()).tokens, strict=True))
    for own in texts.values():
        own.sort(key=lambda text: -lengths[text])
    for one, other, log10_lr in zip(pairs.one, pairs.other, found, strict=True):
        sides = texts[accounts.names[one]], texts[accounts.names[other]]
        each = [
            (text, against[:8])
            for own, against in (sides, sides[::-1])
            for text in own[:QUESTIONED]
        ]
        expected = [answer.log10_lr for answer in by_genres.score(each)]
        assert log10_lr == pytest.approx(np.mean(expected), abs=0.002)
    assert comparison.estimates(pairs) / math.log(10) == pytest.approx(found, abs=0.2)


def test_all_accounts_are_near_where_there_are_few(tmp_path: Path, by_genres: Verifier) -> None:
    accounts = accounts_of(tmp_path / "index", documents(6), by_genres)
    assert len(candidates(accounts, 20).one) == math.comb(6, 2)
    near = candidates(accounts, 2)
    assert 6 <= len(near.one) <= 12
    mean, own = accounts.sides.mean, np.arange(6)
    distance = np.square(mean[:, None] - mean).sum(2)
    distance[own, own] = np.inf
    if len(set(accounts.sides.n.tolist())) == 1:  # then nothing but the means counts
        nearest = {
            tuple(sorted((int(a), int(b)))) for a, b in zip(own, distance.argmin(1), strict=True)
        }
        assert nearest <= set(zip(near.one.tolist(), near.other.tolist(), strict=True))


def test_a_text_of_two_accounts_counts_for_neither(tmp_path: Path, by_genres: Verifier) -> None:
    own, shared = pieces()[:6], pieces()[6]
    entries = [
        Entry(f"{number}", text, "anna" if number < 3 else "bruno")
        for number, text in enumerate(own)
    ]
    entries += [Entry("a", shared, "anna"), Entry("b", shared, "bruno"), Entry("c", own[0], "anna")]
    entries += [Entry("d", pieces()[7]), Entry("e", shared, "copyist")]
    accounts = accounts_of(tmp_path / "index", entries, by_genres)
    assert accounts.names == ("anna", "bruno")
    assert accounts.documents.tolist() == [3, 3]


def test_without_two_authors_there_is_nothing_to_link(tmp_path: Path, by_genres: Verifier) -> None:
    with pytest.raises(InputError, match="fewer than two authors"):
        accounts_of(tmp_path / "index", documents(1), by_genres)
