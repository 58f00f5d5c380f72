"""Tokens of any text: what they are, and where they stand in the string they came from."""

import threading

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from samehand.text import tokenise as module
from samehand.text.layout import BLANK_LINE, JOINED, LINE_END
from samehand.text.normalise import normalise
from samehand.text.rules import spans
from samehand.text.tokenise import LONGEST_TYPE, Tokeniser

WORDS = """
    U.S. a.m. e.g., don't DON’T it's 'tis o'clock rock'n'roll www. www -joe@x.co.uk me@x.org,
    http://a.org/b_(c) https://x.org/it's. :-) :DD) :D :P. <3 8) xx:) 1,000.50 12:30 3rd. so...
    -- —— … “quoted,” ‘so’ «bon» sooooo!!!!! 中文字 👩‍👩‍👧‍👦 🇩🇪🇫🇷 👍🏽 שלום, مرحبا नमस्ते
"""
TRICKY = [
    *WORDS.split(),
    *["\x93old\x94", "don\x92t", "e\u0301te\u0301", "\u0301", "soft\u00adly", "\ufeffBOM"],
    *["\u200b", "\u200bword\u200b", "\ud800", "\x00", "\x7f", "\u3000", "\xa0", "\u2028"],
    *["\x1c", "\x85", "a" * 70, "é" * 16, "x" * 15, "x" * 16],
]
texts = st.lists(
    st.one_of(
        st.sampled_from([*TRICKY, " ", "\n", "\n\n", "\r\n", "\t", "‿", "¶", "x" * 101]),
        st.text(max_size=12),
        st.text("abDPw.:;'’“”\"()-@/8oé \n", max_size=12),
    ),
    max_size=12,
).map("".join)


def shown(tokeniser: Tokeniser, text: str) -> list[str]:
    _, starts, ends = tokeniser(text)
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Well, don't you know it's late?", "Well|,|do|n't|you|know|it|'s|late|?"),
        ('"U.S." (the one) e.g. mine.', '"|U.S.|"|(|the|one|)|e.g.|mine|.'),
        ("See http://a.org/b?c=d, or me@x.org!", "See|http://a.org/b?c=d|,|or|me@x.org|!"),
        ("so... 1,000.50 at 12:30 -- ha!!!", "so|...|1,000.50|at|12:30|--|ha|!!!"),
        ("nice :-) ;P <3 :DD) 👍🏽👍🏽 🇩🇪", "nice|:-)|;P|<3|:DD|)|👍🏽👍🏽|🇩🇪"),
        ("“Don’t,” he said—twice…", "“|Do|n’t|,|”|he|said|—|twice|…"),
        ("e\u0301te\u0301 soft\u00adly \u200b", "e\u0301te\u0301|soft\u00adly"),
        ("שלום, नमस्ते", "שלום|,|नमस्ते"),
        ("\x93Old\x94 mail\x92s", "\x93|Old|\x94|mail|\x92s"),
        ("well-known state_of the*art", "well|-|known|state|_|of|the|*|art"),
        ("rock'n'roll O'Brien's 'em", "rock'n'roll|O'Brien|'s|'|em"),
    ],
)  # fmt: skip
def test_what_tokens_are(text: str, tokens: str) -> None:
    assert shown(Tokeniser(), text) == tokens.split("|")


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("“Don’t,” — ‘so’ …", ['"‿', "Do", "n't", "‿,", '‿"', "--", "'‿", "so", "‿'", "..."]),
        ("sooooo goooooood!!!!!", ["sooo", "goood", "‿!!!"]),
        ("e\u0301te\u0301 soft\u00adly \ufeffx", ["été", "softly", "x"]),
        ("\x93Old\x94", ['"‿', "Old", '‿"']),
        ("", []),
        (" \n\t\u3000\u2028\x1c ", []),
        ("\u200b \u200d", []),
    ],
)
def test_types_are_normalised(text: str, types: list[str]) -> None:
    assert Tokeniser().strings(text) == types


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ('"Why?" he said: "So."', '"‿ Why ‿? ‿" he said ‿: "‿ So ‿. ‿"'),
        ("he said—twice – no -- or--so", "he said ‿--‿ twice - no -- or ‿--‿ so"),
        ("well-known, and/or a - b", "well ‿-‿ known ‿, and ‿/‿ or a - b"),
        ("(one) [two] ( three )", "(‿ one ‿) [‿ two ‿] ( three )"),
        ("(one), (two).", "(‿ one ‿) ‿, (‿ two ‿) ‿."),
        ("wait... what…so ... well", "wait ‿... what ‿...‿ so ... well"),
        ("50% of 20 % for $5", "50 ‿% of 20 % for $‿ 5"),
        ("Is it so ? Yes!", "Is it so ? Yes ‿!"),
        ("one,two ,three , four", "one ‿,‿ two ,‿ three , four"),
        ("nice :-) yes👍🏽 👍🏽", "nice :-) yes ‿👍🏽 👍🏽"),
        ("a\u200b,b", "a ‿,‿ b"),  # what cannot be seen parts nothing within a word …
        ("-\u200b,b", "- ,‿ b"),  # … but a mark from a mark it does
        ("so,\n\n-b", "so ‿, ¶ -‿ b"),  # nothing is joined to a line end
        ("I -\n\n- you", "I - ¶ - you"),
        ("don't it's U.S.-made", "do n't it 's U.S. ‿-‿ made"),
    ],
)
def test_marks_are_named_by_what_they_are_joined_to(text: str, types: str) -> None:
    assert Tokeniser().strings(text) == types.split()


