"""`samehand train`: what it leaves behind, that it resumes, and how it fails."""

import json
import logging
import os
import re
import shutil
import subprocess
import time
import warnings
from pathlib import Path

import pytest
import torch
from lightning import Callback
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from samehand.cli.main import main
from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.evaluation.scores import MEASURES
from samehand.model.folder import read_model
from samehand.training.checkpoints import SafeCheckpoints
from samehand.training.module import TrainingModule
from samehand.training.run import train
from samehand.training.run_folder import settings_of

from .runs import (
    SCRIPT,
    SMALL,
    Run,
    command,
    one_core,
    run_and_kill,
    run_to_the_end,
    small_config,
    without_time,
)

NO_DROPOUT = (
    *(f"network.dropout_{part}=0" for part in ("characters", "recurrent", "attention", "metric")),
    "scoring.dropout=0",
    "word_dropout=0",
)


@pytest.fixture
def complaint(monkeypatch, capfd):
    """Runs the command, in this process, and gives the one sentence with which it refuses."""

    def refused(store: Store, folder: Path, *options: str, **settings: tuple[str, ...]) -> str:
        monkeypatch.setattr("sys.argv", command(store, folder, *options, **settings))
        capfd.readouterr()
        with pytest.raises(SystemExit) as raised:
            main()
        said = capfd.readouterr()
        assert (raised.value.code, said.out) == (2, "")
        assert said.err.startswith("samehand: ")
        assert said.err.count("\n") == 1, said.err
        return said.err

    return refused


def test_a_run_says_where_the_model_is_and_nothing_else(finished):
    assert finished.done.stdout == f"The model is in {finished.folder / 'model'}.\n"
    assert finished.faults == []
    assert finished.checkpoints == ["epoch=3.ckpt"]


def test_kernel_and_entropies_are_drawn(finished, store, tmp_path):
    for name in ("kernel.png", "entropies.png"):
        assert (finished.folder / name).read_bytes().startswith(b"\x89PNG")
    config = small_config("network.learn_kernel=false", "epochs=1")
    train(store, tmp_path / "fixed", config, accelerator="cpu")
    assert [path.name for path in (tmp_path / "fixed").glob("*.png")] == ["entropies.png"]


def test_the_model_comes_with_its_training_and_its_figures(finished, store):
    found = read_model(finished.folder / "model")
    (network,) = found.networks
    assert network.config == small_config().network
    assert network.vocabulary == store.vocabulary
    assert (found.description.name, found.description.evidence) == ("finished", "paper")
    about = found.description.about
    assert about.training["settings"] == small_config().model_dump(mode="json")
    assert about.training["figures"]["epoch"] == 3
    assert about.data.sources == tuple(store.about["sources"])
    assert about.data.parts["train"].documents == store.about["parts"]["train"]["documents"]


def test_the_model_of_a_run_judges_at_once(finished, tmp_path):
    for name in ("questioned", "known"):
        (tmp_path / name).write_text("perhaps upon a word but yet also quite " * 8, "utf-8")
    asked = (tmp_path / "questioned", tmp_path / "known", "--model", finished.folder / "model")
    verify = [SCRIPT, "verify", *asked, "--json"]
    done = subprocess.run(list(map(str, verify)), capture_output=True, text=True, env=one_core())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["probability"] > 0


def test_training_leaves_the_settings_of_the_process_as_they_were(store, tmp_path):
    quiet, filters = logging.getLogger("lightning.pytorch").level, list(warnings.filters)
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    train(store, tmp_path / "run", small_config("epochs=1"), accelerator="cpu")
    assert logging.getLogger("lightning.pytorch").level == quiet
    assert warnings.filters == filters
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_run_says_how_far_it_is(store, tmp_path):
    told = []

    def watch(doing, done=0, total=None, note=""):
        told.append((doing, done, total, note))

    config = small_config("epochs=2")
    train(store, tmp_path / "run", config, progress=watch, accelerator="cpu")
    assert {doing for doing, *_ in told} == {"training steps"}
    (total,) = {total for _, _, total, _ in told}
    assert [done for _, done, _, _ in told] == list(range(total + 1))
    assert told[0][3] == "epoch 1 of 2"
    losses = r"epoch 2 of 2, dml \d+\.\d{3}, bfs \d+\.\d{3}, ual \d+\.\d{3}"
    assert re.fullmatch(losses, told[-1][3])
    (tmp_path / "run" / "model").rename(tmp_path / "model")
    told.clear()
    train(store, tmp_path / "run", config, True, progress=watch, accelerator="cpu")
    assert [done for _, done, _, _ in told] in ([], [total])


