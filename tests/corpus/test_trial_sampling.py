"""Trials in PAN format: the wanted subsets, true to the corpus, all or nothing."""

import json

import numpy as np
import pytest

from samehand.corpus.pairs import Deltas
from samehand.corpus.trial_sampling import (
    parse_subsets,
    sample_trials,
    subset_names,
    write_pan_trials,
)
from samehand.errors import InputError

RNG = np.random.default_rng(0)
AUTHORS = RNG.integers(60, size=300)
TOPICS = RNG.integers(4, size=300)
TEXTS = [f"text {number} “ü\u2028\nz" for number in range(300)]
AUTHOR_NAMES = [f"a{author}" for author in AUTHORS]


def topic_name(document: int) -> str:
    return f"t{TOPICS[document]}"


def test_only_the_wanted_subsets_are_kept():
    trials = sample_trials(AUTHORS, TOPICS, Deltas(), 0, parse_subsets("SA_DF, da_sf"))
    assert set(subset_names(trials.same_author, trials.same_topic)) == {"SA_DF", "DA_SF"}
    assert (trials.same_author != trials.same_topic).all()
    everything = sample_trials(AUTHORS, TOPICS, Deltas(), 0)
    names = subset_names(everything.same_author, everything.same_topic)
    assert (names != "SA_SF").sum() - (names == "DA_DF").sum() == len(trials)


def test_subset_names_say_author_then_topic():
    same_author, same_topic = np.array([1, 1, 0, 0], dtype=bool), np.array([1, 0, 1, 0], dtype=bool)
    assert subset_names(same_author, same_topic).tolist() == ["SA_SF", "SA_DF", "DA_SF", "DA_DF"]


@pytest.mark.parametrize("names", ["SA_XX", "", " , ", "SA_DF;DA_SF"])
def test_an_unknown_subset_is_refused(names):
    with pytest.raises(InputError, match="choose from DA_DF, DA_SF, SA_DF, SA_SF"):
        parse_subsets(names)


def test_files_hold_the_trials(tmp_path):
    trials = sample_trials(AUTHORS, TOPICS, Deltas(), 0)
    write_pan_trials(tmp_path / "new", trials, TEXTS, AUTHOR_NAMES, topic_name)
    lines = {
        name: [
            json.loads(line)
            for line in (tmp_path / "new" / name).read_text("utf-8").split("\n")[:-1]
        ]
        for name in ("pairs.jsonl", "truth.jsonl")
    }
    assert sorted(file.name for file in (tmp_path / "new").iterdir()) == sorted(lines)
    assert len(lines["pairs.jsonl"]) == len(lines["truth.jsonl"]) == len(trials)
    assert len({pair["id"] for pair in lines["pairs.jsonl"]}) == len(trials)
    for number, (pair, truth) in enumerate(zip(*lines.values(), strict=True)):
        documents = [trials.first[number], trials.second[number]]
        assert pair["id"] == truth["id"]
        assert pair["pair"] == [TEXTS[document] for document in documents]
        assert pair["fandoms"] == [topic_name(document) for document in documents]
        assert truth["authors"] == [AUTHOR_NAMES[document] for document in documents]
        assert truth["same"] is (truth["authors"][0] == truth["authors"][1])


def test_an_interrupted_write_leaves_what_was_there(tmp_path):
    trials = sample_trials(AUTHORS, TOPICS, Deltas(), 0)
    write_pan_trials(tmp_path, trials, TEXTS, AUTHOR_NAMES, topic_name)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def interrupted(document: int) -> str:
        if document == trials.first[20]:
            raise KeyboardInterrupt
        return ""

    with pytest.raises(KeyboardInterrupt):
        write_pan_trials(tmp_path, trials, interrupted, AUTHOR_NAMES, topic_name)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
