"""`Verifier.explain`: weights that stand where they say, and effects that are what they say."""

from threading import Thread

import numpy as np
import pytest
import torch

from samehand.errors import InputError
from samehand.explaining.units import (
    Evidence,
    Explanation,
    TextExplanation,
    UnitWeight,
    encode,
    levs_without,
)
from samehand.network.documents import Documents
from samehand.network.network import Network
from samehand.network.weights import Member
from samehand.verifier import Verifier
from tests.models import essay, wording_of

ANNA, ANNA_2, BRUNO = map(essay, ("anna-1", "anna-2", "bruno-1"))


def members_of(verifier: Verifier) -> list[Member]:
    return list(verifier.members)


def test_weights_stand_at_the_characters_of_the_users_own_text(verifier: Verifier) -> None:
    text = "\u202eCafé 👩‍🚀 — “well”,\r\n\tI  don’t know… " + ANNA[:900]
    explained = verifier.explain(text, BRUNO).questioned
    assert [text[t.start : t.end] for t in explained.tokens][-1] in ANNA
    assert "n’t" in [text[t.start : t.end] for t in explained.tokens]
    shown = [text[t.start : t.end] for t in explained.tokens]
    assert all(token.split() or token == "\n" for token in shown)  # a line end is a token
    assert explained.units[0].start == explained.tokens[0].start
    assert explained.units[-1].end == explained.tokens[-1].end
    for unit, following in zip(explained.units, explained.units[1:], strict=False):
        assert unit.start < following.start < unit.end  # they overlap
        inside = [t for t in explained.tokens if unit.start <= t.start and t.end <= unit.end]
        assert len(inside) == 30


def test_attentions_sum_to_one_over_what_is_read(verifier: Verifier) -> None:
    found = verifier.explain(ANNA, [BRUNO, ANNA_2[:1500]])
    for text in (found.questioned, *found.known):
        assert sum(unit.attention for unit in text.units) == pytest.approx(1, abs=1e-5)
        assert sum(token.attention for token in text.tokens) == pytest.approx(1, abs=1e-5)
    read = verifier.encoders.lexicon.read([ANNA])
    assert found.questioned.tokens[-1].end == read.ends[0] < len(ANNA)


def test_the_effect_of_a_unit_is_what_the_ratio_loses_without_it(verifier: Verifier) -> None:
    found = verifier.explain(ANNA, [BRUNO, ANNA_2])
    assert found.log10_lr == pytest.approx(
        verifier.verify(ANNA, [BRUNO, ANNA_2]).log10_lr, abs=1e-5
    )
    evidence = Evidence(verifier, ANNA, [BRUNO, ANNA_2])
    for text, explained in enumerate((found.questioned, *found.known)):
        for place in (0, 7, len(explained.units) - 1):
            without = evidence.log10_lr_without([(text, place)])
            assert explained.units[place].effect == pytest.approx(
                found.log10_lr - without, abs=1e-5
            )
    assert any(unit.effect for unit in found.questioned.units)


def test_leaving_out_the_last_unit_is_reading_the_text_without_it(verifier: Verifier) -> None:
    """Against the network as a whole: nothing of the unit is left."""
    found = verifier.explain(ANNA, BRUNO)
    before = found.questioned.units[-2]
    shorter = verifier.explain(ANNA[: before.end], BRUNO)
    last = found.questioned.units[-1]
    assert last.effect == pytest.approx(found.log10_lr - shorter.log10_lr, abs=1e-5)


@pytest.fixture(scope="module")
def with_every_part(verifier: Verifier) -> Verifier:
    torch.manual_seed(0)
    [(_, vocabulary, _)] = verifier.members
    parts = {"unit_features": 7, "doubt": True, "wording": True}
    config = verifier.networks[0].config.model_copy(update=parts)
    network = Network(config, len(vocabulary.words), len(vocabulary.characters))
    torch.nn.init.normal_(network.scoring.doubt.weight, std=0.1)
    return Verifier([Member(network.eval(), vocabulary, wording_of("anna-1"))], {})


