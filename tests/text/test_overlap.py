"""Shared passages: any copy of a few words is found, wherever it stands, and nothing else."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.text.overlap import RUN, Shared, distinct_share, patterned_share, shared


def unlike(seed: int, n: int) -> list[str]:
    rng = random.Random(seed)
    return [f"{rng.randrange(10**9)}" for _ in range(n)]


@given(st.integers(0, 60), st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_a_copied_passage_is_measured_to_the_word(
    length: int, before: int, after: int, elsewhere: int
) -> None:
    passage = unlike(1, length)
    text = unlike(2, before) + passage + unlike(3, after)
    other = unlike(4, elsewhere) + passage + unlike(5, 30)
    expected = Shared(length, length / len(text)) if length >= RUN else Shared(0, 0.0)
    assert shared(text, other) == pytest.approx(expected)


def test_several_passages_add_up() -> None:
    one, two = unlike(1, 20), unlike(2, 30)
    found = shared(one + unlike(3, 50) + two, two + unlike(4, 10) + one)
    assert found == (30, 0.5)


def test_a_text_shares_all_of_itself() -> None:
    text = unlike(1, 100)
    assert shared(text, text) == (100, 1.0)
    assert shared([], text) == (0, 0.0)


def test_prose_is_distinct_and_a_refrain_is_not() -> None:
    assert distinct_share(unlike(1, 100)) == 1.0
    assert distinct_share(["word"] * 100) < 0.02
    assert distinct_share(["one", "word"]) == 1.0


def test_patterns_show_where_only_some_words_differ() -> None:
    places = ["london", "paris", "rome", "oslo", "cairo", "lima", "quito", "delhi"]
    filled = [f"our team in {place} is here to help".split() for place in places]
    assert patterned_share([word for sentence in filled for word in sentence]) == 7 / 8
    assert patterned_share([f"{n}" for n in range(200)]) == 0.0
    signed = (unlike(1, 100) + unlike(2, 30)) + (unlike(3, 100) + unlike(2, 30))
    assert patterned_share(signed) == 0.0
    assert patterned_share([]) == patterned_share(["one"]) == 0.0


def test_patterns_are_found_among_more_different_words_than_a_number_holds() -> None:
    """With 60,000 of them, the number of four in a row is beyond 64 bits."""
    plain = [f"w{n}" for n in range(120_000)]
    assert patterned_share(plain) == 0.0
    filled = [word for n in range(9) for word in ("for", "every", f"x{n}", "and", "our", f"y{n}")]
    assert patterned_share([*plain, *filled]) == 36 / (len(plain) + len(filled))
