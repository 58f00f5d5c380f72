"""Everything a training run can be told.

The defaults are the paper's and, where it is silent, its authors': what a config names is how it
departs from them. `presets/` holds the paper's system and ours as YAML.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from samehand.corpus.pairs import Deltas
from samehand.errors import InputError
from samehand.model.config import NetworkConfig, Settings

Subset = Literal["SA_SF", "SA_DF", "DA_SF", "DA_DF"]
InitialRanges = Literal["authors", "sizes"]

_PRESETS = Path(__file__).with_name("presets")
PRESETS = "paper", "default"


class PairConfig(Settings):
    """Which pairs an epoch is made of."""

    same_author: float = Field(0.7, ge=0, le=1, description="δ1")
    same_topic_given_same_author: float = Field(0.6, ge=0, le=1, description="δ2")
    same_topic_given_different_authors: float = Field(0.6, ge=0, le=1, description="δ3")
    subsets: tuple[Subset, ...] = Field(
        ("DA_DF", "DA_SF", "SA_DF", "SA_SF"), description="kinds of pairs that are trained on"
    )
    even_sources: float = Field(
        0,
        ge=0,
        le=1,
        description="0: sources by their size, 1: all alike (the largest are thinned each epoch)",
    )
    within_source: bool = Field(
        False, description="pair different authors within one source only, not across genres"
    )

    @property
    def deltas(self) -> Deltas:
        """δ1, δ2, δ3 as the sampler takes them."""
        return Deltas(
            self.same_author,
            self.same_topic_given_same_author,
            self.same_topic_given_different_authors,
        )


class ScoringPairConfig(PairConfig):
    """The pairs that BFS and UAL learn from: as hard as those they will be asked about."""

    same_author: float = Field(0.9, ge=0, le=1, description="δ1")
    same_topic_given_same_author: float = Field(0, ge=0, le=1, description="δ2")
    same_topic_given_different_authors: float = Field(1, ge=0, le=1, description="δ3")
    subsets: tuple[Subset, ...] = Field(("SA_DF", "DA_SF"), description="kinds of pairs")
    even_sources: float = Field(1, ge=0, le=1, description="1: all sources alike")
    within_source: bool = Field(True, description="pair different authors within one source only")


class LengthConfig(Settings):
    """How long the texts of an epoch are: as they come, or varied.

    Varied, each text aims at a length drawn log-uniformly from `shortest` to `longest` tokens:
    short documents of one author and topic are joined until it is reached, longer ones cropped.
    """

    vary: bool = Field(False, description="false: documents as they are, up to the cap on units")
    shortest: int = Field(120, ge=1, description="tokens: about 100 words")
    longest: int = Field(5_464, ge=1, description="tokens: about 4,500 words, 210 units")

    @model_validator(mode="after")
    def _fit_together(self) -> "LengthConfig":
        if self.shortest > self.longest:
            raise ValueError("shortest cannot be larger than longest")
        return self


class InBatchConfig(Settings):
    """The make-up of a batch in which each text is compared with all others of its source."""

    sources_per_batch: int = Field(4, ge=1, description="sources that a batch is drawn from")
    pairs_per_topic: int = Field(8, ge=1, description="same-author pairs drawn around one topic")
    same_topic: float = Field(
        0.4, ge=0, lt=1, description="share of same-author pairs within a topic, compared within it"
    )


class ScoringConfig(Settings):
    """How BFS and UAL are trained.

    With `authors` = 0 they learn from the encoder's own pairs, as in the paper. An encoder knows
    its own authors better than any it will meet, so scores learned on them promise too much.
    Therefore a share of the authors can be kept from the encoder. Their texts, embedded as they
    will be in use (without dropout in the encoder), are then what BFS and UAL learn from. With
    `batch_pairs` = 0 they learn nothing: the encoder is trained alone, and `samehand fit` adds the
    evidence.
    """

    dropout: float = Field(
        0.2, ge=0, lt=1, description="before BFS and before UAL; one mask for both texts of a pair"
    )
    even_kinds: bool = Field(
        False, description="both kinds of pairs weigh alike in the losses, whatever their numbers"
    )
    learning_rate: float | None = Field(
        None, gt=0, description="of Adam, throughout; by default that of the encoder, which falls"
    )
    authors: float = Field(
        0, ge=0, lt=1, description="share of the training authors kept from the encoder"
    )
    pairs: ScoringPairConfig = ScoringPairConfig()
    batch_pairs: int = Field(
        32, ge=0, description="pairs of these authors in each step; 0: the encoder is trained alone"
    )
    start_at: float | None = Field(
        None,
        ge=0,
        le=1,
        description="share of the epochs after which both begin anew, from the LEVs of these "
        "authors by then",
    )


class TrainingConfig(Settings):
    """A training run."""

    network: NetworkConfig = NetworkConfig()
    pairs: PairConfig = PairConfig()
    in_batch: InBatchConfig | None = Field(
        None, description="let the encoder learn from whole batches instead of single pairs"
    )
    lengths: LengthConfig = LengthConfig()
    scoring: ScoringConfig = ScoringConfig()
    initial_ranges: InitialRanges = Field(
        "authors", description="of the encoder's weights: those of the paper's authors, or by sizes"
    )

    leave_out: tuple[str, ...] = Field(
        (), description="sources kept from the whole training, to see how it fares on new ones"
    )
    authors_used: float = Field(
        1, gt=0, le=1, description="share of the training authors who are trained on"
    )
    epochs: int = Field(35, ge=1)
    batch_pairs: int = Field(40, ge=1, description="pairs a step, over all devices")
    learning_rate: float = Field(6e-4, gt=0, description="of Adam, at the start")
    final_learning_rate: float = Field(2e-4, gt=0, description="reached linearly …")
    final_from: float = Field(30 / 35, gt=0, le=1, description="… at this share of the epochs")
    clip: float = Field(5.0, gt=0, description="norm to which each parameter's gradient is clipped")
    word_dropout: float = Field(
        0, ge=0, lt=1, description="share of tokens fully masked in training"
    )
    layout_dropout: float = Field(
        0, ge=0, lt=1, description="share of texts that lose their line ends in training"
    )
    seed: int = Field(0, ge=0, lt=2**32)
    trials: tuple[str, ...] | None = Field(
        None, description="sets scored each epoch; all by default"
    )

    @model_validator(mode="after")
    def _fit_together(self) -> "TrainingConfig":
        if self.in_batch and self.scoring.batch_pairs and not self.scoring.authors:
            raise ValueError(
                "in_batch gives no pairs by two authors for BFS and UAL: set scoring.authors above "
                "0, or scoring.batch_pairs to 0"
            )
        if not self.in_batch and not self.scoring.batch_pairs:
            raise ValueError(
                "scoring.batch_pairs of 0, which trains the encoder alone, is for in_batch; set it "
                "above 0"
            )
        if self.scoring.batch_pairs and self.network.bfs_size > self.network.lev_size:
            raise ValueError("bfs_size cannot be larger than the LEVs: it is a reduction")
        if self.in_batch and self.batch_pairs % self.in_batch.sources_per_batch:
            raise ValueError("batch_pairs must be a multiple of in_batch.sources_per_batch")
        for name, why in self._without_effect():
            if not self._has_default(name):
                raise ValueError(f"{name} has no effect {why}: leave it out")
        return self

    def _without_effect(self) -> Iterator[tuple[str, str]]:
        """The settings that the others leave without effect, and why."""
        if self.in_batch:
            of_pairs = [f"pairs.{name}" for name in PairConfig.model_fields]
            for name in (*of_pairs, "network.metric_loss"):
                if name != "pairs.even_sources":
                    yield name, "with in_batch"
        if not self.scoring.batch_pairs:
            of_scoring = ("dropout", "even_kinds", "learning_rate", "pairs", "start_at")
            heads = ("bfs_activation", "bfs_domain", "ual_size", "beta")
            named = (f"scoring.{name}" for name in of_scoring)
            for name in (*named, *(f"network.{head}" for head in heads)):
                yield name, "where BFS and UAL are not trained (scoring.batch_pairs is 0)"
        elif not self.scoring.authors:
            for name in ("scoring.pairs", "scoring.batch_pairs", "scoring.start_at"):
                yield name, "where no authors are kept for BFS and UAL (scoring.authors is 0)"
        if not self.lengths.vary:
            for name in ("lengths.shortest", "lengths.longest"):
                yield name, "where lengths do not vary (lengths.vary)"

    def _has_default(self, name: str) -> bool:
        """Whether a setting, named with its groups, is as if it had been left out."""
        *groups, last = name.split(".")
        group: Settings = self
        for inner in groups:
            group = getattr(group, inner)
        return bool(getattr(group, last) == type(group).model_fields[last].default)

    @classmethod
    def read(
        cls, preset: str, path: Path | None = None, changes: Sequence[str] = ()
    ) -> "TrainingConfig":
        """A preset, changed by the settings in a YAML file and by single ones (`epochs=3`)."""
        if preset not in PRESETS:
            raise InputError(f"There is no preset {preset}; choose from {', '.join(PRESETS)}.")
        return cls._of(_content(_PRESETS / f"{preset}.yaml"), path, changes)

    def changed(self, path: Path | None = None, changes: Sequence[str] = ()) -> "TrainingConfig":
        """These settings, changed by those in a YAML file and by single ones."""
        return self._of(self.model_dump(mode="json"), path, changes)

    @classmethod
    def _of(cls, content: Any, path: Path | None, changes: Sequence[str]) -> "TrainingConfig":
        where = " with ".join([*([str(path)] if path else []), *(["--set"] if changes else [])])
        try:
            if path:
                content = _merged(content, _content(path))
            for change in changes:
                name, _, value = change.partition("=")
                content = _changed(content, name.split("."), yaml.safe_load(value))
            return cls.model_validate(content)
        except FileNotFoundError:
            raise InputError(f"{path}: there is no such file.") from None
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
            raise InputError(f"{where}: not readable as YAML settings (name: value).") from None
        except ValidationError as error:
            raise InputError(f"{where}: {_first_fault(error)}") from None
        except ValueError as error:  # of a date that is none, or a number
            raise InputError(f"{where}: a value cannot be read ({error}).") from None


def _content(path: Path) -> Any:
    content = yaml.safe_load(path.read_text("utf-8"))
    return {} if content is None else content


def _merged(settings: Any, changes: Any) -> Any:
    """Settings, with some changed. A group keeps those of its settings that are not named."""
    if not (isinstance(settings, dict) and isinstance(changes, dict)):
        return changes
    changed = {name: _merged(settings.get(name), value) for name, value in changes.items()}
    return settings | changed


def _changed(settings: Any, names: Sequence[str], value: Any) -> Any:
    """Settings, with the one changed that is named with its groups."""
    if not names:
        return value
    group = settings if isinstance(settings, dict) else {}
    first, *rest = names
    return group | {first: _changed(group.get(first), rest, value)}


def _first_fault(error: ValidationError) -> str:
    fault: Any = error.errors()[0]
    name = ".".join(map(str, fault["loc"]))
    if fault["type"] == "extra_forbidden":
        return (
            f"there is no setting {name}; its names are in the documentation of `samehand train`."
        )
    reason = fault["msg"].removeprefix("Value error, ")
    return f"{name + ': ' if name else ''}{reason[0].lower()}{reason[1:]}."