def test_statistics_of_units_are_those_of_the_units_kept(with_every_part: Verifier) -> None:
    found = with_every_part.explain(ANNA, BRUNO)
    levs = with_every_part.embed([ANNA, BRUNO])
    [p] = with_every_part.probability(levs[:1], [levs[1:]])
    assert 10**found.log10_lr == pytest.approx(p / (1 - p), rel=1e-4)
    shorter = with_every_part.explain(ANNA[: found.questioned.units[-2].end], BRUNO)
    last = found.questioned.units[-1]
    # The wording stays that of the whole text, so the difference is not exact.
    assert last.effect == pytest.approx(found.log10_lr - shorter.log10_lr, abs=0.02)


def test_levs_without_units_are_those_of_a_text_that_never_had_them(
    with_every_part: Verifier,
) -> None:
    """Against the network as a whole, given the other units alone."""
    [network] = with_every_part.networks
    _, [batch] = with_every_part.encoders.units(ANNA)
    n = len(batch.tokens)
    kept = torch.ones(4, n, dtype=torch.bool)
    kept[1, 0] = kept[2, ::3] = kept[3, : n - 1] = False
    with torch.no_grad():
        found, _ = levs_without(network, encode(network, batch), kept)
        expected = torch.cat([network(only(batch, rows)) for rows in kept])
    assert torch.pdist(network.scoring.style(expected)).min() > 1e-4
    assert torch.allclose(found, expected, atol=1e-6)


def only(text: Documents, kept: torch.Tensor) -> Documents:
    """One document with some of its units."""
    n = kept.sum()
    return text._replace(
        tokens=text.tokens[kept],
        unit_lengths=text.unit_lengths[kept],
        units=torch.arange(n)[None],
        lengths=n[None],
    )


def test_a_known_text_given_twice_counts_once(verifier: Verifier) -> None:
    once, twice = verifier.explain(ANNA, BRUNO), verifier.explain(ANNA, [BRUNO, BRUNO + "\n"])
    assert twice.log10_lr == pytest.approx(once.log10_lr, abs=1e-6)
    assert twice.known[0] == twice.known[1]


def test_the_weightiest_units_all_pull_towards_the_answer() -> None:
    effects = [0.1, -0.9, 0.5, 0.2]
    text = TextExplanation(tuple(UnitWeight(0, 1, 0.25, effect) for effect in effects), ())
    other = TextExplanation((UnitWeight(0, 1, 1.0, 0.3),), ())
    assert Explanation(1.0, text, (other,)).weightiest(0.4) == [(0, 2), (1, 0)]
    assert Explanation(-1.0, text, (other,)).weightiest(0.2) == [(0, 1)]


def test_one_unit_cannot_be_left_out(verifier: Verifier) -> None:
    short = "Twenty-five words make one unit, so that there is nothing to leave out."
    found = verifier.explain(short, ANNA)
    assert [unit.effect for unit in found.questioned.units] == [0.0]
    evidence = Evidence(verifier, short, [ANNA])
    assert np.isfinite(evidence.log10_lr_without([(0, 0)]))


@pytest.mark.parametrize(("questioned", "known"), [("", [ANNA]), (ANNA, ["  "]), (ANNA, [])])
def test_nothing_cannot_be_explained(verifier: Verifier, questioned: str, known: list[str]) -> None:
    with pytest.raises(InputError):
        verifier.explain(questioned, known)


def test_threads_may_share_a_verifier(verifier: Verifier) -> None:
    texts = [f"{ANNA[:700]} Strange{i} words{i} for{i} thread{i}." for i in range(24)]
    alone = np.stack([verifier.embed([text])[0] for text in texts])
    shared, together = Verifier(members_of(verifier), {}), {}

    def work(first: int) -> None:
        for i in range(first, len(texts), 4):
            together[i] = shared.embed([texts[i]])[0]

    threads = [Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(np.stack([together[i] for i in range(24)]), alone, atol=1e-5)
