"""The model that comes with the package, on the essays that come with it."""

import numpy as np
import pytest

from samehand.verifier import DEFAULT_MODEL, Verifier

from .conftest import essay


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


def test_what_is_far_from_all_texts_is_called_strange(packaged):
    levs = packaged.embed([essay("anna-1"), essay("anna-2")])
    assert packaged.doubts(levs[:1], levs[1:]).cautions == ()
    odd = np.where(np.random.default_rng(0).random(levs.shape) < 0.5, -0.99, 0.99)
    doubts = packaged.doubts(levs[:1], odd[1:].astype(np.float32))
    [found] = (caution for caution in doubts.cautions if "unlike" in caution.sentence)
    assert found.sentence.startswith("The known text is unlike")
    assert not found.disqualifies


def test_likelihood_ratios_keep_to_the_validation(packaged):
    low, high = packaged.description["about"]["validation"]["log10_lr_bounds"]
    assert low < 0 < high
    verdict = packaged.verify(essay("anna-1"), [essay("bruno-1"), essay("bruno-2")])
    assert low <= verdict.log10_lr <= high
