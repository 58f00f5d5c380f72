"""`samehand model units` as a user runs it."""

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from samehand.explaining.as_read import as_read
from samehand.model.folder import read_model
from samehand.verifier import PACKAGED
from tests.cli.console import SCRIPT, complaint, samehand
from tests.models import ESSAYS, essay

ANNA = ESSAYS / "anna-1.txt"


def units(*arguments: object) -> str:
    return samehand("model", "units", *arguments).stdout


def test_json_has_all_units_of_a_model_of_the_paper(model: Path) -> None:
    found = json.loads(units(ANNA, "--model", model, "--json"))
    stored = read_model(model)
    expected = as_read(stored.networks, essay("anna-1"), "").as_dict()
    assert {key: found[key] for key in expected} == json.loads(json.dumps(expected))
    assert (found["model"], found["model_sha256"]) == (stored.description.name, stored.sha256)
    assert (found["width"], found["hop"], len(found["units"])) == (30, 26, 21)
    assert 0 < found["words_unread"] < 400


def test_the_packaged_model_is_shown_where_none_is_named() -> None:
    """Neighbours share four tokens; of words it does not know shape and ending are seen."""
    lines = units(ANNA, "--first", 2).splitlines()
    assert lines[0] == "838 tokens in 33 units: windows of 30, one every 26 tokens."
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
    text = " ".join(" ".join(lines).split())
    assert "\x1b" not in text
    for part in (
        " 1 On mending<xxxxing> ¶ My grandmother<xxxxxxxxher> kept<xxxx> a basket<xxxket>",
        "waiting | to be made whole 2 to be made whole | ‿: a stocking<xxxxxing>",
        "… 30 more 33 ‿, been able to | answer ‿.",
        "not among the 1,000 of the vocabulary; of these the network sees shape and ending.",
    ):
        assert part in text, part
    found = json.loads(units(ANNA, "--json"))
    names = [name for each in found["networks"] for name in each["names"]]
    assert names == [network.name for network in read_model(PACKAGED).networks]
    assert found["model_sha256"] == read_model(PACKAGED).sha256


def test_a_figure_is_written_beside_what_is_printed(model: Path, tmp_path: Path) -> None:
    place = tmp_path / "units.svg"
    said = units(ANNA, "-m", model, "-o", place, "--first", 3)
    assert "mending<UNK>" in said
    assert "the network sees the spelling" in said.replace("\n", " ")
    svg = ElementTree.fromstring(place.read_bytes())
    assert svg.get("aria-label") in " ".join(said.split())
    assert "mending" in [e.text for e in svg.iter()]
    first = place.read_bytes()
    units(ANNA, "-m", model, "-o", place, "--first", 3)
    assert place.read_bytes() == first


def test_standard_input_and_one_unit(model: Path) -> None:
    done = subprocess.run(
        [SCRIPT, "model", "units", "-", "-m", model], input="Why?", capture_output=True, text=True
    )
    assert done.stdout.startswith("2 tokens in 1 unit: windows of 30, one every 26 tokens.\n")
    assert "bar" not in done.stdout


def test_what_a_text_holds_neither_steers_the_terminal_nor_the_figure(
    model: Path, tmp_path: Path
) -> None:
    text, place = tmp_path / "odd.txt", tmp_path / "odd.svg"
    text.write_bytes(
        b"[red]bold[/red] :smile: <script>alert(1)</script> ]]> &amp; <UNK> \x1b[31mred "
        + "\u202eright to left\u202c \ufffe \U000e0001 ".encode()
        + b"x" * 5_000
    )
    said = units(text, "-m", model, "-o", place)
    assert "[" in said
    assert "smile" in said
    assert not {"\x1b", "\u202e", "\ufffe"} & set(said)
    drawn = place.read_text("utf-8")
    assert "<script" not in drawn
    ElementTree.fromstring(drawn)


def test_what_cannot_be_used_ends_in_one_sentence(model: Path, tmp_path: Path) -> None:
    empty, blank, binary, hidden = (tmp_path / f"{n}.txt" for n in ("none", "blank", "bin", "zero"))
    for path, content in (
        (empty, b""), (blank, b" \n"), (binary, b"\x00\x01\x02"), (hidden, b"\xe2\x80\x8b"),
    ):  # fmt: skip
        path.write_bytes(content)
    for path, reason in (
        (tmp_path / "nowhere.txt", "does not exist"),
        (tmp_path, "is a folder"),
        (empty, "the file is empty"),
        (blank, "there is no text in it"),
        (binary, "binary data"),
        (hidden, "no "),
    ):
        said = complaint("model", "units", path, "-m", model)
        assert said.startswith(str(path))
        assert reason in said
    assert "no model here" in complaint("model", "units", ANNA, "-m", tmp_path)
    for output, reason in (
        (tmp_path / "units.png", "the ending .svg"),
        (tmp_path / "no" / "units.svg", "cannot be written there"),
    ):
        assert reason in complaint("model", "units", ANNA, "-m", model, "-o", output)
    drawing = tmp_path / "text.svg"
    drawing.write_text(essay("anna-1"))
    assert "is read, and would be lost" in complaint(
        "model", "units", drawing, "-m", model, "-o", drawing
    )


@pytest.mark.parametrize("n", ["0", "-1", "x"])
def test_at_least_one_unit_is_shown(n: str) -> None:
    assert "--first" in samehand("model", "units", ANNA, "--first", n, code=2).stderr
