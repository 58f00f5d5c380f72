"""`default` is the packaged model wherever one is named; `./default` is a folder of that name."""

import json
import shutil
from pathlib import Path

import pytest

from samehand.cli.options import model_and_rest
from samehand.errors import InputError
from samehand.verifier import PACKAGED, Verifier, model_folder
from tests.casework.written import run, trials, write
from tests.cli.console import complaint
from tests.corpus.written import texts, write_table
from tests.models import ESSAYS, save_genres_model

PACKAGED_NAME = "samehand default"
OTHER = "of a folder"


@pytest.fixture(autouse=True, scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with another model in a folder named default."""
    folder = tmp_path_factory.mktemp("here")
    save_genres_model(folder / "default", name=OTHER)
    write(folder, trials(3, 3))
    write_table(folder / "corpus.jsonl", texts())
    for name in ("anna-1", "anna-2", "bruno-1", "bruno-2"):
        shutil.copy(ESSAYS / f"{name}.txt", folder)
    return folder


@pytest.fixture(autouse=True)
def inside(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)


def asked(command: str, model: list[str]) -> str:
    """The name of the model that a command used."""
    others = ["bruno-1.txt", "bruno-2.txt"]
    if command == "verify":
        return json.loads(run("verify", *others, "--json", *model))["model"]["name"]
    if command == "show":
        return json.loads(run("model", "show", "--json", *model))["name"]
    if command == "check":
        is_packaged = json.loads(run("model", "verify", "--json", *model))["packaged"]
        return PACKAGED_NAME if is_packaged else OTHER
    if command == "validate":
        found = run("validate", *model, "pairs.jsonl", "truth.jsonl", "--json")
        return json.loads(found)["model"]["name"]
    if command == "calibrate":
        files = ("pairs.jsonl", "truth.jsonl")
        run("calibrate", *model, *files, "-o", "adapted", "--force", "--json")
    if command == "adapt":
        run("adapt", *model, *others, "-o", "adapted", "--force")
    if command == "embed":
        Path("levs.jsonl").unlink(missing_ok=True)
        run("embed", "corpus.jsonl", "-o", "levs.jsonl", *model)
        size = len(json.loads(Path("levs.jsonl").read_text().splitlines()[0])["lev"])
        return OTHER if size == sum(Verifier.load("./default").embedder.sizes) else PACKAGED_NAME
    if command == "answer":
        answers = []
        for each in (model, ["-m", "./default"]):
            run("answer", "-i", ".", "-o", "answers", "--always", *each)
            answers.append(Path("answers", "answers.jsonl").read_text())
        return OTHER if answers[0] == answers[1] else PACKAGED_NAME
    return json.loads(Path("adapted/model.json").read_text())["name"]


FIRST = ("show", "check", "validate", "calibrate", "adapt")
"""Commands to which the model may also be given without --model, before all else."""
COMMANDS = ("verify", "answer", "embed", *FIRST)


@pytest.mark.parametrize("command", COMMANDS)
def test_default_is_the_packaged_model(command: str) -> None:
    assert asked(command, ["--model", "default"]).startswith(PACKAGED_NAME)
    assert asked(command, ["-m", "./default"]).startswith(OTHER)
    if command in FIRST:
        assert asked(command, ["default"]).startswith(PACKAGED_NAME)
        assert asked(command, ["./default"]).startswith(OTHER)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "adapt"])
def test_where_none_is_named_it_is_the_packaged_one(command: str) -> None:
    assert asked(command, []).startswith(PACKAGED_NAME)


def test_in_python_too(here: Path) -> None:
    assert Verifier.load("default").facts.name.startswith(PACKAGED_NAME)
    assert Verifier.load("./default").facts.name == OTHER
    assert Verifier.load(Path("default")).facts.name == OTHER
    assert Verifier.load(here / "default").facts.name == OTHER
    assert model_folder("default") == model_folder(None) == PACKAGED
    with pytest.raises(InputError, match="there is no model here"):
        Verifier.load(Path("nowhere"))


def test_a_model_and_the_other_arguments() -> None:
    one, two = Path("one"), Path("two")
    assert model_and_rest(None, ["m", "one", "two"]) == ("m", [one, two])
    assert model_and_rest("m", ["one", "two"]) == ("m", [one, two])
    assert model_and_rest(None, ["one", "two"], 2) == (None, [one, two])
    assert model_and_rest(None, [None, None]) == (None, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("validate", "--model", "default"), "Give PAIRS and TRUTH, and MODEL before them"),
        (("validate", "default", "a", "b", "-m", "x"), "Give PAIRS and TRUTH, and MODEL before"),
        (("calibrate", "default", "-o", "x"), "Give PAIRS and TRUTH, and MODEL before them"),
        (("model", "show", "a", "-m", "b"), "Name one model; a and b are two."),
        (("model", "show", "nowhere"), "nowhere: there is no model here"),
        (("adapt", "anna-1.txt", "anna-2.txt", "-o", "x"), "anna-1.txt: there is no model here"),
        (("verify", "anna-1.txt", "anna-2.txt", "-m", ""), "there is no model here"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    assert said in complaint(*arguments)
