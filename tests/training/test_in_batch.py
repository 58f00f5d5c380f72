"""In-batch contrast: which texts are together, and what is learned from all comparisons."""

import numpy as np
import pytest
import torch

from samehand.errors import InputError
from samehand.model.folder import read_model
from samehand.training.config import InBatchConfig, TrainingConfig
from samehand.training.data import PairData
from samehand.training.in_batch import (
    InBatchContrastiveLoss,
    _same_author_pairs,
    _topic_groups,
    draw_in_batch_pairs,
)
from samehand.training.module import TrainingModule
from samehand.training.run import new_network, train
from samehand.training.texts import Texts
from samehand.verifier import Verifier

from .runs import small_config, without_time

PAIRS, BLOCKS = 32, 4


def written(sizes=(900, 300, 60), several=0.7, seed=0):
    """Texts of authors with 1 to 6 each; some authors write on several topics, some on one."""
    rng = np.random.default_rng(seed)
    author, topic, source = [], [], []
    for number, size in enumerate(sizes):
        for one in range(size // 4):
            n = rng.integers(1, 7)
            about = rng.integers(9, size=n) if rng.random() < several else np.full(n, one % 9)
            author += [len(author)] * n
            topic += (100 * number + about).tolist()
            source += [number] * n
    lengths = np.full(len(author), 50)
    starts = np.cumsum(lengths) - lengths
    return Texts(
        starts, lengths, np.arange(len(lengths) + 1), lengths,
        *(np.array(labels) for labels in (author, topic, source)),
    )  # fmt: skip


def drawn(texts, *, even=0.0, seed=0, pairs=PAIRS, **changes):
    config = InBatchConfig(sources_per_batch=BLOCKS, **changes)
    return draw_in_batch_pairs(texts, config, pairs, even, np.random.default_rng(seed))


def test_pairs_are_two_texts_of_one_author():
    texts = written()
    first, second, _ = drawn(texts)
    assert len(first) > 300
    assert (texts.author[first] == texts.author[second]).all()
    assert (first != second).all()


def test_the_texts_of_a_pair_differ_in_topic_where_their_author_has_several():
    texts = written()
    first, second = _same_author_pairs(texts, 0, np.random.default_rng(0))
    assert (texts.topic[first] != texts.topic[second]).all()
    first, second = _same_author_pairs(texts, 0.999, np.random.default_rng(0))  # all that there are
    many = [len(set(texts.topic[texts.author == author])) > 1 for author in texts.author[first]]
    differ = texts.topic[first] != texts.topic[second]
    assert not differ[~np.array(many)].any()
    assert differ[np.array(many)].mean() > 0.97  # found in a few tries


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25])
def test_as_many_pairs_share_a_topic_as_are_asked_for(share):
    texts = written((6000,))
    first, second = _same_author_pairs(texts, share, np.random.default_rng(0))
    assert np.mean(texts.topic[first] == texts.topic[second]) == pytest.approx(share, abs=0.03)


