"""Which texts and pairs of a case are used: different ones, long enough, and not too many."""

import pytest

from samehand.assessment import LabelledPair
from samehand.casework.selecting import MOST, select
from samehand.errors import InputError
from tests.casework.written import Writer


def long(seed: int) -> str:
    return Writer(seed).text(24)


def test_repeats_and_short_texts_do_not_count():
    one, other = long(1), long(2)
    found = select([one, other, one.replace(" ", "\n "), "Too short to say a thing.", ""], [])
    assert found.texts == [one, other]
    assert (found.of_texts.used, found.of_texts.repeats, found.of_texts.too_short) == (2, 1, 2)
    assert found.of_texts.median_words > 100


def test_a_text_of_a_pair_is_not_counted_again_among_the_texts_by_others():
    texts = [long(seed) for seed in range(4)]
    found = select(texts, [LabelledPair(texts[0], [texts[1]], True)])
    assert found.texts == texts[2:]
    assert found.of_texts.in_pairs == 2


def test_pairs_are_different_and_long_enough():
    a, b, c = (long(seed) for seed in range(3))
    pairs = [
        LabelledPair(a, [b], True),
        LabelledPair(b, [a], True),
        LabelledPair(a, [b, c], False),
        LabelledPair(a, ["Short."], False),
    ]
    found = select([], pairs)
    assert found.pairs == [pairs[0], pairs[2]]
    of_pairs = found.of_pairs
    assert (of_pairs.same, of_pairs.different, of_pairs.used) == (1, 1, 2)
    assert (of_pairs.repeats, of_pairs.too_short) == (1, 1)


def test_pairs_that_say_nothing_are_refused():
    text = long(1)
    for known, said in (([], "no known text"), ([text], "with itself")):
        with pytest.raises(InputError, match=said):
            select([], [LabelledPair(text, known, True)])
    with pytest.raises(InputError, match="one text where a list of texts is needed"):
        select(text, [])


def test_of_very_many_texts_some_are_chosen_the_same_each_time():
    many = [f"text {number} " + "word " * 100 for number in range(MOST + 200)]
    found = select(many, [])
    assert len(set(found.texts)) == len(found.texts) == found.of_texts.used == MOST
    assert found.of_texts.too_many == 200
    assert found.texts == select(many, []).texts
    assert 100 < sum(text in many[MOST:] for text in found.texts) < 200
