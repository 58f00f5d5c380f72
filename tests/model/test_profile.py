"""The profile: rates of common words and of runs of them, blind to what a text is about."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import torch

from samehand.model.documents import Documents, Types, assemble
from samehand.model.network import Network
from samehand.model.profile import Profile
from samehand.model.weights import load_network, save_network
from samehand.text.units import Windowing
from samehand.text.vocabulary import SPECIAL, Vocabulary

from .drawn import batch, small, texts, without_dropout

COMMON = ("the", "of", ",", "and")
VOCABULARY = Vocabulary((*SPECIAL, *COMMON, "whale"), (*SPECIAL, *"abcdefghilnortuwyW59,-é"))
WINDOWING = Windowing(5, 4, 3)
TEXTS = (
    "the whale and the Whale , of the whale and the sea of",
    "the whale , the whale , the",
    "of",
    "<HIDDEN> the <HIDDEN> and the of 59 W59 oué-oué the W",
    "and and of <HIDDEN> of",
)


def read(*given: str, windowing: Windowing = WINDOWING) -> Documents:
    """Texts cut at spaces; a hidden word shows neither word nor characters."""
    names = ["<PAD>", "<HIDDEN>", *sorted({n for text in given for n in text.split()})]
    words, characters = VOCABULARY.word_ids(names), VOCABULARY.character_ids(names)
    words[0], characters[:2] = 0, 0
    tokens = [names.index(name) for text in given for name in text.split()]
    lengths = [len(text.split()) for text in given]
    types = Types(torch.from_numpy(words), torch.from_numpy(characters))
    return assemble(torch.tensor(tokens), torch.tensor(lengths), types, windowing)


def profile(*given: str, features: int = 30, size: int = 4) -> Profile:
    torch.manual_seed(0)
    made = Profile(features, size, len(COMMON), len(VOCABULARY.characters))
    made.start(VOCABULARY, [read(*(given or TEXTS))])
    return made


def shape(name: str) -> tuple[object, ...]:
    shown = [c for c in name if c in VOCABULARY.characters]
    kinds = (
        any(c.isalpha() and not c.isupper() for c in shown),
        any(c.isupper() for c in shown),
        any(c.isdigit() for c in shown),
        any(not c.isalnum() for c in shown),
    )
    return (*kinds, name[0].isupper(), min(len(name), 4))


def runs_by_hand(text: str) -> list[Counter[tuple[object, ...]]]:
    """Runs of one, two and three within each unit, written as words and shapes."""
    names = text.split()
    found: list[Counter[tuple[object, ...]]] = [Counter() for _ in range(3)]
    for start, end in WINDOWING.bounds(len(names)):
        unit = [name if name in COMMON else shape(name) for name in names[start:end]]
        hidden = [name == "<HIDDEN>" for name in names[start:end]]
        for order in range(3):
            for place in range(len(unit) - order):
                if not any(hidden[place : place + order + 1]):
                    found[order][tuple(unit[place : place + order + 1])] += 1
    return found


def key_of(made: Profile, run: str) -> int:
    """The key of a run, read off a text that is nothing else."""
    keys, _ = made._runs(read(run, windowing=Windowing(9, 9, 1)))[len(run.split()) - 1]
    return int(keys[0])


def counted(made: Profile, documents: Documents) -> tuple[torch.Tensor, torch.Tensor]:
    of = torch.arange(len(documents.lengths)).repeat_interleave(documents.lengths)
    return made.count(documents, of, len(documents.lengths))


def test_counts_are_those_of_a_slow_count() -> None:
    made = profile(features=300)
    counts, totals = counted(made, read(*TEXTS))
    for text, row, total in zip(TEXTS, counts, totals, strict=True):
        expected = runs_by_hand(text)
        assert total.tolist() == [sum(each.values()) for each in expected]
        # All runs of these texts are known: each order's counts are the same, whatever the keys.
        for order, each in enumerate(expected):
            low, high = (0, *(made.base**power for power in (1, 2, 3)))[order : order + 2]
            inside = row[(made.keys >= low) & (made.keys < high)]
            assert sorted(inside[inside > 0].tolist()) == sorted(each.values())
        for run in ("the", "of", "and the", "the of", "the whale and"):
            times = expected[len(run.split()) - 1][
                tuple(name if name in COMMON else shape(name) for name in run.split())
            ]
            [place] = (made.keys == key_of(made, run)).nonzero().flatten().tolist()
            assert row[place] == times


def test_rates_are_roots_of_shares_among_runs_of_their_length() -> None:
    made = profile(features=300)
    rates = made.rates(*counted(made, read(*TEXTS)))
    for run in ("the", "the whale", "of the whale"):
        place = int((made.keys == key_of(made, run)).nonzero())
        for text, rate in zip(TEXTS, rates[:, place].tolist(), strict=True):
            each = runs_by_hand(text)[len(run.split()) - 1]
            known = tuple(name if name in COMMON else shape(name) for name in run.split())
            share = each[known] / max(1, sum(each.values()))
            assert rate == pytest.approx(share**0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("whale", "truth", True),
        ("whale", "dragon", True),  # longer than three: all alike
        ("cat", "whale", False),
        ("Whale", "whale", False),
        ("Whale", "hWale", False),
        ("59", "95", True),
        ("59", "5-", False),
        ("5999", "w999", False),
        ("é", "e", True),
        ("the", "whe", False),
    ],
)
def test_a_rare_word_counts_by_its_shape_alone(one: str, other: str, alike: bool) -> None:
    made = profile()
    assert (key_of(made, one) == key_of(made, other)) is alike


def test_the_levs_of_a_text_do_not_depend_on_its_company() -> None:
    made = profile(size=8)
    together = made(read(*TEXTS))
    assert (together.abs() < 1).all()
    for text, levs in zip(TEXTS, together, strict=True):
        assert torch.allclose(made(read(text))[0], levs, atol=1e-6)
    assert torch.allclose(made(read(*TEXTS[::-1])).flip(0), together, atol=1e-6)
    assert torch.pdist(together).min() > 1e-3


def test_a_hidden_word_leaves_no_run_across_it() -> None:
    made = profile()
    counts, totals = counted(made, read("the <HIDDEN> of", "<HIDDEN>"))
    assert totals.tolist() == [[2, 0, 0], [0, 0, 0]]
    assert counts.sum().item() == 2
    assert torch.isfinite(made(read("<HIDDEN>", ""))).all()


def test_runs_that_most_documents_have_are_chosen() -> None:
    given = ["the of", "the of", "the of", "and , , , , , , , , , ,", "the and"]
    made = profile(*given, features=3)
    wanted = {key_of(made, run) for run in ("the", "of", "the of")}
    assert set(made.keys.tolist()) == wanted
    assert made.keys.tolist() == sorted(made.keys.tolist())


def test_documents_count_once_in_whatever_batches_they_come() -> None:
    whole, parts = profile(features=12), profile(features=12)
    parts.start(VOCABULARY, (read(text) for text in TEXTS))
    for name, value in whole.state_dict().items():
        assert torch.allclose(parts.state_dict()[name].double(), value.double(), atol=1e-6), name


def test_averages_are_those_of_the_documents() -> None:
    made = profile()
    rates = made.rates(*counted(made, read(*TEXTS))).double()
    assert torch.allclose(made.mean.double(), rates.mean(0), atol=1e-6)
    deviation = rates.std(0, correction=0) + 1e-3
    assert torch.allclose(made.deviation.double(), deviation, atol=1e-4)


def test_features_for_which_there_is_no_run_say_nothing() -> None:
    made = profile("the of", "of", features=50)
    assert len(made.keys.unique()) == 50
    counts, _ = counted(made, read(*TEXTS))
    assert not counts[:, made.keys >= made.base**3].any()
    assert torch.isfinite(made(read(*TEXTS))).all()


def test_the_order_of_words_matters_within_a_run() -> None:
    made = profile("the of and", "of the and", "and of the", features=40)
    forth, back = made(read("the of and", "of the and"))
    assert (forth - back).abs().max() > 1e-3
    single = made.keys < made.base
    counts, _ = counted(made, read("the of and", "of the and"))
    assert torch.equal(counts[0, single], counts[1, single])
    assert not torch.equal(counts[0, ~single], counts[1, ~single])


def test_an_odd_habit_counts_up_to_a_bound() -> None:
    made = profile()
    torch.nn.init.constant_(made.dense.weight, 1e-3)
    torch.nn.init.zeros_(made.dense.bias)
    for sign, bound in ((1, 6), (-1, -3)):
        x = made.mean + sign * torch.eye(len(made.keys))[:1] * 1e3
        assert made.levs(x)[0, 0].item() == pytest.approx(np.tanh(bound * 1e-3), abs=1e-6)


def test_a_mask_leaves_out_features() -> None:
    made = profile()
    nothing = made(read(*TEXTS), torch.zeros(len(TEXTS), len(made.keys)))
    assert torch.allclose(nothing, torch.tanh(made.dense.bias).expand_as(nothing), atol=1e-6)


PROFILED = {"profile_size": 3, "profile_words": 4, "profile_runs": 20}


def test_its_levs_stand_beside_those_of_the_encoder() -> None:
    torch.manual_seed(0)
    network = Network(small(**PROFILED), 12, 9).eval()
    documents = batch(texts([40, 3, 70]), network.config)
    assert network.profile is not None
    levs = network(documents)
    assert levs.shape == (3, 8)
    assert torch.equal(levs[:, :5], network.metric(network.encoder(documents)[0]))
    assert torch.equal(levs[:, 5:], network.profile(documents))


def test_its_dropout_is_shared_by_those_that_are_compared() -> None:
    torch.manual_seed(0)
    config = without_dropout(**PROFILED).model_copy(update={"dropout_profile": 0.5})
    network = Network(config, 12, 9).train()
    assert network.profile is not None
    documents = texts([60])
    network.profile.start(
        Vocabulary((*SPECIAL, *"abcdefghij"), (*SPECIAL, *"abcdefg")),
        [batch(texts([60, 50, 40], seed=4), config)],
    )
    one, other, third, fourth = network(batch(documents * 4, config, n_masks=2))[:, 5:]
    assert torch.equal(one, third)
    assert torch.equal(other, fourth)
    assert (one - other).abs().max() > 1e-3
    crowd = network(batch(documents * 4, config, n_masks=1))[:, 5:]
    assert all(torch.equal(a, b) for a, b in pairwise(crowd))


def test_it_is_saved_and_loaded_unchanged(tmp_path) -> None:
    torch.manual_seed(0)
    sizes = len(VOCABULARY.words), len(VOCABULARY.characters)
    network = Network(small(**PROFILED), *sizes).eval()
    assert network.profile is not None
    network.profile.start(VOCABULARY, [read(*TEXTS)])
    save_network(tmp_path, network, VOCABULARY, {})
    found, _, _ = load_network(tmp_path)
    assert found.profile is not None
    for name in ("keys", "mean", "deviation", "kinds"):
        value = getattr(network.profile, name)
        assert torch.equal(getattr(found.profile, name), value)
        assert getattr(found.profile, name).dtype == value.dtype
    assert torch.equal(found(read(*TEXTS)), network(read(*TEXTS)))
