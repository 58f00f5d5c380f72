"""The amount of text travels in the LEVs, and decides how far a likelihood ratio is believed."""

import math

import pytest
import torch

from samehand.network.config import NetworkConfig
from samehand.network.doubt import LONGEST, SHORTEST, Doubt, Told, amount_of_text, told_of_trial
from samehand.network.network import Network, Scoring

from .drawn import N_CHARACTERS, N_WORDS, batch, small, texts


def test_without_a_fit_nothing_changes():
    log_lr = torch.linspace(-5, 5, 11)
    told = Told(torch.full_like(log_lr, 6.0), torch.rand(11, 2))
    assert torch.allclose(Doubt()(log_lr, told._replace(wording=None)), log_lr)
    assert torch.allclose(Doubt(wording=True)(log_lr, told), log_lr)


def test_offset_and_slope_depend_on_the_amount_of_text_within_bounds():
    doubt = Doubt()
    doubt.weight.copy_(torch.tensor([[0.1, 0.2, 0.05, -0.1], [0.8, 0.3, -0.2, 0.15]]))
    log_lr = torch.tensor([2.0])
    for tokens in (100, 400, 3_000):
        level, missing = math.log(tokens / 400), max(0, math.log(250 / tokens))
        beyond = max(0, math.log(tokens / 600))
        slope = 0.8 + 0.3 * level - 0.2 * missing + 0.15 * beyond
        expected = 0.1 + 0.2 * level + 0.05 * missing - 0.1 * beyond + slope * 2.0
        found = doubt(log_lr, Told(amount_of_text(torch.tensor([tokens])), None))
        assert found.item() == pytest.approx(expected, abs=1e-5)
    for outside, bound in ((1, SHORTEST), (10**6, LONGEST)):
        amounts = (amount_of_text(torch.tensor([n])) for n in (outside, bound))
        assert torch.equal(*(doubt(log_lr, Told(amount, None)) for amount in amounts))


def test_a_slope_never_turns_an_order_round():
    doubt = Doubt()
    doubt.weight.copy_(torch.tensor([[0.0, 0.0, 0.0, 0.0], [0.1, 5.0, -1.0, 0.0]]))
    short = Told(torch.full((2,), math.log(SHORTEST)), None)
    low, high = doubt(torch.tensor([-1.0, 1.0]), short)
    assert low < high


def test_all_known_texts_together_are_one_side():
    questioned = torch.tensor([100.0, 1_000.0, 50.0]).log()
    known = torch.tensor([[30.0, 40.0], [300.0, 500.0], [80.0, 1.0]]).log()
    sides = questioned[:, None], known[:, :, None]
    assert told_of_trial(*sides, None).amount.exp().tolist() == pytest.approx([70, 800, 50])
    there = torch.tensor([[True, False], [True, True], [True, False]])
    told = told_of_trial(*sides, there)
    assert told.amount.exp().tolist() == pytest.approx([30, 800, 50])
    assert told.wording is None


def test_the_wording_of_a_trial_is_the_mean_of_both_sides():
    questioned = torch.tensor([[6.0, 1.0, -2.0], [6.0, 0.0, 3.0]])
    known = torch.tensor([[[5.0, 2.0, 0.0], [5.0, 4.0, 9.0]], [[5.0, 1.0, 1.0], [5.0, 2.0, 2.0]]])
    there = torch.tensor([[True, False], [True, True]])
    told = told_of_trial(questioned, known, there)
    assert told.wording.tolist() == [[1.5, -1.0], [0.75, 2.25]]


