"""A network's settings. A model's description holds them; the defaults are the paper's.

Sizes have upper bounds, far beyond anything useful, so that no file can ask for all of the memory.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from samehand.text.units import Windowing
from samehand.text.vocabulary import CHARACTERS_PER_TOKEN, Masking

Activation = Literal["swish", "tanh", "none"]
Domain = Literal["known", "unknown"]
MetricLoss = Literal["probabilistic", "contrastive"]

_MOST_HIDDEN = 1_024
_MOST_FEATURES = 4_096


class Settings(BaseModel):
    """A group of settings: unknown names are errors, values cannot be changed later."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class NetworkConfig(Settings):
    """Sizes and choices of the network, in the order in which a document meets them."""

    unit_width: int = Field(30, ge=2, le=1_000, description="T_w: tokens in a unit")
    unit_hop: int = Field(
        26, ge=1, le=1_000, description="h: tokens from one unit's start to the next"
    )
    most_units: int = Field(210, ge=1, le=10_000, description="units of a document that are read")
    most_words: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description="words of the store's vocabulary that are known; all by default",
    )
    masking: Masking = Field("rare", description="what is seen of words outside the vocabulary")

    word_size: int = Field(300, ge=1, le=_MOST_FEATURES, description="D_w: word embedding")
    character_size: int = Field(10, ge=1, le=_MOST_HIDDEN, description="D_c: character embedding")
    filters: int = Field(30, ge=1, le=_MOST_HIDDEN, description="D_r: characters-to-word encoding")
    filter_width: int = Field(
        4, ge=1, le=CHARACTERS_PER_TOKEN, description="characters a filter sees"
    )
    unit_hidden: int = Field(50, ge=1, le=_MOST_HIDDEN, description="LSTM over tokens, a direction")
    document_hidden: int = Field(
        50, ge=1, le=_MOST_HIDDEN, description="LSTM over units, a direction"
    )
    unit_features: int = Field(
        0,
        ge=0,
        le=_MOST_FEATURES,
        description="features of units whose mean and spread in the document stand beside what is "
        "attended to; 0: none",
    )
    lev_size: int = Field(60, ge=1, le=_MOST_FEATURES, description="linguistic embedding vector")

    metric_loss: MetricLoss = Field("probabilistic", description="or the older contrastive loss")
    learn_kernel: bool = Field(True, description="learn γ and α of the kernel, or keep them")
    bfs_size: int = Field(40, ge=1, le=_MOST_FEATURES, description="y^BFS")
    bfs_activation: Activation = Field("swish", description="f^BFS")
    bfs_domain: Domain = Field(
        "known", description="known: all texts share one mean, which is learned; or unknown"
    )
    ual_size: int = Field(120, ge=1, le=_MOST_FEATURES, description="y^UAL")
    beta: float = Field(0.105, ge=0, description="weight of the UAL's entropy")

    dropout_characters: float = Field(0.2, ge=0, lt=1)
    dropout_recurrent: float = Field(0.1, ge=0, lt=1, description="inputs and states of the LSTMs")
    dropout_attention: float = Field(0.1, ge=0, lt=1)
    dropout_metric: float = Field(0.2, ge=0, lt=1, description="before DML")

    @model_validator(mode="after")
    def _fit_together(self) -> "NetworkConfig":
        if self.unit_hop > self.unit_width:
            raise ValueError("unit_hop cannot be larger than unit_width: tokens would be skipped")
        return self

    @property
    def embedding_width(self) -> int:
        """The size of what the encoder makes of a document."""
        return 2 * self.document_hidden + 2 * self.unit_features

    @property
    def windowing(self) -> Windowing:
        """How documents are cut into units."""
        return Windowing(self.unit_width, self.unit_hop, self.most_units)
