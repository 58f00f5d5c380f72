"""The paper's preset, made smaller and trained for real: what the paper says of its parts holds.

That no block's gradient reaches another, see tests/network/test_network.py.
"""

import json
from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy.stats import multivariate_normal
from sklearn.metrics import roc_auc_score

from samehand.training.config import TrainingConfig
from samehand.training.run import train
from samehand.verifier import Verifier

from .planted import make_store
from .runs import SMALLER, without_time

SETTINGS = (
    *SMALLER,
    "batch_pairs=32",
    "learning_rate=0.01",
    "final_learning_rate=0.002",
    "epochs=12",
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The corpus, the run, the module that was trained, and its LEVs of pairs of unseen authors."""
    folder = tmp_path_factory.mktemp("paper")
    store = make_store(folder / "corpus", authors=800, unseen=250, documents=4)
    config = TrainingConfig.read("paper", None, SETTINGS)
    heads = {
        name: config.network.model_copy(update={"beta": beta})
        for name, beta in (("without", 0.0), ("strong", 0.2))
    }
    made = train(store, folder / "run", config, variants=heads, accelerator="cpu")
    trials = store.trials("test")
    levs = made.embed(trials.first), made.embed(trials.second)
    return folder, made.eval(), levs


def pooled(trained):
    return without_time(trained[0] / "run")[-1]["pooled"]


def adapted(scoring, levs):
    with torch.no_grad():
        return scoring(levs[0], levs[1].unsqueeze(1))


@pytest.mark.parametrize("component", ["dml", "bfs", "ual"])
def test_every_component_tells_authors_apart_that_nobody_has_met(trained, component):
    assert pooled(trained)[component]["auc"] > 0.88


def test_columns_of_the_confusion_matrix_sum_to_one_and_p_ual_is_its_mixture(trained):
    _, made, levs = trained
    log_lr, found = adapted(made.network.scoring, levs)
    confusion = found.log_confusion.exp()  # (pairs, j, i)
    assert torch.allclose(confusion.sum(dim=1), torch.ones(()), atol=1e-6)
    p_bfs = torch.sigmoid(torch.stack((-log_lr, log_lr), 1))
    p_ual = (confusion * p_bfs.unsqueeze(1)).sum(2)
    assert torch.allclose(found.log_posterior.exp(), p_ual, atol=1e-6)


def test_the_adaptation_changes_what_the_bayes_factor_says_pair_by_pair(trained):
    _, made, levs = trained
    log_lr, found = adapted(made.network.scoring, levs)
    assert (found.probability - torch.sigmoid(log_lr)).abs().median() > 0.01
    assert found.log_confusion.exp().std(dim=0).min() > 0.01  # another matrix for each pair


def test_beta_raises_the_entropy_of_the_confusion_and_lowers_the_confidence(trained):
    _, made, levs = trained

    def entropy(head):
        log = adapted(made.variants[head], levs)[1].log_confusion
        return float(-(log.exp() * log).sum(dim=(1, 2)).mean())

    assert entropy("without") < entropy("strong")
    found = pooled(trained)
    assert found["ual without"]["conf"] > found["ual"]["conf"] > found["ual strong"]["conf"]


def test_entropies_in_the_log_are_those_of_the_covariances(trained):
    folder, made, _ = trained
    between, within = made.network.scoring.bayes.covariances.factors()
    logged = without_time(folder / "run")[-1]["entropy"]
    for name, factor in (("within", within), ("between", between)):
        covariance = torch.linalg.inv(factor @ factor.mT).detach().numpy()
        assert logged[name] == pytest.approx(multivariate_normal(cov=covariance).entropy(), 1e-4)


def test_the_rate_of_all_components_falls_as_the_authors_have_it(trained):
    lines = without_time(trained[0] / "run")
    rates = [line["learning_rate"] for line in lines]
    assert rates[0] == pytest.approx(0.01)
    assert rates[-2:] == pytest.approx([0.002 + 0.008 * (10 - n) / 10 for n in (10, 10)])
    falls = [one - other for one, other in pairwise(rates[:11])]
    assert falls == pytest.approx([0.0008] * 10)


def test_its_model_judges_texts_by_its_own_bayes_factor_and_adaptation(trained):
    """From plain text to likelihood ratios, for authors that nobody has met."""
    folder, _, _ = trained
    lines = (folder / "corpus" / "unseen.jsonl").read_text("utf-8").splitlines()
    texts = np.array([json.loads(line)["text"] for line in lines]).reshape(-1, 4)  # by author
    same = [(own[0], [own[3]]) for own in texts[:100]]
    different = [(own[0], [other[3]]) for own, other in pairwise(texts[:101])]
    verifier = Verifier.load(folder / "run" / "model")
    assert verifier.description.evidence == "paper"
    scores = [found.log10_lr for found in verifier.score([*same, *different])]
    assert roc_auc_score([True] * 100 + [False] * 100, scores) > 0.85
