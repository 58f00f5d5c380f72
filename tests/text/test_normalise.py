"""Normalising takes out what keyboards and editors put in, and does it once and for all."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.text.normalise import normalise


@pytest.mark.parametrize(
    ("token", "plain"),
    [
        ("’", "'"),
        ("“", '"'),
        ("„", '"'),
        ("–", "-"),
        ("—", "--"),
        ("…", "..."),
        ("\x92", "'"),
        ("soooooo", "sooo"),
        ("sooo", "sooo"),
        ("!!!!!!", "!!!"),
        ("e\u0301", "é"),
        ("soft\u00adly", "softly"),
        ("\u037e", ";"),  # the Greek question mark is one
        ("Haus", "Haus"),
        ("\u200b", "\u200b"),  # nothing else is left of it
    ],
)
def test_examples(token: str, plain: str) -> None:
    assert normalise(token) == plain


@given(st.text(st.characters() | st.sampled_from("’“—…a\u0301\u200b\x92--"), max_size=12))
def test_once_is_enough(token: str) -> None:
    plain = normalise(token)
    assert normalise(plain) == plain
    assert normalise(unicodedata.normalize("NFD", token)) == plain
