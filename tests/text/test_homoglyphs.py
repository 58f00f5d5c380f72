"""Words that look alike read alike."""

import pytest

from samehand.text.homoglyphs import disguises, undisguised
from samehand.text.words import words


@pytest.mark.parametrize(
    ("disguised", "plain"),
    [
        ("p\u0430\u0443p\u0430l", "paypal"),  # Cyrillic а, у
        ("in\u200bvisi\u00adble", "invisible"),
        ("\uff28\uff45llo", "Hello"),
        ("ordinary", "ordinary"),
        ("naïve café", "naïve café"),
    ],
)
def test_a_word_is_what_it_looks_like(disguised: str, plain: str) -> None:
    assert undisguised(disguised) == plain
    assert words(disguised) == words(plain)


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("p\u0430ypal and a\u200bb", 2),
        ("g\u03bfod", 1),  # Greek ο
        ("\uff28\uff45llo, \uff48\uff45\uff59", 2),
        ("naïve café, fiancée", 0),
        ("Москва is the Russian for Moscow", 0),
        ("λx, αβ, 5μm", 0),
        ("می‌خواهم", 0),  # Persian needs its zero-width non-joiner
    ],
)
def test_only_places_inside_words_are_disguises(text: str, n: int) -> None:
    assert disguises(text) == n
