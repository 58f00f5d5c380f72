"""Genres of the packaged model have names for reading."""

from samehand.report.genre_names import NAMES, by_family, genre_name
from samehand.report.model_card import describe
from samehand.verifier import PACKAGED


def test_every_genre_of_the_packaged_model_has_a_name() -> None:
    card = describe(PACKAGED)
    assert {*card.genres, *card.validation.sets, *card.learnt_from} <= NAMES.keys()


def test_a_genre_that_is_not_known_stands_for_itself() -> None:
    assert genre_name("hansard_uganda") == "Parliament of Uganda"
    assert genre_name("my_letters") == "my_letters"
    assert by_family(["my_letters", "irc_perl", "sms_nus"]) == {
        "Chat, messages and mail": ["irc_perl", "sms_nus"], "my_letters": ["my_letters"],
    }  # fmt: skip
