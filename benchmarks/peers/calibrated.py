"""A peer whose numbers are turned into probabilities by logistic regression on training text."""

from collections.abc import Sequence

from peers.peer import Floats, Pair, Peer
from peers.training_pairs import LabelledPairs

CHARACTERS = 8_000
"""Every peer reads so much of a text, in training and in trials: some 1,350 words."""


class CalibratedPeer:
    """Half of the training pairs being by one author, the probabilities hold for a prior of 1:1."""

    def __init__(self, peer: Peer, training: LabelledPairs) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        self.peer = peer
        pairs = _cut(training.pairs)
        peer.fit([text for pair in pairs for text in pair])
        # Two numbers at most from hundreds of pairs: no penalty is needed.
        unpenalised = LogisticRegression(C=1e6, class_weight="balanced")
        self.regression = make_pipeline(StandardScaler(), unpenalised)
        self.regression.fit(peer.features(pairs), training.same)

    def probability(self, pairs: Sequence[Pair]) -> Floats:
        """p(same author) of each pair."""
        answers: Floats = self.regression.predict_proba(self.peer.features(_cut(pairs)))[:, 1]
        return answers


def _cut(pairs: Sequence[Pair]) -> list[Pair]:
    return [(first[:CHARACTERS], second[:CHARACTERS]) for first, second in pairs]
