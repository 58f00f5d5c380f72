"""A device of torch makes the vectors that the engine makes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.engine.embed import Embedder
from samehand.errors import InputError
from samehand.network.embedder import DeviceEmbedder
from samehand.verifier import Verifier
from tests.engine.untrained import configs, texts, untrained
from tests.models import essay


@settings(max_examples=40)
@given(configs, st.integers(0, 1_000), st.lists(texts, min_size=1, max_size=9))
def test_vectors_are_those_of_the_engine(sizes, seed, some) -> None:
    networks = [untrained(seed + i, 1.0, **sizes)[1] for i in range(2)]
    found = DeviceEmbedder(networks, device="cpu").embed(some)
    expected = Embedder(networks).embed(some)
    assert found.sizes == expected.sizes
    np.testing.assert_allclose(found.style, expected.style, atol=2e-5)
    assert found.tokens.tolist() == expected.tokens.tolist()


def test_a_verifier_on_a_device_answers_alike(model, verifier) -> None:
    sides = essay("anna-1"), [essay("anna-2"), essay("bruno-1")]
    on_device = Verifier.load(model, device="cpu:0").verify(*sides)
    assert on_device.log10_lr == pytest.approx(verifier.verify(*sides).log10_lr, abs=1e-4)


@pytest.mark.parametrize("device", ["abacus", "cuda:99"])
def test_a_device_that_is_not_there_is_refused(model, device) -> None:
    with pytest.raises(InputError, match=f"no device '{device}'"):
        Verifier.load(model, device=device)
