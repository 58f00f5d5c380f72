"""The words of the model card. There is no measured figure in them."""

from textwrap import fill


def filled(template: str, **values: object) -> str:
    """A text with its values, in lines of even length; indented blocks stay as they are."""
    return "\n\n".join(
        part if part.startswith(" ") else fill(part, 98, break_on_hyphens=False)
        for part in template.format(**values).strip("\n").split("\n\n")
    )


KINDS = {
    "old": "genres that networks of all packaged models have learned from",
    "other": "genres of the training text that came later",
    "further": "more of these, for which no bar was set",
    "shift": "genres that are in no training text",
}
"""Kinds of sets of trials, as `benchmarks/quality.py` names them."""

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

    make benchmark-quality TRIALS=DIR DATA=DIR   # benchmarks/quality.py DIR --write ...

and those of the data, the networks and the bounds are what `samehand model show --json` prints.
"""

WHAT = """
{networks} English texts to vectors of their style (LEVs). {each} {evidence} It knows {genres}
genres. It answers with a likelihood ratio, and with a probability that one author wrote both
sides, at prior 1:1. It reads the first {tokens} tokens of a text. {size} MB in half precision,
made by {made_by}, SHA-256 `{sha256}`.
"""

INTENDED = """
- Research on authorship verification: a baseline, a point of comparison, a start for further
  training.
- Evaluation: to see whether the method suits a kind of text, with trials of that kind.
- Teaching, and trying the software out.

For casework it is a start, not the means: train on text that you may use for it, adapt to the case
(`samehand adapt`), validate on texts like those of the case (`samehand validate`), and report with
`samehand verify --report`.
"""

DATA = """
Training text of the networks, by kind, as `samehand prepare` counts it. The authors of all trials
below are other people.
"""

EVIDENCE = """
The evidence was fitted to {trials} trials over {texts} texts by {authors} authors of {n_genres}
genres: {genres}. The networks did not learn from these authors, with one exception: it can no
longer be told which authors of the blogs had been kept from them, so they learned from most of
these.
"""

RIGHTS = """
Authors are pseudonyms and addresses were removed before training. Rights: research corpora and
public posts, mixed terms. **The weights are therefore for research and evaluation only.** No text
is contained in the package: it holds lists of frequent words and characters, weights, and a few
numbers about each genre.

Known faults: mailing lists keep some unmarked quotations and program output; blogs hold pasted
lyrics and news; one person may count as two authors, after two addresses; most text of the networks
is by people who write online, in English.
"""

TRAINING = """
    samehand prepare TRAIN --vectors FILE -o STORE
    samehand train STORE -o RUN ...                  # each network, on one GPU
    python recipes/default/unmet.py TRAIN -o UNMET   # text that the networks have not met
    samehand prepare UNMET -o STORE-UNMET --topics labels --split-by authors --seed 1
    samehand fit STORE-UNMET RUN... -o MODEL --unmet --half

`recipes/default` has all settings. The encoder learns from groups of texts, drawn anew in every
epoch, in which one author's texts are to be told from other people's, partly on the same topic:
{epochs} epochs, batches of {pairs} pairs, seeds {seeds}; {kept} of the authors were kept from it.
Rare words are masked, so that subjects do not pass for style; line ends and the space around marks
are read, as habits of the hand, and of some texts line ends were dropped in training.

The evidence has for each genre three numbers: by how much texts of different authors, and texts of
one author, are more or less alike in it than elsewhere, and how much that varies. What is not known
of them is integrated out, and so are those of a genre that it has not met. Length, the number of
known texts and how far these lie apart are covariates. Bounds and the figures that the model states
of itself come from {on}. Nothing was fitted to the trials of this page.
"""

TRIALS = """
Trials of {trials}. Half of the trials of a set are by one author. Those pairs cross topics and the
pairs by two authors share one, as far as the source allows: the hard case, in which subjects
mislead.

Nothing was fitted to these trials. But they were scored and looked at while the model was made, so
they are no untouched test: expect a little less of new authors. In brackets: 95 % intervals from
{resamples} resamples of the trials.
"""

MEASURES = """
AUC: 1 is best, 0.5 is chance. Cllr, the cost of the likelihood ratios: 0 is best, 1 is that of
saying nothing. ECE, the gap between confidence and share right: 0 is best, and chance alone puts
a set of a few hundred trials above it. Claimed: the mean confidence. Right: the share of right
decisions.
"""

KNOWN = """
The same questioned texts against 1, 2, 4 and 8 known texts by authors whom the model has not met
(`benchmarks/several_known.py`).
"""

CASE = """
The sets of genres that nothing was learned from, before and after `samehand adapt`: to texts by
others, and to labelled pairs, so many of either kind (`benchmarks/adapting.py`). Means over the
sets; the last column is the set on which it does worst.
"""

UNDECIDED = """
Likelihood ratios between 2/3 and 3/2 decide nothing, nor do texts that are no evidence (copies, not
English, not running text). By kind of set: {told}. All other figures on this page are of
probabilities for every trial.
"""

LENGTH = """
All trials of a kind together whose texts are long enough, cropped to a number of words that is
drawn from the band. The last rows lack the genres of short texts.
"""

CALIBRATION = """
All trials of a kind together. Good figures here do not mean that each genre is well calibrated:
see *Where it fails*. On the trials of its own validation the model has AUC {auc}, Cllr {cllr} and
ECE {ece}.
"""
BOUNDS = """
Every likelihood ratio is held between {low} and {high}, which is as far as that validation supports
them; so are those of all figures on this page.
"""
NO_BOUNDS = """
The model states no bounds of its own, so every likelihood ratio is held between {low} and {high};
so are those of all figures on this page.
"""

PEERS = """
Means over the sets of each kind. The other methods are implemented in `benchmarks/peers` and
calibrated on pairs of the training text drawn by the rule of the trials. A Cllr near 1 means that
such a method hardly dares to say anything.
"""
NO_PEERS = "None were measured."

LIMITS = """
- English only. Other languages, periods and genres: not shown to work; on genres that nothing was
  learned from the figures above apply. Adapt it to texts of your own kind (`samehand adapt`), and
  validate it on them.
- Two texts of different kinds by one author, such as a mail and an essay: a different genre is not
  a different author. The model brings the likelihood ratio towards 1 as the two sides' genres part,
  and says so, but it has met few authors in two genres.
- Imitation, ghost-writing, heavy editing, translation, and text written or smoothed by a language
  model were not tried.
- The space around marks counts as a habit: a text that lost it on the way looks like another
  hand's. Lost line ends cost little (`benchmarks/layout.py`).
- What others wrote down, such as court and parliament, keeps little of a speaker's habits.
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
    samehand fit STORE RUN -o MODEL
    samehand verify QUESTIONED KNOWN --model MODEL

[training.md](training.md) tells what the settings do. A model of your own is bound by the rights in
your text alone. `samehand fit` validates it on genres, or on authors, that it leaves out in turn,
and writes figures and bounds into it.
"""
