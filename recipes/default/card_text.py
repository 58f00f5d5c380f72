"""The words of the model card. There is no measured figure in them."""

from textwrap import fill


def filled(template: str, **values: object) -> str:
    """A text with its values, in lines of even length; indented blocks stay as they are."""
    return "\n\n".join(
        part if part.startswith(" ") else fill(part, 98, break_on_hyphens=False)
        for part in template.format(**values).strip("\n").split("\n\n")
    )


_COMMUNITIES = "mailing lists, chat and Usenet of six communities"
SOURCES = {
    "blogs": "personal blogs, 2004",
    "fanfic": "fan fiction",
    "fiction": "novels, 1900–1969",
    "techblogs": "multi-author tech blogs",
    "court": "oral argument in court",
    "debates": "political forum",
    **dict.fromkeys(("cypherpunks", "git", "lean", "cobol", "rhelp", "mpi"), _COMMUNITIES),
}
"""The kind of each source."""

GENRES = {name: kind for name, kind in SOURCES.items() if kind != _COMMUNITIES} | {
    **dict.fromkeys((n for n, k in SOURCES.items() if k == _COMMUNITIES), "a community's messages"),
    "letters": "letters, 1774–1789",
    "philosophy": "a mailing list on philosophy",
    "proposals": "technical proposals",
}
"""What the texts of a set of trials are, by what follows the first hyphen of its name."""

KINDS = {"dev": "known genres, new authors", "shift": "new genres"}
"""What stands before the first hyphen of the name of a set of trials."""

SYSTEMS = {
    "tfidf": "character 4-grams",
    "ppm": "PPM",
    "delta": "Burrows's Delta",
    "cosine-delta": "cosine delta",
    "minilm": "MiniLM",
}

MADE = """
Written by `python recipes/default/card.py docs/quality.json MODEL -o docs/model-card.md`; edit
that, not this. Figures under *Results* and *Where it fails* were made by

    make benchmark-quality TRIALS=DIR TRAIN=DIR   # benchmarks/quality.py DIR --train DIR --write

those of the data by `samehand prepare`, and those of the networks and the bounds are what
`samehand model show --json` prints.
"""

WHAT = """
{networks} {verb} English texts to vectors of their style (LEVs). The distance of two texts, seen
against that of other people's texts of the kind they are most like (impostors), becomes a
probability that one author wrote both, at prior 1:1, and a likelihood ratio, the nearer to "cannot
tell" the less text there is, the plainer its wording and the more unlike the training text. It
reads the first {tokens} tokens of a text. {size} MB in half precision, made by {made_by}, SHA-256
`{sha256}`.
"""

INTENDED = """
- Research on authorship verification: a baseline, a point of comparison, a start for further
  training.
- Evaluation: to see whether the method suits a kind of text, with trials of that kind.
- Teaching, and trying the software out.

For casework it is a start, not the means: train on text that you may use for it, validate on
texts like those of the case, and report with `samehand verify --report`.
"""

DATA = """
Training text, by kind, as `samehand prepare` counts it. The authors of all trials below are other
people.
"""

RIGHTS = """
Authors are pseudonyms and addresses were removed before training. Rights: research corpora and
public posts, mixed terms. **The weights are therefore for research and evaluation only.** No text
is contained in the package: it holds lists of frequent words and characters, weights, the vectors
of the impostors, and, by hash, how often runs of two and three common words occur.

Known faults: mailing lists keep some unmarked quotations and program output; blogs hold pasted
lyrics and news; one person may count as two authors, after two addresses; most text is by people
who write online, in English.
"""

TRAINING = """
    samehand prepare TRAIN --dev DEV --test NEW_GENRES --trials SET ... --vectors FILE -o STORE
    recipes/default/train.sh STORE RUNS members               # on one GPU
    recipes/default/train.sh STORE RUNS folds
    python recipes/default/assemble.py STORE RUNS -o MODEL \\
        --keep words-1000-b words-1000-c                      # wording, impostors, scoring, doubt
    python recipes/default/validate.py MODEL TRIALS           # figures, bounds

The encoder learns from groups of texts, drawn anew in every epoch, in which one author's texts
are to be told from other people's, partly on the same topic: {epochs} epochs, batches of {pairs}
pairs, seeds {seeds}. Rare words are masked, so that subjects do not pass for style; line ends and
the space around marks are read, as habits of the hand, and of some texts line ends were dropped in
training. Impostors come from {kept} of the training authors, whom no encoder saw, and scoring is
fitted to pairs with at least one text of theirs, drawn by the rule of the trials. How far a
likelihood ratio is believed depends on the amount of text and its wording; it was fitted to these
pairs and to pairs of genres that other networks had been trained without. What it had better not
answer, each network learned from the same pairs (O2D2). No trial was trained on.
"""

