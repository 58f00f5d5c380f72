"""Adapting is measured on trials and texts that have nothing to do with each other."""

import json

import numpy as np
import pytest
from adapting import FIGURES, PAIRS, Embedded, bars, of_set, others, tables

from samehand.corpus.readers import Trial
from samehand.verifier import Verifier
from tests.models import essay

WORDS = [word for name in ("anna-1", "bruno-1") for word in essay(name).split()]


def piece(number: int, n: int = 120) -> str:
    return " ".join(WORDS[number % 80 :][:n]) + f" {number}"


TRIALS = [
    Trial(str(n), (piece(2 * n),), piece(2 * n + 1), None, n % 2 == 0) for n in range(2 * PAIRS[-1])
] + [Trial(f"more {n}", (piece(300 + n),), piece(400 + n), None, n % 2 == 0) for n in range(10)]


@pytest.fixture(scope="module")
def verifier(genres_model):
    return Verifier.load(genres_model)


def test_texts_by_others_are_by_nobody_in_the_trials(tmp_path):
    lines = [
        {"author": "asked", "text": f"Before it. {piece(0)} After it."},
        {"author": "asked", "text": piece(500)},
        {"author": "free", "text": "too short"},
        {"author": "free", "text": " ".join(WORDS[200:330])},
    ]
    file = tmp_path / "corpus.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert others(file, TRIALS[:1]) == [lines[-1]["text"]]


def test_trials_that_share_a_text_with_a_pair_are_left_out(verifier):
    shared = Trial("shared", TRIALS[0].known, piece(600), None, False)
    embedded = Embedded(verifier, [*TRIALS[:3], shared])
    assert embedded.sharing_no_text(np.array([0])).tolist() == [False, True, True, False]


def test_tables_have_a_row_for_all_that_was_tried(verifier):
    found = {"shift-essays": of_set(verifier, TRIALS, [piece(700 + n) for n in range(12)])}
    assert all(set(figures) == set(FIGURES) for figures in found["shift-essays"].values())
    assert len(bars(found)) == 7  # five amounts, and two shares left undecided
    for part in tables(found).split("\n\n"):
        assert len({line.count("|") for line in part.splitlines()}) == 1
