"""A model's card: its networks, evidence, training data, trials, limits and use."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from samehand.casework.case_record import CaseRecord
from samehand.model.description import Data, Evidence, Validation
from samehand.model.folder import StoredModel, StoredNetwork, read_model
from samehand.report.numbers import round_log
from samehand.scoring.case_data import CaseData
from samehand.scoring.system import LRSystem
from samehand.text.vocabulary import SPECIAL
from samehand.verdict import Log10Bounds
from samehand.verifier import PACKAGED

RESEARCH = (
    "The weights are for research and evaluation: they come from research corpora and public "
    "posts under mixed terms. They contain none of that text."
)
UNSTATED = "The model does not say; it depends on the rights in the text that it learnt from."

TRIED = (
    "Its likelihood ratios were tried on the English texts named here and nowhere else: on other "
    "genres, periods and lengths, and on texts that are disguised, edited or made by a machine, "
    "they may mislead in either direction."
)
UNTRIED = (
    "It states no validation, so its likelihood ratios have not been shown to hold for any kind "
    "of text."
)
ALWAYS = (
    "It compares texts and names no author: what it says is one piece of evidence, never to be "
    "used to unmask people who write without their name."
)
EVIDENCE: dict[Evidence, str] = {
    "paper": (
        "The likelihood ratio is the Bayes factor of two Gaussian distributions of the vectors, "
        "one between authors and one within an author, as the network learnt them. It is then "
        "corrected for what the network does not know (uncertainty adaptation)."
    ),
    "genres": (
        "The likelihood ratio is a Bayes factor of the distance of the vectors. Distances vary "
        "from genre to genre, so the genre of the texts is a random effect: the known genres and "
        "a new one each count by how well the texts fit them."
    ),
}
"""How likelihood ratios are found, in sentences."""

_OF_DATA = {"sources", "parts", "training"}


class NetworkCard(NamedTuple):
    """Facts about a network."""

    name: str
    parameters: int
    words: int
    characters: int
    masking: str
    """Its view of words beyond those it knows."""
    lev_size: int
    most_tokens: int

    @classmethod
    def of(cls, network: StoredNetwork) -> "NetworkCard":
        """Counted in what is stored."""
        config, known = network.config, network.vocabulary
        return cls(
            network.name,
            sum(weights.size for weights in network.tensors.values()),
            len(known.words) - len(SPECIAL),
            len(known.characters) - len(SPECIAL),
            config.masking,
            config.lev_size,
            config.windowing.span(config.windowing.cap),
        )


class CaseCard(NamedTuple):
    """The texts of a case that a model was adapted to."""

    texts_by_others: int
    pairs_by_one: int
    pairs_by_two: int
    digests: tuple[str, ...]
    """Of each text in UTF-8, with single spaces: BLAKE2b of 128 bits, in hexadecimal digits."""
    record: CaseRecord | None
    """The model's own record of its case; no answer depends on it."""

    @classmethod
    def of(cls, model: StoredModel) -> "CaseCard | None":
        """Counted in the case data; none where a model is not adapted."""
        if model.case is None:
            return None
        case = CaseData.of(model.case)
        n_same = int(case.same.sum())
        return cls(
            len(case.others),
            n_same,
            len(case.same) - n_same,
            tuple(sorted(digest.hex() for digest in case.each_digest())),
            CaseRecord.of(model.description.about.case),
        )

    @property
    def in_words(self) -> str:
        """Counts of the case data, in a sentence."""
        one, two = self.pairs_by_one, self.pairs_by_two
        return (
            f"Adapted to {self.texts_by_others:,} text{_s(self.texts_by_others)} by others, "
            f"{one:,} pair{_s(one)} by one author and {two:,} by two; likelihood ratios are for "
            "texts of their kind."
        )

    def as_dict(self) -> dict[str, Any]:
        """All of it in JSON's terms."""
        record = self.record and self.record.model_dump(mode="json")
        return self._asdict() | {"digests": list(self.digests), "record": record}


@dataclass(frozen=True)
class ModelCard:
    """Facts about a model."""

    name: str
    sha256: str
    made_by: str
    networks: tuple[NetworkCard, ...]
    evidence: Evidence
    genres: tuple[str, ...]
    """The genres that its evidence knows; none where it is the paper's."""
    data: Data
    validation: Validation
    validated: bool
    log10_lr_bounds: Log10Bounds
    case: CaseCard | None
    use: str

    @classmethod
    def of(cls, model: StoredModel, *, packaged: bool = False) -> "ModelCard":
        """The card of a model; the packaged one has a use of its own."""
        stated, system = model.description, LRSystem.of(model)
        return cls(
            stated.name,
            model.sha256,
            stated.made_by,
            tuple(map(NetworkCard.of, model.networks)),
            stated.evidence,
            () if isinstance(system.evidence, list) else system.evidence.genres.names,
            stated.about.data,
            stated.about.validation,
            stated.log10_lr_bounds is not None,
            system.bounds.log10,
            CaseCard.of(model),
            stated.about.use or (RESEARCH if packaged else UNSTATED),
        )

    def as_dict(self) -> dict[str, Any]:
        """Output of `samehand model show --json`."""
        tried = self.validation.model_dump(mode="json", include={"on", "figures", "sets"})
        bounds = [round_log(bound) for bound in self.log10_lr_bounds]
        return {
            "name": self.name,
            "sha256": self.sha256,
            "made_by": self.made_by,
            "networks": [network._asdict() for network in self.networks],
            "evidence": self.evidence,
            "genres": list(self.genres),
            "data": self.data.model_dump(mode="json", include=_OF_DATA, exclude_none=True),
            "validation": tried | {"validated": self.validated, "log10_lr_bounds": bounds},
            "case": None if self.case is None else self.case.as_dict(),
            "limits": self.limits,
            "use": self.use,
        }

    @property
    def limits(self) -> str:
        """Limits to the use of its likelihood ratios."""
        return f"{TRIED if self.validated else UNTRIED} {ALWAYS}"

    @property
    def learnt_from(self) -> list[str]:
        """The sources that it learnt from; those of all parts where training has no counts."""
        return list(self.data.training or self.data.sources)

    @property
    def in_words(self) -> str:
        """How it turns vectors into likelihood ratios, in sentences."""
        return EVIDENCE[self.evidence]


def describe(folder: Path) -> ModelCard:
    """The card of the model in a folder. Its files are checked."""
    return ModelCard.of(read_model(folder), packaged=folder.resolve() == PACKAGED.resolve())


def _s(count: int) -> str:
    return "" if count == 1 else "s"
