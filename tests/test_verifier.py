"""A model in use: answers do not depend on company, order or repetition."""

from itertools import islice, repeat
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.model.folder import read_model
from samehand.verifier import Verifier
from tests.models import essay, save_genres_model, save_model

ANNA, ANNA_2, BRUNO = map(essay, ("anna-1", "anna-2", "bruno-1"))
TEXTS = [
    ANNA,
    ANNA_2[:900],
    BRUNO,
    BRUNO + " \n",
    "The committee met at noon. The committee adjourned at one. " * 30,
    ANNA[:400] + BRUNO[400:3000],
]
SHORT = ["It rained all morning.", "One", ""]

usable = st.sampled_from(TEXTS)
any_text = st.sampled_from(TEXTS + SHORT)


@pytest.fixture(scope="module", params=["paper", "genres"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    """Two networks, with either evidence."""
    folder = tmp_path_factory.mktemp("both")
    of_paper = request.param == "paper"
    return Verifier.load(save_model(folder, networks=2) if of_paper else save_genres_model(folder))


def test_a_text_embeds_the_same_alone_and_in_company(both: Verifier) -> None:
    together = both.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        np.testing.assert_array_equal(both.embed([text])[0], vector)
    np.testing.assert_array_equal(both.embed(TEXTS[::-1])[::-1], together)


def test_vectors_are_of_style_alone_and_tokens_are_counted_beside_them(both: Verifier) -> None:
    found = both.vectors([ANNA, "One", ""])
    assert found.style.shape == (3, 10)
    assert np.isnan(found.style).any(axis=1).tolist() == [False, False, True]
    assert found.tokens.tolist() == [550, 1, 0]
    np.testing.assert_array_equal(both.embed([ANNA]), found.style[:1])


def test_one_text_in_place_of_a_list_is_refused(verifier: Verifier) -> None:
    with pytest.raises(InputError, match="put it in a list"):
        verifier.embed(ANNA)


def test_chunks_embed_as_one_list_does(both: Verifier) -> None:
    parts = list(both.embed_all([TEXTS[:2], TEXTS[2:]]))
    np.testing.assert_array_equal(np.concatenate([part.style for part in parts]), both.embed(TEXTS))


@settings(max_examples=20)
@given(st.lists(st.tuples(usable, st.lists(usable, min_size=1, max_size=4)), max_size=6))
def test_trials_are_answered_together_as_each_alone(
    both: Verifier, trials: list[tuple[str, list[str]]]
) -> None:
    for (questioned, known), found in zip(trials, both.score(trials), strict=True):
        alone = both.verify(questioned, known)
        assert found.log10_lr == pytest.approx(alone.log10_lr, abs=1e-9)
        assert found.decision == alone.decision
        assert found.cautions == alone.cautions
        assert found.alone == pytest.approx([text.log10_lr for text in alone.known], abs=1e-9)


@given(any_text, st.lists(any_text, min_size=1, max_size=3))
def test_what_is_refused_alone_is_undecided_among_others(
    verifier: Verifier, questioned: str, known: list[str]
) -> None:
    [found] = verifier.score([(questioned, known)])
    if {questioned, *known}.isdisjoint(SHORT):
        assert found.alone
        return
    assert (found.decision, found.log10_lr, found.alone) == ("undecided", 0.0, ())
    with pytest.raises(InputError) as refused:
        verifier.verify(questioned, known)
    assert str(refused.value) == found.cautions[0].sentence


def test_the_first_of_endless_trials_are_answered(verifier: Verifier) -> None:
    found = list(islice(verifier.score(repeat((ANNA, [BRUNO]))), 3))
    alone = verifier.verify(ANNA, BRUNO).log10_lr
    assert [one.log10_lr for one in found] == pytest.approx([alone] * 3, abs=1e-9)


def test_networks_disagree_by_as_much_as_their_own_ratios_differ(both: Verifier) -> None:
    [found] = both.score([(ANNA, [BRUNO])])
    verdict = both.verify(ANNA, BRUNO)
    assert verdict.disagreement == pytest.approx(np.std(found.by_network))
    assert len(found.by_network) == 2
    assert verdict.disagreement > 0


def test_a_model_is_known_by_all_that_its_answers_depend_on(model: Path) -> None:
    verifier = Verifier.load(model)
    assert verifier.facts.sha256 == read_model(model).sha256
    assert verifier.description.name == verifier.facts.name == "a model"
    assert verifier.facts.most_tokens == 550


def test_threads_may_share_a_verifier(both: Verifier) -> None:
    texts = [f"{ANNA[:700]} Strange{i} words{i} for{i} thread{i}." for i in range(24)]
    alone = both.embed(texts)
    shared, together = Verifier(both.model), {}

    def work(first: int) -> None:
        for i in range(first, len(texts), 4):
            together[i] = shared.embed([texts[i]])[0]

    threads = [Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(np.stack([together[i] for i in range(24)]), alone)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model here"):
        Verifier.load(tmp_path)
