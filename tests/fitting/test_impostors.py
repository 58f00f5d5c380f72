"""A network is given impostors: it ranks as its distances do, calibrated, its LEVs untouched."""

import numpy as np
import pytest
import torch

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.evaluation import auc, ece
from samehand.fitting.impostors import Drawn, Fitted, add_impostors, choose
from samehand.network.impostors import unbend
from samehand.network.network import Network
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.module import TrainingModule
from samehand.training.run import new_network
from tests.training.planted import make_store
from tests.training.runs import small_config

CONFIG = small_config(
    "network.unit_features=24",
    "network.masking=shape", "lengths.shortest=200", "lengths.longest=250",
    "scoring.authors=0.5",
)  # fmt: skip


@pytest.fixture(scope="module")
def long_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("long")
    return make_store(folder, authors=160, unseen=120, documents=4, tokens=260)


def module_of(store: Store, config: TrainingConfig, network: Network | None = None):
    torch.manual_seed(0)
    made = network or new_network(store, config)
    return TrainingModule(made, PairData(store, config), config)


@pytest.fixture(scope="module")
def start(long_store: Store) -> Network:
    """It has not learned yet. Habits show in random projections."""
    return module_of(long_store, CONFIG).network.eval()


@pytest.fixture(scope="module")
def fitted(long_store: Store, start: Network) -> Fitted:
    return add_impostors(start, PairData(long_store, CONFIG), CONFIG)


def unseen_trials(store: Store, network: Network):
    """LEVs of trials by authors that neither encoder nor scoring has met."""
    trials = store.trials("test")
    documents = np.unique(np.concatenate([trials.first, trials.second]))
    levs = module_of(store, CONFIG, network).embed(documents)
    y1, y2 = (levs[np.searchsorted(documents, side)] for side in (trials.first, trials.second))
    return y1, y2, trials.same_author


def test_it_ranks_as_distances_do_and_is_calibrated(long_store, fitted):
    y1, y2, same = unseen_trials(long_store, fitted.network)
    with torch.no_grad():
        distance = (unbend(y1[:, :-1]) - unbend(y2[:, :-1])).square().sum(1)
        p = fitted.network.score(y1, y2).ual.double().numpy()
    by_distance = auc(same, -distance.numpy())
    assert by_distance > 0.85  # there is something to tell
    assert auc(same, p) > by_distance - 0.01
    assert ece(same, p) < 0.1
    assert p[~same].mean() < 0.5 < p[same].mean()


def test_the_levs_stay_as_they_were(long_store, start, fitted):
    before, after = (unseen_trials(long_store, network)[0] for network in (start, fitted.network))
    assert torch.equal(before, after[:, :-1])  # the last is the amount of text
    assert start.scoring.impostors is None
    assert not fitted.network.training


def test_impostors_are_texts_of_authors_kept_from_the_encoder_one_each(fitted):
    vectors = fitted.network.scoring.impostors.vectors
    assert len(vectors) == fitted.about["impostors"] == fitted.network.config.impostors
    assert 20 <= len(vectors) <= 80  # half of the authors
    assert torch.pdist(vectors).min() > 1e-3
    assert 0.5 < fitted.about["trust"] < 1


def test_the_same_seed_gives_the_same_scoring(long_store, start, fitted):
    again = add_impostors(start, PairData(long_store, CONFIG), CONFIG)
    assert again.about == fitted.about
    vectors = fitted.network.scoring.impostors.vectors
    assert torch.equal(again.network.scoring.impostors.vectors, vectors)


def drawn(authors, strange=None, source=None, whole=None):
    """Texts, first ones of pairs then second ones; source and whole are given for pairs."""
    pairs = len(authors) // 2
    return Drawn(
        torch.zeros(2, pairs, 3),
        torch.tensor(authors).view(2, pairs),
        torch.full((2, pairs), 300),
        torch.zeros(2, pairs, 0),
        torch.tensor(strange or [True] * len(authors)).view(2, pairs),
        torch.ones(pairs, dtype=torch.bool),
        torch.tensor(source or [0] * pairs),
        torch.tensor(whole or [True] * pairs),
    )


def test_an_impostor_is_the_only_one_of_its_author_and_unknown_to_the_encoder():
    authors = [i // 2 for i in range(160)]
    strange = [author % 2 == 0 for author in authors]
    chosen = choose(drawn(authors, strange)).tolist()
    assert len(chosen) == len({authors[place] for place in chosen}) == 40
    assert all(strange[place] for place in chosen)


def test_impostors_are_whole_texts():
    whole = [i % 2 == 0 for i in range(50)]
    chosen = choose(drawn(list(range(100)), whole=whole)).tolist()
    assert len(chosen) == 50
    assert all(whole[place % 50] for place in chosen)


def test_every_source_has_up_to_a_hundred_and_one_with_too_few_authors_none():
    source = [0] * 200 + [1] * 9 + [2] * 30
    chosen = choose(drawn(list(range(2 * len(source))), source=source)).tolist()
    counts = np.bincount([source[place % len(source)] for place in chosen], minlength=3)
    assert counts.tolist() == [100, 0, 60]


def test_too_few_authors_for_impostors_are_refused():
    with pytest.raises(InputError, match="No source has 20 authors"):
        choose(drawn(list(range(18))))


def test_without_authors_kept_from_the_encoder_there_are_no_impostors(long_store, start):
    config = CONFIG.model_copy(
        update={"scoring": CONFIG.scoring.model_copy(update={"authors": 0.0})}
    )
    with pytest.raises(InputError, match=r"scoring\.authors above 0"):
        add_impostors(start, PairData(long_store, config), config)
