"""The guide that a bare `samehand validate` prints: which trials to gather, and how."""

GUIDE = """\
How to validate a model for a case

A likelihood ratio can be relied on only where the model was tried on texts like those of the case.
This is how to find out. You need texts whose authors you know, made into trials: a text against
another (or against several by one person), and the truth, whether one author wrote them.

1. Gather texts like those of the case

   - the same language, genre and period: messages for messages, letters for letters;
   - about the same lengths, for the questioned and for the known texts;
   - the same gap between them: if the case compares a letter with mails, or texts on other
     subjects, so must the trials by one author. Trials by two authors should share genre and
     subject, or the model is praised for telling subjects apart;
   - as many known texts in a trial as in the case;
   - by other people than those in the case, and nothing the model was trained on;
   - without what the author did not write: quotations, signatures, headers.

   Texts of that kind by others are worth having first, even if nobody knows who wrote them: ten
   are a start, fifty are better. samehand adapt default TEXTS... -o MODEL shows the model what the
   kind is like.

2. Make two sets of trials, with different authors

   - one to adapt to: samehand adapt default TEXTS... --pairs PAIRS --truth TRUTH -o NEW
     (with or without texts by others); ten pairs of either kind are a start, more is better
   - one to validate on: samehand validate NEW PAIRS TRUTH

   To validate takes at least 50 trials by one author and 50 by two; 150 of each make the intervals
   about half as wide. Use a text in few trials, best in one, and never the same pair of texts
   twice. A text that is in both sets makes the figures look better than they are; validate leaves
   such trials out and says so.

3. Write them down

   pairs.jsonl, a line for each trial (the known text first, then the questioned one):
     {"id": "letters-1", "pair": ["Dear Sir, I have ...", "My dear friend, ..."]}
   truth.jsonl, a line for each trial, with the same ids:
     {"id": "letters-1", "same": true}
   Both files are UTF-8 and may be gzip. Several known texts: PAN's folders of 2013 to 2015, a
   folder for each trial with known01.txt, known02.txt, ... and unknown.txt, and one truth.txt with
   lines such as "EN001 Y".

4. Run it

   samehand validate default PAIRS TRUTH          the packaged model
   samehand validate MODEL PAIRS TRUTH -o report.html

   It tells what each figure means, and gives one of these verdicts: fit, for the likelihood ratios
   that the trials support; fit, though more cautious than need be; informative but badly
   calibrated (then adapt, with other pairs, and validate again); not fit; too few trials to say.
   The report (.html, .pdf or .md) has the plots. To show it in the report on a case, write what
   --json prints to a file, and name that file in the case file: "validation: FILE".
"""
