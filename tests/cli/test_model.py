"""`samehand model`: a model tells what it is, and whether it is what was made."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from samehand.engine.vectors import TextVectors
from samehand.model.config import NetworkConfig
from samehand.model.description import About, Counts, Data, Statement, Validation
from samehand.model.folder import read_model, write_model
from samehand.scoring.case_data import CaseData
from samehand.scoring.distance import Trials
from samehand.text.vocabulary import SPECIAL
from samehand.verifier import PACKAGED
from tests.cli.console import complaint, samehand
from tests.models import ESSAYS, save_model, untrained

needs_openssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no OpenSSH here")
KEYS = {
    "name", "sha256", "made_by", "bytes", "networks", "evidence", "genres", "data", "validation",
    "case", "limits", "use",
}  # fmt: skip
FIGURES = {"n": 300.0, "auc": 0.87654, "cllr": 0.61, "ece": 0.02}
SOURCES = ("mails", "novels", "kept apart")
TRAIN = Counts(documents=1234, authors=56, words=789_000)
ABOUT = About(
    use="For this test alone.",
    data=Data(
        sources=SOURCES,
        parts={"train": TRAIN},
        training={
            "mails": Counts(documents=1000, authors=40, words=700_000),
            "novels": Counts(documents=234, authors=16),
        },
    ),
    validation=Validation(
        on="300 trials of two genres",
        figures=FIGURES,
        sets={"dev-mails": FIGURES | {"n": 200}, "dev-novels": FIGURES | {"n": 100}},
    ),
)


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that says nothing of itself."""
    return save_model(tmp_path_factory.mktemp("models") / "bare", name="bare")


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two networks that say all there is to say."""
    folder = tmp_path_factory.mktemp("twins")
    statement = Statement(
        name="pair of twins", evidence="paper", log10_lr_bounds=(-2.0, 1.0), about=ABOUT
    )
    write_model(folder, statement, [untrained("one"), untrained("two", seed=1)])
    return folder


def shown(folder: Path) -> dict:
    return json.loads(samehand("model", "show", "--model", folder, "--json").stdout)


def test_json_has_all_that_a_model_states(twins: Path) -> None:
    found = shown(twins)
    assert set(found) == KEYS
    assert found["name"] == "pair of twins"
    assert found["sha256"] == read_model(twins).sha256
    assert found["use"] == "For this test alone."
    assert found["data"]["sources"] == list(SOURCES)
    assert found["data"]["training"]["novels"] == {"documents": 234, "authors": 16}
    assert found["validation"]["log10_lr_bounds"] == [-2.0, 1.0]
    assert found["validation"]["validated"]
    assert found["validation"]["sets"]["dev-novels"]["n"] == 100
    assert (found["evidence"], found["genres"], found["case"]) == ("paper", [], None)
    assert found["bytes"] == sum(f.stat().st_size for f in twins.rglob("*") if f.is_file())


def test_networks_are_told_by_what_is_in_their_files(twins: Path) -> None:
    stored = read_model(twins).networks
    for network, of_file in zip(shown(twins)["networks"], stored, strict=True):
        config: NetworkConfig = of_file.config
        assert network["name"] == of_file.name
        assert network["words"] == len(of_file.vocabulary.words) - len(SPECIAL)
        assert network["characters"] == len(of_file.vocabulary.characters) - len(SPECIAL)
        assert network["masking"] == config.masking
        assert network["lev_size"] == config.lev_size == 5
        weights = twins / of_file.name / "weights.safetensors"
        assert 0 < 2 * network["parameters"] <= weights.stat().st_size
        assert network["most_tokens"] == 550


def test_people_get_it_in_80_columns_without_colours(twins: Path) -> None:
    lines = samehand("model", "show", "--model", twins).stdout.splitlines()
    assert lines[0] == "pair of twins"
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
    text = " ".join(" ".join(lines).split())
    assert "\x1b" not in text
    for part in (
        "2 networks", "one", "two", "mails 1,000 40 700,000", "novels 234 16 –",
        "all 1,234 56 789,000",
        "dev-novels 100 0.877", "On 300 trials of two genres.", "between 1/100 and 10, by these",
        "For this test alone.", "unmask", "Evidence The likelihood ratio is the Bayes factor",
    ):  # fmt: skip
        assert part in text, part
    assert "kept apart" not in text  # it was not trained on


def test_a_model_that_says_nothing_is_shown_to_say_nothing(single: Path) -> None:
    found = shown(single)
    assert found["name"] == "bare"
    assert not found["validation"]["validated"]
    assert "no validation" in found["limits"]
    assert "research" not in found["use"]
    text = " ".join(samehand("model", "show", "--model", single).stdout.split())
    for part in ("One network", "does not say what it learnt from", "states no figures"):
        assert part in text


def test_a_case_is_counted_in_what_is_stored(twins: Path, tmp_path: Path) -> None:
    model = read_model(twins)
    digests = np.arange(48, dtype=np.uint8).reshape(3, 16)
    vectors = TextVectors(np.zeros((3, 10), np.float32), np.ones(3, np.int64), (5, 5))
    pairs = Trials.of([0], [[1]])
    case = CaseData(vectors, digests, np.array([2]), pairs, np.array([True]))
    write_model(tmp_path / "new", model.description, model.networks, case=case.tensors())
    found = shown(tmp_path / "new")["case"]
    assert (found["texts_by_others"], found["pairs_by_one"], found["pairs_by_two"]) == (1, 1, 0)
    assert found["digests"] == sorted(digest.tobytes().hex() for digest in digests)
    assert found["record"] is None
    text = " ".join(samehand("model", "show", "-m", tmp_path / "new").stdout.split())
    assert "Case Adapted to 1 text by others" in text


def test_sources_of_all_parts_do_not_pass_for_training_data(tmp_path: Path) -> None:
    data = Data(sources=SOURCES, parts={"train": TRAIN})
    folder = save_model(tmp_path / "uncounted", about=About(data=data))
    text = " ".join(samehand("model", "show", "--model", folder).stdout.split())
    assert "train 1,234 56 789,000" in text
    assert "Sources of all of these: mails, novels, kept apart." in text


def test_what_is_no_model_ends_in_one_sentence(tmp_path: Path) -> None:
    assert "no model here" in complaint("model", "show", "--model", tmp_path)
    (tmp_path / "model.json").write_text("{}")
    assert "damaged" in complaint("model", "show", "--model", tmp_path)


def test_help_needs_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['samehand', 'model', 'show', '--help']\n"
        "from samehand.cli.main import app\n"
        "try: app()\n"
        "except SystemExit: print('loaded', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    helped, loaded = done.stdout.split("loaded ")
    assert "--model" in helped
    assert not {"torch", "numpy", "safetensors", "samehand.verifier"} & set(loaded.split())


def test_every_file_of_a_model_is_checked(twins: Path, tmp_path: Path) -> None:
    digests = {
        path.relative_to(twins).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in twins.rglob("*")
        if path.is_file()
    }
    found = json.loads(samehand("model", "verify", "-m", twins, "--json").stdout)
    assert found["files"] == digests
    assert found["packaged"] is False
    assert found["sha256"] == read_model(twins).sha256
    said = samehand("model", "verify", "-m", twins).stdout
    assert all(f"{digest}  {name}\n" in said for name, digest in digests.items())
    assert "Compare the SHA-256 of model.json" in said
    stated = digests["model.json"].upper()
    said = samehand("model", "verify", "-m", twins, "--sha256", stated).stdout
    assert "Compare" not in said
    assert "not the one that is stated" in complaint(
        "model", "verify", "-m", twins, "--sha256", digests["one/weights.safetensors"]
    )
    forged = Path(shutil.copytree(twins, tmp_path / "forged"))
    (forged / "one" / "extra.bin").write_bytes(b"what is this?")
    assert "one/extra.bin is no part" in complaint("model", "verify", "-m", forged)
    (forged / "one" / "extra.bin").unlink()
    (forged / "one" / "weights.safetensors").write_bytes(b"")
    assert "cut or altered" in complaint("model", "verify", "-m", forged)


def test_what_is_said_of_the_packaged_model_cannot_be_forged(tmp_path: Path) -> None:
    assert "the model that comes with this samehand" in samehand("model", "verify").stdout
    forged = Path(shutil.copytree(PACKAGED, tmp_path / "forged"))
    description = json.loads((forged / "model.json").read_text("utf-8"))
    description["about"]["validation"]["figures"]["auc"] = 0.9999
    (forged / "model.json").write_text(json.dumps(description), "utf-8")
    assert (
        json.loads(samehand("model", "verify", "-m", forged, "--json").stdout)["packaged"] is False
    )
    script = (
        "import sys, pathlib, samehand.verifier\n"
        "samehand.verifier.PACKAGED = pathlib.Path(sys.argv.pop())\n"
        "from samehand.cli.main import main\n"
        "main()"
    )
    essays = [ESSAYS / "anna-1.txt", ESSAYS / "bruno-1.txt"]
    for command in (["verify", *essays], ["model", "show"], ["model", "verify"]):
        done = subprocess.run(
            [sys.executable, "-c", script, *command, forged], capture_output=True, text=True
        )
        assert done.returncode == 2
        assert "not the model that came with this samehand" in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    """Two private keys; the public ones stand beside them."""
    for name in ("maker", "stranger"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name]
        subprocess.run(command, check=True)
    return tmp_path / "maker", tmp_path / "stranger"


def sign(model: Path, key: Path) -> None:
    (model / "model.json.sig").unlink(missing_ok=True)
    command = ["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "samehand", model / "model.json"]
    subprocess.run(command, check=True, capture_output=True)


@needs_openssh
def test_a_signature_tells_who_made_a_model(
    twins: Path, keys: tuple[Path, Path], tmp_path: Path
) -> None:
    maker, stranger = keys
    model = Path(shutil.copytree(twins, tmp_path / "model"))
    check = ("model", "verify", "-m", model, "--signed-by", maker.with_suffix(".pub"))
    assert "not signed" in complaint(*check)
    sign(model, stranger)
    assert "no signature of this model" in complaint(*check)
    sign(model, maker)
    assert "It is signed by the key" in samehand(*check).stdout
    text = (model / "model.json").read_text("utf-8")
    (model / "model.json").write_text(text.replace("twins", "other"), "utf-8")
    assert "no signature of this model" in complaint(*check)


@needs_openssh
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"ssh-ed25519", b"maker ssh-ed25519 x\n"])
def test_what_is_no_key_is_told(
    content: bytes, twins: Path, keys: tuple[Path, Path], tmp_path: Path
) -> None:
    model = Path(shutil.copytree(twins, tmp_path / "model"))
    sign(model, keys[0])
    (tmp_path / "odd.pub").write_bytes(content)
    said = complaint("model", "verify", "-m", model, "--signed-by", tmp_path / "odd.pub")
    assert "odd.pub" in said
