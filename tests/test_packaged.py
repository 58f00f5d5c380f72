"""The model that comes with the package, on the essays that come with it."""

import pytest

from samehand.verifier import PACKAGED, Verifier
from tests.models import essay


@pytest.fixture(scope="module")
def packaged() -> Verifier:
    assert PACKAGED.is_dir()
    return Verifier.load()


@pytest.mark.parametrize("subjects", [(1, 2), (2, 1)])
@pytest.mark.parametrize("voice", ["anna", "bruno"])
def test_a_voice_is_known_again(packaged, voice, subjects):
    other = {"anna": "bruno", "bruno": "anna"}[voice]
    first, second = subjects
    same = packaged.verify(essay(f"{voice}-{first}"), essay(f"{voice}-{second}"))
    different = packaged.verify(essay(f"{voice}-{first}"), essay(f"{other}-{first}"))
    assert same.decision == "same"
    assert different.decision == "different"


def test_two_known_texts_say_more_than_one(packaged):
    questioned, known = essay("anna-1"), [essay("bruno-1"), essay("bruno-2")]
    together = packaged.verify(questioned, known).log10_lr
    assert together < min(packaged.verify(questioned, text).log10_lr for text in known)


def test_the_less_text_the_less_is_said(packaged):
    words = essay("anna-1").split(), essay("anna-2").split()
    said = [
        abs(packaged.verify(*(" ".join(side[:n]) for side in words)).log10_lr)
        for n in (40, 150, 600)
    ]
    assert said[0] < said[1] < said[2]


LETTER = (
    "Sir, Morris Town Octr 9th 1779. I had the Honour to receive Yours of the 2d Inst. inclosing "
    "the Resolve of Congress respectg the Cloathing, & shall in Consequence thereof give the "
    "necessary Orders to the Agents that they forward without Delay such Articles as are come to "
    "Hand; tho I must beg Leave to observe, that the Quantity of Shoes & Blanketts falls vastly "
    "short of what the Necessities of the Troops do require. Genl. Wayne hath wrote me, that "
    "upwards of three hundred of his Men are wholly unfit for Duty thro' want of them. "
)
CHAT = "lol yeah\nbrb\ndid u see that??\nomg no way\nk\nim gonna get food then maybe play\nu on?\n"


def test_texts_like_no_genre_it_knows_are_told_and_decide_little(packaged):
    verdict = packaged.verify(LETTER, LETTER.replace("Shoes", "Shirts")[60:])
    assert any("unlike those of all genres" in reason for reason in verdict.reasons)


def test_two_sides_of_different_kinds_are_told_and_decide_little(packaged):
    verdict = packaged.verify(CHAT * 8, essay("anna-1"))
    assert any("different kinds" in reason for reason in verdict.reasons)
    within = packaged.verify(essay("bruno-1"), essay("anna-1"))
    assert abs(verdict.log10_lr) < abs(within.log10_lr)


def test_likelihood_ratios_keep_to_the_validation(packaged):
    low, high = packaged.model.description.log10_lr_bounds
    assert low < 0 < high
    verdict = packaged.verify(essay("anna-1"), [essay("bruno-1"), essay("bruno-2")])
    assert low <= verdict.log10_lr <= high


def test_it_says_what_its_evidence_was_fitted_to(packaged):
    about = packaged.model.description.about
    assert len(about.training["evidence"]["genres"]) > 60
    assert about.validation.figures["n"] > 40_000
