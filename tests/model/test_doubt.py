"""The amount of text travels in the LEVs, and decides how far a likelihood ratio is believed."""

import math

import pytest
import torch

from samehand.model.config import NetworkConfig
from samehand.model.doubt import LONGEST, SHORTEST, Doubt, amount_in_trial, amount_of_text
from samehand.model.network import Network, Scoring

from .drawn import N_CHARACTERS, N_WORDS, batch, small, texts


def test_without_a_fit_nothing_changes():
    log_lr = torch.linspace(-5, 5, 11)
    assert torch.allclose(Doubt()(log_lr, torch.full_like(log_lr, 6.0)), log_lr)


def test_offset_and_slope_depend_on_the_amount_of_text_within_bounds():
    doubt = Doubt()
    doubt.weight.copy_(torch.tensor([[0.1, 0.2, 0.05], [0.8, 0.3, -0.2]]))
    log_lr = torch.tensor([2.0])
    for tokens in (100, 400, 3_000):
        level, missing = math.log(tokens / 400), max(0, math.log(250 / tokens))
        slope = 0.8 + 0.3 * level - 0.2 * missing
        expected = 0.1 + 0.2 * level + 0.05 * missing + slope * 2.0
        found = doubt(log_lr, amount_of_text(torch.tensor([tokens])))
        assert found.item() == pytest.approx(expected, abs=1e-5)
    for beyond, bound in ((1, SHORTEST), (10**6, LONGEST)):
        amounts = (amount_of_text(torch.tensor([n])) for n in (beyond, bound))
        assert torch.equal(*(doubt(log_lr, amount) for amount in amounts))


def test_a_slope_never_turns_an_order_round():
    doubt = Doubt()
    doubt.weight.copy_(torch.tensor([[0.0, 0.0, 0.0], [0.1, 5.0, -1.0]]))
    low, high = doubt(torch.tensor([-1.0, 1.0]), torch.full((2,), math.log(SHORTEST)))
    assert low < high


def test_all_known_texts_together_are_one_side():
    questioned = torch.tensor([100.0, 1_000.0, 50.0]).log()
    known = torch.tensor([[30.0, 40.0], [300.0, 500.0], [80.0, 1.0]]).log()
    assert amount_in_trial(questioned, known, None).exp().tolist() == pytest.approx([70, 800, 50])
    there = torch.tensor([[True, False], [True, True], [True, False]])
    assert amount_in_trial(questioned, known, there).exp().tolist() == pytest.approx([30, 800, 50])


def test_the_last_lev_tells_how_many_tokens_were_read():
    config = small(doubt=True)
    network = Network(config, N_WORDS, N_CHARACTERS).eval()
    plain = Network(config.model_copy(update={"doubt": False}), N_WORDS, N_CHARACTERS).eval()
    plain.load_state_dict(
        {n: t for n, t in network.state_dict().items() if n != "scoring.doubt.weight"}
    )
    lengths = [1, 7, config.windowing.span(3), 9_999]
    documents = batch(texts(lengths), config)
    levs = network(documents)
    assert levs.shape[1] == config.lev_width == config.lev_size + 1
    assert torch.equal(levs[:, :-1], plain(documents))
    read = [min(n, config.windowing.span(config.most_units)) for n in lengths]
    assert levs[:, -1].exp().tolist() == pytest.approx(read, rel=1e-4)


def test_doubt_comes_after_the_bayes_factor_and_before_the_adaptation():
    torch.manual_seed(0)
    config = small(doubt=True)
    scoring = Scoring(config).eval()
    scoring.doubt.weight.copy_(torch.tensor([[-0.3, 0.0, 0.0], [0.5, 0.0, 0.0]]))
    levs = torch.rand(2, 6, config.lev_width)
    first, second = levs[..., :-1]
    log_lr = -0.3 + 0.5 * scoring.bayes(first, second)
    bfs, ual = scoring(*levs)
    assert torch.allclose(bfs, torch.sigmoid(log_lr), atol=1e-6)
    assert torch.allclose(ual, scoring.adaptation(first, second, log_lr).probability, atol=1e-6)
    there = torch.ones(6, 1, dtype=torch.bool)
    assert torch.allclose(scoring.verify(levs[0], levs[1].unsqueeze(1), there), ual, atol=1e-6)


def test_a_rejection_needs_doubt():
    with pytest.raises(ValueError, match="needs doubt"):
        NetworkConfig(rejection=True)
