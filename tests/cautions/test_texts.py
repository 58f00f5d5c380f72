"""Each caution fires on its own fault, says so in one sentence, and leaves plain essays alone."""

import pytest

from samehand.cautions import texts as cautions
from samehand.cautions.caution import Caution
from samehand.cautions.texts import Text
from samehand.errors import InputError
from samehand.verifier import Verifier
from tests.models import essay
from tests.text.test_language import CHINESE, OTHERS

ANNA, BRUNO = essay("anna-1"), essay("bruno-1")


def text(content: str, name: str = "The text", read_to: int | None = None) -> Text:
    end = len(content) if read_to is None else read_to
    return Text.of(name, content, cautions.digest(content), end)


def copied(questioned: str, known: str) -> list[Caution]:
    return list(cautions.of_copying(text(questioned, "The questioned text"), [text(known)]))


def first_words(content: str, n: int) -> str:
    return " ".join(content.split()[:n])


@pytest.mark.parametrize("name", ["anna-1", "anna-2", "bruno-1", "bruno-2"])
def test_plain_essays_raise_none(name: str) -> None:
    assert list(cautions.of_one(text(essay(name)))) == []


def test_essays_share_no_passage() -> None:
    assert copied(ANNA, BRUNO) == copied(ANNA, essay("anna-2")) == []


@pytest.mark.parametrize(("n", "counted"), [(0, "0 words"), (1, "1 word"), (19, "19 words")])
def test_below_twenty_words_is_too_short(n: int, counted: str) -> None:
    short, enough = (text("word " * words, "letter.txt") for words in (n, 20))
    [found] = cautions.of_too_short([enough, short])
    assert found.sentence.startswith(f"letter.txt has {counted}; give at least 20")
    assert found.disqualifies


def test_below_a_hundred_words_is_said() -> None:
    [short] = cautions.of_one(text(first_words(ANNA, 80)))
    assert short.sentence.startswith("The text has only 8")
    assert not short.disqualifies


@pytest.mark.parametrize("content", [*OTHERS.values(), CHINESE])
def test_what_is_not_english_is_no_evidence(content: str) -> None:
    found = [caution for caution in cautions.of_one(text(content * 5)) if "English" in str(caution)]
    assert len(found) == 1
    assert found[0].disqualifies


@pytest.mark.parametrize("refrain", ["house ", "All work and no play makes Jack a dull boy. "])
def test_a_refrain_is_no_evidence(refrain: str) -> None:
    found = [c.sentence for c in cautions.of_one(text(refrain * 200)) if c.disqualifies]
    assert any("over and over" in sentence for sentence in found)


def test_what_was_not_read_is_counted() -> None:
    [long] = cautions.of_one(text(ANNA, read_to=ANNA.index("It began with a kettle")))
    assert "has 739 words, of which only the first 155 were read" in long.sentence


@pytest.mark.parametrize("change", ["  \n", ""])
def test_the_same_text_is_no_evidence(change: str) -> None:
    [copy] = copied(ANNA, ANNA + change)
    assert "are the same text" in copy.sentence
    assert copy.disqualifies


@pytest.mark.parametrize("n", [45, 300])
def test_a_long_shared_passage_is_no_evidence(n: int) -> None:
    [copy] = copied(first_words(ANNA, n) + " " + BRUNO, ANNA)
    assert "share long passages" in copy.sentence
    assert copy.disqualifies


def test_changed_spelling_and_marks_do_not_hide_a_copy() -> None:
    [copy] = copied(ANNA.upper().replace(",", " --").replace(";", "."), ANNA)
    assert "share long passages" in copy.sentence


def test_changed_words_do_not_hide_a_copy() -> None:
    reworded = " ".join("new" if n % 8 == 7 else word for n, word in enumerate(ANNA.split()))
    [copy] = copied(reworded, ANNA)
    assert copy.disqualifies


def test_a_quotation_is_said_but_does_not_disqualify() -> None:
    [quotation] = copied(first_words(ANNA, 20) + " " + BRUNO, ANNA)
    assert "share a passage of 20 words" in quotation.sentence
    assert not quotation.disqualifies


def test_known_texts_that_repeat_each_other_are_named() -> None:
    one, other = text(ANNA, "Known text 1"), text(BRUNO, "Known text 2")
    again, partly = text(ANNA + "\n", "Known text 3"), text(BRUNO[:3000] + ANNA, "Known text 4")
    assert list(cautions.of_repeats([one, other])) == []
    [same] = cautions.of_repeats([one, other, again])
    assert same.sentence == "Known text 3 is the same as known text 1: it was counted once."
    assert len(list(cautions.of_repeats([one, other, partly]))) == 2


def test_texts_of_a_trial_have_one_name_everywhere() -> None:
    assert cautions.names(1) == ["The questioned text", "The known text"]
    assert cautions.names(2) == ["The questioned text", "Known text 1", "Known text 2"]
    assert cautions.titles(1) == ["Questioned text", "Known text"]
    assert cautions.titles(2) == ["Questioned text", "Known text 1", "Known text 2"]


def test_verdicts_use_these_names(verifier: Verifier) -> None:
    for known in (["Few words."], [BRUNO, "Few words."]):
        with pytest.raises(InputError, match=f"^{cautions.names(len(known))[-1]} has 2 words"):
            verifier.verify(ANNA, known)


def test_the_first_place_of_each_text_is_found() -> None:
    assert cautions.firsts(["a", "b", "a", "b", "c"]) == [0, 1, 0, 1, 4]
