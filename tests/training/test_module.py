"""The optimiser, the clipping, and texts embedded as they will be in use."""

import numpy as np
import pytest
import torch

from samehand.network.documents import Types, assemble
from samehand.network.network import Scoring
from samehand.training.data import PairData
from samehand.training.module import TrainingModule
from samehand.training.run import new_network

from .runs import small_config


@pytest.fixture
def module(store):
    torch.manual_seed(0)
    config = small_config()
    variants = {"other": Scoring(config.network)}
    return TrainingModule(new_network(store, config), PairData(store, config), config, variants)


def test_each_parameters_gradient_is_clipped_by_itself(module):
    g = torch.Generator().manual_seed(0)
    given = []
    for number, parameter in enumerate(module.parameters()):
        parameter.grad = torch.randn(parameter.shape, generator=g)
        parameter.grad *= 10.0 ** (number % 4 - 1) / parameter.grad.norm().clamp(min=1e-9)
        given.append(parameter.grad.clone())
    module.configure_gradient_clipping()
    norms = [gradient.norm().item() for gradient in given]
    assert min(norms) < 5 < max(norms)
    for parameter, before, norm in zip(module.parameters(), given, norms, strict=True):
        assert torch.allclose(parameter.grad, before * min(1.0, 5.0 / max(norm, 1e-9)), rtol=1e-4)


def test_every_parameter_learns_at_its_rate(module):
    setup = module.configure_optimizers()
    optimiser, scheduler = setup["optimizer"], setup["lr_scheduler"]
    encoder, scoring = optimiser.param_groups
    heads = {
        id(p) for s in (module.network.scoring, module.variants["other"]) for p in s.parameters()
    }
    assert {id(p) for p in scoring["params"]} == heads
    assert {id(p) for p in encoder["params"]} | heads == {id(p) for p in module.parameters()}
    assert encoder["lr"] == 0.005
    assert scoring["lr"] == 0.001
    rates = []
    for _ in range(5):
        rates.append((encoder["lr"], scoring["lr"]))
        optimiser.step()
        scheduler.step()
    config = module.config
    fall = round(config.final_from * config.epochs)
    for epoch, (rate, constant) in enumerate(rates):
        share = min(1.0, epoch / fall)
        expected = (1 - share) * config.learning_rate + share * config.final_learning_rate
        assert rate == pytest.approx(expected)
        assert constant == 0.001


def test_the_scoring_learns_at_the_encoders_rate_where_it_has_none_of_its_own(store):
    config = small_config("scoring.learning_rate=null")
    module = TrainingModule(new_network(store, config), PairData(store, config), config)
    setup = module.configure_optimizers()
    encoder, scoring = setup["optimizer"].param_groups
    for _ in range(3):
        assert scoring["lr"] == encoder["lr"]
        setup["optimizer"].step()
        setup["lr_scheduler"].step()
    assert encoder["lr"] < config.learning_rate


def test_documents_are_embedded_whole_and_without_dropout(module, store):
    documents = store.documents("test")[:7]
    module.train()
    found = module.embed(documents)
    assert module.network.training
    ends = np.array(store.array("document_ends"))
    types = Types(
        *(torch.from_numpy(np.array(store.array(n))) for n in ("type_word", "type_characters"))
    )
    module.network.eval()
    for document, lev in zip(documents, found, strict=True):
        start = ends[document - 1] if document else 0
        tokens = torch.from_numpy(np.array(store.array("tokens")[start : ends[document]]))
        batch = assemble(
            tokens,
            torch.tensor([len(tokens)]),
            types,
            module.config.network.windowing,
        )
        assert torch.allclose(module.network(batch)[0], lev, atol=1e-5)


def test_the_store_is_not_sent_round_between_processes(module):
    held = {name for name, _ in module.named_buffers() if name.startswith("store.")}
    assert held == {f"store.{name}" for name in ("tokens", "words", "characters", "line_ends")}
    assert set(module._ddp_params_and_buffers_to_ignore) == held
    assert not any(name.startswith("store.") for name in module.state_dict())
