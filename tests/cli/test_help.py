"""Help speaks to users: of every command, in plain words, with examples that can be typed."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from samehand.cli.main import COMMANDS, PANELS, app
from tests.casework.written import run

NAMES = [*COMMANDS, "acquaint", "calibrate"]
TYPES = re.compile(
    r"<[a-z]|list\[|\bPath\b|\bstr\b|\bint\b|\bfloat\b|\bbool\b|x>=|<=x|\brange\b|\bNone\b|\bpath\b"
)


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group, by what is typed."""
    root = get_command(app)
    yield (), root
    for name in NAMES:
        command = root.get_command(None, name)  # type: ignore[attr-defined]
        yield (name,), command
        for inner, own in getattr(command, "commands", {}).items():
            yield (name, inner), own


EVERY = dict(commands())


def parameters(typed: tuple[str, ...]) -> list[Any]:
    command = EVERY[typed]
    return command.get_params(command.context_class(command))


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")


@pytest.mark.parametrize("typed", EVERY, ids=" ".join)
def test_no_type_of_the_program_is_shown(typed: tuple[str, ...]) -> None:
    shown = run(*typed, "--help")
    assert not TYPES.findall(shown), shown


@pytest.mark.parametrize("typed", EVERY, ids=" ".join)
def test_everything_that_can_be_given_is_described(typed: tuple[str, ...]) -> None:
    for parameter in parameters(typed):
        assert parameter.help, parameter.name
        assert parameter.help.rstrip().endswith((".", "…")), parameter.help
        assert len(parameter.help.split()) >= 3, parameter.help
        assert "`" not in parameter.help


@pytest.mark.parametrize("typed", EVERY, ids=" ".join)
def test_examples_can_be_typed(typed: tuple[str, ...]) -> None:
    command = EVERY[typed]
    if hasattr(command, "commands") or not typed:  # of its commands, each has some
        return
    shown = run(*typed, "--help")
    examples = re.findall(r"^ *\$ (samehand .*?) *$", shown, re.MULTILINE)
    assert "Examples:" in shown
    assert examples
    for example in examples:
        arguments = shlex.split(example)[1:]
        assert tuple(arguments[: len(typed)]) == typed
        command.make_context(" ".join(typed), arguments[len(typed) :])  # or it is wrong usage


def test_every_command_is_listed_in_a_panel() -> None:
    shown = run("--help")
    for panel, own in PANELS.items():
        assert panel in shown
        for name in own:
            assert re.search(rf"^│ {name} ", shown, re.MULTILINE), name
    assert "acquaint" not in shown


def test_whoever_names_a_model_names_it_alike() -> None:
    """As --model MODEL; where MODEL may stand first, --model is there, too."""
    for typed in EVERY:
        named = {parameter.name: parameter for parameter in parameters(typed)}
        options = [each for each in named.values() if "--model" in each.opts]
        first = [
            each
            for each in named.values()
            if each.metavar == "MODEL" and not each.opts[0].startswith("-")
        ]
        if first:
            assert options, typed
        for option in options:
            assert option.metavar == "MODEL"
            assert "-m" in option.opts
            assert "default: the packaged one" in option.help
