"""Each block learns from its own loss alone; both documents of a pair meet the same dropout."""

import pytest
import torch

from samehand.network.network import Network

from .drawn import N_CHARACTERS, N_WORDS, batch, small, texts, without_dropout

SAME = torch.tensor([True, False, False, True, False])


def network(config, seed=0):
    torch.manual_seed(seed)
    made = Network(config, N_WORDS, N_CHARACTERS)
    for parameter in made.encoder.parameters():
        parameter.data.uniform_(-0.5, 0.5)
    torch.nn.init.normal_(made.scoring.adaptation.confusion.weight)  # else it passes no gradient
    return made.train()


def pairs(config, seed=0):
    lengths = [40, 31, 1, 100, 60, 30, 57, 90, 12, 77]
    return batch(texts(lengths, seed), config, n_masks=5)


def gradients(made, choose, seed=3):
    """Gradients of all parameters by name, of the losses chosen; dropout masks drawn alike."""
    torch.manual_seed(seed)
    losses, _ = made.losses(pairs(made.config), SAME)
    made.zero_grad()
    choose(losses).backward()
    return {name: p.grad for name, p in made.named_parameters() if p.requires_grad}


@pytest.mark.parametrize(
    "changes",
    [{}, {"metric_loss": "contrastive"}, {"bfs_domain": "known", "bfs_activation": "swish"}],
)
def test_no_blocks_gradient_changes_when_the_other_losses_are_removed(changes):
    made = network(small(**changes))
    total = {n: g.clone() for n, g in gradients(made, lambda losses: losses.total).items()}
    blocks = {
        "dml": ("encoder.", "metric."),
        "bfs": ("scoring.bayes.",),
        "ual": ("scoring.adaptation.",),
    }
    for block, prefixes in blocks.items():
        alone = gradients(made, lambda losses, block=block: getattr(losses, block))
        for name, gradient in alone.items():
            if name.startswith(prefixes):
                assert torch.equal(gradient, total[name]), name
                assert gradient.abs().max() > 0, name
            else:
                assert gradient is None or not gradient.any(), f"{block} reaches {name}"


def test_scoring_passes_no_gradient_to_the_levs():
    made = network(without_dropout())
    y1, y2 = torch.randn(2, 5, 5, requires_grad=True).unbind()
    bfs, ual = made.scoring.losses(y1, y2, SAME)
    assert torch.autograd.grad(bfs + ual, (y1, y2), allow_unused=True) == (None, None)


def test_every_parameter_that_can_learn_gets_a_gradient():
    """Else several processes would wait for it for ever."""
    for domain in ("known", "unknown"):
        made = network(small(bfs_domain=domain))
        found = gradients(made, lambda losses: losses.total)
        assert all(gradient is not None for gradient in found.values())


def test_total_is_the_sum():
    made = network(without_dropout())
    losses, _ = made.losses(pairs(made.config), SAME)
    assert losses.total.item() == pytest.approx(sum(part.item() for part in losses))


def test_a_document_paired_with_itself_is_at_no_distance_in_training():
    config = small(dropout_recurrent=0.3, dropout_attention=0.3, dropout_metric=0.3)
    made = network(config)
    document = texts([100])[0]
    y1, y2 = made(batch([document] * 6, config, n_masks=3)).chunk(2)
    assert (y1 - y2).abs().max() < 1e-6
    assert torch.pdist(y1).min() > 1e-2  # other pairs, other masks
    alone = made(batch([document] * 6, config))  # no pairs: a mask for each
    assert torch.pdist(alone).min() > 1e-2


@pytest.mark.parametrize("part", ["characters", "recurrent", "attention", "metric"])
def test_each_dropout_does_something_in_training_and_nothing_in_use(part):
    config = without_dropout().model_copy(update={f"dropout_{part}": 0.5})
    made, documents = network(config), texts([100, 31])
    batches = batch(documents, config, n_masks=1)
    assert not torch.allclose(made(batches), made(batches), atol=1e-3)
    made.eval()
    assert torch.equal(made(batches), made(batches))


def test_pairs_weigh_the_same_in_scoring_or_both_kinds_of_them():
    made = network(without_dropout())
    y1, y2 = torch.tanh(torch.randn(2, 5, 5)).unbind()
    single = [made.scoring.losses(*(part[[i]] for part in (y1, y2, SAME))) for i in range(5)]
    for found, of_pairs in zip(
        made.scoring.losses(y1, y2, SAME), zip(*single, strict=True), strict=True
    ):
        assert found.item() == pytest.approx(sum(of_pairs).item() / 5, rel=1e-5)
    whole = made.scoring.losses(y1, y2, SAME, even_kinds=True)
    halves = [made.scoring.losses(y1[kind], y2[kind], SAME[kind]) for kind in (SAME, ~SAME)]
    for found, of_same, of_different in zip(whole, *halves, strict=True):
        assert found.item() == pytest.approx((of_same.item() + of_different.item()) / 2, rel=1e-5)


def test_dropout_before_the_scoring_is_the_same_for_both_texts_of_a_pair():
    made = network(without_dropout())
    y = torch.tanh(torch.randn(5, 5))
    none, dropped = (made.scoring.losses(y, -y, SAME, dropout=p) for p in (0, 0.5))
    assert none[0] != dropped[0]
    assert none[1] != dropped[1]
    same = made.scoring.losses(y, y, SAME, dropout=0.5)  # no difference, whatever is dropped
    made.scoring.bayes.covariances.domain = "unknown"
    of_equal = [made.scoring.losses(y, y, SAME, dropout=p) for p in (0, 0.5)]
    assert torch.allclose(of_equal[0][0], of_equal[1][0])
    assert same[0].isfinite()


def test_scoring_learns_from_other_pairs_where_there_are_some():
    made = network(without_dropout())
    y1, y2 = torch.tanh(torch.randn(2, 4, 5)).unbind()
    same = torch.tensor([True, False, True, False])
    losses, scored = made.losses(pairs(made.config), SAME, (y1, y2, same))
    bfs, ual = made.scoring.losses(y1, y2, same)
    assert (losses.bfs, losses.ual) == (bfs, ual)
    assert torch.equal(scored[0], y1)
    own, _ = made.losses(pairs(made.config), SAME)
    assert own.dml == losses.dml
    assert own.bfs != losses.bfs


def test_scores_are_those_of_the_components():
    made = network(without_dropout()).eval()
    y1, y2 = torch.tanh(torch.randn(2, 4, 5)).unbind()
    scores = made.score(y1, y2)
    log_lr = made.scoring.bayes(y1, y2)
    assert torch.equal(scores.dml, made.metric.probability(y1, y2))
    assert torch.equal(scores.bfs, torch.sigmoid(log_lr))
    assert torch.equal(scores.ual, made.scoring.adaptation(y1, y2, log_lr).probability)
    assert all(((p > 0) & (p < 1)).all() for p in scores)
