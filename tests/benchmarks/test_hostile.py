"""Hostile texts are what their names say, and the same for the same seed."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hostile import copied, languages, made, scrambled
from hostile.chains import character_chain, word_chain
from hostile_texts import LENGTHS, Hostile, Outcome, cut, hostile, outcomes, table

from samehand.corpus.readers import Trial
from samehand.verifier import Verifier
from tests.models import essay

ANNA, BRUNO = essay("anna-1"), essay("bruno-1")
SCRAMBLES = (
    scrambled.words_anyhow, scrambled.words_in_windows, scrambled.sentences, scrambled.letters,
    scrambled.inner_letters,
)  # fmt: skip


@pytest.mark.parametrize("scramble", SCRAMBLES)
def test_a_scramble_keeps_every_letter(scramble) -> None:
    changed = scramble(ANNA, Random(0))
    assert changed.split() != ANNA.split()
    assert Counter("".join(changed.split())) == Counter("".join(ANNA.split()))
    assert changed == scramble(ANNA, Random(0))


def test_windows_keep_words_near_their_place() -> None:
    words = [f"{n}" for n in range(100)]
    moved = scrambled.words_in_windows(" ".join(words), Random(0)).split()
    assert all(int(word) // 5 == place // 5 for place, word in enumerate(moved))


def test_a_chain_holds_only_pairs_that_it_met() -> None:
    met = set(pairwise(ANNA.split())) | set(pairwise(BRUNO.split()))
    made_up = word_chain([ANNA, BRUNO], 2).sample(300, Random(0))
    assert len(made_up) == 300
    assert sum(pair in met for pair in pairwise(made_up)) >= 297  # but where it began again
    letters = "".join(character_chain([ANNA], 4).sample(500, Random(0)))
    assert letters[100:104] in " ".join(ANNA.split())


@pytest.mark.parametrize("make", made.KINDS)
@pytest.mark.parametrize("n", [100, 1_000])
def test_what_is_made_is_long_enough_and_always_the_same(make, n) -> None:
    vocabulary = ["river", "stone", "garden", "letter", "window", "paper"]
    text = make(n, Random(1), vocabulary)
    assert len(text) > 3 * n
    assert text == make(n, Random(1), vocabulary)


@pytest.mark.parametrize("language", languages.STORY)
def test_stories_are_as_long_as_asked(language: str) -> None:
    told = languages.story(language, 300, Random(0))
    assert len(told.split()) >= 300 or len(told) >= 300 > 10 * len(told.split())


def test_copies_differ_by_what_they_are_called() -> None:
    assert copied.same(ANNA, BRUNO, Random(0)) == ANNA
    changed = copied.replaced(0.2)(ANNA, BRUNO, Random(0)).split()
    differ = sum(one != other for one, other in zip(changed, ANNA.split(), strict=True))
    assert 0.13 < differ / len(changed) < 0.25
    assert len(copied.passage(ANNA, BRUNO, Random(0)).split()) == len(BRUNO.split()) + 100


def test_a_text_is_cut_or_left_out() -> None:
    assert len(cut(ANNA, 100).split()) == 115
    assert cut(ANNA, 1_000) is None


def test_every_group_is_made_from_a_set() -> None:
    trials = [Trial(f"{n}", (essay("anna-2"),), ANNA, None, True) for n in range(4)]
    groups = Counter(trial.group for trial in hostile(trials, 1, 100, Random(0)))
    assert groups.keys() >= {"scrambled", "machine-made", "not English", "copied"}


def test_the_table_has_a_row_a_kind_and_one_for_all() -> None:
    found = {
        ("scrambled", kind, length): [Outcome(kind == "b", kind == "b", False)] * 2
        for kind in "ab"
        for length in LENGTHS
    }
    rows = table(found).splitlines()[3:]
    assert rows[0].startswith("| a | 0.0% | 0.0% | 0.0% | 0.0% | 6 |")
    assert rows[1].startswith("| b | 100.0% |")
    assert rows[2].startswith("| SCRAMBLED | 50.0% | 50.0% | 50.0% | 50.0% | 12 |")


def test_real_trials_are_answered_and_copies_are_not(verifier: Verifier) -> None:
    real, copy = outcomes(
        verifier,
        [Hostile("as it is", "real", ANNA, BRUNO), Hostile("copied", "same", ANNA, ANNA)],
    )
    assert not real.unanswered
    assert copy.cautioned