TRIALS = """
Trials of {trials}. *Known* genres are in the training text, *new* ones are not. Half of the
trials of a set are by one author. Those pairs cross topics and the pairs by two authors share
one, where topics are known: the hard case, in which subjects mislead.

Nothing was fitted to these trials except the bounds of the likelihood ratios. But they were
scored during training and looked at while the recipe was made, so they are no untouched test:
expect a little less of new authors. In brackets: 95 % intervals from {resamples} resamples of the
trials.
"""

MEASURES = """
AUC: 1 is best, 0.5 is chance. Cllr, the cost of the likelihood ratios: 0 is best, 1 is that of
saying nothing. ECE, the gap between confidence and share right: 0 is best, and chance alone puts
a set of a few hundred trials above it. Claimed: the mean confidence. Right: the share of right
decisions.
"""

NON_RESPONSES = """
`samehand answer` leaves {unanswered} of the trials of known genres unanswered; that lowers errors
among the others from {all_errors} to {errors}. Of new genres: {new_unanswered} unanswered, errors
from {new_all_errors} to {new_errors}. Unanswered are trials whose evidence is weak (within {weak}
of 0.5 by itself, or within {unsure} where {votes} of the networks vote against an answer), those
that wording leaves within 0.05 of 0.5, those of wording unlike anything the model was validated
on, and those whose texts are no evidence (copies, not English, not running text). All other
figures on this page are of probabilities for every trial.
"""

LENGTH = """
All trials of the first kind together whose texts are long enough, both cropped to a number of words
that is drawn from the band. The last rows lack the genres of short texts.
"""

CALIBRATION = """
All trials of a kind together. Good figures here do not mean that each genre is well calibrated:
see *Where it fails*.
"""
BOUNDS = """
`samehand verify` holds every likelihood ratio between {low} and {high}, which is as far as the
trials support them (`recipes/default/validate.py`); the figures on this page are without these
bounds.
"""
NO_BOUNDS = """
The model states no bounds of its own, so `samehand verify` holds every likelihood ratio between
{low} and {high}; the figures on this page are without these bounds.
"""

PEERS = """
Means over the sets of each kind. The other methods are implemented in `benchmarks/peers` and
calibrated on pairs of the training text drawn by the rule of the trials. A Cllr near 1 means that
such a method hardly dares to say anything.
"""
NO_PEERS = "None were measured."

LIMITS = """
- English only. Other languages, periods and genres: not shown to work, and where it was tried on
  new genres the figures above apply. Acquaint it with texts of your own kind
  (`samehand acquaint`), and validate it on them.
- Two texts of different genres by one author were not tried.
- Imitation, ghost-writing, heavy editing, translation, and text written or smoothed by a language
  model were not tried.
- The space around marks counts as a habit: a text that lost it on the way looks like another
  hand's. Lost line ends cost little (`benchmarks/layout.py`).
- Whether a kind of text is new to it, it tells by wording alone, and not always.
- A probability is at prior 1:1. In a case with many possible writers it is not the probability
  that this person wrote the text: see [verifying.md](verifying.md#how-to-read-a-verdict).
- It may do worse for second-language writers, dialects and other groups: not measured.
"""

MISUSE = """
**Do not use it to find out who is behind a name.** People write without their name for good
reasons: whistle-blowers, victims, patients, dissidents, minorities. Do not run it over many
people and pick the highest score: with enough people somebody always fits. Do not accuse,
dismiss, grade, ban or charge anybody on its word. Wrong answers are common, also confident ones:
see above.
"""

OWN = """
    samehand prepare YOUR_CORPUS -o STORE   # author, topic, text in most formats
    samehand train STORE -o RUN
    samehand verify QUESTIONED KNOWN --model RUN/model

or the recipe above with your own text. [training.md](training.md) tells what the settings do. A
model of your own is bound by the rights in your text alone; have trials of authors it never saw,
in your genre, and write their figures into it with `recipes/default/validate.py`.
"""
