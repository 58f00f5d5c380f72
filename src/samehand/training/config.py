"""Everything a training run can be told, with the defaults of the paper and its authors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from samehand.corpus.pairs import Deltas
from samehand.errors import InputError
from samehand.network.config import NetworkConfig, Settings

Subset = Literal["SA_SF", "SA_DF", "DA_SF", "DA_DF"]


class PairConfig(Settings):
    """Which pairs an epoch is made of."""

    same_author: float = Field(0.7, ge=0, le=1, description="δ1")
    same_topic_given_same_author: float = Field(0.6, ge=0, le=1, description="δ2")
    same_topic_given_different_authors: float = Field(0.6, ge=0, le=1, description="δ3")
    swap_same_author_topics: bool = Field(False, description="let δ2 stand for different topics")
    subsets: tuple[Subset, ...] = Field(
        ("DA_DF", "DA_SF", "SA_DF", "SA_SF"), description="kinds of pairs that are trained on"
    )
    within_source: bool = Field(True, description="different-author pairs come from one source")
    even_sources: float = Field(
        0,
        ge=0,
        le=1,
        description="0: sources by their size, 1: all alike (the largest are thinned each epoch)",
    )

    @property
    def deltas(self) -> Deltas:
        """δ1, δ2, δ3 as the sampler takes them."""
        return Deltas(
            self.same_author,
            self.same_topic_given_same_author,
            self.same_topic_given_different_authors,
            self.swap_same_author_topics,
        )


class ScoringPairConfig(PairConfig):
    """The pairs that BFS and UAL learn from: as hard as those they will be asked about."""

    same_author: float = Field(0.9, ge=0, le=1, description="δ1")
    same_topic_given_same_author: float = Field(0, ge=0, le=1, description="δ2")
    same_topic_given_different_authors: float = Field(1, ge=0, le=1, description="δ3")
    subsets: tuple[Subset, ...] = Field(("SA_DF", "DA_SF"), description="kinds of pairs")
    even_sources: float = Field(1, ge=0, le=1, description="1: all sources alike")


class LengthConfig(Settings):
    """How long the texts of an epoch are.

    Each text aims at a length drawn log-uniformly from `shortest` to `longest` tokens: short
    documents of one author and topic are joined until it is reached, longer ones cropped to it.
    """

    vary: bool = Field(True, description="false: documents as they are, up to the cap on units")
    shortest: int = Field(120, ge=1, description="tokens: about 100 words")
    longest: int = Field(5_464, ge=1, description="tokens: about 4,500 words, 210 units")
    from_start: float = Field(
        0.5, ge=0, le=1, description="share of crops that begin at the beginning"
    )

    @model_validator(mode="after")
    def _fit_together(self) -> "LengthConfig":
        if self.shortest > self.longest:
            raise ValueError("shortest cannot be larger than longest")
        return self


class CrowdConfig(Settings):
    """Who is in a batch whose texts are all compared with each other."""

    blocks: int = Field(4, ge=1, description="sources in a batch; texts are compared within one")
    mates: int = Field(8, ge=1, description="pairs drawn around one topic")
    same_topic: float = Field(
        0.4, ge=0, lt=1, description="share of same-author pairs within a topic, compared within it"
    )
    emphasis: float = Field(
        2.0, ge=0, description="on rivals who share the topic: as if there were e² times as many"
    )


class ScoringConfig(Settings):
    """How BFS and UAL are trained.

    An encoder knows its own authors better than any it will meet, so scores learned on them promise
    too much. A share of the authors is therefore kept from the encoder; their texts, embedded as
    they will be in use (without dropout), are what BFS and UAL learn from. With `authors` = 0 they
    learn from the encoder's own pairs, as in the paper.
    """

    authors: float = Field(
        0.15, ge=0, lt=1, description="share of the training authors that only BFS and UAL see"
    )
    pairs: ScoringPairConfig = ScoringPairConfig()
    batch_pairs: int = Field(
        32,
        ge=0,
        description="pairs of these authors in each step; 0, with crowds: both stay as they begin, "
        "to be fitted afterwards",
    )
    learning_rate: float = Field(3e-5, gt=0, description="of Adam, throughout")
    start_at: float | None = Field(
        0.9,
        ge=0,
        le=1,
        description="share of the epochs after which both begin anew, from the LEVs by then; some "
        "3,000 steps are enough, and many more only learn these authors by heart",
    )


class TrainingConfig(Settings):
    """A training run."""

    network: NetworkConfig = NetworkConfig()
    pairs: PairConfig = PairConfig()
    crowds: CrowdConfig | None = Field(
        None, description="let the encoder learn from whole batches instead of single pairs"
    )
    lengths: LengthConfig = LengthConfig()
    scoring: ScoringConfig = ScoringConfig()

    leave_out: tuple[str, ...] = Field(
        (), description="sources kept from the whole training, to see how it fares on new ones"
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
        for name in ("impostors", "doubt", "rejection"):
            if getattr(self.network, name):
                raise ValueError(f"network.{name}: added to a network once it is trained")
        if self.crowds and not self.scoring.authors:
            raise ValueError("crowds hold no different-author pairs: set scoring.authors above 0")
        if not self.crowds and not self.scoring.batch_pairs:
            raise ValueError("scoring.batch_pairs: above 0, unless there are crowds")
        if self.crowds and self.batch_pairs % self.crowds.blocks:
            raise ValueError("batch_pairs is made of whole blocks: a multiple of crowds.blocks")
        return self

    @classmethod
    def read(cls, path: Path | None, changes: Sequence[str] = ()) -> "TrainingConfig":
        """A config from YAML, with single settings changed (`network.beta=0.2`).

        What is left out has its default.
        """
        where = " with ".join([*([str(path)] if path else []), *(["--set"] if changes else [])])
        try:
            content = (yaml.safe_load(path.read_text("utf-8")) if path else None) or {}
            for change in changes:
                name, _, value = change.partition("=")
                *groups, last = name.split(".")
                group = content
                for inner in groups:
                    group = group.setdefault(inner, {})
                group[last] = yaml.safe_load(value)
            return cls.model_validate(content)
        except FileNotFoundError:
            raise InputError(f"{path}: there is no such file.") from None
        except (yaml.YAMLError, UnicodeDecodeError, AttributeError, TypeError):
            raise InputError(f"{where}: not readable as YAML settings (name: value).") from None
        except ValidationError as error:
            raise InputError(f"{where}: {_first_fault(error)}") from None
        except ValueError as error:  # of a date that is none, or a number
            raise InputError(f"{where}: a value cannot be read ({error}).") from None


def _first_fault(error: ValidationError) -> str:
    fault: Any = error.errors()[0]
    name = ".".join(map(str, fault["loc"]))
    if fault["type"] == "extra_forbidden":
        return (
            f"there is no setting {name}; its names are in the documentation of `samehand train`."
        )
    reason = fault["msg"].removeprefix("Value error, ")
    return f"{name + ': ' if name else ''}{reason[0].lower()}{reason[1:]}."