@given(texts)
@example("\ud800\udc00 a\ud83d")
@example("a" * 200 + "b " + "a\u200b" * 100)
@example("\u0301" + "\u0302\u0303" * 40 + "a")
@example("‿‿‿a ↵\n\n¶ ʼ'")
def test_offsets_slice_back_to_the_token(text: str) -> None:
    tokeniser = Tokeniser()
    types, starts, ends = tokeniser(text)
    written = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    is_word = [any(map(str.isalnum, token)) for token in written]
    near = [False, *(starts[1:] == ends[:-1]).tolist(), False]
    for at, token in enumerate(written):
        name = tokeniser.types[types[at]]
        if token == "\n":
            assert name in (LINE_END, BLANK_LINE)
            continue
        plain = normalise(token)[:LONGEST_TYPE]
        if not is_word[at]:
            before = near[at] and written[at - 1] != "\n"
            after = near[at + 1] and is_word[at + 1]
            plain = normalise(JOINED * before + plain + JOINED * after)[:LONGEST_TYPE]
        assert name == plain
    assert (starts < ends).all()
    assert (starts[1:] >= ends[:-1]).all()
    assert len(set(tokeniser.types)) == len(tokeniser.types)
    assert list(dict.fromkeys(types.tolist())) == list(range(len(tokeniser.types)))


@given(texts)
def test_every_visible_character_is_in_a_token(text: str) -> None:
    _, starts, ends = Tokeniser()(text)
    inside = {i for start, end in zip(starts, ends, strict=True) for i in range(start, end)}
    for i, character in enumerate(text):
        if i not in inside:
            assert character.isspace() or regex.match(r"[\p{Cf}\p{Cc}]", character)
            assert not "\x91" <= character <= "\x97"  # Windows' quotes and dashes
        else:
            assert character == "\n" or not character.isspace()


@given(texts)
def test_pieces_are_cut_where_the_rules_would_cut(text: str) -> None:
    """The array work finds what the rules find in each stretch between white space."""
    found, at = [], 0
    for piece in text.split():
        at = text.index(piece, at)
        plain = piece.translate(str.maketrans("‘’“”", "''\"\""))
        found += [(at + start, at + end) for start, end in spans(plain)]
        at += len(piece)
    _, starts, ends = Tokeniser()(text)
    told = zip(starts.tolist(), ends.tolist(), strict=True)
    assert [span for span in told if text[span[0]] != "\n"] == found


