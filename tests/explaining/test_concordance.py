"""Places of a habit with what stands around them."""

from hypothesis import given
from hypothesis import strategies as st

from samehand.explaining.concordance import AROUND, concordance


def test_each_place_has_a_line() -> None:
    text = "One; two,\n\nthree;four."
    lines = concordance(text, [(3, 4), (16, 17)], around=6)
    assert lines == [("One", ";", " two, "), (" three", ";", "four.")]


def test_white_space_becomes_single_blanks_and_a_line_end_is_seen() -> None:
    assert concordance("a\n b", [(1, 2)]) == [("a", "↵", " b")]


@given(st.text(), st.data())
def test_lines_are_short_and_have_no_breaks(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    (line,) = concordance(text, [(start, end)])
    assert max(len(line.before), len(line.after)) <= AROUND
    assert not set("\n\r\t") & set("".join(line))
