"""Published methods of authorship verification, implemented here to be measured beside our own."""

from collections.abc import Callable

from peers.calibrated import CalibratedPeer
from peers.delta import BurrowsDelta, CosineDelta
from peers.embedding import SentenceEmbedding
from peers.peer import Peer
from peers.ppm import CompressionDistance
from peers.tfidf import CharacterTfidf
from peers.training_pairs import LabelledPairs, draw_training_pairs

PEERS: dict[str, Callable[[], Peer]] = {
    "tfidf": CharacterTfidf,
    "ppm": CompressionDistance,
    "delta": BurrowsDelta,
    "cosine-delta": CosineDelta,
    "minilm": SentenceEmbedding,
}

__all__ = ["PEERS", "CalibratedPeer", "LabelledPairs", "Peer", "draw_training_pairs"]
