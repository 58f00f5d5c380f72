"""Word order as it is read and scored: the same numbers as the network it was learnt with."""

from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from samehand.text.word_order import DATA, DILATIONS, MOST_TOKENS, WordOrder, numbers, read
from samehand.text.words import words
from tests.models import essay


def test_tokens_are_words_and_marks() -> None:
    tokens = read("Well, don’t! (In 1999 — “why?”)")
    assert tokens.plain == [
        "well", ",", "don't", ".", "(", "in", "0", "--", '"', "why", "?", '"', ")",
    ]  # fmt: skip
    assert read("WELL, DON'T").plain == ["well", ",", "don't"]


def test_a_word_said_before_is_marked_near_and_far() -> None:
    flags = read("tree " + "leaf " * 59 + "tree " + "leaf " * 100 + "tree").flags
    assert flags[0].tolist() == [0, 0]
    assert flags[60].tolist() == [1, 1]
    assert flags[161].tolist() == [0, 1]


def test_words_that_are_not_common_go_by_their_ending() -> None:
    found = numbers(["the", "zorbing", "flarging", "snurk"], {"the": 1})
    assert found[0] == 1
    assert found[1] == found[2] != found[3]
    assert found[1:].min() > 1


def test_only_the_beginning_is_looked_at() -> None:
    assert len(read("word " * 5_000).plain) == MOST_TOKENS


def test_the_score_is_that_of_the_convolutions_in_torch() -> None:
    order = WordOrder()
    content = essay("bruno-1")
    tokens = read(content)
    arrays = np.load(DATA)

    def table(name: str) -> torch.Tensor:
        return torch.from_numpy(arrays[name].astype(np.float32) * arrays[f"{name}.scale"])

    listed = arrays["listed"].tobytes().decode().split("\n")
    number = {word: place for place, word in enumerate(listed, 1)}
    words = table("words.weight")[torch.from_numpy(numbers(tokens.plain, number))]
    x = torch.cat([words, torch.from_numpy(tokens.flags)], 1).T[None]
    seen = []
    for layer, dilation in enumerate(DILATIONS):
        weight, bias = (
            table(f"layers.{layer}.weight"),
            torch.from_numpy(arrays[f"layers.{layer}.bias"]),
        )
        x = torch.relu(torch.conv1d(x, weight, bias, padding="same", dilation=dilation))
        seen.append(x)
    out = torch.from_numpy(arrays["out.weight"]) @ torch.cat(seen, 1)[0] + float(
        arrays["out.bias"][0]
    )
    evidence, n = order.score(content)
    assert n == len(tokens.plain)
    assert evidence == pytest.approx(float(out.mean()), abs=1e-4)


def test_order_is_all_that_differs() -> None:
    content = essay("anna-1").split()
    scrambled = Random(0).sample(content, len(content))
    order = WordOrder()
    assert order.score(" ".join(scrambled))[0] > order.score(" ".join(content))[0] + 0.3


def test_no_words_no_evidence() -> None:
    assert WordOrder().score("") == (0.0, 0)


def test_it_is_small() -> None:
    assert DATA.stat().st_size < 300_000


@given(st.text("aZ9'’ʼ“”–—-_.,!?()…\n ", max_size=40))
def test_letters_beyond_ascii_change_nothing_in_the_rest_of_a_text(text: str) -> None:
    assert read(f"{text} é").plain == [*read(text).plain, "é"]
    assert words(f"{text} é") == [*words(text), "é"]
