"""The model that comes with the package, on the essays that come with it."""

import pytest

from samehand.verifier import DEFAULT_MODEL, Verifier
from tests.models import essay


@pytest.fixture(scope="module")
def packaged():
    assert DEFAULT_MODEL.is_dir()
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
    assert not any("unlike" in reason for reason in (*same.reasons, *different.reasons))


def test_two_known_texts_say_more_than_one(packaged):
    known = [essay("bruno-1"), essay("bruno-2")]
    levs = packaged.embed([essay("anna-1"), *known])
    together, *alone = packaged.probability(levs[[0, 0, 0]], [levs[1:], levs[1:2], levs[2:]])
    assert together < min(alone)


LETTER = (
    "Sir, Morris Town Octr 9th 1779. I had the Honour to receive Yours of the 2d Inst. inclosing "
    "the Resolve of Congress respectg the Cloathing, & shall in Consequence thereof give the "
    "necessary Orders to the Agents that they forward without Delay such Articles as are come to "
    "Hand; tho I must beg Leave to observe, that the Quantity of Shoes & Blanketts falls vastly "
    "short of what the Necessities of the Troops do require. Genl. Wayne hath wrote me, that "
    "upwards of three hundred of his Men are wholly unfit for Duty thro' want of them. I am "
    "sensible of the many Embarrassments under which You labour, & wou'd not add thereto, did not "
    "the Season press. The Enemy lay quiet; some Deserters who came in Yesterday say, that a Fleet "
    "is making ready at the Hook, but to what Place it is bound they cannot tell. With great "
    "Respect I have the Honour to be, Sir, Your most Obedt & very humble Servt. "
)


def test_wording_of_another_age_is_not_judged(packaged):
    """Each text has a caution; where both are so unlike the known, nothing is decided."""
    other = LETTER.replace("Shoes", "Shirts").replace("Wayne", "Greene")
    both = packaged.verify(LETTER[:520], other[520:])
    assert both.decision == "undecided"
    assert any("unlike anything this model was validated on" in reason for reason in both.reasons)
    one = packaged.verify(essay("anna-1"), LETTER)
    assert "The known text is worded unlike those the model" in " ".join(one.reasons)


def test_likelihood_ratios_keep_to_the_validation(packaged):
    low, high = packaged.description["about"]["validation"]["log10_lr_bounds"]
    assert low < 0 < high
    verdict = packaged.verify(essay("anna-1"), [essay("bruno-1"), essay("bruno-2")])
    assert low <= verdict.log10_lr <= high
