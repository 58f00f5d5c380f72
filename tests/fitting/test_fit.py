"""`samehand fit` as a user runs it: prepare, train, fit, verify."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from samehand.corpus.store import Store
from samehand.fitting.learned import documents_to_fit, views
from samehand.model.folder import read_model
from samehand.verifier import PACKAGED
from tests.models import ESSAYS
from tests.training.planted import make_store, write_corpus
from tests.training.runs import SCRIPT, one_core, run_to_the_end

SETTINGS = (
    "network.word_size=16",
    "network.unit_hidden=12",
    "network.document_hidden=12",
    "network.unit_features=12",
    "network.lev_size=12",
    "batch_pairs=32",
    "learning_rate=0.01",
    "epochs=2",
    "scoring.authors=0.4",
    "scoring.batch_pairs=0",
)


def samehand(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=one_core())


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return make_store(tmp_path_factory.mktemp("corpus"), authors=300, documents=6, tokens=60)


@pytest.fixture(scope="module")
def run(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "small"
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    done = samehand("train", store.folder, "-o", folder, "--accelerator", "cpu", *settings)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def fitted(store: Store, run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fitted") / "model"
    done = samehand("fit", store.folder, run, "-o", folder)
    assert done.returncode == 0, done.stderr
    assert "On trials left out: AUC" in done.stdout
    return folder


def test_an_encoder_alone_says_that_it_is_to_be_fitted(run: Path) -> None:
    done = samehand("verify", __file__, __file__, "--model", run / "model")
    assert done.returncode == 2
    assert "samehand fit" in done.stderr


def test_the_packaged_networks_are_fitted_by_the_name_of_their_model(
    store: Store, tmp_path: Path
) -> None:
    done = samehand("fit", store.folder, "default", "-o", tmp_path / "model", "--unmet")
    assert done.returncode == 0, done.stderr
    ours = {network.name for network in read_model(PACKAGED).networks}
    assert {network.name for network in read_model(tmp_path / "model").networks} == ours
    refused = samehand("fit", store.folder, "./default", "-o", tmp_path / "other", "--unmet")
    assert refused.returncode == 2
    assert "default" in refused.stderr


def test_what_is_fitted_tells_authors_it_has_not_met_apart(fitted: Path, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "new.jsonl", 40, 4, 300, styled=True, seed=9)
    lines = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    texts = [line["text"] for line in lines]  # four of each author, one after another
    pairs = [
        (texts[4 * i], texts[4 * ((i + odd) % 40) + 3], odd) for i in range(40) for odd in (0, 1)
    ]
    with (tmp_path / "pairs.jsonl").open("w", encoding="utf-8") as file:
        for number, (one, other, _) in enumerate(pairs):
            file.write(json.dumps({"id": str(number), "pair": [one, other]}) + "\n")
    with (tmp_path / "truth.jsonl").open("w", encoding="utf-8") as file:
        for number, (*_, odd) in enumerate(pairs):
            file.write(json.dumps({"id": str(number), "same": not odd}) + "\n")
    answers = tmp_path / "answers"
    done = samehand("answer", "-i", tmp_path, "-o", answers, "--model", fitted)
    assert done.returncode == 0, done.stderr
    scored = samehand("evaluate", tmp_path / "truth.jsonl", answers / "answers.jsonl", "--json")
    assert json.loads(scored.stdout)["auc"] > 0.75, scored.stderr


def test_it_says_what_it_was_made_of(fitted: Path, run: Path, store: Store) -> None:
    description = read_model(fitted).description
    assert description.evidence == "genres"
    assert [network.name for network in description.networks] == [run.name]
    low, high = description.log10_lr_bounds or (0.0, 0.0)
    assert low < 0 < high
    training = description.about.training
    assert training["evidence"]["genres"] == store.about["sources"][:1]
    assert training["networks"][run.name]["settings"]["epochs"] == 2
    figures = description.about.validation.figures
    assert 0.7 < figures["auc"] <= 1


def test_the_same_command_gives_the_same_bytes(
    store: Store, run: Path, fitted: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    done = samehand("fit", store.folder, run, "-o", again, "--name", fitted.name)
    assert done.returncode == 0, done.stderr
    for name in ("evidence.safetensors", "model.json"):
        assert (again / name).read_bytes() == (fitted / name).read_bytes()


def test_a_model_is_not_replaced_unasked(store: Store, run: Path, fitted: Path) -> None:
    done = samehand("fit", store.folder, run, "-o", fitted)
    assert done.returncode == 2
    assert "--force" in done.stderr


def test_too_few_authors_are_told(store: Store, run: Path, tmp_path: Path) -> None:
    few = make_store(tmp_path / "few", authors=4, unseen=3, documents=2)
    done = samehand("fit", few.folder, run, "-o", tmp_path / "model", "--unmet")
    assert done.returncode == 2
    assert "50 needed" in done.stderr
    assert not (tmp_path / "model").exists()


@pytest.fixture(scope="module")
def paper_run(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the paper's preset, with its own Bayes factor."""
    folder = tmp_path_factory.mktemp("paper") / "run"
    done = run_to_the_end(store, folder, changes=("epochs=1", "scoring.start_at=0")).done
    assert done.returncode == 0
    return folder


