"""What a network is made of. Saved beside the weights; the defaults are the paper's."""

from pydantic import BaseModel, ConfigDict, Field, model_validator

from samehand.network.bayes import Activation
from samehand.network.metric import MetricLoss
from samehand.network.two_covariance import Domain
from samehand.text.ngrams import MEASURES
from samehand.text.units import Windowing
from samehand.text.vocabulary import Masking


class Settings(BaseModel):
    """A group of settings: unknown names are errors, values cannot be changed later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkConfig(Settings):
    """Sizes and choices of the network, in the order in which a document meets them."""

    unit_width: int = Field(30, ge=2, description="T_w: tokens in a unit")
    unit_hop: int = Field(26, ge=1, description="h: tokens from one unit's start to the next")
    most_units: int = Field(210, ge=1, description="units of a document that are read")
    most_words: int | None = Field(
        None, ge=1, description="words of the store's vocabulary that are known; all by default"
    )
    masking: Masking = Field("rare", description="what is seen of words outside the vocabulary")

    word_size: int = Field(300, ge=1, description="D_w: word embedding")
    character_size: int = Field(10, ge=1, description="D_c: character embedding")
    filters: int = Field(30, ge=1, description="D_r: characters-to-word encoding")
    filter_width: int = Field(4, ge=1, description="characters a filter sees")
    unit_hidden: int = Field(50, ge=1, description="LSTM over tokens, a direction")
    document_hidden: int = Field(50, ge=1, description="LSTM over units, a direction")
    unit_features: int = Field(
        0,
        ge=0,
        description="features of units whose mean and spread in the document stand beside what is "
        "attended to; 0: none",
    )
    lev_size: int = Field(60, ge=1, description="linguistic embedding vector")

    metric_loss: MetricLoss = Field("probabilistic", description="or the older contrastive loss")
    learn_kernel: bool = Field(True, description="learn γ and α of the kernel, or keep them")
    bfs_size: int = Field(40, ge=1, description="y^BFS")
    bfs_activation: Activation = Field("tanh", description="f^BFS")
    bfs_domain: Domain = Field(
        "unknown", description="known: all texts share one mean, as in the paper"
    )
    impostors: int = Field(
        0, ge=0, description="texts by others, added after training, that distances are measured by"
    )
    doubt: bool = Field(
        False, description="the amount of text as one more LEV, and doubt by it; added later too"
    )
    wording: bool = Field(
        False, description="how plain and how unfamiliar a text is, as two more LEVs, for doubt"
    )
    rejection: bool = Field(False, description="O2D2, which tells what not to answer; added later")
    ual_size: int = Field(120, ge=1, description="y^UAL")
    beta: float = Field(0.105, ge=0, description="weight of the UAL's entropy")

    dropout_characters: float = Field(0.2, ge=0, lt=1)
    dropout_recurrent: float = Field(0.1, ge=0, lt=1, description="inputs and states of the LSTMs")
    dropout_attention: float = Field(0.1, ge=0, lt=1)
    dropout_metric: float = Field(0.2, ge=0, lt=1, description="before DML")
    dropout_scoring: float = Field(
        0, ge=0, lt=1, description="before BFS and UAL; the paper's is 0.2"
    )

    @model_validator(mode="after")
    def _fit_together(self) -> "NetworkConfig":
        if self.unit_hop > self.unit_width:
            raise ValueError("unit_hop cannot be larger than unit_width: tokens would be skipped")
        if self.bfs_size > self.lev_size:
            raise ValueError("bfs_size cannot be larger than the LEVs: it is a reduction")
        if self.rejection and not self.doubt:
            raise ValueError("rejection sees the amount of text: it needs doubt")
        if self.wording and not self.doubt:
            raise ValueError("wording is a reason for doubt: it needs doubt")
        return self

    @property
    def embedding_width(self) -> int:
        """Of what the encoder makes of a document."""
        return 2 * self.document_hidden + 2 * self.unit_features

    @property
    def lev_width(self) -> int:
        """The LEVs of style, and the amount of text and its wording where these are told."""
        return self.lev_size + self.doubt + MEASURES * self.wording

    @property
    def windowing(self) -> Windowing:
        """How documents are cut into units."""
        return Windowing(self.unit_width, self.unit_hop, self.most_units)
