"""A case as a model keeps it, and a model that is adapted to one; no file is read or written."""

import hashlib
from collections.abc import Sequence

import numpy as np
from safetensors.numpy import save

from samehand import __version__
from samehand.assessment import case_digest
from samehand.casework.case_record import CaseRecord, FileOfCase
from samehand.casework.selecting import SHORTEST, Selected
from samehand.engine.embed import Embedder
from samehand.engine.vectors import joined
from samehand.errors import InputError
from samehand.io.progress import Progress, unwatched
from samehand.model.description import CASE, Description
from samehand.model.folder import StoredModel
from samehand.scoring.case_data import DIGEST, CaseData
from samehand.scoring.distance import Trials

_AT_ONCE = 64
_LONGEST_NAME = 200


def adapted_model(
    model: StoredModel,
    embedder: Embedder,
    selected: Selected,
    files: Sequence[FileOfCase] = (),
    progress: Progress = unwatched,
) -> StoredModel:
    """Adapt the model to a case, in place of any that it had; its description tells of it.

    `embedder`: of the model's networks. Too little of a case raises `InputError`.
    """
    check_evidence(model.description)
    tensors = case_data(embedder, selected, progress).tensors()
    described = _described(model, _record(model, selected, files), save(tensors))
    return model._replace(description=described, case=tensors, sha256=described.digest())


def check_evidence(description: Description) -> None:
    """Raise where a model's evidence knows no genres, and so none of a case's own."""
    if description.evidence == "paper":
        raise InputError(
            f"The model {description.name!r} judges by the paper's own Bayes factor and cannot be "
            "adapted to a case; use one with evidence by genres (samehand fit)."
        )


def case_data(embedder: Embedder, selected: Selected, progress: Progress = unwatched) -> CaseData:
    """Texts and pairs as vectors, each distinct text once."""
    if len(selected.texts) < 2 and not selected.pairs:
        raise InputError(
            f"There is too little to adapt to: {selected.of_texts.used} usable text(s) by others, "
            f"of {SHORTEST} words or more, and no labelled pair; give two texts or one pair, "
            "better ten of either."
        )
    of_pairs = [text for pair in selected.pairs for text in (pair.questioned, *pair.known)]
    contents = {case_digest(text): text for text in (*selected.texts, *of_pairs)}
    places = {digest: place for place, digest in enumerate(contents)}
    distinct, vectors = list(contents.values()), []
    progress("embedding texts", 0, len(distinct))
    starts = range(0, len(distinct), _AT_ONCE)
    for chunk in embedder.embed_all(distinct[start : start + _AT_ONCE] for start in starts):
        vectors.append(chunk)
        progress("embedding texts", sum(each.texts for each in vectors), len(distinct))

    def place(text: str) -> int:
        return places[case_digest(text)]

    known = [list(dict.fromkeys(map(place, pair.known))) for pair in selected.pairs]
    return CaseData(
        joined(vectors),
        np.frombuffer(b"".join(contents), np.uint8).reshape(-1, DIGEST),
        np.array([place(text) for text in selected.texts], np.int64),
        Trials.of([place(pair.questioned) for pair in selected.pairs], known),
        np.array([pair.same for pair in selected.pairs], np.bool_),
    )


def _record(model: StoredModel, selected: Selected, files: Sequence[FileOfCase]) -> CaseRecord:
    """A model that was adapted before is still a copy of the one from which it came."""
    before = CaseRecord.of(model.description.about.case)
    return CaseRecord(
        name=before.name if before else model.description.name,
        sha256=before.sha256 if before else model.sha256,
        texts=selected.of_texts,
        pairs=selected.of_pairs,
        files=tuple(files),
    )


def _described(model: StoredModel, record: CaseRecord, content: bytes) -> Description:
    """`content`: of case.safetensors, by whose digest the adapted model is another one."""
    stated = model.description
    adapted = f", adapted to {record.texts.used:,} texts and {record.pairs.used:,} pairs"
    about = stated.about.model_copy(update={"case": record.model_dump(mode="json")})
    changed = {
        "name": record.name[: _LONGEST_NAME - len(adapted)] + adapted,
        "made_by": f"samehand {__version__}",
        "about": about,
        "files": stated.files | {CASE: hashlib.sha256(content).hexdigest()},
    }
    return stated.model_copy(update=changed)
