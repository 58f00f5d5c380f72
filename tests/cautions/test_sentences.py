"""Each caution fires on its own fault, says so in one sentence, and leaves plain essays alone."""

import pytest

from samehand.cautions import sentences as cautions
from samehand.cautions.sentences import Text, plain_lr
from samehand.errors import InputError
from samehand.verdict import Bounds, Caution
from tests.models import essay
from tests.text.test_language import CHINESE, OTHERS

ANNA, BRUNO = essay("anna-1"), essay("bruno-1")


def text(content: str, name: str = "The text", read_to: int | None = None) -> Text:
    return Text.of(name, content, len(content) if read_to is None else read_to)


def copied(questioned: str, known: str) -> list[Caution]:
    return list(cautions.of_copying(text(questioned, "The questioned text"), [text(known)]))


def first_words(content: str, n: int) -> str:
    return " ".join(content.split()[:n])


@pytest.mark.parametrize("name", ["anna-1", "anna-2", "bruno-1", "bruno-2"])
def test_plain_essays_raise_none(name: str) -> None:
    assert list(cautions.of_one(text(essay(name)))) == []


def test_essays_share_no_passage() -> None:
    assert copied(ANNA, BRUNO) == copied(ANNA, essay("anna-2")) == []


@pytest.mark.parametrize("n", [0, 1, 19])
def test_below_twenty_words_is_refused(n: int) -> None:
    with pytest.raises(InputError, match=rf"^letter\.txt has {n} words?; give at least 20"):
        cautions.refuse_too_short("letter.txt", n)
    cautions.refuse_too_short("letter.txt", 20)


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


def test_a_known_text_that_contradicts_the_others_is_named() -> None:
    known = [text(ANNA, f"Known text {n}") for n in (1, 2, 3)]
    assert list(cautions.of_mixture(known, [1.0, 0.0, -0.4])) == []
    [doubt] = cautions.of_mixture(known, [1.0, 0.2, -0.7])
    assert doubt.sentence.startswith("Known text 3 does not fit the other known texts (LR 1/5)")
    assert not doubt.disqualifies
    [fault] = cautions.of_mixture(known, [-1.2, 0.2, 0.7])
    assert fault.disqualifies


def test_bounds_are_stated_where_they_bite() -> None:
    bounds = Bounds(-1.5, 2.0)
    assert list(cautions.of_bounds(1.9, bounds, validated=True)) == []
    [bitten] = cautions.of_bounds(float("inf"), bounds, validated=True)
    assert "given as 100, the bound" in bitten.sentence
    [bitten] = cautions.of_bounds(-1.6, bounds, validated=True)
    assert "given as 1/32, the bound" in bitten.sentence
    [unknown] = cautions.of_bounds(0.0, bounds, validated=False)
    assert "not validated" in unknown.sentence
    assert "between 1/32 and 100" in unknown.sentence


@pytest.mark.parametrize(
    ("log10_lr", "shown"),
    [(0, "1"), (0.5, "3.2"), (1, "10"), (2.65, "450"), (4, "10,000"), (-1.4, "1/25"), (-0.0, "1")],
)
def test_likelihood_ratios_are_shown_plainly(log10_lr: float, shown: str) -> None:
    assert plain_lr(log10_lr) == shown


@pytest.mark.parametrize(
    ("votes", "networks", "end"),
    [
        (0, 4, "wrong too often."),
        (3, 4, "wrong too often, and 3 of its 4 networks would rather not answer."),
        (1, 1, "wrong too often, and the model would rather not answer."),
    ],
)
def test_weak_evidence_leaves_undecided_and_tells_of_the_votes(votes, networks, end):
    found = cautions.of_weakness(votes, networks)
    assert found.undecides
    assert found.sentence.endswith(end)


def test_texts_of_unlike_wording_are_named():
    names = ["The questioned text", "Known text 1", "Known text 3"]
    first, last = cautions.of_unfamiliar(names, [True, False, True])
    assert first.sentence.startswith("The questioned text is worded unlike")
    assert last.sentence.startswith("Known text 3 is worded unlike")
    assert not last.undecides
