"""`samehand verify` as a user runs it."""

import json
import subprocess
from pathlib import Path

import pytest

from samehand.cli.verify import _command
from tests.cli.console import SCRIPT, complaint, samehand
from tests.models import ESSAYS, essay
from tests.reading.files import docx, typeset

ANNA, ANNA_2, BRUNO, BRUNO_2 = (
    ESSAYS / f"{name}.txt" for name in ("anna-1", "anna-2", "bruno-1", "bruno-2")
)
KEYS = {
    "probability", "prior", "log10_lr", "log10_lr_bounds", "log10_lr_interval",
    "log10_lr_by_network", "log10_lr_unadapted", "genres", "disagreement", "decision", "confidence",
    "verbal_scale", "reasons", "questioned", "known", "model",
}  # fmt: skip


def verdict(*arguments: object) -> dict:
    return json.loads(samehand("verify", *arguments, "--json").stdout)


def test_json_is_one_object_with_all_of_the_answer(model: Path) -> None:
    found = verdict(ANNA, BRUNO, BRUNO_2, "--model", model)
    assert set(found) == KEYS
    p = found["probability"]
    assert 10 ** found["log10_lr"] == pytest.approx(p / (1 - p))
    assert found["confidence"] == max(p, 1 - p)
    assert all(round(lr, 6) == lr for lr in (found["log10_lr"], found["known"][0]["log10_lr"]))
    assert found["questioned"]["file"] == str(ANNA)
    assert [text["file"] for text in found["known"]] == [str(BRUNO), str(BRUNO_2)]
    assert all(isinstance(text["log10_lr"], float) for text in found["known"])
    assert found["questioned"]["sha256"] == found["questioned"]["file_sha256"]


def test_people_get_the_finding_first(model: Path) -> None:
    done = samehand("verify", ANNA, BRUNO, BRUNO_2, "--model", model)
    finding, _, rest = done.stdout.partition("\n\n")
    assert finding.startswith("These texts are ")
    assert finding.endswith(".")
    shown = " ".join(rest.split())
    for part in ("likelihood ratio", "ENFSI", "alone", "not validated", "Model: "):
        assert part in shown
    assert "probability" not in shown
    assert "decision" not in shown
    assert all(len(line) <= 80 and line == line.rstrip() for line in done.stdout.splitlines())
    assert "\x1b" not in done.stdout


def test_the_format_of_a_file_makes_no_difference(model: Path, tmp_path: Path) -> None:
    text = essay("bruno-1").encode("ascii", "ignore").decode()
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "a.docx").write_bytes(docx(*text.split("\n")))
    (tmp_path / "a.html").write_text(f"<p>{text.replace(chr(10), '<p>')}")
    (tmp_path / "a.pdf").write_bytes(typeset(text.strip().split("\n\n")))
    found = [
        verdict(ANNA, tmp_path / f"a.{ending}", "-m", model)["log10_lr"]
        for ending in ("txt", "docx", "html", "pdf")
    ]
    assert found == pytest.approx([found[0]] * 4, abs=1e-5)


def test_standard_input_is_read_once(model: Path) -> None:
    command = [SCRIPT, "verify", "-", BRUNO, "--json", "--model", model]
    done = subprocess.run(command, input=ANNA.read_bytes(), capture_output=True, check=True)
    piped = json.loads(done.stdout)
    assert piped["questioned"]["file"] == "standard input"
    assert piped["log10_lr"] == verdict(ANNA, BRUNO, "--model", model)["log10_lr"]
    assert "only once" in complaint("verify", "-", "-", "--model", model)


def test_the_same_file_twice_is_no_evidence(model: Path) -> None:
    found = verdict(ANNA, ANNA, "--model", model)
    assert found["decision"] == "undecided"
    assert "are the same text" in found["reasons"][0]
    done = samehand("verify", ANNA, ANNA, "--model", model)
    assert done.stdout.startswith("These texts are no evidence")
    assert "support" not in done.stdout


