"""A trained network in use: answers do not depend on company, order or repetition."""

import json
import shutil
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.special import logit

from samehand.casework.answering import answer
from samehand.considered import UNSURE, WEAK
from samehand.errors import InputError
from samehand.network.config import NetworkConfig
from samehand.network.last_stage import LastStage
from samehand.network.network import Network
from samehand.network.weights import save_ensemble, save_network
from samehand.text.tokenise import Tokeniser
from samehand.text.vocabulary import Vocabulary
from samehand.verifier import Verifier

TEXTS = [
    "It rained all morning, and nobody minded; the roof is new.",
    "well i dunno... maybe we go later?? who knows",
    "The committee met at noon. The committee adjourned at one. " * 30,
    "One",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    tokeniser = Tokeniser()
    for text in TEXTS:
        tokeniser(text)
    vocabulary = Vocabulary.count(tokeniser.types, np.ones(len(tokeniser.types), np.int64), 20, 30)
    config = NetworkConfig(word_size=8, unit_hidden=6, document_hidden=6, lev_size=5, bfs_size=4)
    network = Network(config, len(vocabulary.words), len(vocabulary.characters))
    folder = tmp_path_factory.mktemp("model")
    save_network(folder, network, vocabulary, {"data": "made by a test"})
    return folder


@pytest.fixture(scope="module")
def verifier(model: Path) -> Verifier:
    return Verifier.load(model)


@pytest.fixture(scope="module")
def both(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    """That model and another, of other sizes and with another vocabulary, as one."""
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("both")
    shutil.copytree(model, folder / "first")
    types = sorted({word for text in TEXTS for word in text.split()})
    vocabulary = Vocabulary.count(types, np.arange(len(types)) + 1, 9, 15)
    config = NetworkConfig(
        word_size=4, unit_hidden=5, document_hidden=5, lev_size=7, bfs_size=3, masking="shape",
        unit_features=3, doubt=True, rejection=True,
    )  # fmt: skip
    network = Network(config, len(vocabulary.words), len(vocabulary.characters))
    save_network(folder / "second", network, vocabulary, {})
    save_ensemble(folder, ["first", "second"], {"data": "made by a test"})
    return Verifier.load(folder)


def write_trials(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    folder.mkdir()
    lines = [
        json.dumps({"id": f"t{i}", "fandoms": ["", ""], "pair": p}) for i, p in enumerate(pairs)
    ]
    (folder / "pairs.jsonl").write_text("\n".join(lines), "utf-8")
    return folder


def read_answers(path: Path) -> dict[str, float]:
    return {a["id"]: a["value"] for a in map(json.loads, path.read_text().splitlines())}


def test_a_text_embeds_the_same_alone_and_in_company(verifier: Verifier) -> None:
    together = verifier.embed(TEXTS)
    for text, lev in zip(TEXTS, together, strict=True):
        np.testing.assert_allclose(verifier.embed([text])[0], lev, atol=1e-5)
    np.testing.assert_allclose(verifier.embed(TEXTS[::-1])[::-1], together, atol=1e-5)


def test_one_known_text_gives_the_networks_own_answer(verifier: Verifier) -> None:
    levs = verifier.embed(TEXTS)
    ours = verifier.probability(levs[:2], [levs[2:3], levs[3:4]])
    with torch.no_grad():
        theirs = verifier.networks[0].score(torch.tensor(levs[:2]), torch.tensor(levs[2:])).ual
    np.testing.assert_allclose(ours, theirs.numpy(), atol=1e-5)


def test_known_texts_count_together_in_any_order(verifier: Verifier) -> None:
    levs = verifier.embed(TEXTS)
    one, other = verifier.probability(levs[[0, 0]], [levs[1:4], levs[[3, 1, 2]]])
    assert one == pytest.approx(other, abs=1e-6)
    assert one != pytest.approx(verifier.probability(levs[:1], [levs[1:2]])[0], abs=1e-6)


def alone(both: Verifier) -> list[Verifier]:
    members = both.members
    return [Verifier([member], {}) for member in members]


def test_levs_of_several_networks_stand_side_by_side(both: Verifier) -> None:
    levs = both.embed([*TEXTS, ""])
    assert levs.shape == (5, 5 + 8)
    each = [verifier.embed(TEXTS) for verifier in alone(both)]
    np.testing.assert_allclose(levs[:4], np.concatenate(each, 1), atol=1e-6)
    assert np.isnan(levs[4]).all()


@pytest.mark.parametrize("cores", [1, 2, 3])
@pytest.mark.parametrize("times", [1, 200], ids=["few", "many"])
def test_levs_are_the_same_however_the_work_is_shared_out(
    both: Verifier, cores: int, times: int
) -> None:
    texts = [text * times for text in TEXTS]
    each = [verifier.embed([text]) for text in texts for verifier in alone(both)]
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(cores)
        levs = both.embed(texts)
    finally:
        torch.set_num_threads(before)
    np.testing.assert_allclose(levs.ravel(), np.concatenate(each, 1).ravel(), atol=1e-5)


@pytest.mark.parametrize("texts", [TEXTS, [text * 200 for text in TEXTS], [""], []])
def test_what_is_to_be_done_beside_is_done_once(both: Verifier, texts: list[str]) -> None:
    done = list[int]()
    read = both.encoders.lexicon.read(texts)
    levs = both.encoders.embed_read(read, [partial(done.append, job) for job in range(3)])
    assert sorted(done) == [0, 1, 2]
    np.testing.assert_array_equal(levs, both.embed(texts))


def test_a_fault_beside_is_not_lost(both: Verifier) -> None:
    read = both.encoders.lexicon.read(TEXTS)
    with pytest.raises(ZeroDivisionError):
        both.encoders.embed_read(read, [int, lambda: 1 // 0])


def test_several_networks_answer_with_the_mean_of_their_probabilities(both: Verifier) -> None:
    levs = both.embed(TEXTS)
    found = both.probability(levs[:2], [levs[2:3], levs[1:4]])
    each = []
    for verifier in alone(both):
        own = verifier.embed(TEXTS)
        each.append(verifier.probability(own[:2], [own[2:3], own[1:4]]))
    np.testing.assert_allclose(found, np.mean(each, axis=0), atol=1e-6)
    assert abs(each[0] - each[1]).max() > 1e-6


def test_answers_of_several_networks_can_be_explained(both: Verifier) -> None:
    questioned, known = TEXTS[2], TEXTS[0] * 9
    found = both.explain(questioned, known)
    levs = both.embed([questioned, known])
    [p] = both.probability(levs[:1], [levs[1:]])
    assert 10**found.log10_lr == pytest.approx(p / (1 - p), rel=1e-4)
    for text in (found.questioned, *found.known):
        assert sum(unit.attention for unit in text.units) == pytest.approx(1, abs=1e-5)
        assert sum(token.attention for token in text.tokens) == pytest.approx(1, abs=1e-5)


def test_answers_every_trial_and_embeds_each_text_once(verifier: Verifier, tmp_path: Path) -> None:
    pairs = [(a, b) for a in TEXTS for b in TEXTS] * 40  # more than one chunk
    done = answer(
        verifier, write_trials(tmp_path / "in", pairs), tmp_path / "out" / "answers.jsonl"
    )
    assert (done.trials, done.documents, done.without_words) == (len(pairs), len(TEXTS), 0)
    answers = read_answers(tmp_path / "out" / "answers.jsonl")
    assert list(answers) == [f"t{i}" for i in range(len(pairs))]
    assert all(0 <= value <= 1 for value in answers.values())
    assert answers["t0"] == answers["t16"]


def test_what_the_networks_vote_against_is_left_unanswered_where_they_are_unsure(
    both: Verifier, tmp_path: Path
) -> None:
    _, critic = both.members
    rejection = critic.network.scoring.rejection
    assert rejection is not None
    critics = Verifier([critic, critic], both.description)
    divided = Verifier(both.members, both.description)
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[1])])
    unsure = logit(0.5 + (WEAK + UNSURE) / 2)
    for judges, limit, offset, slope, expected in (
        (critics, np.inf, unsure, 0.001, False),
        (critics, -np.inf, unsure, 0.001, True),  # two votes of two
        (divided, -np.inf, unsure, 0.001, False),  # one vote of two
        (critics, np.inf, 0.3, 0.001, True),  # no vote, but nothing that decides
        (critics, -np.inf, 0.0, 1.0, False),  # these networks are sure of everything
    ):
        rejection.limit.fill_(limit)
        judges.last_stage = LastStage(offset, slope)
        levs = judges.embed(TEXTS)
        assert (judges.consider(levs, [levs[:1]] * len(levs)).rejected == expected).all()
        done = answer(judges, trials, tmp_path / "answers.jsonl")
        [value] = read_answers(tmp_path / "answers.jsonl").values()
        assert (done.rejected, value == 0.5) == (expected, expected)


def test_a_copy_is_left_unanswered_unless_all_is_to_be_answered(
    verifier: Verifier, tmp_path: Path
) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[0]), (TEXTS[0], TEXTS[1])])
    for always, rejected in ((False, 1), (True, 0)):
        done = answer(verifier, trials, tmp_path / "answers.jsonl", always=always)
        assert done.rejected == rejected
        assert (read_answers(tmp_path / "answers.jsonl")["t0"] == 0.5) != always


