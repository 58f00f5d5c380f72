"""Plain and unfamiliar wording is told apart from what is usual."""

from pathlib import Path

import numpy as np
import pytest

from samehand.errors import InputError
from samehand.text import ngrams as module
from samehand.text.ngrams import LISTED, MOST, Levels, NgramModel, ngram_bytes, read_ngrams

TYPES = ["<PAD>", "<UNK>", "↵", "¶", *(f"word{i}ing" for i in range(400)), "Odd", "NAY", "1774"]
FIRST = 4


def chain(n: int, rng: np.random.Generator, step: int = 7) -> np.ndarray:
    """Tokens of which each mostly decides the next; words low in the list are common."""
    found, at = [], 0
    for _ in range(n):
        at = int(400 * rng.random() ** 3) if rng.random() < 0.3 else (step * at + 1) % 400
        found.append(FIRST + at)
    return np.array(found)


@pytest.fixture(scope="module")
def wording() -> NgramModel:
    rng = np.random.default_rng(0)
    sources = [chain(60_000, rng) for _ in range(3)]
    return NgramModel.count(TYPES, sources, [chain(400, rng) for _ in range(300)])


def told(wording: NgramModel, tokens: np.ndarray) -> np.ndarray:
    return wording.covariates(wording.classes(TYPES)[tokens])


def test_texts_of_the_known_kind_are_usual(wording):
    rng = np.random.default_rng(1)
    found = np.array([told(wording, chain(400, rng)) for _ in range(200)])
    assert np.abs(found.mean(0)).max() < 0.15
    assert 0.6 < found.std(0).min() < found.std(0).max() < 1.0  # 400 tokens tell four fifths
    assert np.mean(found[:, 1] > wording.limit) < 0.03


def test_another_order_of_the_same_words_is_unfamiliar(wording):
    rng = np.random.default_rng(2)
    known = [chain(400, rng) for _ in range(20)]
    scrambled = [rng.permutation(tokens) for tokens in known]
    unlike = [told(wording, tokens)[1] for tokens in scrambled]
    assert min(unlike) > wording.limit
    assert max(unlike) <= MOST
    as_plain = [told(wording, tokens)[0] for tokens in scrambled]
    assert as_plain == pytest.approx([told(wording, tokens)[0] for tokens in known])


def test_common_words_are_plain(wording):
    rng = np.random.default_rng(3)
    by_share = np.argsort(-wording.runs.share[:200])
    common, rarer = by_share[:20], by_share[100:]
    number = {name: place for place, name in enumerate(TYPES)}
    texts = (
        np.array([number[wording.runs.listed[i]] for i in rng.choice(of, 300)])
        for of in (common, rarer)
    )
    plain, fancy = (told(wording, tokens)[0] for tokens in texts)
    assert plain > 1 > -1 > fancy


def test_line_ends_are_passed_over(wording):
    rng = np.random.default_rng(4)
    tokens = chain(300, rng)
    broken = np.insert(tokens, np.arange(10, 300, 10), 2)
    np.testing.assert_array_equal(told(wording, broken), told(wording, tokens))


def test_of_short_texts_little_is_told(wording):
    rng = np.random.default_rng(5)
    scrambled = rng.permutation(chain(400, rng))
    unlike = [told(wording, scrambled[:n])[1] for n in (3, 20, 100, 400)]
    assert abs(unlike[0]) < 0.2
    assert abs(unlike[1]) < unlike[3]
    for tokens in ([], [FIRST], [2, 3, 2, 3]):
        assert told(wording, np.array(tokens, np.int64)).tolist() == [0.0, 0.0]


def test_words_that_are_not_listed_go_by_their_looks(monkeypatch):
    monkeypatch.setattr(module, "LISTED", 3)
    types = ["<PAD>", "↵", "a", "b", "c", "Going", "going", "king", "1774", "WAR", "War", "‿;‿"]
    found = module.classes(types, {"a": 0, "b": 1, "c": 2}).tolist()
    assert found[:5] == [-1, -1, 0, 1, 2]
    assert found[6] == found[7]
    assert found[5] == found[10]
    assert len(set(found[5:])) == 5
    assert min(found[5:]) >= 3


def test_what_is_kept_says_the_same(wording):
    content = ngram_bytes(wording)
    assert len(content) < 1_700_000
    again = read_ngrams(content, Path("here"))
    assert again.limit == wording.limit
    assert again.runs.listed == wording.runs.listed
    assert len(again.runs.listed) <= LISTED
    rng = np.random.default_rng(6)
    tokens = chain(500, rng)
    np.testing.assert_allclose(told(again, tokens), told(wording, tokens), atol=1e-6)


def test_sixteen_levels_tell_counts_by_their_size():
    counts = np.array([0.0, 1, 2, 5, 30, 1_000, 40_000])
    found = Levels.of(counts).at(np.arange(7, dtype=np.uint64))
    assert found[0] == 0
    assert found[-1] == pytest.approx(40_000, rel=1e-3)
    assert (np.diff(found) >= 0).all()
    assert np.abs(np.log1p(found) - np.log1p(counts)).max() < np.log(40_001) / 30 + 1e-6


@pytest.mark.parametrize("content", [b"", b"nothing of the kind", ngram_bytes])
def test_damage_is_one_sentence(wording, content):
    damaged = content(wording)[:-9] if callable(content) else content
    with pytest.raises(InputError, match=r"^here: not a wording of samehand, or a damaged one\.$"):
        read_ngrams(damaged, Path("here"))
