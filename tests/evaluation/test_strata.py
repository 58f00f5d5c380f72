"""Figures by shared topic and by length, from the pairs file."""

import json

import numpy as np
import pytest

from samehand.errors import InputError
from samehand.evaluation import read_strata, read_truth
from samehand.evaluation.strata import length_bands, subsets


@pytest.fixture
def truth(tmp_path):
    lines = [{"id": str(i), "same": i < 2} for i in range(5)]
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return read_truth(tmp_path)


def pair(i, topics, words):
    return {"id": str(i), "fandoms": topics, "pair": [" a" * words, "b " * 9000]}


def write(folder, records):
    (folder / "pairs.jsonl").write_text("\n".join(map(json.dumps, records)))
    return folder


def test_subsets_and_bands_follow_topics_and_the_shorter_text(tmp_path, truth):
    records = [
        pair(0, ["x", "x"], 99),
        pair(1, ["x", "y"], 100),
        pair(2, ["z", "z"], 249),
        pair(3, ["x", "z"], 2500),
        pair(77, ["x", "z"], 10),
    ]
    strata = read_strata(write(tmp_path, records), truth)
    assert strata.words.tolist() == [99, 100, 249, 2500, -1]
    assert strata.without_pair == 1
    found = subsets(truth.same, strata.topic_shared)
    assert {name: np.flatnonzero(mask).tolist() for name, mask in found.items()} == {
        "SA_SF": [0],
        "SA_DF": [1],
        "DA_SF": [2],
        "DA_DF": [3],
    }
    bands = length_bands(strata.words)
    assert {name: np.flatnonzero(mask).tolist() for name, mask in bands.items()} == {
        "0-100": [0],
        "100-250": [1, 2],
        "2500-5000": [3],
    }


def test_without_topics_only_the_authors_divide_the_trials(tmp_path, truth):
    records = [{"id": str(i), "pair": ["one", "two"]} for i in range(5)]
    strata = read_strata(write(tmp_path, records), truth)
    assert list(subsets(truth.same, strata.topic_shared)) == ["SA", "DA"]


def test_later_years_have_discourse_types_for_topics(tmp_path, truth):
    records = [{"id": "0", "discourse_types": ["essay", "email"], "pair": ["one", "two"]}]
    strata = read_strata(write(tmp_path, records), truth)
    assert strata.topic_shared.tolist() == [0, -1, -1, -1, -1]


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"id": "0", "pair": ["only one"]}, "line 1: `pair` is not a list of two"),
        ({"id": "0"}, "line 1: `pair` is not a list of two"),
        ({"id": "0", "pair": ["a", "b"], "fandoms": "x"}, "line 1: `fandoms` is not a list of two"),
        ({"id": "other", "pair": ["a", "b"]}, "none of its ids"),
    ],
)
def test_pairs_that_cannot_be_used_are_refused(tmp_path, truth, record, complaint):
    with pytest.raises(InputError, match=complaint):
        read_strata(write(tmp_path, [record]), truth)
