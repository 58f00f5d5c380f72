"""A population: what is near depends on what others are, and on nothing else."""

import math

import pytest
import torch

from samehand.errors import InputError
from samehand.network.acquaintance import (
    STRANGE,
    Acquaintance,
    Weights,
    closeness,
    in_words,
    nearness,
    vectors,
)
from samehand.network.config import NetworkConfig
from samehand.network.impostors import apart
from samehand.network.network import Scoring

G = torch.Generator().manual_seed(0)
WEIGHTS = Weights(
    0.5, torch.tensor([[0.1, 0.0, 0.0, 0.2], [2.0, 0.3, -0.4, 0.1]], dtype=torch.float64)
)


def scorings(n: int = 2) -> list[Scoring]:
    return [Scoring(NetworkConfig(lev_size=6, bfs_size=4, doubt=True)).eval() for _ in range(n)]


def some_levs(n: int) -> torch.Tensor:
    """Style, then the amount of text."""
    style = torch.rand(n, 6, generator=G) * 1.6 - 0.8
    return torch.cat([style, torch.rand(n, 1, generator=G) * 4 + 4], 1)


def test_nearness_is_the_mean_distance_to_the_nearest_quarter():
    x, others = torch.randn(5, 3, generator=G), torch.randn(24, 3, generator=G)
    found = nearness(x, others)
    for row, one in enumerate(x):
        squared = sorted(float((one - other).square().sum()) for other in others)
        assert found[row] == pytest.approx(sum(squared[:6]) / 6, rel=1e-4)


def test_a_copy_is_none_of_the_others_nor_are_texts_by_the_same_author():
    others = torch.randn(20, 3, generator=G)
    assert nearness(others[:1], others) == pytest.approx(
        float(nearness(others[:1], torch.cat([others[1:], 99 * torch.ones(1, 3)]))), rel=1e-4
    )
    strangers = torch.ones(1, 20, dtype=torch.bool)
    nearest = (others[:1] - others).square().sum(1).argsort()[1]
    strangers[0, nearest] = False
    assert nearness(others[:1], others, strangers) > nearness(others[:1], others)


@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0])
def test_closeness_does_not_depend_on_how_close_a_genre_is(scale):
    x, others = torch.randn(2, 3, generator=G), torch.randn(24, 3, generator=G)

    def found(by: float) -> float:
        a, b = by * x[:1], by * x[1:]
        near = (nearness(a, by * others) + nearness(b, by * others)) / 2
        return float(closeness(apart(a, b.unsqueeze(1), torch.ones(1, 1).bool()), near))

    assert found(scale) == pytest.approx(found(1.0), abs=1e-3)


def test_the_mean_of_several_texts_counts_as_one():
    """Texts of one author that differ by chance alone are as far apart, however many there are."""
    q, k = torch.randn(4_000, 5, generator=G), torch.randn(4_000, 4, 5, generator=G)
    there = torch.ones(4_000, 4, dtype=torch.bool)
    several = apart(q, k, there).mean()
    assert several == pytest.approx(float(apart(q, k[:, :1], there[:, :1]).mean()), rel=0.05)
    there[:, 2:] = False
    assert torch.allclose(apart(q, k, there), apart(q, k[:, :2], there[:, :2]))


def test_all_pairs_are_pairs():
    judges, population = scorings(), [some_levs(30), some_levs(30)]
    acquaintance = Acquaintance(WEIGHTS, judges, population)
    q, k = [some_levs(3), some_levs(3)], [some_levs(4), some_levs(4)]
    k[1][0] = population[1][7]  # a copy
    together = acquaintance.of_all_pairs(q, k)
    for i in range(3):
        for j in range(4):
            one = acquaintance.of_trials(
                [levs[i : i + 1] for levs in q],
                [levs[None, j : j + 1] for levs in k],
                torch.ones(1, 1, dtype=torch.bool),
            )
            assert torch.allclose(together.closeness[:, i, j], one.closeness[:, 0], atol=1e-4)
            assert together.amount[i, j] == one.amount[0]


