"""The quality report: its means, pools, leads and bars are what their names say."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cropped import crop
from quality_figures import AnsweredSet, quality
from quality_tables import markdown

from samehand.evaluation import ece, score

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def answered(name, n, skill, seed):
    """A set with three systems: ours with some skill, a peer with less, one that guesses."""
    rng = np.random.default_rng(seed)
    same = np.arange(n) % 2 == 0
    direction = np.where(same, 1.0, -1.0)
    probability = {
        system: 1 / (1 + np.exp(-rng.normal(direction * times * skill, 1.0)))
        for system, times in (("samehand", 2.0), ("weak", 0.5), ("guess", 0.0))
    }
    ours = probability["samehand"]
    as_answered = np.where(abs(ours - 0.5) < 0.1, 0.5, ours)
    cropped = {"100-250": (same, ours), "250-500": (same[: n // 2], ours[: n // 2])}
    return AnsweredSet(name, same, probability, as_answered, cropped)


SETS = [
    answered("dev-one", 60, 1.0, 0),
    answered("dev-two-parts", 40, 1.2, 1),
    answered("shift-x", 30, 0.01, 2),
]


@pytest.fixture(scope="module")
def found():
    return {"model": "a test"} | quality(SETS, resamples=20)


def test_kinds_are_told_by_what_stands_before_the_first_hyphen(found):
    assert {kind: figures["sets"] for kind, figures in found["kinds"].items()} == {
        "dev": 2,
        "shift": 1,
    }


def test_means_weigh_sets_alike_and_pools_weigh_trials_alike(found):
    one, two = (score(part.same, part.probability["weak"]) for part in SETS[:2])
    figures = found["kinds"]["dev"]
    assert figures["mean"]["weak"]["cllr"] == pytest.approx((one["cllr"] + two["cllr"]) / 2)
    same = np.concatenate([part.same for part in SETS[:2]])
    p = np.concatenate([part.probability["weak"] for part in SETS[:2]])
    assert figures["pooled"]["weak"]["ece"] == pytest.approx(ece(same, p))


def test_non_responses_are_set_against_answering_always(found):
    told = found["non_responses"]["shift"]
    [one] = SETS[2:]
    p, answered = one.probability["samehand"], one.as_answered != 0.5
    assert told["unanswered"] == pytest.approx(1 - answered.mean())
    assert told["error"] == pytest.approx(((p > 0.5) != one.same)[answered].mean())
    assert told["error, all answered"] == pytest.approx(((p > 0.5) != one.same).mean())
    assert told["c@1"] == pytest.approx(score(one.same, one.as_answered)["c@1"])
    assert told["c@1, all answered"] == pytest.approx(score(one.same, p)["c@1"])


def test_lead_is_over_the_best_peer_of_each_set(found):
    for name, lead in found["lead"].items():
        auc = {system: scores["auc"] for system, scores in found["sets"][name].items()}
        best = max(auc["weak"], auc["guess"])
        assert auc[lead["peer"]] == best
        assert lead["by"] == pytest.approx(auc["samehand"] - best)


def test_lengths_are_of_cropped_trials_of_the_first_kind(found):
    trials = {band: scores["samehand"]["n"] for band, scores in found["lengths"].items()}
    assert trials == {"100-250": 100, "250-500": 50}
    parts = [part.cropped["250-500"] for part in SETS[:2]]
    same, p = (np.concatenate(part) for part in zip(*parts, strict=True))
    assert found["lengths"]["250-500"]["samehand"]["ece"] == pytest.approx(ece(same, p))


def test_both_texts_of_a_trial_are_cropped_to_the_band(tmp_path):
    texts = [f"{word} " * n for word, n in (("one", 90), ("two", 180), ("three", 900))]
    pairs = {"short": texts[:2], "middle": texts[1:], "long": [texts[2]] * 2}
    lines = [json.dumps({"id": name, "pair": pair}) + "\n" for name, pair in pairs.items()]
    (tmp_path / "pairs.jsonl").write_text("".join(lines))
    assert crop(tmp_path, (100, 250), tmp_path / "cropped") == ["middle", "long"]
    for line in (tmp_path / "cropped" / "pairs.jsonl").read_text().splitlines():
        trial = json.loads(line)
        first, second = (len(text.split()) for text in trial["pair"])
        assert first == second
        assert 100 <= first <= (180 if trial["id"] == "middle" else 250)
        assert all(
            whole.startswith(text)
            for text, whole in zip(trial["pair"], pairs[trial["id"]], strict=True)
        )


def test_bars_are_met_where_we_are_good_and_missed_where_we_guess(found):
    met = {bar["what"]: bar["met"] for bar in found["bars"]}
    assert met["dev: mean AUC"]
    assert not met["shift: mean AUC"]
    worst = max(scores["samehand"]["cllr"] for scores in found["sets"].values())
    assert met["highest Cllr of any set"] == (worst < 1)


def test_markdown_has_a_row_for_every_set_and_no_ragged_table(found):
    text = markdown(found)
    for part in SETS:
        assert text.count(f"\n| {part.name} |") == 5  # one table a measure
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
