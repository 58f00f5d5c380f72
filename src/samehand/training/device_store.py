"""The tokens of a store on the device that learns from them: batches bring only indices."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from samehand.corpus.store import Store
from samehand.network.documents import Documents, Types, assemble
from samehand.text.units import Windowing
from samehand.text.vocabulary import SPECIAL, UNK, Masking
from samehand.training.texts import Texts

Ints = NDArray[np.integer[Any]]


class DeviceStore(nn.Module):
    """The store's tokens and types, in the memory of whichever device the module is moved to.

    No part of a checkpoint.
    """

    tokens: Tensor
    words: Tensor
    characters: Tensor
    line_ends: Tensor
    """The types that stand for them."""

    def __init__(self, store: Store, masking: Masking, most_words: int | None = None) -> None:
        super().__init__()
        words = np.array(store.array("type_word"))
        if most_words is not None:
            words[words >= len(SPECIAL) + most_words] = UNK
        characters = store.vocabulary.mask(words, np.array(store.array("type_characters")), masking)
        arrays = {
            "tokens": np.array(store.array("tokens")),
            "words": words,
            "characters": characters,
            "line_ends": store.line_ends.astype(np.int32),
        }
        for name, array in arrays.items():
            self.register_buffer(name, torch.from_numpy(array), persistent=False)

    def read(self, texts: Texts, chosen: Ints, windowing: Windowing) -> Documents:
        """Some texts, as they are."""
        starts, lengths, totals = (
            torch.from_numpy(array.astype(np.int64)).to(self.tokens.device)
            for array in (*texts.runs(chosen), texts.lengths[chosen])
        )
        return self.documents(starts, lengths, totals, windowing)

    def documents(
        self, run_starts: Tensor, run_lengths: Tensor, lengths: Tensor, windowing: Windowing,
        n_masks: int | None = None, word_dropout: float = 0, layout_dropout: float = 0,
    ) -> Documents:  # fmt: skip
        """Gather runs of tokens and cut them into units.

        A share of the texts loses its line ends, a share of all tokens what is known of them.
        """
        total = int(run_lengths.sum())
        before = run_lengths.cumsum(0) - run_lengths
        place = torch.arange(total, device=self.tokens.device)
        tokens = self.tokens[
            (run_starts - before).repeat_interleave(run_lengths, output_size=total) + place
        ]
        if layout_dropout:
            texts = torch.arange(len(lengths), device=tokens.device)
            flat = torch.rand(len(lengths), device=tokens.device) < layout_dropout
            text = texts.repeat_interleave(lengths, output_size=total)
            kept = ~(flat[text] & torch.isin(tokens, self.line_ends))
            tokens = tokens[kept]
            lengths = torch.zeros_like(lengths).index_add_(0, text, kept.long())
        if word_dropout:
            masked = torch.rand(len(tokens), device=tokens.device) < word_dropout
            tokens = tokens.masked_fill(masked, UNK)  # type 1: word unknown, characters hidden
        return assemble(tokens, lengths, Types(self.words, self.characters), windowing, n_masks)
