"""`samehand adapt`: a model for a case, by texts of its kind by others and labelled pairs."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from samehand.assessment import LabelledPair
from samehand.casework.case import adapted_model, check_evidence
from samehand.casework.case_record import CaseRecord, FileOfCase
from samehand.casework.case_texts import read_texts
from samehand.casework.digests import refuse_pipe, sha256_of
from samehand.casework.labelled import LabelledTrials, read_labelled
from samehand.casework.selecting import Selected, select
from samehand.engine.embed import Embedder
from samehand.errors import InputError
from samehand.io.atomic import check_place
from samehand.io.progress import Progress, unwatched
from samehand.model.folder import DESCRIPTION, entries, read_model, write_model
from samehand.verifier import model_folder


class Brought(NamedTuple):
    """The files of a case."""

    texts: tuple[Path, ...] = ()
    """By others: files, folders of them, corpora, trials."""
    pairs: Path | None = None
    truth: Path | None = None
    column: str = "text"
    """That of the texts, in tables."""

    @property
    def files(self) -> list[Path]:
        """All of them."""
        return [*self.texts, *(path for path in (self.pairs, self.truth) if path is not None)]


def adapt(
    model: Path | str | None,
    brought: Brought,
    output: Path,
    *,
    force: bool = False,
    skip_repeats: bool = False,
    progress: Progress = unwatched,
) -> CaseRecord:
    """Write a copy of a model that is adapted to a case, and tell what was used.

    What the model was adapted to before is replaced. Anything that cannot be used raises
    `InputError`, and then nothing is written.
    """
    for path in brought.files:
        refuse_pipe(path)
    folder = model_folder(model)
    _check_output(folder, output, force, brought.files)
    stored = read_model(folder)
    check_evidence(stored.description)
    progress("reading texts")
    selected = _selected(brought, skip_repeats)
    files = [FileOfCase(name=path.name, sha256=sha256_of(path)) for path in brought.files]
    made = adapted_model(stored, Embedder(stored.networks), selected, files, progress)
    write_model(output, made.description, made.networks, evidence=made.evidence, case=made.case)
    return CaseRecord.model_validate(made.description.about.case)


def _selected(brought: Brought, skip_repeats: bool) -> Selected:
    labelled = _labelled(brought, skip_repeats)
    texts = chain.from_iterable(read_texts(path, brought.column) for path in brought.texts)
    selected = select(texts, _pairs(labelled))
    repeats = selected.of_pairs.repeats + (0 if labelled is None else labelled.repeats)
    return selected._replace(of_pairs=selected.of_pairs.model_copy(update={"repeats": repeats}))


def _check_output(folder: Path, output: Path, force: bool, inputs: Iterable[Path]) -> None:
    """Raise unless a new model may be written there, where none of the inputs may be."""
    place, source = output.resolve(), folder.resolve()
    if place == source or source in place.parents or place in source.parents:
        raise InputError(
            f"{output}: is the model itself, is in it or around it; choose another place."
        )
    check_place(output, DESCRIPTION, force, lambda name: name in entries(output), inputs)


def _labelled(brought: Brought, skip_repeats: bool) -> LabelledTrials | None:
    if brought.pairs is None or brought.truth is None:
        if brought.pairs or brought.truth:
            raise InputError("Pairs need their truth; give both --pairs and --truth.")
        return None
    return read_labelled(brought.pairs, brought.truth, skip_repeats)


def _pairs(labelled: LabelledTrials | None) -> Iterator[LabelledPair]:
    for trial in () if labelled is None else labelled.read():
        yield LabelledPair(trial.questioned, trial.known, bool(trial.same))