def test_wording_brings_answers_nearer_to_nothing_and_never_turns_them_round():
    doubt = Doubt(wording=True)
    doubt.weight.copy_(torch.tensor([[0.1, 0, 0, 0], [1.0, 0, 0, 0]]))
    doubt.wording.copy_(torch.tensor([-0.3, -0.1]))
    wording = torch.tensor([[0.0, 0.0], [1.0, 2.0], [-1.0, 0.0], [9.0, 9.0]])
    told = Told(torch.full((4,), math.log(400)), wording)
    found = doubt(torch.full((4,), 2.0), told)
    assert found.tolist() == pytest.approx([2.1, 0.5 * 2.1, 1.3 * 2.1, 0.15 * 2.1])


def test_wording_needs_doubt():
    with pytest.raises(ValueError, match="needs doubt"):
        NetworkConfig(wording=True)


def test_the_last_lev_tells_how_many_tokens_were_read():
    config = small(doubt=True)
    network = Network(config, N_WORDS, N_CHARACTERS).eval()
    plain = Network(config.model_copy(update={"doubt": False}), N_WORDS, N_CHARACTERS).eval()
    plain.load_state_dict(
        {n: t for n, t in network.state_dict().items() if not n.startswith("scoring.doubt")}
    )
    lengths = [1, 7, config.windowing.span(3), 9_999]
    documents = batch(texts(lengths), config)
    levs = network(documents)
    assert levs.shape[1] == config.lev_width == config.lev_size + 1
    assert torch.equal(levs[:, :-1], plain(documents))
    read = [min(n, config.windowing.span(config.most_units)) for n in lengths]
    assert levs[:, -1].exp().tolist() == pytest.approx(read, rel=1e-4)


def test_the_wording_stands_behind_the_amount_of_text():
    config = small(doubt=True, wording=True)
    network = Network(config, N_WORDS, N_CHARACTERS).eval()
    told = torch.tensor([[0.5, -1.0], [2.0, 0.0]])
    documents = batch(texts([7, 90]), config)._replace(told=told)
    levs = network(documents)
    assert levs.shape[1] == config.lev_width == config.lev_size + 3
    assert torch.equal(levs[:, -2:], told)
    assert torch.equal(levs[:, : config.lev_size], network.style(documents))
    assert levs[:, -3].exp().tolist() == pytest.approx([7, 90], rel=1e-4)


def test_doubt_comes_after_the_bayes_factor_and_before_the_adaptation():
    torch.manual_seed(0)
    config = small(doubt=True)
    scoring = Scoring(config).eval()
    scoring.doubt.weight.copy_(torch.tensor([[-0.3, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0]]))
    levs = torch.rand(2, 6, config.lev_width)
    first, second = levs[..., :-1]
    log_lr = -0.3 + 0.5 * scoring.bayes(first, second)
    bfs, ual = scoring(*levs)
    assert torch.allclose(bfs, torch.sigmoid(log_lr), atol=1e-6)
    assert torch.allclose(ual, scoring.adaptation(first, second, log_lr).probability, atol=1e-6)
    there = torch.ones(6, 1, dtype=torch.bool)
    assert torch.allclose(
        scoring.consider(levs[0], levs[1].unsqueeze(1), there).probability, ual, atol=1e-6
    )


def test_evidence_is_the_answer_as_if_wording_were_usual():
    torch.manual_seed(0)
    config = small(doubt=True, wording=True)
    scoring = Scoring(config).eval()
    scoring.doubt.wording.copy_(torch.tensor([-0.4, -0.2]))
    levs = torch.rand(2, 6, config.lev_width)
    there = torch.ones(6, 1, dtype=torch.bool)
    found = scoring.consider(levs[0], levs[1].unsqueeze(1), there)
    assert not torch.allclose(found.probability, found.evidence, atol=1e-3)
    usual = levs.clone()
    usual[..., -2:] = 0
    plain = scoring.consider(usual[0], usual[1].unsqueeze(1), there)
    assert torch.equal(plain.probability, plain.evidence)
    assert torch.allclose(found.evidence, plain.evidence, atol=1e-6)


def test_a_rejection_needs_doubt():
    with pytest.raises(ValueError, match="needs doubt"):
        NetworkConfig(rejection=True)
