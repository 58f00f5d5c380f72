"""The one way everything else uses a trained network: texts in, LEVs and probabilities out."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from samehand.cautions import sentences as cautions
from samehand.considered import Considered
from samehand.engine.embedder import Encoders
from samehand.engine.familiarity import Familiarity
from samehand.errors import InputError
from samehand.judgement import Doubts, disagreement, judge
from samehand.network.acquaintance import (
    FEWEST,
    STRANGE,
    Acquaintance,
    Seen,
    Weights,
    refuse_known,
)
from samehand.network.all_pairs import of_all_pairs
from samehand.network.last_stage import LastStage
from samehand.network.weights import Member, load_members, load_population
from samehand.verdict import Verdict

if TYPE_CHECKING:
    from samehand.explaining.units import Explanation

Floats = NDArray[np.float32]

DEFAULT_MODEL = Path(__file__).with_name("models") / "default"
"""The model that comes with the package."""


def model_folder(named: Path | None) -> Path:
    """Where the model is: the folder that was named, or the packaged one."""
    if named is None and not DEFAULT_MODEL.is_dir():
        raise InputError(
            "This installation of samehand has no model of its own; install it again, or name a "
            "trained model (--model DIR)."
        )
    return Path(named or DEFAULT_MODEL)


def _listed(texts: Iterable[str]) -> list[str]:
    """Texts, of which one alone would be taken for its letters."""
    if isinstance(texts, str):
        raise InputError("This is one text where a list of texts is needed; put it in a list.")
    return list(texts)


def _side_by_side(known: Sequence[Floats]) -> tuple[Tensor, Tensor | None]:
    """LEVs of known texts (trials, texts, lev size), and which are there, if not all of them."""
    most = max(len(levs) for levs in known)
    if all(len(levs) == most for levs in known):
        return torch.from_numpy(np.stack(known)), None
    padded = torch.zeros(len(known), most, known[0].shape[1])
    there = torch.zeros(len(known), most, dtype=torch.bool)
    for row, levs in enumerate(known):
        padded[row, : len(levs)] = torch.from_numpy(levs)
        there[row, : len(levs)] = True
    return padded, there


class Verifier:
    """One trained network or several, ready for use. Threads may share it.

    Of several networks the LEVs stand side by side, and the probability is the mean of theirs.
    """

    def __init__(
        self,
        members: Sequence[Member],
        description: dict[str, Any],
        population: Floats | None = None,
    ) -> None:
        """`population`: LEVs (texts, lev size) of texts of the kind at hand, by others."""
        self.members = tuple(members)
        self.networks = tuple(member.network.eval() for member in members)
        self.encoders = Encoders(members)
        self.description = description
        self.last_stage = LastStage.of(description)
        self.population = population
        self._acquaintance = None if population is None else self._acquainted(population)
        self.familiarity = Familiarity(members, description, population)

    @classmethod
    def load(cls, folder: Path | None = None) -> "Verifier":
        """The model in a folder, as `samehand train` leaves it in RUN/model; or the packaged one.

        A folder without a model raises `InputError`.
        """
        folder = model_folder(folder)
        members, description = load_members(folder)
        verifier = cls(members, description, load_population(folder, description))
        verifier.description.setdefault("name", folder.resolve().name)
        return verifier

    def acquainted(self, texts: Sequence[str]) -> "Verifier":
        """The same model, acquainted with some texts of the kind at hand, by others.

        Repeats and texts of fewer than 100 words are left out. Fewer than 20 others raise
        `InputError`, and so does a model that has not learned to use them, or was acquainted or
        calibrated already.
        """
        from samehand.casework.adapting import choose

        refuse_known(self.description, self.population is not None)
        return Verifier(self.members, self.description, self.embed(choose(_listed(texts))[0]))

    def verify(self, questioned: str, known: str | Sequence[str]) -> Verdict:
        """Did the author of the known text, or of the several known texts, write the questioned?

        A text of fewer than 20 words raises `InputError`.
        """
        return judge(self, questioned, [known] if isinstance(known, str) else list(known))

    def doubts(self, names: Sequence[str], levs: Floats, considered: Considered) -> Doubts:
        """What the model itself has to say against the first of some trials.

        That it had better not answer, that its networks disagree, that texts are unlike its own,
        whose names and LEVs are given.
        """
        opinions = considered.opinions[:, 0]
        found = []
        if considered.weak[0]:
            networks = len(self.networks)
            found.append(cautions.of_weakness(round(considered.votes[0] * networks), networks))
        found += cautions.of_disagreement(float(opinions.min()), float(opinions.max()))
        if considered.strange[0]:
            found.append(cautions.UNLIKE_POPULATION)
        if considered.unfamiliar[0]:
            found.append(cautions.UNLIKE_ANYTHING)
        else:
            found += cautions.of_unfamiliar(names, self.familiarity.unlike(levs).tolist())
        return Doubts(tuple(found), disagreement(opinions.tolist()))

    def embed(self, texts: Sequence[str]) -> Floats:
        """LEVs (texts, lev size); not a number for a text without a token, which has none."""
        return self.encoders.embed(_listed(texts))

    def embed_all(self, chunks: Iterable[Sequence[str]]) -> Iterator[tuple[list[int], Floats]]:
        """Tokens read of each text, and LEVs, of one chunk of texts after another.

        Memory does not grow with the number of chunks.
        """
        return self.encoders.embed_all(chunks)

    def probability(self, questioned: Floats, known: Sequence[Floats]) -> NDArray[np.float64]:
        """p(same author), prior 1:1, of each questioned LEV.

        `known` holds for each the LEVs (n, lev size) of texts that are by one author. Several known
        texts are weighed by the closed form of the Bayes factor, not by averaging scores.
        """
        return self.consider(questioned, known).probability

    def consider(self, questioned: Floats, known: Sequence[Floats]) -> Considered:
        """Trials as all networks see them; arguments as for `probability`."""
        if len(known) != len(questioned) or any(levs.ndim != 2 for levs in known):
            raise ValueError("known must hold an array (n, lev size) for each questioned LEV")
        sides, there = _side_by_side(known)
        with torch.inference_mode():
            q = torch.split(torch.from_numpy(questioned), self.encoders.widths, 1)
            k = torch.split(sides, self.encoders.widths, 2)
            considered = [
                network.scoring.consider(own_q, own_k, there)
                for network, own_q, own_k in zip(self.networks, q, k, strict=True)
            ]
            others = self._acquaintance
            seen = None if others is None else others.of_trials(q, k, there)
        answers, evidence, votes = zip(*considered, strict=True)
        return Considered(
            self._concluded(answers, seen),
            self._concluded(evidence, seen),
            np.stack(
                [
                    self._concluded([answer], seen and seen.by(network))
                    for network, answer in enumerate(answers)
                ]
            ),
            torch.stack(votes).double().mean(0).numpy(),
            self.familiarity.unlike((questioned + np.stack([levs.mean(0) for levs in known])) / 2),
            np.zeros(len(known), np.bool_)
            if seen is None
            else (seen.strangeness > STRANGE).numpy(),
        )

    def probabilities(self, questioned: Floats, known: Floats) -> NDArray[np.float64]:
        """p(same author), prior 1:1, of each of n LEVs with each of m others: (n, m).

        The same as `probability` of every pair by itself, but done as matrix work.
        """
        with torch.inference_mode():
            q = torch.split(torch.from_numpy(questioned), self.encoders.widths, 1)
            k = torch.split(torch.from_numpy(known), self.encoders.widths, 1)
            answers = [
                of_all_pairs(network.scoring, own_q, own_k)
                for network, own_q, own_k in zip(self.networks, q, k, strict=True)
            ]
            others = self._acquaintance
            seen = None if others is None else others.of_all_pairs(q, k)
        return self._concluded(answers, seen)

    def _concluded(self, answers: Sequence[Tensor], seen: Seen | None) -> NDArray[np.float64]:
        """One answer of those of networks: their mean, by a population, through the last stage."""
        mean = torch.stack(list(answers)).double().mean(0).numpy()
        if self._acquaintance is not None and seen is not None:
            mean = self._acquaintance.probability(mean, seen)
        return self.last_stage.probability(mean)

    def _acquainted(self, population: Floats) -> Acquaintance:
        if population.ndim != 2 or population.shape[1] != self.lev_width:
            raise InputError("The model's population is not of its networks; acquaint it again.")
        if len(population) < FEWEST:
            raise InputError(
                f"A population needs at least {FEWEST} texts, not {len(population)}; gather more."
            )
        parts = torch.split(torch.from_numpy(population), self.encoders.widths, 1)
        return Acquaintance(
            Weights.learned(self.description), [network.scoring for network in self.networks], parts
        )

    def explain(self, questioned: str, known: str | Sequence[str]) -> "Explanation":
        """What weighed in: for each unit and token, where it stands in the text and its weight."""
        from samehand.explaining.units import explain

        return explain(self, questioned, [known] if isinstance(known, str) else list(known))

    @property
    def lev_width(self) -> int:
        """How many numbers a LEV has."""
        return sum(self.encoders.widths)