def test_a_guessed_encoding_is_among_the_reasons(model: Path, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes(essay("anna-2").replace("The", "Thé").encode("cp1252"))
    reasons = verdict(ANNA, tmp_path / "old.txt", "--model", model)["reasons"]
    assert any("Windows-1252" in reason for reason in reasons)


def test_what_cannot_be_used_ends_in_one_sentence(model: Path, tmp_path: Path) -> None:
    short, odd = tmp_path / "short.txt", tmp_path / "[red] odd.txt"
    short.write_text("Far too short for anything.")
    odd.write_bytes(b"\x00\x01\x02")
    for path, reason in [
        (tmp_path / "nowhere.txt", "does not exist"),
        (tmp_path, "is a folder"),
        (short, "has 5 words; give at least 20"),
        (odd, "binary data"),
    ]:
        assert complaint("verify", ANNA, path, "--model", model).startswith(str(path))
        assert reason in complaint("verify", path, ANNA, "--model", model)
    assert "no model here" in complaint("verify", ANNA, BRUNO, "--model", tmp_path)


def test_names_that_look_like_markup_are_printed_as_they_are(model: Path, tmp_path: Path) -> None:
    odd = tmp_path / "[bold]a.txt"
    odd.write_text(essay("bruno-1"))
    done = samehand("verify", ANNA, odd, "--model", model)
    assert "[bold]a.txt" in done.stdout.replace("\n", "").replace(" ", "")


def test_names_that_look_like_emoji_are_printed_as_they_are(model: Path, tmp_path: Path) -> None:
    name = tmp_path / "a:smile:b.txt"
    name.write_bytes(ANNA.read_bytes())
    assert ":smile:" in samehand("verify", name, ANNA_2, "--model", model).stdout


@pytest.mark.parametrize(("stated", "odds"), [("1:99", 1 / 99), ("0.01", 0.01), ("3:2", 1.5)])
def test_prior_odds_move_the_probability_alone(model: Path, stated: str, odds: float) -> None:
    even = verdict(ANNA, BRUNO, "--model", model)
    found = verdict(ANNA, BRUNO, "--model", model, "--prior", stated)
    assert found["prior"] == pytest.approx(odds)
    p, before = found["probability"], even["probability"]
    assert p / (1 - p) == pytest.approx(odds * before / (1 - before))
    changed = {"prior", "probability", "confidence"}
    assert {key for key in KEYS if found[key] != even[key]} <= changed


def test_a_probability_is_shown_where_the_prior_odds_are_stated() -> None:
    found = verdict(ANNA, ANNA_2, "--prior", "1:99")
    shown = samehand("verify", ANNA, ANNA_2, "--prior", "1:99").stdout
    stated = f"{found['probability']:.3f} that one author wrote them, at prior odds of 1:99"
    assert stated in " ".join(shown.split())


def test_evidence_for_neither_has_no_probability(model: Path) -> None:
    shown = samehand("verify", ANNA, ANNA, "--model", model, "--prior", "1:99").stdout
    assert "that of the prior odds, 1:99: the texts do not change it" in " ".join(shown.split())


@pytest.mark.parametrize(("threshold", "decision"), [(2, "one author"), (1e3, "undecided")])
def test_a_decision_is_made_where_a_threshold_is_named(threshold: float, decision: str) -> None:
    shown = samehand("verify", ANNA, ANNA_2, "--decide", threshold).stdout
    assert f"decision {decision}, deciding from an LR of {threshold:g} on" in " ".join(
        shown.split()
    )
    found = verdict(ANNA, ANNA_2, "--decide", threshold)
    assert found["threshold"] == threshold
    assert found["decision"] == {"one author": "same"}.get(decision, decision)


@pytest.mark.parametrize("stated", ["1", "0.5", "-3", "nan", "inf"])
def test_what_is_no_threshold_is_refused(model: Path, stated: str) -> None:
    said = complaint("verify", ANNA, BRUNO, "--model", model, f"--decide={stated}")
    assert "not a threshold; give an LR above 1" in said


@pytest.mark.parametrize("stated", ["0", "-1", "1:0", "even", "1:2:3", "nan", "inf", ""])
def test_what_is_no_odds_is_refused(model: Path, stated: str) -> None:
    said = complaint("verify", ANNA, BRUNO, "--model", model, f"--prior={stated}")
    assert said.startswith(f"--prior {stated}: not odds; give")


def test_habits_are_told_where_that_is_asked() -> None:
    said = samehand("verify", ANNA, BRUNO, "--explain").stdout
    assert "semicolon (;)" in said
    assert "usual 2.0 (0 to 11)" in said
    found = verdict(ANNA, BRUNO, "--explain")
    assert set(found) == KEYS | {"habits"}
    habits = found["habits"]
    by_effect = sorted(habits, key=lambda habit: -abs(habit["log10_effect"]))
    assert habits == by_effect
    (semicolon,) = (habit for habit in habits if habit["name"] == "semicolon (;)")
    assert semicolon["per_1000_words"] == [pytest.approx(8.1, abs=0.1), 0]


def test_of_no_evidence_no_habits_are_told() -> None:
    assert "Habits" not in samehand("verify", ANNA, ANNA, "--explain").stdout


def test_a_device_that_is_not_there_is_named(model: Path) -> None:
    said = complaint("verify", ANNA, BRUNO, "--model", model, "--device", "nowhere")
    assert "'nowhere'" in said


def test_a_report_takes_no_text_s_place(model: Path, tmp_path: Path) -> None:
    text = tmp_path / "q.txt"
    text.write_bytes(ANNA.read_bytes())
    for place, why in (
        (text, "is read, and would be lost"), (tmp_path, "cannot be written there"),
        (tmp_path / "no" / "r.html", "cannot be written there"),
    ):  # fmt: skip
        assert why in complaint("verify", ANNA_2, text, "-m", model, "--report", place)
    assert text.read_bytes() == ANNA.read_bytes()


def test_a_report_can_be_made_again_whatever_texts_are_called() -> None:
    again = _command([Path("-a.txt"), Path("b c.txt")], {"model": None, "prior": "1:1"})
    assert again == "samehand verify --report report.html -- -a.txt 'b c.txt'"
    stated = {"model": Path("m"), "prior": "1:9", "device": "cpu"}
    assert _command([Path("-"), Path("b")], stated) == (
        "samehand verify --report report.html --model m --prior 1:9 - b"
    )
