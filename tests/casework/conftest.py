"""Files of invented trials, and the packaged model calibrated on them."""

from pathlib import Path

import pytest

from samehand.casework.calibrating import calibrate

from .written import trials, write


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write(tmp_path_factory.mktemp("first"), trials(55, 60, seed=1))


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Other writers."""
    return write(tmp_path_factory.mktemp("second"), trials(60, 55, seed=2))


@pytest.fixture(scope="session")
def calibrated(first: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory):
    """The folder of the new model, and what was told of it."""
    folder = tmp_path_factory.mktemp("calibrated") / "model"
    return folder, calibrate(None, *first, folder)