@pytest.mark.parametrize(("options", "kind"), [((), "paper"), (("--evidence", "genres"), "genres")])
def test_networks_with_a_bayes_factor_of_their_own_keep_it_unless_asked(
    options: tuple[str, ...], kind: str, store: Store, paper_run: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    done = samehand("fit", store.folder, paper_run, "-o", model, *options)
    assert done.returncode == 0, done.stderr
    description = read_model(model).description
    assert description.evidence == kind
    assert description.log10_lr_bounds is not None
    verified = samehand("verify", ESSAYS / "anna-1.txt", ESSAYS / "bruno-1.txt", "-m", model)
    assert "likelihood ratio" in verified.stdout, verified.stderr


def test_where_networks_have_met_everybody_that_is_told(
    store: Store, paper_run: Path, tmp_path: Path
) -> None:
    run = Path(shutil.copytree(paper_run / "model", tmp_path / "run"))
    description = json.loads((run / "model.json").read_text("utf-8"))
    description["about"]["training"]["settings"]["scoring"]["authors"] = 0
    (run / "model.json").write_text(json.dumps(description), "utf-8")
    done = samehand("fit", store.folder, run, "-o", tmp_path / "model")
    assert done.returncode == 2
    assert "give 0 trials by one author and 0 by two" in done.stderr


@pytest.fixture(scope="module")
def two_sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two sources, and networks without letters, without diaries, with both."""
    folder = tmp_path_factory.mktemp("two")
    corpora = [
        write_corpus(folder / f"{name}.jsonl", 150, 6, 60, styled=True, seed=seed)
        for name, seed in (("letters", 1), ("diaries", 2))
    ]
    store = folder / "store"
    split = ("--topics", "labels", "--split-by", "authors", "--shares", "90,10")
    done = samehand("prepare", *corpora, "-o", store, *split, "--workers", "1")
    assert done.returncode == 0, done.stderr
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    for name, left_out in (("letters", "letters"), ("diaries", "diaries"), ("nothing", "")):
        without = ("--set", f"leave_out=[{left_out}]", "--accelerator", "cpu")
        done = samehand("train", store, "-o", folder / f"no-{name}", *settings, *without)
        assert done.returncode == 0, done.stderr
    return folder


NEVER, SOME, ALL = "never", "some", "all"
"""What a network has met of a source."""


@pytest.mark.parametrize(
    ("met", "of_store", "of_model", "expected"),
    [
        # of each network what it has met of letters, of diaries
        (((SOME, SOME), (SOME, SOME)), (1, 1), 2, {((0, 1), False): (0, 1)}),
        (((NEVER, NEVER), (NEVER, NEVER)), (1, 1), 2, {((0, 1), True): (0, 1)}),
        (
            ((SOME, SOME), (NEVER, SOME)),
            (1, 1),
            2,
            {((0, 1), False): (0, 1), ((1,), True): (0,)},
        ),
        (
            ((SOME, SOME), (NEVER, SOME)),
            (1, 1),
            1,
            {((0,), False): (0, 1), ((1,), True): (0,)},
        ),
        (((ALL, SOME), (SOME, SOME)), (1, 1), 1, {((0,), False): (1,), ((1,), False): (0,)}),
        (
            ((SOME, SOME), (NEVER, SOME), (NEVER, SOME)),
            (1, 0, 1),
            1,
            {((0,), False): (0, 1), ((2,), True): (0,)},
        ),
    ],
)
def test_sources_are_viewed_by_who_has_met_nobody_in_the_trials(
    met: tuple[tuple[str, str], ...],
    of_store: tuple[int, ...],
    of_model: int,
    expected: dict[tuple[tuple[int, ...], bool], tuple[int, ...]],
    two_sources: Path,
) -> None:
    store = Store.open(two_sources / "store")
    documents = documents_to_fit(store)
    sources, authors = (store.array(name)[documents] for name in ("source", "author"))
    unmet = np.zeros((len(met), len(documents)), np.bool_)
    for network, of_sources in enumerate(met):
        for source, how in enumerate(of_sources):
            own = sources == source
            unmet[network, own] = {NEVER: True, ALL: False, SOME: authors[own] % 3 == 0}[how]
    found = views(store, documents, unmet, np.array(of_store, np.bool_), of_model)
    assert {view[:2]: tuple(view.sources.tolist()) for view in found} == expected
    assert found[0].networks == tuple(range(of_model))


@pytest.mark.parametrize(
    "runs",
    [
        ("no-letters", "no-diaries"),
        ("no-nothing", "--judge", "no-letters", "--judge", "no-diaries"),
    ],
)
def test_genres_are_judged_by_networks_that_have_not_met_them_too(
    runs: tuple[str, ...], two_sources: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    places = (run if run.startswith("--") else two_sources / run for run in runs)
    done = samehand("fit", two_sources / "store", *places, "-o", model)
    assert done.returncode == 0, done.stderr
    description = read_model(model).description
    assert [network.name for network in description.networks] == (
        ["no-nothing"] if "--judge" in runs else list(runs)
    )
    told, validation = description.about.training["evidence"], description.about.validation
    assert told["genres"] == ["letters", "diaries"]
    assert 0 < told["trials_of_sources_left_out"] < told["trials"]
    assert "of them by networks that had met nothing of their genre" in validation.on
    assert read_model(model).evidence["effects.mean"].shape == (2, 3, 3)
    assert set(validation.sets) == {"letters", "diaries"}
    assert 0.6 < validation.figures["auc"] <= 1
    done = samehand("verify", ESSAYS / "anna-1.txt", ESSAYS / "anna-2.txt", "-m", model)
    assert "likelihood ratio" in done.stdout, done.stderr


def test_networks_of_other_sources_are_fitted_together(two_sources: Path, tmp_path: Path) -> None:
    """Each network's sources stay in the model, so it can be fitted again."""
    folder = tmp_path / "letters.jsonl"
    shutil.copy(two_sources / "letters.jsonl", folder)
    store, run = tmp_path / "store", tmp_path / "only-letters"
    done = samehand("prepare", folder, "-o", store, "--topics", "labels", "--workers", "1")
    assert done.returncode == 0, done.stderr
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    done = samehand("train", store, "-o", run, "--accelerator", "cpu", *settings)
    assert done.returncode == 0, done.stderr
    models = []
    for name, runs in (("first", (two_sources / "no-nothing", run)), ("again", ("first",))):
        places = [tmp_path / each for each in runs]
        done = samehand("fit", two_sources / "store", *places, "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr
        models.append(read_model(tmp_path / name).description.about)
    for about in models:
        assert about.training["networks"]["only-letters"]["sources"] == ["letters"]
        told = about.training["evidence"]  # diaries, judged by who has met letters alone
        assert 0 < told["trials_of_sources_left_out"] < told["trials"]
    assert models[0].training["evidence"] == models[1].training["evidence"]


def test_a_judge_is_for_evidence_by_genres(two_sources: Path, paper_run: Path) -> None:
    store, judge = two_sources / "store", two_sources / "no-letters"
    done = samehand("fit", store, paper_run, "-o", paper_run / "other", "--judge", judge)
    assert done.returncode == 2
    assert "for evidence by genres" in done.stderr