@given(st.lists(texts, max_size=6), st.integers(1, 40))
def test_many_at_once_are_as_one_by_one(some: list[str], characters: int) -> None:
    alone, together = Tokeniser(), Tokeniser()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BATCH_CHARACTERS", characters)
        batched = [[column.tolist() for column in tokens] for tokens in together.each(some)]
    assert batched == [[column.tolist() for column in alone(text)] for text in some]
    assert alone.types == together.types


@settings(max_examples=40)
@given(st.lists(texts, max_size=6))
def test_memory_makes_no_difference(some: list[str]) -> None:
    """Met before, or met before and forgotten since: the answer is that of a new tokeniser."""
    old, forgetful = Tokeniser(), Tokeniser()
    with pytest.MonkeyPatch.context() as patch:
        for text in some + some:
            fresh = Tokeniser()
            expected = [fresh.strings(text), *(column.tolist() for column in fresh(text)[1:])]
            patch.setattr(module, "_MOST_KEPT", 1 << 20)
            assert [old.strings(text), *(column.tolist() for column in old(text)[1:])] == expected
            patch.setattr(module, "_MOST_KEPT", 3)
            again = [forgetful.strings(text), *(c.tolist() for c in forgetful(text)[1:])]
            assert again == expected


def test_what_is_remembered_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_KEPT", 100)
    tokeniser = Tokeniser()
    for number in range(500):
        tokeniser(f"word{number} " + f"x{number}-" * 40)
        assert len(tokeniser._pieces) <= 102
        assert len(tokeniser._tokens) <= 4 * 300


@pytest.mark.parametrize(
    "word", ["a" * 2_000_000, "a-" * 1_000_000, "a." * 1_000_000, "😀" * 500_000, ".@" * 500_000]
)
def test_a_word_of_two_megabytes(word: str) -> None:
    types, starts, ends = Tokeniser()(f"so {word} it is")
    assert starts[0] == 0
    assert ends[-1] == len(word) + 9
    assert len(types) >= 4


@pytest.mark.parametrize(
    ("text", "n_tokens"),
    [
        ("a" + "\n" * 200_000 + "b", 3),
        ("\n" * 200_000, 0),
        ("a\n" * 200_000, 200_000),  # as even as an editor's lines
        ("a.\n\n" * 100_000, 300_000 - 1),
        ("a\n \u200b" * 100_000, 100_000 + 1),
        ("a\n" + " " * 1_000_000 + "\nb", 3),
        ("a\n" + "long line " * 100_000 + "\nb", 200_004),
        ("\r\n" * 100_000 + "a" + "\r" * 100_000, 1),
        ("a\v\x1c\u2028" * 100_000, 100_000),
        ("()" * 500_000, 1_000_000),
        ("-,\n" * 100_000, 200_000),
        ("\x00\n" * 200_000, 0),
        ("\ud800\n" * 200_000, 200_000),
    ],
)
def test_no_layout_takes_long_or_fails(text: str, n_tokens: int) -> None:
    _, starts, ends = Tokeniser()(text)
    assert len(starts) == n_tokens
    assert (starts[1:] >= ends[:-1]).all()


def test_slots_that_many_pieces_share_mix_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("samehand.text.piece_cache._SLOT_BITS", 1)
    tokeniser = Tokeniser()
    text = " ".join(f"w{i % 50} {chr(97 + i % 26)}" for i in range(500))
    assert tokeniser.strings(text) == tokeniser.strings(text) == text.split()


@settings(max_examples=30)
@given(st.binary(max_size=20), st.binary(max_size=20))
def test_pieces_of_control_characters_are_told_apart(first: bytes, second: bytes) -> None:
    tokeniser = Tokeniser()
    for text in (first.decode("latin-1"), second.decode("latin-1")):
        assert tokeniser.strings(text) == Tokeniser().strings(text)


def test_threads_may_share_a_tokeniser() -> None:
    tokeniser = Tokeniser()
    written = [" ".join(f"t{n}w{i:x}, shared{i:x}\n" for i in range(2000)) for n in range(6)]
    read: dict[str, list[str]] = {}

    def work(text: str) -> None:
        read[text] = tokeniser.strings(text)

    threads = [threading.Thread(target=work, args=(text,)) for text in written]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == {text: Tokeniser().strings(text) for text in written}
