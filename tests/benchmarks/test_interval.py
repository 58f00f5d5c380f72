"""The benchmark of the range leaves out what it says, and measures a set of either kind."""

import json
from pathlib import Path

import numpy as np
import pytest
from interval import LEFT_OUT, UNKNOWN, measure, table, without

from samehand.verifier import Verifier
from tests.casework.written import trials, write
from tests.scoring.made import evidence


def test_a_genre_that_is_left_out_is_known_no_more() -> None:
    of = evidence()
    rest = without(of, {"genre 1"})
    assert rest.genres.names == ("genre 0", "genre 2")
    np.testing.assert_array_equal(rest.effects.mean, of.effects.mean[:, [0, 2, 3]])
    assert rest.is_sound()


def test_sets_of_genres_that_are_known_and_that_are_not_are_measured(
    by_genres: Verifier, tmp_path: Path
) -> None:
    known = by_genres.system.evidence.genres.names[0]
    folders = [tmp_path / f"dev-{known}", tmp_path / "shift-letters"]
    for folder in folders:
        pairs, _ = write(folder, trials(4, 4))
        assert json.loads(pairs.read_text().splitlines()[0])["pair"]
    found = measure(by_genres, folders)
    assert {kind: each["sets"] for kind, each in found.items()} == {LEFT_OUT: 1, UNKNOWN: 1}
    assert all(0 <= each["held"] <= 1 and each["width"] > 0 for each in found.values())
    assert table(found).count("\n") == 3


def test_a_model_without_genres_tells_no_range(verifier: Verifier) -> None:
    with pytest.raises(Exception, match="tells no range"):
        measure(verifier, [])
