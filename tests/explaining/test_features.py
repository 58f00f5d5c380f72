"""Forms that are habits, and how usual each is."""

from itertools import pairwise

import pytest

from samehand.explaining.features import USUAL, forms, table_bytes, usual
from samehand.text.tokenise import Tokeniser


def found(text: str) -> set[tuple[str, str]]:
    return {form for name in Tokeniser().strings(text) for form in forms(name)}


def test_marks_are_told_apart_by_their_spacing() -> None:
    assert {("mark", "‿;"), ("mark", "‿--‿")} <= found("One; two—three")
    assert {("mark", "--"), ("mark", "‿?")} <= found("One -- two?")
    assert found("One\n\ntwo") >= {("layout", "¶")}


def test_words_count_as_they_are_written_and_by_their_longest_ending() -> None:
    assert found("But") == {("word", "But")}
    assert found("walking") == {("word", "walking"), ("ending", "ing")}
    assert found("happiness") == {("word", "happiness"), ("ending", "ness")}
    assert found("sing") == {("word", "sing")}  # too little is left before the ending
    assert found("1,000") == set()
    assert found("don't") == {("word", "do"), ("word", "n't")}


def test_each_has_a_name_for_reading() -> None:
    features = usual().values()
    names = [feature.name for feature in features]
    assert len(set(names)) == len(names)
    assert all(name and "‿" not in name for name in names)
    assert usual()["mark", "‿;"].name == "semicolon (;)"
    assert usual()["word", "but"].name == "“but”"


def test_the_table_is_small_and_says_what_it_was_counted_over() -> None:
    assert 200 < len(usual()) < 500
    assert USUAL.stat().st_size < 40_000
    assert b'"on": "' in USUAL.read_bytes()[:20]


def test_rates_of_the_table_are_plausible() -> None:
    for feature in usual().values():
        assert 0 <= feature.low <= feature.high
        assert 0 < feature.mean < 120
        assert feature.spread > 0
    assert usual()["word", "the"].mean == pytest.approx(50, abs=10)  # as in any English
    common = [usual()["word", word].mean for word in ("the", "to", "but", "under")]
    assert all(one > other for one, other in pairwise(common))


def test_a_table_is_read_as_it_was_written() -> None:
    listed = list(usual().values())
    on = USUAL.read_text("utf-8").split('"')[3]
    assert table_bytes(listed, on) == USUAL.read_bytes()
