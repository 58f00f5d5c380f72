"""From texts to a verdict: each known text alone, all of them together, and the cautions."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from samehand.cautions import sentences as cautions
from samehand.cautions.sentences import Text
from samehand.errors import InputError
from samehand.verdict import Bounds, Caution, ModelFacts, TextFacts, Verdict, log10_lr_of

if TYPE_CHECKING:
    from samehand.considered import Considered
    from samehand.engine.embedder import Encoders

UNVALIDATED = Bounds(-2.0, 2.0)
"""For a model that does not say how far its validation data go."""

_SUREST = 1e-9
"""A network's certainty beyond which disagreement is not told: it would be infinite."""

Floats = NDArray[np.float32]


class Doubts(NamedTuple):
    """What a model has to say against its own answer."""

    cautions: tuple[Caution, ...]
    disagreement: float
    """Standard deviation of the log10 LRs by its networks."""


class Model(Protocol):
    """What a verdict needs of a `Verifier`."""

    description: dict[str, Any]
    encoders: "Encoders"

    def consider(self, questioned: Floats, known: Sequence[Floats], /) -> "Considered": ...
    def doubts(self, names: Sequence[str], levs: Floats, considered: "Considered", /) -> Doubts: ...


def judge(model: Model, questioned: str, known: Sequence[str]) -> Verdict:
    """The verdict of a model on a questioned text and on texts that are by one author."""
    if not known:
        raise InputError("There is no known text to compare with; give at least one.")
    read = model.encoders.lexicon.read([questioned, *known])
    texts = _texts(questioned, known, read.ends)
    of_questioned, of_known = texts[0], texts[1:]
    first = cautions.firsts([text.plain for text in of_known])
    distinct = sorted(set(first))
    levs = model.encoders.embed_read(
        read.at([0, *(1 + i for i in distinct)]), [partial(getattr, text, "own") for text in texts]
    )
    considered = model.consider(*_trials(levs[:1], levs[1:]))
    together, alone, against_rest = _weighed(considered.probability, len(distinct))
    names = [of_questioned.name, *(of_known[i].name for i in distinct)]
    doubts = model.doubts(names, levs, considered)
    bounds, validated = bounds_of(model.description)
    found = [
        *_about_texts(of_questioned, of_known),
        *cautions.of_mixture([of_known[i] for i in distinct], map(bounds.hold, against_rest)),
        *doubts.cautions,
        *cautions.of_bounds(together, bounds, validated),
    ]
    own = dict(zip(distinct, alone, strict=True))
    return Verdict(
        log10_lr=bounds.hold(together),
        log10_lr_bounds=bounds,
        disagreement=doubts.disagreement,
        cautions=tuple(found),
        questioned=_facts(of_questioned),
        known=tuple(
            _facts(text, bounds.hold(own[i])) for text, i in zip(of_known, first, strict=True)
        ),
        model=model_facts(model),
    )


def disagreement(opinions: Sequence[float]) -> float:
    """Standard deviation of the log10 LRs of several probabilities."""
    held = np.clip(opinions, _SUREST, 1.0 - _SUREST)
    return float(np.std([log10_lr_of(p) for p in held.tolist()]))


def bounds_of(description: dict[str, Any]) -> tuple[Bounds, bool]:
    """The bounds that a model states, and whether it states any."""
    validation = description.get("about", {}).get("validation") or {}
    stated = validation.get("log10_lr_bounds")
    if stated is None:
        return UNVALIDATED, False
    try:
        bounds = Bounds(*map(float, stated))
    except (TypeError, ValueError):
        bounds = Bounds(math.nan, math.nan)
    if not bounds.low <= 0.0 <= bounds.high:
        raise InputError(
            f"model.json: log10_lr_bounds is {stated!r}; it must hold a number below 0 and one "
            f"above."
        )
    return bounds, True


def _texts(questioned: str, known: Sequence[str], ends: Sequence[int]) -> list[Text]:
    """All texts, the questioned one first, read so far; what is too short is refused."""
    names = [f"Known text {number}" for number in range(1, len(known) + 1)]
    if len(known) == 1:
        names = ["The known text"]
    texts = [
        Text.of(*of)
        for of in zip(["The questioned text", *names], [questioned, *known], ends, strict=True)
    ]
    for text in texts:
        cautions.refuse_too_short(text.name, text.n_words)
    return texts


def _about_texts(questioned: Text, known: Sequence[Text]) -> Iterator[Caution]:
    for text in (questioned, *known):
        yield from text.own
    yield from cautions.of_copying(questioned, known)
    yield from cautions.of_repeats(known)


def _trials(questioned: Floats, known: Floats) -> tuple[Floats, list[Floats]]:
    """The trial of all known texts together, of each alone, and of each against the others.

    The last only from three known texts on: of two, nobody knows which is wrong.
    """
    n = len(known)
    others = [np.delete(known, i, axis=0) for i in range(n)] if n > 2 else []
    left = np.concatenate([questioned.repeat(n + 1, axis=0), *([known] if others else [])])
    return left, [known, *(known[i : i + 1] for i in range(n)), *others]


def _weighed(probability: NDArray[np.float64], n: int) -> tuple[float, list[float], list[float]]:
    """log10 LRs of these trials; of a known text that was compared with no others, it is 0."""
    together, *rest = (log10_lr_of(p) for p in probability.tolist())
    return together, rest[:n], rest[n:] or [0.0] * n


def _facts(text: Text, log10_lr: float | None = None) -> TextFacts:
    return TextFacts(text.n_words, len(text.read), text.sha256, text.language, log10_lr)


def model_facts(model: Model) -> ModelFacts:
    """Which model it is."""
    description = model.description
    return ModelFacts(
        name=str(description.get("about", {}).get("name") or description.get("name", "unnamed")),
        sha256=str(description.get("sha256", "")),
        made_by=str(description.get("made_by", "")),
        validated=bounds_of(description)[1],
        most_tokens=model.encoders.most_tokens,
    )


def training_sources(data: dict[str, Any]) -> list[str]:
    """The sources a model learnt from, as its description tells of its data.

    Where that has no counts for the training part, these are the sources of all parts.
    """
    told = data.get("training") or data.get("sources")
    return [str(source) for source in told] if isinstance(told, dict | list) else []
