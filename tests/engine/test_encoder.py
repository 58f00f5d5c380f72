"""The compiled encoder gives what the plain one gives, and gives way where it must."""

import subprocess
import sys

import pytest
import torch
from plain_encoder import PlainEncoder

from samehand.engine import encoder as compiled
from samehand.network.encoder import Attention, BiLSTM, Encoder
from tests.network.drawn import N_CHARACTERS, N_WORDS, batch, small, texts
from tests.network.kernels.test_recurrence import drawn, slow

kernels = pytest.importorskip("samehand.engine.kernels")
LENGTHS = [1, 2, 29, 30, 31, 57, 200, 3, 120]


def encoder(**changes) -> Encoder:
    """With weights large enough that all of them matter."""
    torch.manual_seed(1)
    made = Encoder(N_WORDS, N_CHARACTERS, small(**changes)).eval()
    with torch.no_grad():
        for parameter in (*made.unit_attention.parameters(), *made.document_attention.parameters()):
            parameter.mul_(20)
    return made


def agree(ours: Encoder, documents, tolerance: float = 1e-5) -> None:
    """The compiled encoder with one that runs `nn.LSTM` in double precision."""
    with torch.inference_mode():
        found, *weights = compiled.CompiledEncoder(ours, kernels)(documents)
    with torch.no_grad():
        expected, attended = PlainEncoder(ours).double()(documents)
    ours.float()
    for mine, theirs in zip((found, *weights), (expected, *attended), strict=True):
        assert mine.shape == theirs.shape
        assert (mine - theirs).abs().max() < tolerance


@pytest.mark.parametrize("features", [0, 7])
@pytest.mark.parametrize("hidden", [(6, 4), (8, 8), (17, 50)])
def test_embeddings_and_attention_are_those_of_the_plain_network(hidden, features) -> None:
    units, documents = hidden
    ours = encoder(
        unit_hidden=units, document_hidden=documents, unit_features=features, most_units=210
    )
    agree(ours, batch(texts(LENGTHS), ours.config))


@pytest.mark.parametrize("lengths", [[1], [30], [7, 7, 7, 7, 7], [0, 4]])
def test_few_and_short_documents(lengths) -> None:
    ours = encoder()
    agree(ours, batch(texts(lengths), ours.config))


@pytest.mark.parametrize("width", [1, 2, 5])
def test_filters_of_any_width_and_words_of_any_length(width) -> None:
    ours = encoder(filter_width=width, filters=9)
    with torch.no_grad():
        ours.characters.weight[0] = 0.7  # the padding too is a character, if it says anything
    agree(ours, batch(texts([60]), ours.config))


def test_sequences_as_a_slow_loop_reads_them() -> None:
    lengths = [5, 0, 3, 1, 5, 2, 4]
    table, index, lengths, weight, _ = drawn(lengths, dtype=torch.float32)
    lstm, attention = BiLSTM(4, 3), Attention(6)
    with torch.no_grad():
        lstm.weight.copy_(weight)
        reader = compiled.Reader(lstm, attention, kernels)
        padded = compiled._gates_padded(table.flatten(1), reader.hidden)
        sums, shares = reader(padded, index, lengths)
        expected, weights = attention(slow(table, index, lengths, weight, None), lengths)
    there = lengths > 0
    sums = sums.unflatten(1, (2, -1))[..., :3].flatten(1)
    assert torch.allclose(sums[there], expected[there], atol=1e-6)
    assert torch.allclose(shares[there], weights[there], atol=1e-6)
    assert (sums[~there] == 0).all()
    assert (shares[~there] == 0).all()


def test_threads_read_what_one_reads(monkeypatch) -> None:
    ours = encoder()
    documents = batch(texts(LENGTHS), ours.config)
    with torch.inference_mode():
        read = compiled.CompiledEncoder(ours, kernels)
        alone = read(documents)
        monkeypatch.setattr(compiled, "_FEW_TYPES", 0)
        monkeypatch.setattr(compiled, "_FEW_TOKENS", 0)
        before = torch.get_num_threads()
        torch.set_num_threads(3)
        together = read(documents)
        torch.set_num_threads(before)
    assert all(torch.equal(a, b) for a, b in zip(alone, together, strict=True))


def test_tanh_is_tanh() -> None:
    x = torch.linspace(-20, 20, 40_001)
    found = torch.tensor([kernels.tanh(v) for v in x.numpy()])
    assert (found - x.double().tanh()).abs().max() < 5e-7


def test_what_is_not_a_number_is_not_hidden() -> None:
    ours = encoder()
    with torch.no_grad():
        ours.words.weight[5] = torch.nan
    documents = batch(texts(LENGTHS), ours.config)
    with torch.inference_mode():
        found = compiled.CompiledEncoder(ours, kernels)(documents)[0]
        compiled._work = 0.0
        assert torch.equal(found.isnan(), ours(documents)[0].isnan())


def test_new_weights_are_taken_up(monkeypatch) -> None:
    monkeypatch.setattr(compiled, "_PATIENCE", 0.0)
    ours = encoder()
    documents = batch(texts(LENGTHS), ours.config)

    def embedded():
        with torch.inference_mode():
            return ours(documents)[0].clone()

    first = embedded()
    assert torch.equal(embedded(), first)
    with torch.no_grad():
        ours.words.weight.mul_(1.5)
    assert not torch.allclose(embedded(), first, atol=1e-3)
    agree(ours, documents)


def test_it_is_for_inference_in_single_precision_alone(monkeypatch) -> None:
    monkeypatch.setattr(compiled, "_PATIENCE", 0.0)
    ours = encoder()
    documents = batch(texts(LENGTHS), ours.config)
    assert compiled.compiled(ours, documents) is None  # gradients are wanted
    with torch.inference_mode():
        assert compiled.compiled(ours, documents) is not None
        assert compiled.compiled(ours.train(), documents) is None
        assert compiled.compiled(ours.eval().double(), documents) is None
    ours.float().train()(documents)[0].sum().backward()
    assert ours.unit_lstm.weight.grad is not None


def test_little_work_is_left_to_the_loop(monkeypatch) -> None:
    monkeypatch.setattr(compiled, "_work", 0.0)
    ours = encoder()
    with torch.inference_mode():
        assert compiled.compiled(ours, batch(texts([60]), ours.config)) is None


def test_without_numba_there_is_the_loop() -> None:
    script = (
        "import sys; sys.modules['numba'] = None\n"
        "import torch; from samehand.engine import encoder as compiled; compiled._PATIENCE = 0.0\n"
        "from samehand.network.encoder import Encoder\n"
        "from tests.network.drawn import *\n"
        "made = Encoder(N_WORDS, N_CHARACTERS, small()).eval()\n"
        "with torch.inference_mode(): print(made(batch(texts([60]), made.config))[0].shape)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "[1, 14]" in done.stdout


def test_training_keeps_the_loop_even_where_it_needs_no_gradients(monkeypatch) -> None:
    monkeypatch.setattr(compiled, "_work", 1e18)
    ours = encoder()
    documents = batch(texts([60]), ours.config)
    with torch.no_grad():
        assert compiled.compiled(ours, documents) is None
    with torch.inference_mode():
        assert compiled.compiled(ours, documents) is not None