def test_a_block_is_of_one_source_and_batches_are_full():
    texts = written()
    first, second, block = drawn(texts, even=1.0)
    assert len(first) == len(second) == len(block)
    assert len(first) % PAIRS == 0
    assert len(first) == len(texts) // (2 * PAIRS) * PAIRS
    for start in range(0, len(first), PAIRS):
        inside = slice(start, start + PAIRS)
        assert np.bincount(block[inside]).tolist() == [PAIRS // BLOCKS] * BLOCKS
        for number in range(BLOCKS):
            assert len(set(texts.source[first[inside]][block[inside] == number])) == 1


def test_a_source_of_few_pairs_fills_its_blocks_all_the_same():
    author = np.repeat([0, 1, 2], 2)
    topic, source = np.array([0, 1] * 3), np.zeros(6, int)
    lengths = np.full(6, 9)
    texts = Texts(np.arange(6) * 9, lengths, np.arange(7), lengths, author, topic, source)
    first, second, block = drawn(texts)
    assert len(first) == len(second) == len(block) == PAIRS
    assert (author[first] == author[second]).all()


def test_authors_of_one_text_give_no_pairs():
    lengths, each = np.full(6, 9), np.arange(6)
    texts = Texts(each * 9, lengths, np.arange(7), lengths, each, each % 2, each * 0)
    assert [len(part) for part in drawn(texts)] == [0, 0, 0]


def test_sources_come_by_size_or_all_alike():
    texts = written((9000, 3000, 900))
    for even, expected in ((0.0, (0.7, 0.23, 0.07)), (1.0, (1 / 3, 1 / 3, 1 / 3))):
        first, _, _ = drawn(texts, even=even)
        shares = np.bincount(texts.source[first], minlength=3) / len(first)
        np.testing.assert_allclose(shares, expected, atol=0.12)


def test_pairs_around_a_topic_stand_together():
    rng = np.random.default_rng(0)
    topic = rng.integers(7, size=200)
    group = _topic_groups(topic, 8, rng)
    sizes = np.bincount(group)
    assert sizes.max() == 8
    assert all(len(set(topic[group == number])) == 1 for number in range(len(sizes)))
    assert len(sizes) == sum(-(-n // 8) for n in np.bincount(topic))
    texts = written((4000,))
    alone, together = (
        shared_topics(texts, *drawn(texts, pairs_per_topic=n, same_topic=0)[::2]) for n in (1, 8)
    )
    assert together > 2 * alone


def shared_topics(texts, first, block):
    """How often two texts of a block, by different authors, share a topic."""
    found = []
    for start in range(0, len(first), PAIRS):
        for number in range(BLOCKS):
            inside = first[start : start + PAIRS][block[start : start + PAIRS] == number]
            topic, author = texts.topic[inside], texts.author[inside]
            other = author[:, None] != author
            found.append((topic[:, None] == topic)[other].mean())
    return np.mean(found)


def test_batches_follow_from_their_seed():
    texts = written()
    for ours, again in zip(drawn(texts, seed=3), drawn(texts, seed=3), strict=True):
        assert np.array_equal(ours, again)
    assert not np.array_equal(drawn(texts, seed=3)[0], drawn(texts, seed=4)[0])


ALONE = "scoring={batch_pairs: 0, authors: 0.2}", "network.ual_size=120"
IN_BATCH = "in_batch={sources_per_batch: 2, pairs_per_topic: 4}"


def test_an_epoch_labels_its_texts(store):
    for ours, again in zip(
        *(PairData(store, small_config(IN_BATCH)).epoch(1) for _ in range(2)), strict=True
    ):
        assert all(torch.equal(a, b) for a, b in zip(ours.encoder, again.encoder, strict=True))
        author, topic, block = ours.encoder.labels.view(3, 2, -1)
        assert author.shape[1] == 16
        assert ours.encoder.same.all()
        assert torch.equal(author[0], author[1])
        assert torch.equal(block[0], block[1])
        assert (topic[0] != topic[1]).any()
        assert ours.scoring is not None
        assert ours.scoring.labels.shape == (3, 0)


def test_texts_that_are_compared_share_one_dropout_mask(store):
    config = small_config(IN_BATCH)
    data = PairData(store, config)
    module = TrainingModule(new_network(store, config), data, config)
    step = data.epoch(0)[0]
    assert module._documents(step.encoder).n_masks == 1
    assert step.scoring is not None
    assert module._documents(step.scoring).n_masks == len(step.scoring.same)
    documents = module._documents(step.encoder._replace(
        run_starts=torch.zeros(4, dtype=torch.long), run_lengths=torch.full((4,), 30),
        lengths=torch.full((4,), 30), labels=torch.zeros(3, 4, dtype=torch.long),
    ))  # fmt: skip
    levs = module.network.train()(documents)
    assert torch.pdist(levs).max() < 1e-6  # four times the same text
    assert (levs - module.network(documents)).abs().max() > 1e-3  # but dropped out it is


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        (("in_batch={}", "scoring.authors=0"), "set scoring.authors above 0"),
        (
            ("in_batch={sources_per_batch: 3}", "scoring.authors=0.1"),
            "a multiple of in_batch.sources_per_batch",
        ),
        (("in_batch={same_topic: 1}",), "in_batch.same_topic"),
        (("scoring.batch_pairs=0",), "is for in_batch"),
    ],
)
def test_what_cannot_be_is_refused(changes, complaint):
    with pytest.raises(InputError, match=complaint):
        TrainingConfig.read("paper", None, changes)


def slow_loss(levs, author, topic, block, scale):
    """Text by text and negative by negative, in plain Python."""
    levs = levs.double().numpy()
    n, total = len(levs), 0.0
    for i in range(n):
        partner = (i + n // 2) % n
        logits = {}
        for j in range(n):
            negative = block[i] == block[j] and author[i] != author[j]
            if topic[i] == topic[partner] and topic[i] != topic[j]:
                negative = False
            if j == partner or negative:
                logits[j] = -scale * float(((levs[i] - levs[j]) ** 2).sum())
        total += np.log(sum(np.exp(value) for value in logits.values())) - logits[partner]
    return total / n


def labels(seed, n=12):
    """Authors with one pair or two, few topics, three blocks."""
    rng = np.random.default_rng(seed)
    author = np.tile(rng.integers(8, size=n), 2)
    topic = rng.integers(3, size=2 * n)
    block = np.tile(author[:n] % 3, 2)
    return tuple(map(torch.from_numpy, (author, topic, block)))


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_is_that_of_a_slow_loop(seed):
    torch.manual_seed(seed)
    levs = torch.tanh(torch.randn(24, 6))
    made = InBatchContrastiveLoss()
    expected = slow_loss(levs, *labels(seed), made.log_scale.exp().item())
    assert made(levs, *labels(seed)).item() == pytest.approx(expected, rel=1e-4)


def gradient(author, topic, block):
    """Which texts the loss of the first text depends on, were it the only one."""
    torch.manual_seed(0)
    levs = torch.randn(len(author), 4, requires_grad=True)
    made = InBatchContrastiveLoss()
    made(levs, *(torch.tensor(part) for part in (author, topic, block))).backward()
    assert levs.grad is not None
    return (levs.grad.abs().sum(1) > 1e-9).tolist()


def test_what_is_no_negative():
    topic = [0, 0, 0, 1, 1, 1]
    assert gradient([0, 1, 2] * 2, topic, [0, 0, 0] * 2) == [True] * 6
    assert gradient([0, 1, 2] * 2, topic, [0, 0, 1] * 2) == [True, True, False] * 2  # other source
    assert gradient([0, 0, 0] * 2, topic, [0, 0, 0] * 2) == [False] * 6  # one author
    within = [0, 1, 2, 0, 1, 2]  # each pair on a topic of its own
    assert gradient([0, 1, 2] * 2, within, [0, 0, 0] * 2) == [False] * 6


def test_authors_told_apart_perfectly_cost_next_to_nothing():
    made = InBatchContrastiveLoss()
    apart = 10 * torch.eye(8).repeat(2, 1)
    author, topic = torch.arange(8).repeat(2), torch.arange(16) % 3
    block = torch.zeros(16, dtype=torch.long)
    assert made(apart, author, topic, block).item() < 1e-3
    assert made(torch.zeros(16, 8), author, topic, block).item() > 1


def test_the_scale_learns_beside_the_encoder_and_is_no_part_of_the_network(store):
    config = small_config(IN_BATCH)
    module = TrainingModule(new_network(store, config), PairData(store, config), config)
    encoder, _ = module.configure_optimizers()["optimizer"].param_groups
    assert any(p is module.in_batch_loss.log_scale for p in encoder["params"])
    assert not any("log_scale" in name for name in module.network.state_dict())


def test_an_encoder_alone_leaves_the_scoring_as_it_begins(store, tmp_path):
    """The result is no model yet, but has all that fitting needs."""
    config = small_config(IN_BATCH, *ALONE, "epochs=1")
    torch.manual_seed(config.seed)
    begun = new_network(store, config).state_dict()
    begun = {name: tensor.clone() for name, tensor in begun.items()}
    assert PairData(store, config).epoch(0)[0].scoring is None
    trained = train(store, tmp_path / "run", config, accelerator="cpu").network.state_dict()
    same = {name for name, tensor in trained.items() if torch.equal(tensor, begun[name])}
    assert {name for name in trained if name.startswith("scoring.")} <= same
    assert not any(name.startswith("encoder.") for name in same)
    for parts in without_time(tmp_path / "run")[-1]["trials"].values():
        assert parts.keys() == {"dml"}
    with pytest.raises(InputError, match="samehand fit"):
        Verifier.load(tmp_path / "run" / "model")
    found = read_model(tmp_path / "run" / "model", without_evidence=True)
    settings = found.description.about.training["settings"]
    assert TrainingConfig.model_validate(settings) == config
    (kept,) = found.networks
    assert not any(name.startswith("scoring.") for name in kept.tensors)
