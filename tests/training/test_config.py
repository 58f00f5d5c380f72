"""One config for everything, whose defaults are the figures of the notes."""

import pytest

from samehand.errors import InputError
from samehand.training.config import TrainingConfig


def test_defaults_are_those_of_the_paper_and_its_authors():
    config = TrainingConfig()
    network = config.network
    assert (network.unit_width, network.unit_hop, network.most_units) == (30, 26, 210)
    assert (network.word_size, network.character_size, network.filters) == (300, 10, 30)
    assert network.filter_width == 4
    assert (network.unit_hidden, network.document_hidden) == (50, 50)
    assert (network.lev_size, network.bfs_size, network.ual_size) == (60, 40, 120)
    assert network.beta == 0.105
    dropouts = network.dropout_characters, network.dropout_recurrent, network.dropout_attention
    assert (*dropouts, network.dropout_metric) == (0.2, 0.1, 0.1, 0.2)
    assert (config.epochs, config.batch_pairs, config.clip) == (35, 40, 5.0)
    assert (config.learning_rate, config.final_learning_rate) == (6e-4, 2e-4)
    assert config.final_from * config.epochs == pytest.approx(30)
    deltas = config.pairs.deltas
    assert deltas.same_author == 0.7
    assert deltas.same_topic_given_same_author == 0.6
    assert deltas.same_topic_given_different_authors == 0.6
    assert not deltas.swap_same_author_topics
    assert config.lengths.longest == network.windowing.span(210)


def test_settings_come_from_yaml_and_from_single_changes(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("epochs: 3\nnetwork: {beta: 0.2, bfs_activation: swish}\n")
    config = TrainingConfig.read(path, ["network.beta=0", "pairs.subsets=[SA_DF, DA_SF]"])
    assert (config.epochs, config.network.beta, config.network.bfs_activation) == (3, 0, "swish")
    assert config.pairs.subsets == ("SA_DF", "DA_SF")
    assert config.batch_pairs == TrainingConfig().batch_pairs
    assert TrainingConfig.read(None, ["learning_rate=1e-3"]).learning_rate == 1e-3
    with pytest.raises(InputError, match=r"config\.yaml with --set: there is no setting epoch;"):
        TrainingConfig.read(path, ["epoch=3"])


@pytest.mark.parametrize("content", ["", "# nothing\n"])
def test_an_empty_file_means_the_defaults(tmp_path, content):
    path = tmp_path / "config.yaml"
    path.write_text(content)
    assert TrainingConfig.read(path) == TrainingConfig()
    assert TrainingConfig.read(path, ["network.beta=0.3"]).network.beta == 0.3


def test_a_group_keeps_its_own_defaults_for_what_is_left_out():
    changed = TrainingConfig.read(None, ["scoring.pairs.same_author=0.5"]).scoring.pairs
    assert changed == TrainingConfig().scoring.pairs.model_copy(update={"same_author": 0.5})


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
        ("network.impostors=100", "network.impostors: added to a network once it is trained"),
        ("network.doubt=true", "network.doubt: added to a network once it is trained"),
        ("lengths.shortest=9999", "shortest cannot be larger than longest"),
        ("epochs", "epochs: input should be a valid integer"),
        ("epochs.more=3", "epochs: input should be a valid integer"),
        ("seed=-1", "seed: input should be greater"),
        ("network.beta=[", "--set: not readable as YAML"),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(change, complaint):
    with pytest.raises(InputError) as raised:
        TrainingConfig.read(None, [change])
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"epochs: [", "not readable as YAML"),
        (b"- epochs", "input should be"),
        (b"\xff\xfe", "not readable as YAML"),
        (b"epochs: 0", "epochs: input should be"),
    ],
)
def test_an_unreadable_file_is_refused_by_its_name(tmp_path, content, complaint):
    path = tmp_path / "config.yaml"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        TrainingConfig.read(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert complaint in str(raised.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.yaml: there is no such file"):
        TrainingConfig.read(tmp_path / "none.yaml")


@pytest.mark.parametrize("value", ["2024-13-45", "0x_", "0b_"])
def test_a_value_that_yaml_takes_for_what_it_is_not_is_refused(value):
    with pytest.raises(InputError, match="--set: a value cannot be read"):
        TrainingConfig.read(None, [f"epochs={value}"])
