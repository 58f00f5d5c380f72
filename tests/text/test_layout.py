"""Line ends that writers meant, told from those of editors; names of marks with space and without.

The array work over many texts at once is compared with one text at a time, read by `re`.
"""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.text.layout import BLANK_LINE, JOINED, LINE_END, breaks, plain_name, spaced_name
from samehand.text.rules import spans
from samehand.text.splitting import split
from samehand.text.tokenise import Tokeniser

LINE = "This line was written on and on by somebody who never thought of a margin, nor of Enter. "
LONG = LINE * 2  # no editor wraps as late as that
MAIL = """\
Thanks for the patch. I had a look at it over the weekend, and I think
that it is mostly fine, but for the way in which errors are reported;
see below.
Could you send another version? There is no hurry, for the next release
will not be out before the end of May.

Best,
Anna
"""
BLANKS = ["\n", "\n\n", "\r\n", "\r", "\n \n", " \n", "\v", "\x1c", "\x85", "\u2028", "\u3000", " "]
VISIBLE = re.compile(r"[^\s\x00\u200b]")
texts = st.lists(
    st.sampled_from([*BLANKS, "a", "é", "word,", "\u200b", "\x00", "x" * 60, LONG]), max_size=15
).map("".join)


def found(text: str) -> list[str]:
    """The breaks of a text, and how the token before each of them ends."""
    tokeniser = Tokeniser()
    types, starts, ends = tokeniser(text)
    names = [tokeniser.types[number] for number in types]
    return [
        text[starts[at - 1] : ends[at - 1]] + name
        for at, name in enumerate(names)
        if name in (LINE_END, BLANK_LINE) and text[starts[at]] == "\n"
    ]


def meant(text: str) -> list[tuple[int, str]]:
    """Places and names of breaks, one by one; those around the text are none."""
    widest = max(map(len, text.splitlines()), default=0)
    told = []
    for space in re.finditer(r"\n\s*", text):
        at = space.start()
        name = BLANK_LINE if space[0].count("\n") > 1 else LINE_END
        width = at - (text.rfind("\n", 0, at) + 1)
        by_editor = name == LINE_END and widest <= 100 and width >= widest / 2
        inside = VISIBLE.search(text, 0, at) and VISIBLE.search(text, at)
        if inside and not by_editor:
            told.append((at, name))
    return told


@pytest.mark.parametrize(
    ("text", "breaks"),
    [
        (f"{LONG}one\ntwo", ["one↵"]),
        (f"{LONG}one\n\ntwo", ["one¶"]),
        (f"{LONG}one\n\n\n\n\ntwo", ["one¶"]),
        (f"{LONG}one\r\ntwo\r\n\r\nthree", ["one↵", "two¶"]),
        (f"{LONG}one  \n  two \n \t \n three", ["one↵", "two¶"]),
        (f"{LONG}one\u3000\n\u2028\ntwo", ["one¶"]),
        (f"\n\n {LONG}one\ntwo\n\n \n", ["one↵"]),
        (f"\n{LONG}\n", []),
        (f"{LONG}one\rtwo\vthree\u2028four", []),  # a line feed it must be
        (f"{LONG}one\n\u200b\ntwo", ["one↵", "\n↵"]),  # invisible, but no white space
        ("\n", []),
        ("", []),
        ("one\n\ntwo", ["one¶"]),  # blank lines are always meant
        (MAIL, [".↵", ".¶", ",↵"]),
    ],
)
def test_line_ends_are_tokens_between_others(text: str, breaks: list[str]) -> None:
    assert found(text) == breaks


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_lines_of_an_editor_are_joined_unless_one_is_longer_than_editors_make_them(
    eol: str,
) -> None:
    wrapped = eol.join(["word " * 14 + "end"] * 5)
    assert found(wrapped) == []
    assert found(f"{wrapped}{eol}{'word ' * 20}end") == ["end↵"] * 5


def test_a_line_of_less_than_half_the_widest_was_ended_by_its_writer() -> None:
    assert found(f"{'x' * 40}\n{'y' * 20}\n{'z' * 19}\nend") == [f"{'z' * 19}↵"]


def test_texts_are_judged_one_by_one() -> None:
    tokeniser = Tokeniser()
    lines = "first line of four\nsecond line\nthird one here\nand the last of them"
    together = [len(tokens.types) for tokens in tokeniser.each([lines, f"{LONG}\n{lines}", lines])]
    assert together == [len(tokeniser(text).types) for text in (lines, f"{LONG}\n{lines}", lines)]
    assert together[0] == len(lines.split())
    assert together[2] == together[0]


@given(st.lists(texts, min_size=1, max_size=5))
def test_breaks_are_those_of_the_texts_one_by_one(some: list[str]) -> None:
    joined = split("\n".join(some))
    pieces = [joined.data[start:end] for start, end in zip(joined.starts, joined.ends, strict=True)]
    n_tokens = np.array([len(spans(piece.decode())) for piece in pieces], np.int32)
    begins = np.cumsum([0, *(len(text) + 1 for text in some)], dtype=np.int32)
    places, are_blank_lines, following = breaks(joined, n_tokens, begins)
    assert (np.searchsorted(joined.characters, places) == following).all()
    names = [BLANK_LINE if blank else LINE_END for blank in are_blank_lines]
    assert list(zip(places.tolist(), names, strict=True)) == [
        (begin + at, name)
        for begin, text in zip(begins.tolist(), some, strict=False)
        for at, name in meant(text)
    ]


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [(False, False, "-"), (True, False, "‿-"), (False, True, "-‿"), (True, True, "‿-‿")],
)
def test_names_of_marks_tell_what_they_are_joined_to(before: bool, after: bool, name: str) -> None:
    assert spaced_name("-", before, after) == name
    assert plain_name(name) == "-"


@pytest.mark.parametrize("name", ["word", "do", "n't", LINE_END, BLANK_LINE, JOINED, JOINED * 2])
def test_what_has_no_space_to_tell_of_is_its_own_plain_name(name: str) -> None:
    assert plain_name(name) == name
