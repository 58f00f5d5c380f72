"""The one way in: texts in, likelihood ratios out."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samehand.assessment import Assessment, Assessor, LabelledPair, Sides
from samehand.cautions import texts as cautions
from samehand.cautions.texts import Text
from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors
from samehand.errors import InputError, needs
from samehand.model.description import Description
from samehand.model.folder import StoredModel, read_model
from samehand.model.packaged import check_packaged
from samehand.scoring.case_data import CaseData
from samehand.scoring.paper import Component
from samehand.scoring.system import LRSystem
from samehand.verdict import CaseFacts, ModelFacts, TextFacts, Verdict

if TYPE_CHECKING:
    from samehand.explaining.units import Explanation

Floats = NDArray[np.float32]

PACKAGED = Path(__file__).with_name("models") / "default"
"""The model that comes with the package."""


def model_folder(named: Path | str | None) -> Path:
    """Where the model is: the folder that was named, or the packaged one.

    That is what None and the word "default" stand for; a folder of this name is "./default".
    """
    if named is not None and named != "default":
        return Path(named)
    if not PACKAGED.is_dir():
        raise InputError(
            "This installation of samehand has no model of its own; install it again, or name a "
            "trained model (--model DIR)."
        )
    check_packaged(PACKAGED)
    return PACKAGED


class Verifier:
    """A model, ready for use. Threads may share it."""

    def __init__(
        self, model: StoredModel, *, device: str = "cpu", component: Component | None = None
    ) -> None:
        """`device`: "cpu", or one that torch knows, for which samehand[train] is needed.

        `component`: let one of the paper's components alone score, free of bounds.
        """
        self.model = model
        self.engine = Embedder(model.networks)
        self.embedder = self.engine if device == "cpu" else _on_device(model, device)
        unadapted = LRSystem.of(model, component)
        case = None if model.case is None else CaseData.of(model.case)
        validated = model.description.log10_lr_bounds is not None
        self.assessor = Assessor(self.embedder, unadapted, case, validated=validated)
        self.facts = _model_facts(model, case, self.engine.most_tokens)
        """Which model it is."""
        self._device = device

    @classmethod
    def load(
        cls,
        folder: Path | str | None = None,
        *,
        device: str = "cpu",
        component: Component | None = None,
    ) -> "Verifier":
        """The model in a folder, as `samehand fit` or `adapt` leaves it, or the packaged one.

        The packaged one is also called "default"; "./default" is a folder of this name. A folder
        without a model, and one that is damaged, raise `InputError`.
        """
        model = read_model(model_folder(folder))
        return cls(model, device=device, component=component)

    def verify(self, questioned: str, known: str | Sequence[str], *, prior: float = 1.0) -> Verdict:
        """Did the author of the known text, or of the several known texts, write the questioned?

        `prior`: the odds of that before the texts were compared. A text of fewer than 20 words
        raises `InputError`.
        """
        if not 0.0 < prior < float("inf"):
            raise InputError(f"The prior odds are {prior}; give a number above 0, 1 for 1:1.")
        (found,) = self.score([(questioned, _listed(known))])
        for caution in cautions.of_too_short(found.texts):
            raise InputError(caution.sentence)
        of_questioned, *of_known = found.texts
        return Verdict(
            log10_lr=found.log10_lr,
            log10_lr_bounds=self.assessor.bounds,
            log10_lr_interval=found.interval,
            log10_lr_by_network=found.by_network,
            cautions=found.cautions,
            questioned=_facts(of_questioned),
            known=tuple(map(_facts, of_known, found.alone)),
            model=self.facts,
            genres=found.genres,
            log10_lr_unadapted=found.unadapted,
            prior=prior,
        )

    def score(self, trials: Iterable[Sides]) -> Iterator[Assessment]:
        """Each trial, a questioned text and known texts of one author, with its likelihood ratio.

        Trials are taken and answered some hundreds at a time, so that their number has no limit.
        """
        return self.assessor.assess(trials)

    def embed(self, texts: Sequence[str]) -> Floats:
        """Vectors of style (texts, size); not a number for a text without a token."""
        return self.vectors(texts).style

    def vectors(self, texts: Sequence[str]) -> TextVectors:
        """Vectors of style, with covariates beside them."""
        if isinstance(texts, str):
            raise InputError("This is one text where a list of texts is needed; put it in a list.")
        return self.embedder.embed(list(texts))

    def embed_all(self, chunks: Iterable[Sequence[str]]) -> Iterator[TextVectors]:
        """Vectors of one chunk of texts after another; memory does not grow with their number."""
        return self.embedder.embed_all(chunks)

    def explain(self, questioned: str, known: str | Sequence[str]) -> "Explanation":
        """Explain the LR: for each unit and token, where it stands in the text and its weight."""
        from samehand.explaining.units import explain

        return explain(self.engine, self.assessor, questioned, _listed(known))

    def adapted(
        self,
        texts: Sequence[str] = (),
        pairs: Sequence[LabelledPair | tuple[str, str | Sequence[str], bool]] = (),
    ) -> "Verifier":
        """A verifier adapted to a case: by texts of its kind by others, and labelled pairs.

        Each of the texts is taken to be by somebody else. A pair is a questioned text, the known
        text or texts, and whether one author wrote both. What was brought before is replaced. Too
        little, which is fewer than two texts and no pair, raises `InputError`.
        """
        from samehand.casework.case import adapted_model
        from samehand.casework.selecting import select

        labelled = (LabelledPair(one, _listed(other), same) for one, other, same in pairs)
        adapted = adapted_model(self.model, self.embedder, select(texts, labelled))
        return Verifier(adapted, device=self._device)

    @property
    def description(self) -> Description:
        """The model's own description."""
        return self.model.description

    @property
    def system(self) -> LRSystem:
        """How vectors become likelihood ratios."""
        return self.assessor.system


def _model_facts(model: StoredModel, case: CaseData | None, most_tokens: int) -> ModelFacts:
    stated = model.description
    return ModelFacts(
        name=stated.name,
        sha256=model.sha256,
        made_by=stated.made_by,
        validated=stated.log10_lr_bounds is not None,
        most_tokens=most_tokens,
        case=None if case is None else _case_facts(case),
    )


def _case_facts(case: CaseData) -> CaseFacts:
    n_same = int(case.same.sum())
    digests = b"".join(sorted(case.each_digest()))
    return CaseFacts(
        texts_by_others=len(case.others),
        pairs_by_one=n_same,
        pairs_by_two=len(case.same) - n_same,
        sha256=hashlib.sha256(digests).hexdigest(),
    )


def _on_device(model: StoredModel, device: str) -> Embedder:
    """The networks on another device than the processor, by torch."""
    needs("train", "torch")
    from samehand.network.embedder import DeviceEmbedder

    return DeviceEmbedder(model.networks, device=device)


def _listed(known: str | Sequence[str]) -> list[str]:
    return [known] if isinstance(known, str) else list(known)


def _facts(text: Text, log10_lr: float | None = None) -> TextFacts:
    return TextFacts(text.n_words, len(text.read), text.sha256, text.language, log10_lr)
