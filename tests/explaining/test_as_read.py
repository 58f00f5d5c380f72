"""What is shown of a text's units is what the engine makes of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.engine.cutting import cut
from samehand.engine.embed import Embedder
from samehand.engine.reading import Lexicon
from samehand.errors import InputError
from samehand.explaining.as_read import TextAsRead, as_read, printable
from samehand.model.folder import StoredNetwork
from samehand.text.normalise import normalise
from samehand.text.tokenise import Tokeniser
from samehand.text.vocabulary import UNK
from tests.models import essay, untrained


def with_windows(width: int, hop: int, most: int, masking: str = "rare") -> StoredNetwork:
    network = untrained()
    changed = {"unit_width": width, "unit_hop": hop, "most_units": most, "masking": masking}
    return network._replace(config=network.config.model_copy(update=changed))


def joined(read: TextAsRead) -> list[int]:
    """The tokens of all units, without those that the unit before has."""
    found: list[int] = []
    for first, last in read.units:
        found += range(max(first, found[-1] + 1 if found else 0), last)
    return found


PROSE = st.text(st.sampled_from("aAbeiz09 \n\t.,;!?-'’“<>&\x1b\u200bé字ß")) | st.text()
WINDOWS = st.integers(2, 9).flatmap(lambda w: st.tuples(st.just(w), st.integers(1, w)))


@given(PROSE, WINDOWS, st.integers(1, 40))
def test_units_without_what_they_share_are_the_tokens(
    text: str, windows: tuple[int, int], most: int
) -> None:
    network = with_windows(*windows, most)
    types = Tokeniser().strings(text)
    if not types:
        with pytest.raises(InputError, match="letter: there is no word"):
            as_read([network], text, "letter")
        return
    read = as_read([network], text, "letter")
    assert joined(read) == list(range(len(read.names)))
    of_units = np.zeros(len(read.names), int)
    for first, last in read.units:
        of_units[first:last] += 1
    assert read.shared == (of_units > 1).tolist()
    assert 0 < read.tokens.ends[-1] <= read.end <= len(text)
    assert len(read.units) == network.config.windowing.count(len(read.names))
    if len(read.names) < network.config.windowing.span(most):
        assert list(read.names) == types
        assert read.n_words_unread == 0


@given(PROSE)
def test_offsets_point_into_the_text_as_it_was_given(text: str) -> None:
    if not Tokeniser().strings(text):
        return
    told = as_read([with_windows(4, 3, 210)], text, "").as_dict()
    for token in told["tokens"]:
        own = text[token["start"] : token["end"]]
        if own.isspace():
            assert token["token"] in ("↵", "¶")
        else:
            assert token["token"].strip("‿") == normalise(own)[:64].strip("‿")
    for unit in told["units"]:
        first, last = unit["tokens"]
        assert unit["start"] == told["tokens"][first]["start"]
        assert unit["end"] == told["tokens"][last - 1]["end"]


def test_these_are_the_units_and_types_that_the_kernels_take() -> None:
    networks, text = [untrained()], " ".join(map(essay, ("anna-1", "bruno-1")))
    read = as_read(networks, text, "")
    embedder = Embedder(networks)
    (encoded,) = embedder.encode(embedder.read([text]))
    assert list(read.units) == encoded.bounds
    told = read.as_dict()
    assert [(unit["start"], unit["end"]) for unit in told["units"]] == encoded.unit_spans()

    found = Lexicon(networks, embedder.most_tokens).read([text])
    of = cut(found.documents, len(found.names), embedder.windowing)
    taken = [
        [found.names[number] for number in of.types[row[:length]]]
        for row, length in zip(of.tokens, of.unit_lengths, strict=True)
    ]
    assert taken == [list(read.names[first:last]) for first, last in read.units]
    assert (len(read.names), len(read.units)) == (550, 21)
    assert read.end == read.tokens.ends[-1]
    assert read.n_words_unread > 100
    assert f"{read.n_words_unread:,} more words" in read.in_words


def test_of_a_word_outside_the_vocabulary_is_shown_what_the_network_gets() -> None:
    networks = [with_windows(30, 26, 21, masking) for masking in ("rare", "suffix")]
    known = next(word for word in networks[0].vocabulary.words if word.isalpha())
    text = f"{known} zeppelins oxen"
    read = as_read(networks, text, "")
    assert read.names == (known, "zeppelins", "oxen")
    rare, suffix = read.views
    types = Lexicon(networks, 550).read([text]).types
    for view, of_network, network in zip(read.views, types, networks, strict=True):
        for place, seen in enumerate(view.seen):
            assert (seen is not None) == (of_network.words[place] == UNK)
            spelt = [network.vocabulary.characters[c] for c in of_network.characters[place] if c]
            assert seen is None or seen == "".join(spelt).replace("<UNK>", "\ufffd")
    assert rare.mark(1) == "<UNK>"
    assert suffix.mark(1) == "<xxxxxxins>"
    assert suffix.mark(2) == "<xxxx>"
    assert rare.mark(0) is suffix.mark(0) is None
    assert rare.n_unknown == 2


def test_networks_that_see_alike_are_one_view() -> None:
    networks = [untrained("one"), untrained("two", seed=1)]
    (view,) = as_read(networks, essay("anna-1"), "").views
    assert view.networks == ("one", "two")
    assert view.n_words == 200


def test_the_units_that_are_shown_are_the_first_ones_and_the_last() -> None:
    read = as_read([with_windows(3, 2, 99)], "a b c d e f g", "")
    assert [read.first_units(n) for n in (1, 2, 3, 9)] == [[0, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]
    assert as_read([with_windows(3, 2, 99)], "a", "").first_units(4) == [0]


@given(st.text())
def test_nothing_that_is_shown_steers_a_terminal(token: str) -> None:
    assert printable(token).isprintable()
    assert len(printable(token)) <= 32
