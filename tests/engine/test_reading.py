"""Reading the beginning of a text gives the beginning of what reading it all would give.

But for line ends that only the width of a later line shows to be meant.
"""

import pytest

from samehand.engine import reading
from samehand.engine.reading import Lexicon
from samehand.text.tokenise import Tokeniser
from samehand.text.vocabulary import UNK
from tests.engine.untrained import VOCABULARY, stored

NETWORKS = [stored(masking="rare"), stored(masking="suffix")]
PROSE = (
    'He said: "Well, I don\'t know\u2026" \u2014 and left.\n\nSee https://a.org/?b=c&d (p. 3).\t'
)


@pytest.mark.parametrize(
    "text",
    [
        PROSE * 400,
        PROSE.replace(" ", "\u3000").replace("\n", "\u2028") * 400,  # white space, but not ASCII's
        "x" * 20_000 + " " + PROSE * 50,
        "He wrote in lines as a poet does,\nor more so.\n" * 1_500,  # some of them meant
        f"{PROSE.strip() * 2}\n" * 400,  # all of them meant
        "???!!!" * 3_000,
        " " * 50_000 + PROSE * 50,
        "",
        "short",
    ],
)
@pytest.mark.parametrize("most", [1, 7, 100, 1_000])
def test_no_more_is_tokenised_than_is_read(text: str, most: int) -> None:
    tokeniser = Tokeniser()
    types, *offsets = (field[:most].tolist() for field in tokeniser(text))
    other = Tokeniser()
    tokens = reading._first_tokens(other, text, most)
    assert [other.types[i] for i in tokens.types] == [tokeniser.types[i] for i in types]
    assert [tokens.starts.tolist(), tokens.ends.tolist()] == offsets


def test_what_is_said_to_be_read_is_what_is_read() -> None:
    wrapped = "He wrote in lines as a poet does,\nor in so many.\n" * 600
    text = wrapped + "word " * 30 + "\n" + PROSE
    read = Lexicon(NETWORKS, 1_000).read([text, "All of it.  "])
    assert read.lengths() == [1_000, 4]
    assert read.ends == [read.documents[0].ends[-1], len("All of it.  ")]
    only = read.at([1])
    assert (only.lengths(), only.ends) == ([4], [len("All of it.  ")])


def test_types_are_numbered_as_each_network_knows_them() -> None:
    lexicon = Lexicon(NETWORKS, 1_000)
    lexicon.read([PROSE])
    read = lexicon.read([PROSE + " the walking"])  # some were met before
    names = Tokeniser().strings(PROSE + " the walking")
    assert [read.names[one] for one in read.documents[0].types.tolist()] == names
    for types, network in zip(read.types, NETWORKS, strict=True):
        words, spelt = types.at(read.documents[0].types.astype("int64"))
        assert words.tolist() == VOCABULARY.word_ids(names).tolist()
        shown = VOCABULARY.mask(words, VOCABULARY.character_ids(names), network.config.masking)
        assert spelt.tolist() == shown.tolist()
    assert (read.types[0].characters != read.types[1].characters).any()


def test_rare_words_show_the_letters_that_they_are_given() -> None:
    spellings = ["xxx", "the"]  # of which one is in the vocabulary
    for types in Lexicon(NETWORKS, 1_000).rare(spellings):
        assert types.words.tolist() == [UNK, UNK]
        assert types.characters.tolist() == VOCABULARY.character_ids(spellings).tolist()


def test_memory_is_bounded_and_what_was_read_stays_as_it_was(monkeypatch) -> None:
    monkeypatch.setattr(reading, "_MOST_TYPES", 50)
    lexicon = Lexicon(NETWORKS, 1_000)
    first = lexicon.read([" ".join(f"new{i}" for i in range(80))])
    before = first.types[0].at(first.documents[0].types.astype("int64"))
    again = lexicon.read(["the of"])
    assert len(again.types[0].words) == 2
    after = first.types[0].at(first.documents[0].types.astype("int64"))
    assert after.characters.tolist() == before.characters.tolist()
