"""Figures of the paper's model are those that their commands draw today."""

import runpy
from pathlib import Path

from tests.casework.written import run
from tests.models import ESSAYS

FIGURES = Path(__file__).parents[2] / "docs" / "figures"


def test_the_overview_is_what_its_script_draws() -> None:
    drawn = runpy.run_path(str(FIGURES / "overview.py"))["drawing"]()
    assert (FIGURES / "overview.svg").read_text("utf-8") == drawn + "\n"


def test_the_units_are_those_of_the_packaged_model(tmp_path: Path) -> None:
    """Where they are not: `samehand model units examples/essays/anna-1.txt -o FILE`."""
    place = tmp_path / "units.svg"
    run("model", "units", str(ESSAYS / "anna-1.txt"), "-o", str(place))
    assert (FIGURES / "units.svg").read_bytes() == place.read_bytes()
