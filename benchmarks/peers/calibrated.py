"""A peer whose numbers are turned into probabilities by logistic regression on training text.

Across topics, likeness may even speak against one author: two people on one subject write more
alike than one person on two. The regression may not turn a method round, though, or it would learn
how the pairs were chosen and answer by that. It then keeps next to no weight: every answer is about
0.5, in the order of the likeness.
"""

from collections.abc import Sequence

import numpy as np

from peers.peer import Floats, Pair, Peer
from peers.training_pairs import LabelledPairs

CHARACTERS = 8_000
"""Every peer reads so much of a text, in training and in trials: some 1,350 words."""

LEAST_WEIGHT = 1e-3
"""Of the standardised likeness, in log odds."""


class CalibratedPeer:
    """Either kind of training pair weighs the same: probabilities hold for a prior of 1:1."""

    def __init__(self, peer: Peer, training: LabelledPairs) -> None:
        from sklearn.linear_model import LogisticRegression

        self.peer = peer
        pairs = _cut(training.pairs)
        peer.fit([text for pair in pairs for text in pair])
        features = peer.features(pairs)
        self.mean, deviation = features.mean(axis=0), features.std(axis=0)
        self.deviation = np.where(deviation > 0, deviation, 1.0)
        # Two numbers at most from hundreds of pairs: no penalty is needed.
        regression = LogisticRegression(C=1e6, class_weight="balanced")
        regression.fit((features - self.mean) / self.deviation, training.same)
        self.weights, self.offset = regression.coef_[0], float(regression.intercept_[0])
        if self.weights[0] < LEAST_WEIGHT:
            self.weights = LEAST_WEIGHT * np.eye(self.weights.size)[0]
            self.offset = 0.0

    def probability(self, pairs: Sequence[Pair]) -> Floats:
        """p(same author) of each pair."""
        standardised = (self.peer.features(_cut(pairs)) - self.mean) / self.deviation
        return 1 / (1 + np.exp(-(standardised @ self.weights + self.offset)))


def _cut(pairs: Sequence[Pair]) -> list[Pair]:
    return [(first[:CHARACTERS], second[:CHARACTERS]) for first, second in pairs]
