"""A model is acquainted with texts: files in, a new model out, and what that does."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from samehand.casework.adapting import MOST, acquaint, choose, read_texts
from samehand.casework.calibrating import calibrate
from samehand.errors import InputError
from samehand.network.acquaintance import FEWEST
from samehand.verifier import DEFAULT_MODEL, Verifier
from tests.casework.written import Writer, trials, write
from tests.cli.console import complaint, samehand

ESSAYS = Path(__file__).parents[2] / "examples" / "essays"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a text each by thirty writers, and some that do not count."""
    folder = tmp_path_factory.mktemp("texts")
    for number in range(30):
        (folder / f"{number:02}.txt").write_text(Writer(9_000 + number).text(24), "utf-8")
    shutil.copy(folder / "00.txt", folder / "again.txt")
    (folder / "short.md").write_text("Too short to say a thing.", "utf-8")
    return folder


@pytest.fixture(scope="module")
def made(texts: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("made") / "model"
    return folder, acquaint(None, [texts], folder)


@pytest.fixture(scope="module")
def acquainted(made) -> Verifier:
    return Verifier.load(made[0])


def test_what_was_used_is_told(made, texts):
    folder, found = made
    assert (found["texts"], found["found"], found["too_short"], found["repeats"]) == (30, 30, 1, 1)
    description = json.loads((folder / "ensemble.json").read_text("utf-8"))
    plain = json.loads((DEFAULT_MODEL / "ensemble.json").read_text("utf-8"))
    assert description["sha256"] == plain["sha256"]
    assert description["about"]["name"] == f"{plain['about']['name']}, acquainted with 30 texts"
    shown = samehand("model", "show", "-m", folder).stdout
    assert "with 30 texts of a median of" in " ".join(shown.split())
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert Writer(9_000).text(24)[:40].encode() not in content


def test_answers_are_those_of_closeness_and_of_before(acquainted):
    before = Verifier.load()
    levs = before.embed([Writer(n).text(20) for n in (1, 1, 2, 3)])
    known = [levs[1:2], levs[2:], levs[3:]]
    plain, found = (v.consider(levs[[0] * 3], known) for v in (before, acquainted))
    assert np.abs(plain.probability - found.probability).max() > 0.01
    assert plain.votes.tolist() == found.votes.tolist()
    assert acquainted.probabilities(levs[:1], levs[1:2])[0] == pytest.approx(
        found.probability[:1], abs=1e-5
    )
    assert found.opinions.shape == plain.opinions.shape
    low, high = found.opinions.min(0), found.opinions.max(0)
    assert ((low <= found.probability) & (found.probability <= high)).all()


def test_a_text_of_the_population_is_answered_as_any_other(made, acquainted, texts):
    """Its copy among the others does not count as near."""
    inside = (texts / "03.txt").read_text("utf-8")
    levs = acquainted.embed([inside, Writer(9_003).text(24)])
    assert acquainted.population is not None
    gone = np.delete(acquainted.population, 3, axis=0)
    without = Verifier(acquainted.members, acquainted.description, gone)
    [p], [q] = (v.probability(levs[:1], [levs[1:]]) for v in (acquainted, without))
    assert p == pytest.approx(q, abs=0.05)


def test_in_python_the_same_comes_of_the_texts(acquainted, texts):
    read = [(texts / f"{number:02}.txt").read_text("utf-8") for number in range(30)]
    verifier = Verifier.load().acquainted([*read, ""])
    np.testing.assert_allclose(verifier.population, acquainted.population, atol=1e-4)
    with pytest.raises(InputError, match="at least 20"):
        Verifier.load().acquainted(read[: FEWEST - 1])
    with pytest.raises(InputError, match="acquainted with texts already"):
        verifier.acquainted(read)


def test_in_python_too_repeats_short_texts_and_letters_do_not_count(texts):
    verifier, text = Verifier.load(), (texts / "00.txt").read_text("utf-8")
    for given in ([text] * 25, list("abcdefghijklmnopqrstuvwxyz"), ["Hello."] * 20):
        with pytest.raises(InputError, match="at least 20 texts, not"):
            verifier.acquainted(given)
    for ask in (verifier.acquainted, verifier.embed):
        with pytest.raises(InputError, match="one text where a list of texts is needed"):
            ask(text)
    assert verifier.embed(one for one in (text, text)).shape == (2, verifier.lev_width)


def test_what_the_population_is_worded_like_is_familiar(acquainted):
    assert acquainted.population is not None
    odd = acquainted.population.copy()
    place = acquainted.networks[0].config.lev_width - 1
    odd[:, place] = 3.9
    levs = acquainted.embed([Writer(1).text(20)])
    levs[:, place] = 3.8
    for population, unlike in ((acquainted.population, True), (odd, False)):
        verifier = Verifier(acquainted.members, acquainted.description, population)
        assert verifier.consider(levs, [levs]).unfamiliar.tolist() == [unlike]


def test_texts_unlike_the_population_are_not_judged_by_it(acquainted):
    """Essays are none of these writers' kind; another text by one of them is."""
    essays = [path.read_text("utf-8") for path in sorted(ESSAYS.glob("*.txt"))[:2]]
    verdict = acquainted.verify(essays[0], essays[1])
    assert verdict.decision == "undecided"
    assert any("unlike those that the model was acquainted with" in r for r in verdict.reasons)
    levs = acquainted.embed([*essays, Writer(9_001).text(24), Writer(9_101).text(24)])
    found = acquainted.consider(levs[[0, 2]], [levs[1:2], levs[3:]])
    assert found.strange.tolist() == [True, False]
    assert found.rejected[0]
    assert not Verifier.load().consider(levs[:1], [levs[1:2]]).strange.any()


def test_it_can_be_calibrated_then_and_stays_acquainted(made, acquainted, tmp_path):
    pairs = write(tmp_path, trials(55, 60, seed=3))
    found = calibrate(made[0], *pairs, tmp_path / "calibrated")
    both = Verifier.load(tmp_path / "calibrated")
    assert np.array_equal(both.population, acquainted.population)
    assert found["model"]["name"].endswith("acquainted with 30 texts")
    levs = acquainted.embed([Writer(1).text(20), Writer(2).text(20)])
    p = acquainted.probability(levs[:1], [levs[1:]])
    expected = both.last_stage.probability(p)
    assert both.probability(levs[:1], [levs[1:]]) == pytest.approx(expected)
    shown = " ".join(samehand("model", "show", "-m", tmp_path / "calibrated").stdout.split())
    assert "Acquainted on" in shown
    assert "Calibrated on" in shown
    with pytest.raises(InputError, match="acquainted with texts already"):
        both.acquainted([Writer(number).text(20) for number in range(FEWEST)])
    with pytest.raises(InputError, match="acquainted with texts already"):
        acquaint(tmp_path / "calibrated", [ESSAYS], tmp_path / "no")


def test_all_commands_go_by_it(made, tmp_path):
    essays = sorted(ESSAYS.glob("*.txt"))[1:3]  # by two hands, and within the bounds
    report = tmp_path / "report.html"
    verdict = json.loads(
        samehand("verify", *essays, "--json", "-m", made[0], "--report", report).stdout
    )
    before = json.loads(samehand("verify", *essays, "--json").stdout)
    assert verdict["log10_lr"] != before["log10_lr"]
    assert "acquainted with 30 texts" in verdict["model"]["name"]
    assert "Acquainted on" in report.read_text("utf-8")


def test_the_command_tells_what_it_did(texts, tmp_path):
    done = samehand("acquaint", "default", texts, "-o", tmp_path / "new")
    told = "Acquainted with 30 texts; 1 of fewer than 100 words left out; 1 repeats left out"
    assert done.stdout.startswith(told)
    assert "exists already" in complaint("acquaint", "default", texts, "-o", tmp_path / "new")
    again = samehand("acquaint", "default", texts, "-o", tmp_path / "new", "--force", "--json")
    assert json.loads(again.stdout)["texts"] == 30


def test_what_cannot_be_used_is_refused_and_nothing_written(texts, made, tmp_path):
    new = tmp_path / "new"

    def refusal(*read: Path, model: Path | None = None, place: Path = new) -> str:
        with pytest.raises(InputError) as caught:
            acquaint(model, read, place)
        return str(caught.value)

    few = [texts / f"{number:02}.txt" for number in range(FEWEST - 1)]
    assert "at least 20" in complaint("acquaint", "default", *few, "-o", new)
    binary = tmp_path / "binary.txt"
    binary.write_bytes(bytes(range(256)) * 40)
    assert "binary.txt" in refusal(texts, binary)
    table = tmp_path / "table.jsonl"
    table.write_text('{"body": "A text."}\n', "utf-8")
    assert "--text-column" in complaint("acquaint", "default", table, "-o", new)
    (tmp_path / "empty").mkdir()
    assert "no text in this folder" in refusal(tmp_path / "empty")
    assert "none" in refusal(tmp_path / "none")
    assert "acquainted with texts already" in refusal(texts, model=made[0])
    assert "is the model itself" in refusal(texts, model=made[0], place=made[0])
    assert not new.exists()


def test_a_model_that_has_not_learned_it_is_refused(texts, tmp_path):
    shutil.copytree(DEFAULT_MODEL, tmp_path / "model")
    file = tmp_path / "model" / "ensemble.json"
    description = json.loads(file.read_text("utf-8"))
    del description["about"]["acquaintance"]
    file.write_text(json.dumps(description), "utf-8")
    said = complaint("acquaint", tmp_path / "model", texts, "-o", tmp_path / "new")
    assert "has not learned" in said


@pytest.mark.parametrize("how", ["cut", "gone", "other"])
def test_a_damaged_population_is_refused(made, tmp_path, how):
    shutil.copytree(made[0], tmp_path / "model")
    file = tmp_path / "model" / "population.safetensors"
    if how == "cut":
        file.write_bytes(file.read_bytes()[:-10])
    elif how == "gone":
        file.unlink()
    else:
        shutil.copy(DEFAULT_MODEL / "wording.safetensors", file)
    with pytest.raises(InputError, match="population"):
        Verifier.load(tmp_path / "model")


def test_a_population_of_another_model_is_refused(acquainted):
    assert acquainted.population is not None
    with pytest.raises(InputError, match="not of its networks"):
        Verifier(acquainted.members, acquainted.description, acquainted.population[:, :-1])


def test_texts_come_from_files_folders_and_corpora(texts, tmp_path):
    assert len(list(read_texts(texts))) == 32
    assert list(read_texts(texts / "00.txt")) == [(texts / "00.txt").read_text("utf-8")]
    table = tmp_path / "corpus.jsonl"
    rows = [{"author": "a", "topic": "t", "text": f"Text number {n}."} for n in range(3)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert list(read_texts(table)) == [row["text"] for row in rows]
    table.write_text('{"body": "Nobody knows whose."}\n', "utf-8")
    assert list(read_texts(table, "body")) == ["Nobody knows whose."]
    pairs = tmp_path / "pan" / "pairs.jsonl"
    pairs.parent.mkdir()
    pairs.write_text('{"id": "1", "pair": ["The one.", "The other."]}\n', "utf-8")
    for path in (pairs, pairs.parent):
        assert list(read_texts(path)) == ["The one.", "The other."]
    nested = tmp_path / "tree" / "anna"
    nested.mkdir(parents=True)
    (nested / "one.txt").write_text("A text by Anna.", "utf-8")
    assert list(read_texts(tmp_path / "tree")) == ["A text by Anna."]


def test_texts_beside_tables_or_folders_are_not_passed_over(texts, tmp_path):
    mixed = shutil.copytree(texts, tmp_path / "mixed")
    (mixed / "notes.csv").write_text("text\nA note.\n", "utf-8")
    with pytest.raises(InputError, match="mixed: holds 32 documents beside tables or folders"):
        list(read_texts(mixed))
    few = tmp_path / "few"
    few.mkdir()
    for name in ("notes.csv", "00.txt"):  # what one text says may be about the others
        shutil.copy(mixed / name, few)
    assert list(read_texts(few)) == ["A note."]


def test_a_model_is_not_put_in_the_place_of_its_texts(texts, made, tmp_path):
    folder = shutil.copytree(made[0], tmp_path / "model")
    shutil.copytree(texts, folder / "texts")
    with pytest.raises(InputError, match="is read, and would be lost"):
        acquaint(None, [folder / "texts"], folder, force=True)
    with pytest.raises(InputError, match="texts is in it, too, and would be lost"):
        acquaint(None, [texts], folder, force=True)
    assert len(list((folder / "texts").iterdir())) == len(list(texts.iterdir()))


def test_of_very_many_texts_some_are_chosen_the_same_each_time():
    many = [f"text {number} " + "word " * 100 for number in range(MOST + 200)]
    chosen, counts = choose(many)
    assert len(set(chosen)) == len(chosen) == counts["texts"] == MOST
    assert counts["found"] == MOST + 200
    assert chosen == choose(many)[0]
    assert 100 < sum(text in many[MOST:] for text in chosen) < 200