def test_every_epoch_leaves_one_line_with_all_figures(finished):
    lines = finished.lines
    assert [line["epoch"] for line in lines] == [0, 1, 2, 3]
    for line in lines:
        assert line["loss"].keys() == {"dml", "bfs", "ual"}
        assert line["kernel"].keys() == {"gamma", "alpha"}
        assert line["entropy"].keys() == {"within", "between"}
        assert line["trials"].keys() == {"test"}
        for parts in (line["pooled"], *line["trials"].values()):
            assert parts.keys() == {"dml", "bfs", "ual"}
            for measures in parts.values():
                assert set(MEASURES) <= measures.keys()
                assert 0 <= measures["auc"] <= 1
    rates = [line["learning_rate"] for line in lines]
    assert rates[0] == 0.005
    assert rates[-1] == pytest.approx(small_config().final_learning_rate)
    assert rates == sorted(rates, reverse=True)
    steps = [line["steps"] for line in lines]
    assert steps == sorted(steps)
    assert steps[0] > 1


def test_tensorboard_shows_losses_figures_and_entropies(finished):
    log = EventAccumulator(str(finished.folder / "tensorboard"))
    log.Reload()
    shown = log.Tags()["scalars"]
    for name in ("dml_epoch", "bfs_epoch", "ual_epoch", "test/ual/auc", "test/dml/ece"):
        assert len(log.Scalars(name)) == 4, shown
    for name in ("within", "between"):
        values = [event.value for event in log.Scalars(f"entropy/{name}")]
        assert values == pytest.approx([line["entropy"][name] for line in finished.lines])


def test_a_run_that_another_process_is_at_work_on_is_refused(complaint, store, tmp_path):
    folder = tmp_path / "run"
    with subprocess.Popen(command(store, folder), env=one_core()) as process:
        while not (folder / "metrics.jsonl").exists():
            time.sleep(0.01)
        try:
            said = complaint(store, folder, "--resume")
        finally:
            process.kill()
    assert "another samehand is at work in it; wait for its end" in said
    train(store, folder, small_config(), resume=True, accelerator="cpu")  # a kill frees it


def test_a_killed_run_resumes_and_ends_in_the_same_weights(finished, store, tmp_path):
    """Repeated epochs hold everything: dropout, new pairs, and scoring that begins anew."""
    folder = tmp_path / "killed"
    checkpoint = folder / "checkpoints" / "epoch=0.ckpt"
    run_and_kill(store, folder, when=checkpoint.exists)
    with (folder / "metrics.jsonl").open("a") as file:
        file.write('{"epoch": 2, "loss": {"dml": 1')  # as a kill may leave it
    resumed = run_to_the_end(store, folder, settings=("--resume",))
    assert resumed.weights == finished.weights
    assert resumed.lines == finished.lines
    assert resumed.faults == []
    assert resumed.checkpoints == finished.checkpoints  # those before the kill are gone


