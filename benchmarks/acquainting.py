"""What does `samehand acquaint` do for trials of a genre, known or new?

    python benchmarks/acquainting.py TRIALS CORPUS [CORPUS ...] [--texts 20 50 200] [--model DIR]

TRIALS is a folder of trial sets in PAN's format with their truth, each named KIND-GENRE; CORPUS are
Parquet files GENRE.parquet with the columns author and text, that hold the texts of the trials or
the documents they were cut from, or other texts of the genre. For each set the model is acquainted
with so many texts of its genre, by authors who are in none of its trials. Repeats of a pair count
once. Prints Markdown tables: means over the sets of each kind, and each set with the most texts.
c@1 is that of answering all trials, and with those unanswered that the model had rather not answer.
"""

import argparse
import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq

from samehand.casework.adapting import SHORTEST
from samehand.casework.labelled import gather
from samehand.considered import Considered
from samehand.corpus.readers import Trial, read_trials
from samehand.evaluation import score
from samehand.text.words import words
from samehand.verifier import Verifier

FIGURES = ("AUC", "Cllr", "c@1", "unanswered", "c@1 with these", "ECE, all trials together")
_START = 80
"""Characters by which a trial's text is found in the document it was cut from."""


class Answers(NamedTuple):
    same: np.ndarray
    considered: Considered

    def figures(self) -> dict[str, float]:
        p = self.considered.probability
        kept = np.where(self.considered.rejected, 0.5, p)
        return score(self.same, p) | {
            "unanswered": float(self.considered.rejected.mean()),
            "c@1 with them": score(self.same, kept)["c@1"],
        }


def others(corpus: Path, trials: list[Trial], n: int) -> list[str]:
    """Texts of a corpus by authors of none of these trials."""
    table = pq.read_table(corpus, columns=["author", "text"]).to_pydict()
    known = [" ".join(text.split()) for text in table["text"]]
    texts = {text for trial in trials for text in (trial.questioned, *trial.known)}
    starts = {" ".join(text.split())[:_START] for text in texts}
    met = {
        author
        for author, text in zip(table["author"], known, strict=True)
        if any(start in text for start in starts)
    }
    free = [
        text
        for author, text in zip(table["author"], table["text"], strict=True)
        if author not in met and len(words(text)) >= SHORTEST
    ]
    return random.Random(0).sample(free, min(n, len(free)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trials", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--texts", type=int, nargs="+", default=[20, 50, 200])
    parser.add_argument("--model", type=Path, default=None)
    options = parser.parse_args()
    verifier = Verifier.load(options.model)
    corpora = {path.stem: path for path in options.corpora}
    found: dict[str, dict[str, Answers]] = {"as it comes": {}}
    for folder in sorted(path.parent for path in options.trials.glob("*/truth.jsonl*")):
        corpus = corpora.get(folder.name.split("-", 1)[1])
        if corpus is None:
            continue
        truth = {trial.id: trial.same for trial in gather(folder, folder, skip_repeats=True).trials}
        trials = [trial for trial in read_trials(folder) if trial.id in truth]
        texts = sorted({text for trial in trials for text in (trial.questioned, *trial.known)})
        levs = dict(zip(texts, verifier.embed(texts), strict=True))
        sides = (
            np.stack([levs[trial.questioned] for trial in trials]),
            [np.stack([levs[text] for text in trial.known]) for trial in trials],
        )
        same = np.array([truth[trial.id] for trial in trials])
        population = others(corpus, trials, max(options.texts))
        vectors = verifier.embed(population)
        found["as it comes"][folder.name] = Answers(same, verifier.consider(*sides))
        for n in options.texts:
            acquainted = Verifier(verifier.members, verifier.description, vectors[:n])
            title = f"{n} texts"
            found.setdefault(title, {})[folder.name] = Answers(same, acquainted.consider(*sides))
        print(f"{folder.name}: {len(trials)} trials, {len(population)} texts", flush=True)
    print(f"\n| | | {' | '.join(FIGURES)} |\n|---|---|{'--:|' * len(FIGURES)}")
    for kind in sorted({name.split("-")[0] for name in found["as it comes"]}):
        for title, sets in found.items():
            of_kind = [answers for name, answers in sets.items() if name.startswith(f"{kind}-")]
            cells = (f"{figure:.3f}" for figure in means(of_kind))
            print(f"| {kind}, {len(of_kind)} sets | {title} | {' | '.join(cells)} |")
    last = list(found)[-1]
    print(f"\n| set | AUC | {last} | Cllr | {last} |\n|---|--:|--:|--:|--:|")
    for name, answers in found["as it comes"].items():
        both = answers.figures(), found[last][name].figures()
        cells = (f"{row[figure]:.3f}" for figure in ("auc", "cllr") for row in both)
        print(f"| {name} | {' | '.join(cells)} |")


def means(sets: list[Answers]) -> list[float]:
    """Each of `FIGURES`, the mean over sets but for the last."""
    rows = [answers.figures() for answers in sets]
    names = ("auc", "cllr", "c@1", "unanswered", "c@1 with them")
    together = score(
        np.concatenate([answers.same for answers in sets]),
        np.concatenate([answers.considered.probability for answers in sets]),
    )
    return [*(float(np.mean([row[name] for row in rows])) for name in names), together["ece"]]


if __name__ == "__main__":
    main()
