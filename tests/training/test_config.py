"""One config for everything, whose defaults are the figures of the notes."""

from pathlib import Path

import pytest
import yaml

from samehand.corpus.pairs import Deltas
from samehand.errors import InputError
from samehand.training import config as config_module
from samehand.training.ablate import DEPARTURES, OF_ENCODER
from samehand.training.config import LengthConfig, TrainingConfig

ROOT = Path(__file__).parents[2]
PRESETS = Path(config_module.__file__).with_name("presets")


def test_the_paper_s_preset_has_the_figures_of_the_paper_and_its_authors():
    config = TrainingConfig.read("paper")
    network = config.network
    assert (network.unit_width, network.unit_hop, network.most_units) == (30, 26, 210)
    assert (network.word_size, network.character_size, network.filters) == (300, 10, 30)
    assert (network.filter_width, network.masking, network.most_words) == (4, "rare", None)
    assert (network.unit_hidden, network.document_hidden, network.unit_features) == (50, 50, 0)
    assert (network.lev_size, network.bfs_size, network.ual_size) == (60, 40, 120)
    assert (network.metric_loss, network.learn_kernel) == ("probabilistic", True)
    assert (network.bfs_activation, network.bfs_domain, network.beta) == ("swish", "known", 0.105)
    dropouts = network.dropout_characters, network.dropout_recurrent, network.dropout_attention
    assert (*dropouts, network.dropout_metric, config.scoring.dropout) == (0.2, 0.1, 0.1, 0.2, 0.2)
    assert (config.word_dropout, config.layout_dropout) == (0, 0)
    assert (config.epochs, config.batch_pairs, config.clip) == (35, 40, 5.0)
    assert (config.learning_rate, config.final_learning_rate) == (6e-4, 2e-4)
    assert config.final_from * config.epochs == pytest.approx(30)
    assert (config.scoring.learning_rate, config.scoring.authors) == (None, 0)
    assert not config.scoring.even_kinds
    assert config.pairs.deltas == Deltas(0.7, 0.6, 0.6)
    assert (config.pairs.within_source, config.pairs.even_sources) == (False, 0)
    assert set(config.pairs.subsets) == {"SA_SF", "SA_DF", "DA_SF", "DA_DF"}
    assert (config.in_batch, config.lengths.vary) == (None, False)
    assert config.initial_ranges == "authors"


def test_the_defaults_are_the_paper_s_and_its_preset_spells_them_out():
    assert TrainingConfig.read("paper") == TrainingConfig()
    named = leaves(yaml.safe_load((PRESETS / "paper.yaml").read_text("utf-8")))
    all_of_them = leaves(TrainingConfig().model_dump(mode="json"))
    elsewhere = {"trials", "seed", "lengths.shortest", "lengths.longest"}  # or of no effect there
    of_kept_authors = ("scoring.pairs.", "scoring.batch_pairs", "scoring.start_at")
    assert all_of_them - named - elsewhere == {
        name for name in all_of_them if name.startswith(of_kept_authors)
    }


def leaves(settings, group=""):
    """The names of all settings, with their groups."""
    found = set()
    for name, value in settings.items():
        inner = leaves(value, f"{group}{name}.") if isinstance(value, dict) else {f"{group}{name}"}
        found |= inner
    return found


def test_our_preset_is_the_paper_s_with_all_departures_of_the_encoder():
    changes = [change for settings in OF_ENCODER.values() for change in settings]
    assert TrainingConfig.read("paper", None, changes) == TrainingConfig.read("default")
    for settings in OF_ENCODER.values():
        assert TrainingConfig.read("paper", None, settings) != TrainingConfig.read("paper")


def test_the_page_on_the_paper_names_every_departure():
    page = (ROOT / "docs" / "paper.md").read_text("utf-8")
    departures = [change for settings in DEPARTURES.values() for change in settings]
    names = {change.partition("=")[0] for change in departures}
    names |= leaves(yaml.safe_load((PRESETS / "default.yaml").read_text("utf-8")))
    assert [name for name in sorted(names) if f"`{name}" not in page] == []


def test_an_unknown_preset_is_refused():
    with pytest.raises(InputError, match="no preset pan; choose from paper, default"):
        TrainingConfig.read("pan")


