"""A text counts once, however it is spaced or composed."""

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from samehand.corpus.duplicates import DuplicateFilter

spaces = st.text("  \t\r\n\x0b\x1c\u00a0\u2003\u2028\u3000\x85", min_size=1)


@given(words=st.lists(st.text(st.characters(), min_size=1)), one=spaces, other=spaces)
def test_respaced_texts_are_duplicates(words: list[str], one: str, other: str) -> None:
    unique = DuplicateFilter()
    assert unique.is_new(one.join(words))
    assert not unique.is_new(other.join(words))
    assert not unique.is_new(other + one.join(words) + one)
    assert unique.dropped == 2


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_texts_that_unicode_calls_equal_are_duplicates(text: str) -> None:
    unique = DuplicateFilter()
    assert unique.is_new(normalize("NFD", text))
    assert not unique.is_new(normalize("NFC", text))
    assert not unique.is_new(text)


@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_nothing_else_is_dropped(texts: list[str]) -> None:
    unique = DuplicateFilter()
    kept = [text for text in texts if unique.is_new(text)]
    assert len(kept) == len({normalize("NFC", "".join(text.split())) for text in texts})
    assert unique.dropped == len(texts) - len(kept)


def test_case_and_punctuation_are_style() -> None:
    unique = DuplicateFilter()
    assert all(unique.is_new(text) for text in ["So it goes.", "so it goes.", "So it goes"])


def test_half_a_surrogate_pair_does_no_harm() -> None:
    unique = DuplicateFilter()
    assert unique.is_new("cut \ud83d")
    assert not unique.is_new("cut\ud83d")
