"""Modules import what stands to their left in a side of the house, and judging needs no torch."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import samehand
from tests.models import ESSAYS

ROOT = Path(samehand.__file__).parent
LEARNING = [
    "errors", "io", "text", "model", "engine", "scoring", "corpus", "evaluation", "network",
    "training", "fitting", "cli",
]  # fmt: skip
JUDGING = [
    "errors", "io", "text", "reading", "model", "engine", "scoring", "cautions", "verdict",
    "assessment", "explaining", "verifier", "corpus", "evaluation", "casework", "report", "index",
    "server", "cli",
]  # fmt: skip
"""The folders and loose modules of each side. Each may import those to its left."""
ALONE = {"corpus": {"errors", "io", "text"}, "evaluation": {"errors", "io"}}
"""Independent folders and all they may import."""
TO_THE_RIGHT = {
    ("samehand.verifier", "samehand.casework.case"),  # Verifier.adapted
    ("samehand.verifier", "samehand.casework.selecting"),
    ("samehand.verifier", "samehand.network.embedder"),  # device="cuda"
}
"""Imports inside functions by which users reach what stands to the right."""

HEAVY = {
    "lance", "lancedb", "lightning", "matplotlib", "pandas", "pyarrow", "ray", "scipy", "sklearn",
    "tensorboard", "torch", "triton",
}  # fmt: skip
PERMITTED = {
    "casework.embedding": {"pyarrow"},  # samehand embed
    "cli.evaluate": {"matplotlib"},  # --plots
    "cli.fit": {"torch"},
    "cli.prepare": {"matplotlib", "sklearn"},
    "cli.train": {"lightning"},
    "corpus.readers.parquet": {"pyarrow"},
    "index.accounts": {"pyarrow"},
    "index.authors": {"pyarrow"},
    "index.adding": {"pyarrow"},
    "index.linking_files": {"matplotlib", "pyarrow"},  # samehand link -o, --picture
    "index.picture": {"matplotlib"},
    "index.place": {"lance", "lancedb"},
    "index.present": {"pyarrow"},
    "index.ray_job": {"lance", "pyarrow", "ray"},
    "index.spark": {"pyarrow"},
    "index.table": {"pyarrow"},
    "corpus.topics": {"sklearn", "scipy"},
    "verifier": {"torch"},  # device="cuda"
}
"""Modules of the judging side that import something of an extra, inside functions."""


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {_name(path): ast.parse(path.read_bytes()) for path in ROOT.rglob("*.py")}


def imported(node: ast.AST) -> Iterator[str]:
    """Imports of a module, inside functions too, but not those for type checkers alone."""
    if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.module is not None
        assert node.level == 0
        names = (f"{node.module}.{alias.name}" for alias in node.names)
        yield from (name if name in MODULES else node.module for name in names)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "needs":
        assert isinstance(node.args[1], ast.Constant)
        yield str(node.args[1].value)
    for child in ast.iter_child_nodes(node):
        yield from imported(child)


IMPORTS = {name: set(imported(tree)) for name, tree in MODULES.items()}
ARROWS = {
    (module, other) for module, others in IMPORTS.items() for other in others & MODULES.keys()
} - TO_THE_RIGHT


def folder(module: str) -> str:
    return module.split(".")[1]


def may_import(one: str, other: str) -> bool:
    """Whether modules of a folder may import those of another."""
    if one in ALONE:
        return other in ALONE[one]
    return any(one in side and other in side[: side.index(one)] for side in (JUDGING, LEARNING))


def test_imports_point_to_the_left() -> None:
    wrong = {
        f"{one} imports {other}"
        for one, other in ARROWS
        if other != "samehand"  # its version
        if folder(one) != folder(other) and not may_import(folder(one), folder(other))
    }
    assert not wrong


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph: dict[str, set[str]] = {}
    for one, other in ARROWS:
        if other != "samehand":
            graph.setdefault(one, set()).add(other)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"imports in a circle: {' → '.join(error.args[1])}")


def test_every_import_to_the_right_is_still_needed() -> None:
    assert {arrow for arrow in TO_THE_RIGHT if arrow[1] not in IMPORTS[arrow[0]]} == set()
    for module, packages in PERMITTED.items():
        assert packages <= {name.split(".")[0] for name in IMPORTS[f"samehand.{module}"]}, module


def test_every_folder_has_its_place() -> None:
    folders = {folder(module) for module in MODULES if "." in module}
    assert folders == {*JUDGING, *LEARNING}


def judging() -> Iterator[str]:
    """All modules of the judging side but the figures, which are drawn with matplotlib."""
    for module in sorted(MODULES):
        is_of_judging = module == "samehand" or folder(module) in JUDGING
        if is_of_judging and not module.startswith("samehand.evaluation.figures"):
            yield module


def test_judging_imports_nothing_of_learning() -> None:
    wrong = {
        f"{module} imports {package}"
        for module in judging()
        for package in HEAVY & {name.split(".")[0] for name in IMPORTS[module]}
        if package not in PERMITTED.get(module.removeprefix("samehand."), set())
    }
    assert not wrong


def test_judging_works_where_nothing_of_an_extra_is_installed(model: Path, tmp_path: Path) -> None:
    """As after `pip install .` in a fresh environment."""
    anna, bruno = (str(ESSAYS / f"{name}.txt") for name in ("anna-1", "bruno-1"))
    pairs, truth = tmp_path / "pairs.jsonl", tmp_path / "truth.jsonl"
    texts = [Path(anna).read_text("utf-8"), Path(bruno).read_text("utf-8")]
    pairs.write_text(json.dumps({"id": "1", "pair": texts}))
    truth.write_text('{"id": "1", "same": false}')
    named = ("--model", str(model))
    commands = (
        ("verify", anna, bruno, "--report", str(tmp_path / "report.html"), *named),
        ("model", "show", *named),
        ("model", "units", anna, "-o", str(tmp_path / "units.svg"), *named),
        ("answer", "-i", str(tmp_path), "-o", str(tmp_path / "answers"), *named),
        ("evaluate", str(truth), str(tmp_path / "answers")),
    )
    extras = HEAVY | {"docx", "fastapi", "pypdfium2", "starlette", "uvicorn"}
    script = (
        f"import sys; sys.modules |= dict.fromkeys({extras!r})\n"
        "from importlib import import_module\n"
        f"for name in {[name for name in judging() if '.server' not in name]!r}:\n"
        "    import_module(name)\n"
        "from samehand.cli.main import app\n"
        f"for command in {commands!r}:\n"
        "    app(command, standalone_mode=False)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.html").exists()


def test_a_verdict_loads_nothing_heavy(model: Path) -> None:
    script = (
        "import sys, samehand\n"
        "from samehand.cli.main import app\n"
        "app(sys.argv[1:], standalone_mode=False)\n"
        "print(*sys.modules)"
    )
    essays = [ESSAYS / f"{name}.txt" for name in ("anna-1", "bruno-1")]
    command = [sys.executable, "-c", script, "verify", *essays, "--model", model]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.splitlines()[-1].split()
    assert "numba" in loaded
    assert not (HEAVY - {"scipy"}) & set(loaded)  # which numba takes where it finds it
    assert not {"markdown_it", "samehand.corpus"} & set(loaded)
