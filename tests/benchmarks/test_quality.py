"""The quality report: its means, pools, leads and bars are what their names say."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cropped import crop
from quality import is_strict, kind_of, rounded
from quality_figures import AnsweredSet, bar, quality
from quality_tables import markdown

from samehand.corpus.readers import Trial
from samehand.evaluation import ece, score
from samehand.evaluation.summary import jsonable

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def answered(name, kind, n, skill, seed):
    """A set with three systems: ours with some skill, a peer with less, one that guesses."""
    rng = np.random.default_rng(seed)
    same = np.arange(n) % 2 == 0
    direction = np.where(same, 1.0, -1.0)
    probability = {
        system: 1 / (1 + np.exp(-rng.normal(direction * times * skill, 1.0)))
        for system, times in (("samehand", 2.0), ("weak", 0.5), ("guess", 0.0))
    }
    ours = probability["samehand"]
    undecided = np.abs(ours - 0.5) < 0.1
    parts = {"strict": np.arange(n) < n - 10, "reported": np.arange(n) >= 10}
    cropped = {"100-250": (same, ours), "250-500": (same[: n // 2], ours[: n // 2])}
    met = kind == "old"
    return AnsweredSet(name, kind, met, same, probability, undecided, parts, cropped)


SETS = [
    answered("dev-one", "old", 60, 1.0, 0),
    answered("dev-two-parts", "old", 40, 1.2, 1),
    answered("shift-x", "shift", 30, 0.01, 2),
]


@pytest.fixture(scope="module")
def found():
    model = {"model": {"name": "a test", "sha256": "0" * 64}}
    return rounded(jsonable(model | quality(SETS, resamples=20)))


def test_kinds_of_sets_follow_from_their_names():
    assert kind_of("dev-blogs") == "old"
    assert kind_of("dev-hansard_uganda") == "other"
    assert kind_of("dev-tweets_people") == "further"
    assert kind_of("shift-letters") == "shift"


def test_it_is_told_how_many_genres_the_networks_have_met(found):
    assert found["kinds"]["old"]["met"] == 2
    assert found["kinds"]["shift"]["met"] == 0
    assert "the networks have met 2 of 2" in markdown(found)


def test_means_weigh_sets_alike_and_pools_weigh_trials_alike(found):
    one, two = (score(part.same, part.probability["weak"]) for part in SETS[:2])
    figures = found["kinds"]["old"]
    assert figures["sets"] == 2
    mean = (one["cllr"] + two["cllr"]) / 2
    assert figures["mean"]["weak"]["cllr"] == pytest.approx(mean, abs=1e-4)
    same = np.concatenate([part.same for part in SETS[:2]])
    p = np.concatenate([part.probability["weak"] for part in SETS[:2]])
    assert figures["pooled"]["weak"]["ece"] == pytest.approx(ece(same, p), abs=1e-4)


def test_the_worst_set_is_named(found):
    costs = {part.name: score(part.same, part.ours)["cllr"] for part in SETS[:2]}
    worst = max(costs, key=costs.get)
    highest = found["kinds"]["old"]["highest"]
    assert highest["set"] == worst
    assert highest["cllr"] == pytest.approx(costs[worst], abs=1e-4)


def test_undecided_trials_are_set_against_all(found):
    told = found["kinds"]["shift"]["decided"]
    [one] = SETS[2:]
    wrong = (one.ours > 0.5) != one.same
    assert told["undecided"] == pytest.approx(one.undecided.mean(), abs=1e-4)
    assert told["error"] == pytest.approx(wrong.mean(), abs=1e-4)
    assert told["error, decided"] == pytest.approx(wrong[~one.undecided].mean(), abs=1e-4)


@pytest.mark.parametrize("part", ["strict", "reported"])
def test_a_part_of_the_trials_counts_where_a_set_has_enough(found, part):
    of_kind = found["kinds"]["old"]["parts"][part]
    assert of_kind["sets"] == 1  # the other has 15 of either kind
    [one] = SETS[:1]
    own = one.parts[part]
    scores = score(one.same[own], one.ours[own])
    assert of_kind["mean"]["cllr"] == pytest.approx(scores["cllr"], abs=1e-4)
    assert of_kind["trials"] == 50
    assert found["kinds"]["shift"]["parts"][part]["sets"] == 0


@pytest.mark.parametrize(
    ("topics", "same", "strict"),
    [
        (("a", "b"), True, True),
        (("a", "a"), True, False),
        (("a", "a"), False, True),
        (("a", "b"), False, False),
        (None, True, False),
    ],
)
def test_a_trial_is_strict_by_its_topics(topics, same, strict):
    assert is_strict(Trial("1", ("one",), "two", topics, same)) == strict


def test_lead_is_over_the_best_peer_of_each_set(found):
    for one in found["sets"].values():
        auc = {system: scores["auc"] for system, scores in one["systems"].items()}
        assert auc[one["lead"]["peer"]] == max(auc["weak"], auc["guess"])
        by = auc["samehand"] - auc[one["lead"]["peer"]]
        assert one["lead"]["by"] == pytest.approx(by, abs=2e-4)


def test_lengths_are_of_cropped_trials_of_each_kind(found):
    lengths = found["kinds"]["old"]["lengths"]
    assert {band: scores["n"] for band, scores in lengths.items()} == {
        "100-250": 100,
        "250-500": 50,
    }
    parts = [part.cropped["250-500"] for part in SETS[:2]]
    same, p = (np.concatenate(part) for part in zip(*parts, strict=True))
    assert lengths["250-500"]["ece"] == pytest.approx(ece(same, p), abs=1e-4)


def test_all_texts_of_a_trial_are_cropped_to_the_band():
    short, middle, long = (
        f"{word} " * n for word, n in (("one", 90), ("two", 180), ("three", 900))
    )
    trials = [
        Trial("short", (short,), middle, None, True),
        Trial("middle", (middle,), long, None, True),
        Trial("long", (long, long), long, None, False),
    ]
    cropped = list(crop(trials, (100, 250)))
    assert [trial.id for trial in cropped] == ["middle", "long"]
    for trial, whole in zip(cropped, trials[1:], strict=True):
        (words,) = {len(text.split()) for text in (trial.questioned, *trial.known)}
        assert 100 <= words <= (180 if trial.id == "middle" else 250)
        assert whole.questioned.startswith(trial.questioned)
        assert len(trial.known) == len(whole.known)


def test_bars_are_met_where_we_are_good_and_missed_where_we_guess(found):
    met = {each["what"]: each["met"] for each in found["bars"]}
    assert met["old: mean Cllr"] == (found["kinds"]["old"]["mean"]["samehand"]["cllr"] <= 0.65)
    assert met["old: mean AUC"] == (found["kinds"]["old"]["mean"]["samehand"]["auc"] >= 0.87)
    assert not met["shift: mean Cllr"]
    assert not bar("", 1.0, 1.0, below=True)["met"]
    assert bar("", 1.0, 1.0)["met"]
    assert bar("", 1.0, 0.9, least=True)["met"]
    assert not bar("", 0.8, 0.9, least=True)["met"]


def test_markdown_has_a_row_for_every_set_and_no_ragged_table(found):
    text = markdown(found)
    for part in SETS:
        assert text.count(f"\n| {part.name} |") == 2  # our figures, and the peers' AUC
    for block in text.split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1


def test_a_folder_without_trials_ends_in_one_sentence(tmp_path):
    run = subprocess.run(
        [sys.executable, BENCHMARKS / "quality.py", tmp_path, "--model", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1


def test_figures_are_plain_values(found):
    json.dumps(found)