def test_resuming_a_finished_run_changes_nothing(finished, store, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(finished.folder, folder)
    train(store, folder, small_config(), resume=True, accelerator="cpu")
    assert Run(folder, finished.done).weights == finished.weights
    assert without_time(folder) == finished.lines


def test_a_folder_in_use_is_refused(finished, store, complaint):
    before = sorted(finished.folder.rglob("*"))
    said = complaint(store, finished.folder)
    assert "holds a run already; go on with --resume" in said
    assert sorted(finished.folder.rglob("*")) == before


def test_resuming_with_other_settings_is_refused(finished, store, tmp_path, complaint):
    with pytest.raises(InputError, match=r"was begun with network\.beta=0\.105, not 0\.2; it goes"):
        train(store, finished.folder, small_config("network.beta=0.2"), resume=True)
    said = complaint(store, finished.folder, "--resume", changes=("scoring.start_at=null",))
    assert "was begun with scoring.start_at=0.25, not null; it goes on with its own" in said
    for given, name in ((("--set", "epochs=5"), "epochs=4, not 5"), (("--preset", "default"), "")):
        said = complaint(store, finished.folder, settings=("--resume", *given))
        assert f"was begun with {name}" in said
        assert said.endswith("so leave out --preset, --config and --set.\n")
    other = tmp_path / "other.yaml"
    other.write_text("scoring: {learning_rate: 0.5}")
    said = complaint(store, finished.folder, settings=("--resume", "-c", str(other)))
    assert "was begun with scoring.learning_rate=0.001, not 0.5; it" in said


def test_settings_that_agree_may_be_given_again(finished, tmp_path):
    config = small_config()
    other = tmp_path / "other.yaml"
    other.write_text("scoring: {learning_rate: 0.001}\nepochs: 4")
    assert settings_of(finished.folder) == config
    assert settings_of(finished.folder, "paper", None, SMALL) == config
    assert settings_of(finished.folder, None, other, ["batch_pairs=16"]) == config


def test_resuming_on_another_store_is_refused(finished, store, tmp_path):
    other = shutil.copytree(store.folder, tmp_path / "other")
    words = json.loads((other / "vocabulary.json").read_text("utf-8"))
    words["words"][2:] = words["words"][:1:-1]
    (other / "vocabulary.json").write_text(json.dumps(words), "utf-8")
    with pytest.raises(InputError, match="was begun on another store; resume it with that one"):
        train(Store.open(other), finished.folder, small_config(), resume=True)


def test_what_is_not_of_the_run_is_neither_taken_for_it_nor_overwritten(finished, store, tmp_path):
    folder = shutil.copytree(finished.folder, tmp_path / "copy")
    (folder / "checkpoints" / "epoch=0-v1.ckpt").write_bytes(b"")
    with (folder / "metrics.jsonl").open("a") as file:
        file.write("{}\n")
    train(store, folder, small_config(), resume=True, accelerator="cpu")
    assert without_time(folder) == finished.lines
    (tmp_path / "mine" / "model").mkdir(parents=True)
    with pytest.raises(InputError, match="mine: holds a run already"):
        train(store, tmp_path / "mine", small_config())


def test_a_file_in_the_place_of_the_folder_is_refused(store, tmp_path, complaint):
    file = tmp_path / "run"
    file.write_text("mine")
    for folder in (file, file / "run"):
        assert f"{folder}: no folder can be made here (" in complaint(store, folder)
        with pytest.raises(InputError, match="there is no run to resume"):
            train(store, folder, small_config(), resume=True)
    assert file.read_text() == "mine"


def test_resuming_nothing_is_refused(store, tmp_path):
    with pytest.raises(InputError, match="there is no run to resume"):
        train(store, tmp_path / "nothing", small_config(), resume=True)
    assert not (tmp_path / "nothing").exists()


def test_resuming_from_a_damaged_checkpoint_is_refused(finished, store, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(finished.folder, folder)
    path = folder / "checkpoints" / "epoch=3.ckpt"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"epoch=3\.ckpt: .*damaged"):
        train(store, folder, small_config(), resume=True, accelerator="cpu")
    (folder / "config.json").write_text("{")
    with pytest.raises(InputError, match=r"config\.json: damaged"):
        train(store, folder, small_config(), resume=True, accelerator="cpu")


def test_a_store_of_another_version_is_refused(store, tmp_path, complaint):
    other = tmp_path / "store"
    shutil.copytree(store.folder, other)
    about = json.loads((other / "store.json").read_text())
    (other / "store.json").write_text(json.dumps(about | {"version": 0}))
    said = complaint(Store(other, about), tmp_path / "run")
    assert "made by another version of samehand; prepare the store again" in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        (("trials=[tset]",), {}, r"trials: .* has no set 'tset'; choose from calibration, test"),
        ((), {"accelerator": "gpu"}, "This machine cannot train with accelerator gpu"),
        ((), {"accelerator": "abacus"}, "This machine cannot train with accelerator abacus"),
        ((), {"accelerator": "cpu", "devices": 0}, "cannot train with accelerator cpu, devices 0"),
    ],
)
def test_what_cannot_be_trained_is_refused(store, tmp_path, changes, options, said):
    if options.get("accelerator") == "gpu" and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(InputError, match=said):
        train(store, tmp_path / "run", small_config(*changes), **options)


class Poison(Callback):
    """Makes a weight no number, at one step of the second epoch."""

    def __init__(self, step):
        self._step = step

    def on_train_batch_start(self, trainer, module, batch, number):
        if (trainer.current_epoch, number) == (1, self._step):
            module.network.encoder.words.weight.data[5] = torch.nan


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_the_last_checkpoint(store, tmp_path):
    with pytest.raises(InputError, match=r"no longer a number in epoch 1: .* lower learning_rate"):
        train(store, tmp_path, small_config(), callbacks=(Poison(0),), accelerator="cpu")
    assert len(without_time(tmp_path)) == 1
    (checkpoint,) = (tmp_path / "checkpoints").iterdir()
    content = SafeCheckpoints().load_checkpoint(checkpoint)
    assert content["epoch"] == 0
    assert all(value.isfinite().all() for value in content["state_dict"].values())
    assert not (tmp_path / "model").exists()


def test_weights_that_are_no_numbers_are_seen_at_the_end_of_an_epoch(store, tmp_path):
    with pytest.raises(InputError, match="no longer a number in epoch 1"):
        train(store, tmp_path, small_config(), callbacks=(Poison(1),), accelerator="cpu")
    assert len(without_time(tmp_path)) == 1
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["epoch=0.ckpt"]


class Watch(Callback):
    """Notes, at the first step of each epoch, what of the scoring has been learned so far."""

    def __init__(self):
        self.steps_of_adam, self.factors = [], []

    def on_train_batch_start(self, trainer, module, batch, number):
        if number == 0:
            scoring, state = module.network.scoring, trainer.optimizers[0].state
            self.steps_of_adam.append(sum(len(state.get(p, ())) for p in scoring.parameters()))
            self.factors.append(scoring.bayes.covariances.within.detach().clone())