def test_known_levs_are_an_array_for_each_questioned_one(verifier: Verifier) -> None:
    levs = verifier.embed(TEXTS[:3])
    for known in (levs, [levs], [levs, levs], []):
        with pytest.raises(ValueError, match="for each questioned LEV"):
            verifier.probability(levs, known)
    assert len(verifier.probability(levs, [levs] * 3)) == 3


def test_opinions_are_those_the_answer_is_the_mean_of(both: Verifier) -> None:
    levs = both.embed(TEXTS)
    known = [levs[1:3]] * len(levs)
    opinions = both.consider(levs, known).opinions
    assert opinions.shape == (2, len(levs))
    np.testing.assert_allclose(opinions.mean(0), both.probability(levs, known), atol=1e-7)


@pytest.mark.parametrize("nothing", ["", "  \n", "\u200b"])
def test_a_text_without_words_cannot_be_told(
    verifier: Verifier, tmp_path: Path, nothing: str
) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], nothing), (TEXTS[0], TEXTS[1])])
    done = answer(verifier, trials, tmp_path / "answers.jsonl")
    answers = read_answers(tmp_path / "answers.jsonl")
    assert done.without_words == 1
    assert answers["t0"] == 0.5
    assert answers["t1"] != 0.5


def test_a_fault_in_the_trials_leaves_no_answers(verifier: Verifier, tmp_path: Path) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[1])] * 300)
    with (trials / "pairs.jsonl").open("a") as file:
        file.write('\n{"id": "cut", "pair": ["a')
    with pytest.raises(InputError, match="301"):
        answer(verifier, trials, tmp_path / "out" / "answers.jsonl")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model here"):
        Verifier.load(tmp_path)