def test_what_is_close_among_others_speaks_for_one_author_the_more_the_longer():
    [judge] = scorings(1)
    acquaintance = Acquaintance(WEIGHTS, [judge], [some_levs(40)])
    levs = some_levs(3)
    levs[1, :6] = levs[0, :6] + 0.02
    levs[:, 6] = math.log(400)
    p = torch.full((2,), 0.5, dtype=torch.float64).numpy()
    there = torch.ones(2, 1, dtype=torch.bool)
    seen = acquaintance.of_trials([levs[[0, 0]]], [levs[[1, 2], None]], there)
    near, far = acquaintance.probability(p, seen).tolist()
    assert near > 0.9 > far
    longer = seen._replace(amount=seen.amount + 1)
    assert acquaintance.probability(p, longer)[0] > near
    expected = 0.1 + 2.0 * float(seen.closeness[0, 0])
    assert near == pytest.approx(1 / (1 + math.exp(-expected)), abs=1e-6)


def test_a_text_without_words_stays_without_an_answer():
    [judge] = scorings(1)
    acquaintance = Acquaintance(WEIGHTS, [judge], [some_levs(40)])
    levs = some_levs(2)
    levs[0] = torch.nan
    seen = acquaintance.of_trials([levs[:1]], [levs[None, 1:]], torch.ones(1, 1, dtype=torch.bool))
    assert math.isnan(acquaintance.probability(torch.tensor([0.4]).double().numpy(), seen)[0])
    assert vectors(judge, levs).shape == (2, 6)


def test_what_lies_beside_a_population_is_strange():
    [judge] = scorings(1)
    population = some_levs(60)
    population[:, :6] = 0.05 * population[:, :6]
    acquaintance = Acquaintance(WEIGHTS, [judge], [population])
    inside, outside = 0.05 * some_levs(1), some_levs(1).clone()
    outside[:, :6] = 0.7
    q = torch.cat([inside, outside])
    there = torch.ones(2, 1, dtype=torch.bool)
    seen = acquaintance.of_trials([q], [q.unsqueeze(1)], there)
    assert seen.strangeness[0] < STRANGE < seen.strangeness[1]
    everywhere = acquaintance.of_all_pairs([q], [q]).strangeness
    assert torch.allclose(everywhere.diagonal(), seen.strangeness, atol=1e-4)


def test_weights_come_back_from_a_description():
    assert Weights.of({}) is None
    found = Weights.of({"about": {"acquaintance": WEIGHTS.as_dict()}})
    assert found is not None
    assert found.slope == 0.5
    assert torch.equal(found.weight, WEIGHTS.weight)


@pytest.mark.parametrize(
    "stated",
    [
        {},
        [],
        "x",
        {"slope": 1.0},
        {"slope": "nan", "weight": [[0, 0, 0, 0], [0, 0, 0, 0]]},
        {"slope": 1.0, "weight": [[0, 0], [0, 0]]},
        {"slope": 1.0, "weight": [[0, 0, 0, 0], [0, 0]]},
        {"slope": 1.0, "weight": [[0, 0, 0, math.inf], [0, 0, 0, 0]]},
        {"slope": 1.0, "weight": [[0, 0, 0], [0, 0, 0]]},
        {"slope": None, "weight": None},
    ],
)
def test_broken_weights_are_refused(stated):
    with pytest.raises(InputError, match="acquaintance"):
        Weights.of({"about": {"acquaintance": stated}})


def test_a_population_is_told_in_words():
    told = in_words({"date": "2026-11-16", "texts": 1_000, "median_words": 340})
    assert "1,000 texts of a median of 340 words" in told
    for broken in ({}, {"date": 1, "texts": "many", "median_words": 3}):
        assert "does not tell" in in_words(broken)
