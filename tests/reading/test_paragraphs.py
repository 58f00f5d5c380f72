"""All readers hand on one layout: blank lines part paragraphs."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.reading.paragraphs import Paragraph, joined, normal_layout

LONG = (
    "Nobody minded that the roof was new, for the old one had let in the rain of eleven winters, "
    "and whoever slept below it had learned to sleep with a pail at either side of the bed."
)
WRAPPED = textwrap.fill(f"{LONG} {LONG}", 72)


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        f"{LONG}\n\n{LONG}",
        WRAPPED,
        f"{WRAPPED}\n{LONG[:50]}",
        f"Dear Ann,\n\n{LONG}\n\nYours,\nBen",
        "It rained\nall night.\n\nNobody\nminded.\n\n  At all.\n",
    ],
)
def test_most_plain_texts_stay_as_they_are(text: str) -> None:
    assert normal_layout(text) == text


def test_line_ends_that_part_paragraphs_become_blank_lines() -> None:
    assert normal_layout(f"Dear Ann,\n{LONG}\n{LONG}\n") == f"Dear Ann,\n\n{LONG}\n\n{LONG}"
    assert normal_layout(f"{LONG}\n\n{LONG}\n{LONG}\n{LONG}") == "\n\n".join([LONG] * 4)


@given(st.lists(st.sampled_from(["", " ", LONG, "It rained.", "a", WRAPPED])).map("\n".join))
def test_words_stay_and_doing_it_twice_changes_nothing(text: str) -> None:
    once = normal_layout(text)
    assert once.split() == text.split()
    assert normal_layout(once) == once


def test_paragraphs_are_parted_unless_the_author_did_it() -> None:
    long, short, empty = Paragraph(LONG), Paragraph("It rained.\nAll night."), Paragraph(" ")
    assert joined([long, short, long]) == f"{LONG}\n\n{short.text}\n\n{LONG}"
    assert joined([long, empty, short, short, empty, empty, long]) == (
        f"{LONG}\n\n{short.text}\n{short.text}\n\n{LONG}"
    )
    assert joined([]) == joined([empty]) == ""


def test_the_next_item_follows_the_one_before() -> None:
    item = Paragraph("It rained.", is_next_item=True)
    assert joined([Paragraph(LONG), Paragraph("It rained."), item, item, Paragraph(LONG)]) == (
        f"{LONG}\n\nIt rained.\nIt rained.\nIt rained.\n\n{LONG}"
    )


def test_lines_that_an_editor_wrapped_are_no_paragraphs() -> None:
    assert joined(map(Paragraph, WRAPPED.split("\n"))) == WRAPPED