def test_the_scoring_begins_anew_when_it_is_told_to(store, tmp_path):
    watch = Watch()
    config = small_config("scoring.start_at=0.5", "network.bfs_domain=unknown")
    train(store, tmp_path, config, callbacks=(watch,), accelerator="cpu")
    assert [bool(count) for count in watch.steps_of_adam] == [False, True, False, True]
    first, _, anew, _ = watch.factors
    assert not torch.allclose(first, anew, atol=0.1)
    isotropic = anew.diagonal().mean() * torch.eye(len(anew))
    assert torch.allclose(anew, isotropic, atol=1e-6)  # as it starts from pairs


def test_a_rate_far_too_high_is_told_in_one_sentence(store, tmp_path, complaint):
    said = complaint(store, tmp_path / "run", changes=("learning_rate=1e30",))
    assert "The loss is no longer a number in epoch 0" in said


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB."),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried …"),
        MemoryError(),
    ],
    ids=["gpu", "cpu", "python"],
)
def test_out_of_memory_is_told_in_one_sentence(store, tmp_path, monkeypatch, error):
    step = TrainingModule.training_step

    def fail_in_the_second_epoch(self, *arguments):
        if self.current_epoch == 1:
            raise error
        return step(self, *arguments)

    monkeypatch.setattr(TrainingModule, "training_step", fail_in_the_second_epoch)
    with pytest.raises(InputError, match="memory does not suffice for batch_pairs = 16"):
        train(store, tmp_path, small_config(), accelerator="cpu")
    assert [path.name for path in (tmp_path / "checkpoints").iterdir()] == ["epoch=0.ckpt"]


def test_other_errors_are_not_taken_for_want_of_memory(store, tmp_path, monkeypatch):
    def fail(self, *arguments):
        raise RuntimeError("a bug")

    monkeypatch.setattr(TrainingModule, "training_step", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        train(store, tmp_path, small_config(), accelerator="cpu")


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for one checkpoint, not for two."""
    place = tmp_path / "disk"
    place.mkdir()
    size = "size=160k"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", place]).returncode:
        pytest.skip("a full disk needs the right to mount one")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)  # a log may still be open


def test_a_full_disk_is_told_and_the_last_checkpoint_intact(finished, store, small_disk, complaint):
    checkpoint = finished.folder / "checkpoints" / "epoch=3.ckpt"
    assert 80 < checkpoint.stat().st_size / 1024 < 140  # as the size of the disk supposes
    folder = small_disk / "run"
    said = complaint(store, folder)
    assert str(folder / "checkpoints" / "epoch=1.ckpt") in said
    assert "No space left on device" in said
    assert os.listdir(folder / "checkpoints") == ["epoch=0.ckpt"]
    subprocess.run(["mount", "-o", "remount,size=10m", small_disk], check=True)
    train(store, folder, small_config(), resume=True, accelerator="cpu")
    assert Run(folder, finished.done).weights == finished.weights


def test_two_processes_follow_the_curve_of_one(store, tmp_path):
    """From the console script; with no dropout, the only thing that they draw for themselves."""
    changes = (*NO_DROPOUT, "epochs=3", "scoring.start_at=0.4")
    train(store, tmp_path / "one", small_config(*changes), accelerator="cpu")
    two = run_to_the_end(store, tmp_path / "two", "--devices", "2", changes=changes)
    assert two.done.stdout == f"The model is in {tmp_path / 'two' / 'model'}.\n"
    assert two.faults == []
    one = without_time(tmp_path / "one")
    assert [line["epoch"] for line in two.lines] == [0, 1, 2]
    for ours, theirs in zip(two.lines, one, strict=True):
        assert ours["steps"] == theirs["steps"]
        for part in ("dml", "bfs", "ual"):
            assert ours["loss"][part] == pytest.approx(theirs["loss"][part], rel=1e-3)
            assert ours["pooled"][part]["auc"] == pytest.approx(
                theirs["pooled"][part]["auc"], abs=0.01
            )


def test_a_run_reads_the_word_vectors_of_its_store(store, tmp_path):
    import numpy as np

    from samehand.training.run import new_network

    other = Path(shutil.copytree(store.folder, tmp_path / "store"))
    vectors = np.random.default_rng(0).normal(size=(len(store.vocabulary.words), 12))
    np.save(other / "vectors.npy", vectors.astype(np.float32))
    network = new_network(Store.open(other), small_config())
    assert torch.equal(network.encoder.words.weight, torch.tensor(vectors.astype(np.float32)))
    with pytest.raises(InputError, match=r"12 dimensions; set network\.word_size"):
        new_network(Store.open(other), small_config("network.word_size=10"))