def test_settings_come_from_yaml_and_from_single_changes(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("epochs: 3\nnetwork: {beta: 0.2, bfs_activation: swish}\n")
    config = TrainingConfig.read("paper", path, ["network.beta=0", "pairs.subsets=[SA_DF, DA_SF]"])
    assert (config.epochs, config.network.beta, config.network.bfs_activation) == (3, 0, "swish")
    assert config.pairs.subsets == ("SA_DF", "DA_SF")
    assert config.batch_pairs == TrainingConfig().batch_pairs
    assert TrainingConfig.read("paper", None, ["learning_rate=1e-3"]).learning_rate == 1e-3
    with pytest.raises(InputError, match=r"config\.yaml with --set: there is no setting epoch;"):
        TrainingConfig.read("paper", path, ["epoch=3"])


@pytest.mark.parametrize("content", ["", "# nothing\n"])
def test_an_empty_file_changes_nothing(tmp_path, content):
    path = tmp_path / "config.yaml"
    path.write_text(content)
    assert TrainingConfig.read("paper", path) == TrainingConfig()
    assert TrainingConfig.read("paper", path, ["network.beta=0.3"]).network.beta == 0.3


def test_a_group_keeps_its_own_defaults_for_what_is_left_out():
    changes = ["scoring.authors=0.1", "scoring.pairs.same_author=0.5"]
    changed = TrainingConfig.read("paper", None, changes).scoring.pairs
    assert changed == TrainingConfig().scoring.pairs.model_copy(update={"same_author": 0.5})


def test_a_file_changes_what_it_names_of_a_group_and_a_change_names_a_whole_one(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("lengths: {longest: 900}\nin_batch: {same_topic: 0}\n")
    ours, changed = (TrainingConfig.read("default", each) for each in (None, path))
    assert changed.lengths == ours.lengths.model_copy(update={"longest": 900})
    assert changed.in_batch == ours.in_batch.model_copy(update={"same_topic": 0})
    whole = TrainingConfig.read("default", path, ["lengths={vary: true}"]).lengths
    assert whole == LengthConfig(vary=True)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("network.bta=0.2", "no setting network.bta"),
        ("epoch=3", "no setting epoch"),
        ("pairs.subsets=[SA_XX]", "pairs.subsets.0: input should be"),
        ("epochs=0", "epochs: input should be greater than or equal to 1"),
        ("epochs=many", "epochs: input should be a valid integer"),
        ("network=3", "network: input should be"),
        ("network.bfs_size=70", "bfs_size cannot be larger than the LEVs"),
        ("lengths.shortest=9999", "shortest cannot be larger than longest"),
        ("epochs", "epochs: input should be a valid integer"),
        ("epochs.more=3", "epochs: input should be a valid integer"),
        ("seed=-1", "seed: input should be greater"),
        ("network.beta=[", "--set: not readable as YAML"),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(change, complaint):
    with pytest.raises(InputError) as raised:
        TrainingConfig.read("paper", None, [change])
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"epochs: [", "not readable as YAML"),
        (b"[" * 5_000, "not readable as YAML"),
        (b"[" * 100_000, "not readable as YAML"),
        (b"- epochs", "input should be"),
        (b"\xff\xfe", "not readable as YAML"),
        (b"epochs: 0", "epochs: input should be"),
    ],
)
def test_an_unreadable_file_is_refused_by_its_name(tmp_path, content, complaint):
    path = tmp_path / "config.yaml"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        TrainingConfig.read("paper", path)
    assert str(raised.value).startswith(f"{path}: ")
    assert complaint in str(raised.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.yaml: there is no such file"):
        TrainingConfig.read("paper", tmp_path / "none.yaml")


@pytest.mark.parametrize("value", ["2024-13-45", "0x_", "0b_"])
def test_a_value_that_yaml_takes_for_what_it_is_not_is_refused(value):
    with pytest.raises(InputError, match="--set: a value cannot be read"):
        TrainingConfig.read("paper", None, [f"epochs={value}"])


IN_BATCH = "in_batch={sources_per_batch: 4}"
ALONE = "scoring={batch_pairs: 0}"


@pytest.mark.parametrize(
    ("changes", "dead"),
    [
        (
            (IN_BATCH, ALONE, "pairs.same_author=0.5"),
            "pairs.same_author has no effect with in_batch",
        ),
        ((IN_BATCH, ALONE, "pairs.subsets=[SA_DF]"), "pairs.subsets has no effect with in_batch"),
        ((IN_BATCH, ALONE, "network.metric_loss=contrastive"), "network.metric_loss has no effect"),
        ((IN_BATCH, "scoring={batch_pairs: 0, start_at: 0.5}"), "scoring.start_at has no effect"),
        ((IN_BATCH, "scoring={batch_pairs: 0, dropout: 0.1}"), "scoring.dropout has no effect"),
        ((IN_BATCH, "scoring={batch_pairs: 0, pairs: {same_author: 0.5}}"), "scoring.pairs has"),
        ((IN_BATCH, ALONE, "network.beta=0"), "network.beta has no effect where"),
        (("scoring={authors: 0, start_at: 0.5}",), "scoring.start_at has no effect where no"),
        (("scoring={authors: 0, batch_pairs: 8}",), "scoring.batch_pairs has no effect where no"),
        (("lengths={vary: false, longest: 200}",), "lengths.longest has no effect where"),
    ],
)
def test_a_setting_without_effect_is_refused(changes, dead):
    with pytest.raises(InputError) as raised:
        TrainingConfig.read("paper", None, changes)
    assert dead in str(raised.value)
    assert str(raised.value).endswith(": leave it out.")


@pytest.mark.parametrize(
    "changes",
    [
        (IN_BATCH, ALONE, "pairs.even_sources=0.5"),
        (IN_BATCH, "scoring={batch_pairs: 0, authors: 0}"),
        ("scoring={authors: 0, learning_rate: 0.001}",),
        ("lengths.vary=false",),
    ],
)
def test_a_config_comes_back_from_json_with_settings_that_have_no_effect(changes):
    config = TrainingConfig.read("paper", None, changes)
    assert TrainingConfig.model_validate_json(config.model_dump_json()) == config
