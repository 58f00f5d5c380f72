"""Outcomes of texts that nobody wrote as they stand, and how often real ones are suspected.

    python benchmarks/hostile_texts.py TRIALS... [--model DIR] [--sample 12] [--alarms-only]

TRIALS are sets of English trials in PAN's format. From `--sample` trials of each set, hostile ones
are made at three lengths: the questioned text is scrambled, replaced by one that a program put out
or by one in another language, or is a copy of the known one. Counted are trials that are undecided
or carry a caution about the questioned text or about copying. A caution of shortness or of bounds
does not count, and of text in another language only one that says so. The real trials are counted
too, as they are: there each caution is a false alarm.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from hostile import copied, languages, made, scrambled
from hostile.chains import character_chain, word_chain

from samehand.cautions.answers import NEW_GENRE
from samehand.cautions.caution import Caution
from samehand.cautions.text_quality import unnatural
from samehand.cautions.texts import Text, digest, of_copying
from samehand.corpus.readers import Trial, read_trials
from samehand.text.words import words
from samehand.verdict import UNDECIDED
from samehand.verifier import Verifier

LENGTHS = (100, 300, 1_000)
SPARE = 1.15
"""Hostile texts are cut a little longer, so that none is short by the count of `words`."""
SCRAMBLES = (
    scrambled.words_anyhow, scrambled.words_without_marks, scrambled.words_in_windows,
    scrambled.letters, scrambled.inner_letters,
)  # fmt: skip
NO_BAR = "sentences in another order"
"""Reported, but arguably style still."""


class Hostile(NamedTuple):
    group: str
    kind: str
    questioned: str
    known: str


class Outcome(NamedTuple):
    disqualified: bool
    cautioned: bool
    undecided: bool
    """By the likelihood ratio alone."""

    @property
    def unanswered(self) -> bool:
        return any(self)


def cut(text: str, n_words: int) -> str | None:
    """So many words from the start; None of a text that is shorter."""
    found = text.split()
    return (
        " ".join(found[: round(n_words * SPARE)]) if len(found) >= round(n_words * SPARE) else None
    )


def hostile(trials: list[Trial], sample: int, length: int, rng: Random) -> Iterator[Hostile]:
    """Hostile trials of one length from a set; what chains are learnt from is in none of them."""
    chosen = rng.sample(trials, min(sample, len(trials) // 2))
    others = [text for trial in trials if trial not in chosen for text in trial.known]
    vocabulary = sorted({word for text in others for word in words(text) if word.isalpha()})
    makers = list(_makers(others, vocabulary, round(length * SPARE), rng))
    tongues = list(languages.STORY)
    for place, trial in enumerate(chosen):
        known = trial.known[0]
        for kind, make in makers:
            yield Hostile("machine-made", kind, make(), known)
        for step in range(3):
            tongue = tongues[(3 * place + step) % len(tongues)]
            story = languages.story(tongue, round(length * SPARE), rng)
            yield Hostile("not English", "other languages", story, known)
            if half := cut(trial.questioned, length // 2):
                mixed = half + " " + languages.story(tongue, length // 2, rng)
                yield Hostile("not English", "half English", mixed, known)
        if whole := cut(trial.questioned, length):
            for scramble in SCRAMBLES:
                yield Hostile("scrambled", scramble.__name__, scramble(whole, rng), known)
            yield Hostile(NO_BAR, NO_BAR, scrambled.sentences(whole, rng), known)
            source = cut(known, length)
            for change in copied.KINDS if source else ():
                copy = change(source, whole, rng)
                yield Hostile("copied", change.__name__, copy, source)


def _makers(
    others: list[str], vocabulary: list[str], n_words: int, rng: Random
) -> Iterator[tuple[str, Callable[[], str]]]:
    for width in (1, 2, 3):
        chain = word_chain(others, width)
        yield f"words {width}", lambda chain=chain: " ".join(chain.sample(n_words, rng))
    for width in (3, 4, 5):
        chain = character_chain(others[:150], width)
        yield f"characters {width}", lambda chain=chain: "".join(chain.sample(6 * n_words, rng))
    for make in made.KINDS:
        yield make.__name__, lambda make=make: make(n_words, rng, vocabulary)


def outcomes(verifier: Verifier, trials: Sequence[Hostile]) -> Iterator[Outcome]:
    """The outcome of each trial."""
    scored = verifier.score((trial.questioned, [trial.known]) for trial in trials)
    for trial, found in zip(trials, scored, strict=True):
        questioned, *known = found.texts
        said = [*own(questioned), *of_copying(questioned, known)]
        if trial.group == "not English":
            said = [caution for caution in said if "English" in caution.sentence]
        is_disqualified = any(caution.disqualifies for caution in said)
        is_undecided = abs(found.log10_lr) < UNDECIDED
        yield Outcome(is_disqualified, bool(said) or NEW_GENRE in found.cautions, is_undecided)


def own(text: Text) -> list[Caution]:
    return list(unnatural(text.name, text.content, text.read, text.language))


def false_alarms(trials: list[Trial]) -> dict[str, float]:
    """Shares of real texts that are suspected."""
    contents = [text for trial in trials for text in (trial.questioned, *trial.known)]
    texts = [own(Text.of("A text", text, digest(text), len(text))) for text in contents]
    return {
        "texts": len(texts),
        "cautioned": sum(map(bool, texts)) / len(texts),
        "disqualified": sum(any(c.disqualifies for c in found) for found in texts) / len(texts),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trials", type=Path, nargs="+")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--sample", type=int, default=12)
    parser.add_argument("--alarms-only", action="store_true", help="count false alarms alone")
    options = parser.parse_args()
    verifier = Verifier.load(options.model)
    found: dict[tuple[str, str, int], list[Outcome]] = defaultdict(list)
    print("| set | texts | cautioned | disqualified |\n|---|---|---|---|")
    for number, folder in enumerate(options.trials):
        trials = list(read_trials(folder))
        alarms = false_alarms(trials)
        print(f"| {folder.name} | {alarms['texts']:,} | {alarms['cautioned']:.2%} "
              f"| {alarms['disqualified']:.2%} |", flush=True)  # fmt: skip
        for length in () if options.alarms_only else LENGTHS:
            rng = Random(1_000 * number + length)
            made_up = list(hostile(trials, options.sample, length, rng))
            for trial, outcome in zip(made_up, outcomes(verifier, made_up), strict=True):
                found[trial.group, trial.kind, length].append(outcome)
    if found:
        print(table(found))


def table(found: dict[tuple[str, str, int], list[Outcome]]) -> str:
    """One row a kind, one column a length; then the groups, all lengths together."""
    lines = ["", "| kind | 100 words | 300 words | 1,000 words | of all: disqualified | trials |",
             "|---|---|---|---|---|---|"]  # fmt: skip
    for group in dict.fromkeys(group for group, _, _ in found):
        kinds = dict.fromkeys(kind for of, kind, _ in found if of == group)
        for kind in (*kinds, *([group.upper()] if len(kinds) > 1 else [])):
            rows = [
                [o for (g, k, n), of in found.items() if g == group and n == length
                 and kind in (k, group.upper()) for o in of]
                for length in LENGTHS
            ]  # fmt: skip
            total = [o for row in rows for o in row]
            cells = [f"{_share([o.unanswered for o in row]):.1%}" if row else "" for row in rows]
            disqualified = _share([o.disqualified for o in total])
            lines.append(f"| {kind.replace('_', ' ')} | {' | '.join(cells)} | {disqualified:.1%} "
                         f"| {len(total):,} |")  # fmt: skip
    return "\n".join(lines)


def _share(of: list[bool]) -> float:
    return sum(of) / len(of)


if __name__ == "__main__":
    main()
