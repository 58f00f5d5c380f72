"""Reading the beginning of a text gives the beginning of what reading it all would give.

But for line ends that only the width of a later line shows to be meant.
"""

import pytest

from samehand.engine.reader import Lexicon
from samehand.network.weights import load_members
from samehand.text.tokenise import Tokeniser
from samehand.verifier import DEFAULT_MODEL

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
    lexicon = Lexicon([], most)
    tokens = lexicon._tokens(text)
    names = [lexicon._tokeniser.types[i] for i in tokens.types]
    assert names == [tokeniser.types[i] for i in types]
    assert [tokens.starts.tolist(), tokens.ends.tolist()] == offsets


def test_what_is_said_to_be_read_is_what_is_read() -> None:
    wrapped = "He wrote in lines as a poet does,\nor in so many.\n" * 600
    text = wrapped + "word " * 30 + "\n" + PROSE
    members, _ = load_members(DEFAULT_MODEL)
    read = Lexicon(members, 1_000).read([text, "All of it.  "])
    assert len(read.documents[0].types) == 1_000
    assert read.ends == [read.documents[0].ends[-1], len("All of it.  ")]
