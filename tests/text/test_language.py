"""English is told from other languages and from noise, by texts as short as a paragraph."""

import base64
import random

import pytest

from samehand.text.language import ENGLISH, UNKNOWN, foreign_share, language
from samehand.text.words import words

OTHERS = {
    "German": "Als Gregor Samsa eines Morgens aus unruhigen Träumen erwachte, fand er sich in "
    "seinem Bett zu einem ungeheueren Ungeziefer verwandelt. Er lag auf seinem panzerartig harten "
    "Rücken und sah, wenn er den Kopf ein wenig hob, seinen gewölbten, braunen Bauch.",
    "French": "Longtemps, je me suis couché de bonne heure. Parfois, à peine ma bougie éteinte, "
    "mes yeux se fermaient si vite que je n'avais pas le temps de me dire : je m'endors. Et, une "
    "demi-heure après, la pensée qu'il était temps de chercher le sommeil m'éveillait.",
    "Spanish": "En un lugar de la Mancha, de cuyo nombre no quiero acordarme, no ha mucho tiempo "
    "que vivía un hidalgo de los de lanza en astillero, adarga antigua, rocín flaco y galgo "
    "corredor. Una olla de algo más vaca que carnero consumía las tres partes de su hacienda.",
    "Italian": "Quel ramo del lago di Como, che volge a mezzogiorno, tra due catene non interrotte "
    "di monti, tutto a seni e a golfi, a seconda dello sporgere e del rientrare di quelli, vien, "
    "quasi a un tratto, a ristringersi, e a prender corso e figura di fiume.",
    "Dutch": "Ik ben makelaar in koffie, en woon op de Lauriergracht. Het is mijn gewoonte niet, "
    "romans te schrijven, of zulke dingen, en het heeft dan ook lang geduurd, voor ik er toe "
    "overging een paar riem papier extra te bestellen, en het werk aan te vangen.",
    "Latin": "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, "
    "tertiam qui ipsorum lingua Celtae, nostra Galli appellantur. Hi omnes lingua, institutis, "
    "legibus inter se differunt. Gallos ab Aquitanis Garumna flumen, a Belgis Matrona dividit; "
    "horum omnium fortissimi sunt Belgae, quod a cultu longissime absunt.",
    "Portuguese": "Algum tempo hesitei se devia abrir estas memórias pelo princípio ou pelo fim, "
    "isto é, se poria em primeiro lugar o meu nascimento ou a minha morte. Suposto o uso vulgar "
    "seja começar pelo nascimento, duas considerações me levaram a adotar diferente método.",
    "Swedish, Danish or Norwegian": "Det var en afton i början av maj. Den lilla trädgården på "
    "Mosebacke hade ännu icke blivit öppnad för allmänheten och rabatterna voro ej uppgrävda; "
    "snödropparne hade arbetat sig upp genom fjolårets lövsamlingar och höllo just på att sluta.",
    "Polish": "Litwo, ojczyzno moja, ty jesteś jak zdrowie; ile cię trzeba cenić, ten tylko się "
    "dowie, kto cię stracił. Dziś piękność twą w całej ozdobie widzę i opisuję, bo tęsknię po "
    "tobie. To jest to, co się nie da już zmienić, ale nie jest tak źle, jak się o tym mówi.",
    UNKNOWN: "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива "
    "по-своему. Все смешалось в доме Облонских. Жена узнала, что муж был в связи с бывшею в их "
    "доме француженкою-гувернанткой, и объявила мужу, что не может жить с ним в одном доме.",
}
CHINESE = "子曰:學而時習之,不亦說乎?有朋自遠方來,不亦樂乎?人不知而不慍,不亦君子乎?" * 3
ENGLISH_TEXTS = {
    "a letter of 1776": "Sir, I had the Honour of your favor of the 4th. Instant, and am "
    "exceedingly obliged by the Attention which you have been pleased to shew to the Business. The "
    "Enemy have landed a considerable Body of Men upon the Island; our Troops are in good "
    "Spirits, tho' many of them want Cloathing. I am, with great Respect, Yr. most obedt. Servt.",
    "a chat": "lol ok so i was like wtf and he just sat there?? idk man, ppl are weird. anyway "
    "gonna head out soon, u coming or what. my sis says hi btw, she thinks ur hilarious",
    "a bug report": "The segfault happens in MPI_Init when the ORTE daemon cannot open the shared "
    "memory segment. Setting btl_sm_enable=0 in openmpi-mca-params.conf works around it, but then "
    "bandwidth over Infiniband drops by 40 percent. Backtrace attached; kernel 2.6.18, gcc 4.1.2.",
    "shouting": "I HAVE TOLD YOU THIS BEFORE AND I WILL TELL YOU AGAIN, NOBODY IN THIS TOWN WANTS "
    "THAT ROAD, AND IF THE COUNCIL THINKS THEY CAN BUILD IT WHEN WE ARE ASLEEP THEY ARE WRONG",
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_other_languages_are_named_or_at_least_not_taken_for_english(name: str) -> None:
    assert language(words(OTHERS[name])) == name


def test_chinese_is_counted_by_the_character_and_is_not_english() -> None:
    assert len(words(CHINESE)) > 80
    assert language(words(CHINESE)) == UNKNOWN


@pytest.mark.parametrize("kind", ENGLISH_TEXTS)
def test_english_of_any_kind_is_english(kind: str) -> None:
    assert language(words(ENGLISH_TEXTS[kind])) == ENGLISH


@pytest.mark.parametrize("kind", ENGLISH_TEXTS)
@pytest.mark.parametrize("seed", range(5))
def test_scrambled_letters_are_no_language(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    scrambled = ["".join(rng.sample(word, len(word))) for word in words(ENGLISH_TEXTS[kind] * 3)]
    assert language(scrambled) == UNKNOWN


def test_noise_is_no_language() -> None:
    rng = random.Random(0)
    letters = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz     ") for _ in range(3000))
    packed = base64.encodebytes(rng.randbytes(3000)).decode()
    for noise in (letters, packed, "word " * 300, "7 12 19.5 " * 100, ""):
        assert language(words(noise)) == UNKNOWN


def test_words_are_counted_as_people_count_them() -> None:
    assert words("Don’t — it's the U.S. (so) 1,000!") == [
        "don't", "it's", "the", "u", "s", "so", "1", "000",
    ]  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_how_much_of_a_text_is_foreign(name: str) -> None:
    plain = [word for text in ENGLISH_TEXTS.values() for word in words(text)]
    other = words(OTHERS[name])
    common = set(plain)
    assert foreign_share(plain, common) == 0.0
    assert foreign_share(other, common) == 1.0
    half = len(other) / (len(plain) + len(other))
    assert foreign_share(plain + other, common) == pytest.approx(half, abs=0.1)
    assert foreign_share([], common) == 0.0
