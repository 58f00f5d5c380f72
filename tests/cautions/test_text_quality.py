"""Texts nobody wrote as they stand are no evidence or get a caution; honest ones pass."""

from collections.abc import Callable
from random import Random

import pytest
from hostile import copied, languages, made, scrambled
from hostile.chains import word_chain

from samehand.cautions.caution import Caution
from samehand.cautions.text_quality import Limit, most_patterned
from samehand.cautions.texts import Text, digest, of_all
from samehand.text.words import words
from samehand.verifier import Verifier
from tests.models import essay
from tests.text.test_language import ENGLISH_TEXTS

NAMES = ("anna-1", "anna-2", "bruno-1", "bruno-2")
VOCABULARY = sorted({word for name in NAMES for word in words(essay(name)) if word.isalpha()})

RECIPE = """Peel four potatoes and cut them into slices, not too thin. Put a spoon of butter into a
pan, and when it has melted add the potatoes, some salt and a little pepper. Leave them alone for
five minutes. Turn them over; they should be brown on one side by now. Meanwhile chop an onion and
two cloves of garlic. Add them for the last three minutes only, or they will burn. I like to finish
with parsley, but my brother, who taught me this, says that parsley is for people with time."""
CHAT = """ok so i finally got it to work lol. turns out the cable was dead the whole time?? i spent
like 3 hrs reinstalling drivers and it was the CABLE. anyway its fine now, sound is good, mic is
kinda meh but whatever. u still want my old one? its just sitting here. also tell ben i said hi, he
never answers his phone. gonna go eat, brb. oh and dont buy the blue one, everybody says it breaks
after a month or so. mine did. twice haha"""
REPORT = """The build fails on the second machine only. I ran `make -j4` with gcc 4.1.2 and got

    parser.c:112: error: 'yylval' undeclared (first use in this function)
    make: *** [parser.o] Error 1

With gcc 4.3 the same tree compiles. I think the header is generated too late: parser.h is listed
after parser.c in the Makefile, and with one job at a time nobody notices. The patch below moves it
up by two lines. It works for me, but I have not tried it on Solaris, so please do if you can."""


def text(content: str) -> Text:
    return Text.of("The text", content, digest(content), len(content))


def disqualified(questioned: Text, known: list[Text]) -> Caution | None:
    """The first caution by which texts are no evidence."""
    return next((each for each in of_all([questioned, *known]) if each.disqualifies), None)


def reasons(content: str) -> str:
    return " ".join(caution.sentence for caution in text(content).own)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("start", [0, 30, 150])
@pytest.mark.parametrize("n", [110, 300, 700])
def test_no_piece_of_an_essay_is_suspected(name: str, start: int, n: int) -> None:
    assert reasons(" ".join(essay(name).split()[start : start + n])) == ""


@pytest.mark.parametrize("content", [RECIPE, CHAT, REPORT, *ENGLISH_TEXTS.values()])
def test_plain_writing_of_other_kinds_is_not_suspected(content: str) -> None:
    assert [c for c in text(content).own if "only" not in c.sentence] == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [120, 600])
@pytest.mark.parametrize(
    "scramble",
    [scrambled.words_anyhow, scrambled.words_without_marks, scrambled.letters],
)
def test_what_is_scrambled_is_no_evidence(
    scramble: Callable[[str, Random], str], n: int, name: str
) -> None:
    content = scramble(" ".join(essay(name).split()[:n]), Random(n))
    assert disqualified(text(content), [text(essay("anna-2"))]) is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scramble", [scrambled.words_in_windows, scrambled.inner_letters])
def test_what_is_scrambled_a_little_is_no_evidence_either(
    scramble: Callable[[str, Random], str], name: str
) -> None:
    assert "read" in reasons(scramble(essay(name), Random(0)))


def test_sentences_in_another_order_are_still_sentences() -> None:
    assert reasons(scrambled.sentences(essay("anna-1"), Random(0))) == ""


@pytest.mark.parametrize("width", [1, 2])
def test_chained_words_are_said(width: int) -> None:
    chain = word_chain([essay(name) for name in NAMES], width)
    assert "words" in reasons(" ".join(chain.sample(400, Random(width))))


@pytest.mark.parametrize("n", [120, 1_000])
@pytest.mark.parametrize("make", made.KINDS, ids=lambda make: make.__name__)
def test_what_a_machine_put_out_is_said(
    make: Callable[[int, Random, list[str]], str], n: int
) -> None:
    assert reasons(make(n, Random(0), VOCABULARY)) != ""


@pytest.mark.parametrize("language", languages.STORY)
def test_another_language_is_no_evidence_and_half_of_it_is_said(language: str) -> None:
    story = languages.story(language, 120, Random(0))
    found = disqualified(text(essay("anna-1")), [text(story)])
    assert found is not None
    assert "English" in found.sentence
    mixed = " ".join(essay("anna-1").split()[:120]) + " " + story
    assert "English" in reasons(mixed)


@pytest.mark.parametrize("change", copied.KINDS, ids=lambda change: change.__name__)
def test_no_disguise_hides_a_copy(change: Callable[[str, str, Random], str]) -> None:
    copy = change(essay("anna-1"), essay("bruno-1"), Random(0))
    found = disqualified(text(copy), [text(essay("anna-2")), text(essay("anna-1"))])
    assert found is not None


def test_letters_that_only_look_latin_are_said_and_many_are_no_evidence() -> None:
    plain = essay("anna-1")
    few = plain.replace("stove", "st\u043eve").replace("basket", "bas\u200bket")
    [said] = text(few).own
    assert "inside words" in said.sentence
    assert not said.disqualifies
    fault = text(copied.lookalikes(plain, "", Random(0))).own[0]
    assert "inside words" in fault.sentence
    assert fault.disqualifies


def test_honest_texts_are_not_disqualified() -> None:
    known = [text(essay("anna-2")), text(essay("bruno-1"))]
    assert disqualified(text(essay("anna-1")), known) is None


def test_a_verdict_on_scrambled_words_is_undecided(verifier: Verifier) -> None:
    scramble = scrambled.words_anyhow(essay("anna-1"), Random(0))
    verdict = verifier.verify(scramble, essay("anna-2"))
    assert verdict.decision == "undecided"
    assert "The questioned text does not read like sentences" in " ".join(verdict.reasons)


def test_limits_fall_with_length_and_patterns_are_allowed_more_of() -> None:
    assert Limit(0.1, 2.0).at(100) == pytest.approx(0.3)
    assert most_patterned(50) == most_patterned(100) < most_patterned(500) < most_patterned(5_000)
