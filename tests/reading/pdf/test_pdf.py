"""Paragraphs are made of the lines of a PDF, and what is no text of the author's is left out."""

import time

import pytest

from samehand.reading import Unreadable, child, read_content
from samehand.reading.pdf.text import pdf_text
from tests.reading.files import Placed, pdf, pdf_of, typeset

WINTERS = (
    "Nobody minded that the roof was new, for the old one had let in the rain of eleven winters, "
    "and whoever slept below it had learned to sleep with a pail at either side of the bed."
)
RIVER = (
    "The river came up to the third step in April, as it does; the ferryman moved his chair to the "
    "landing and read his paper there, with his boots on the rail, until the water went down."
)
SHORT = "That was all."
PARAGRAPHS = [WINTERS, SHORT, RIVER, WINTERS + " " + RIVER, SHORT]


@pytest.mark.parametrize(("indent", "space"), [(0, 8), (4, 0), (4, 8)])
@pytest.mark.parametrize("columns", [50, 80])
def test_lines_are_unwrapped_and_paragraphs_stay(columns: int, indent: int, space: float) -> None:
    content = typeset(PARAGRAPHS * 6, columns=columns, indent=indent, space=space)
    assert pdf_text(content) == "\n\n".join(PARAGRAPHS * 6)


def test_lines_that_the_author_broke_stay_broken() -> None:
    verse = "It rained all night,\nand nobody minded,\nfor the roof was new."
    assert pdf_text(typeset([WINTERS, verse, RIVER])) == f"{WINTERS}\n\n{verse}\n\n{RIVER}"


def test_a_paragraph_goes_on_over_the_end_of_a_page() -> None:
    text = " ".join([RIVER] * 40)
    assert pdf_text(typeset([text, WINTERS])) == f"{text}\n\n{WINTERS}"


def test_words_broken_at_line_ends_are_joined_but_not_those_with_a_hyphen_of_their_own() -> None:
    lines = [
        "The ferryman, who had never both-",
        "ered in his life, was a well-to-",
        "do man; his well-to-do aunts had",
        "left him the chair, the twenty-",
        "one boots, and all of the mead-",
        "ows that one sees from the step.",
    ]
    content = pdf_of([Placed(line, 200, 700 - 12 * n) for n, line in enumerate(lines)])
    assert pdf_text(content) == (
        "The ferryman, who had never bothered in his life, was a well-to-do man; his well-to-do "
        "aunts had left him the chair, the twenty-one boots, and all of the meadows that one sees "
        "from the step."
    )


def test_where_no_common_word_was_broken_hyphens_are_the_author_s() -> None:
    """A browser breaks lines behind hyphens, and puts in none."""
    first = "The ferryman said that the landing was in his view, which nobody shared, an under-"
    lines = [Placed(first, 50, 700), Placed("utilised piece of ground.", 50, 688)]
    assert pdf_text(pdf_of(lines)) == f"{first}utilised piece of ground."


@pytest.mark.parametrize("space", ["", " "])
@pytest.mark.parametrize("dash", ["\u2014", "\u2013", "--", "-", "/"])
def test_a_dash_at_a_line_end_is_spaced_as_before_it(dash: str, space: str) -> None:
    first = (
        f"The river came up to the third step in April of the last of those wet years{space}{dash}"
    )
    lines = [Placed(first, 50, 700), Placed("(exactly as it does every year).", 50, 688)]
    assert pdf_text(pdf_of(lines)) == f"{first}{space}(exactly as it does every year)."


def with_edges(number: int, total: int, words: str) -> list[Placed]:
    text = [Placed(words, 50, 780), Placed(words[::-1], 50, 760)]
    head = Placed("A History of Rain", 50, 820, 8)
    foot = Placed(f"- {number} -" if number % 2 else f"{number} of {total}", 280, 30, 8)
    stamp = Placed("Downloaded from an archive", 20, 300, 8, turned=True)
    return [head, *text, foot, stamp]


def test_running_heads_page_numbers_and_stamps_are_left_out() -> None:
    words = ["It rained.", "Nobody minded.", "The roof was new.", "That was all."]
    content = pdf_of(*(with_edges(number, 4, one) for number, one in enumerate(words, 1)))
    assert pdf_text(content) == "\n\n".join(f"{one}\n\n{one[::-1]}" for one in words)


def test_what_a_browser_prints_around_a_page_is_left_out() -> None:
    head = Placed("11/18/26, 8:24 AM", 20, 825, 8)
    title = Placed("A letter", 300, 825, 8)
    foot = Placed("file:///home/ann/letter.html", 20, 15, 8)
    number = Placed("1/1", 560, 15, 8)
    body = [Placed("It rained all night.", 50, 780), Placed("Nobody minded.", 50, 760)]
    assert pdf_text(pdf_of([head, title, *body, foot, number])) == (
        "It rained all night.\n\nNobody minded."
    )


def test_columns_are_read_one_after_the_other() -> None:
    lines = [RIVER[at : at + 30].strip() for at in range(0, 150, 30)]
    left = [Placed(line, 50, 700 - 12 * n) for n, line in enumerate(lines)]
    right = [Placed(line, 320, 700 - 12 * n) for n, line in enumerate(lines)]
    assert pdf_text(pdf_of([*left, *right])).split() == 2 * " ".join(lines).split()


def test_ligatures_are_written_out() -> None:
    assert pdf_text(pdf("Ane day.", unicode="FB01")) == "fine day."


@pytest.mark.parametrize("half", ["D800", "DC00"])
def test_a_font_that_maps_to_half_a_character_breaks_nothing(half: str) -> None:
    text = read_content(pdf("An apple, and it rained.", unicode=half), "it", "it.pdf").text
    assert text == "\ufffdn apple, and it rained."


def test_a_font_that_does_not_name_its_letters_is_refused() -> None:
    with pytest.raises(Unreadable, match="does not say which letters its fonts show"):
        pdf_text(pdf("AAA AAA nor A.", unicode="FFFD"))


def test_a_pdf_that_is_made_to_take_hours_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MOST_SECONDS", 0.5)
    start = time.monotonic()
    with pytest.raises(Unreadable, match="takes too long to read"):
        pdf_text(pdf("hello there\n" * 300, times=2_000))
    assert time.monotonic() - start < 10
