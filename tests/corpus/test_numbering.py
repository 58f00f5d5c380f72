"""Tokens on their way into a store: renumbered by frequency, document by document the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.corpus import numbering as module
from samehand.corpus.numbering import count_words, write_tokens

TYPES = ["b", "a", "…", "word1", "-", "zz"]
documents = st.lists(st.lists(st.integers(0, len(TYPES) - 1), max_size=6), min_size=1, max_size=9)


@given(documents, st.data(), st.integers(1, 8))
def test_every_token_keeps_its_type(
    tmp_path_factory: pytest.TempPathFactory, given: list[list[int]], data: st.DataObject, size: int
) -> None:
    flags = st.lists(st.booleans(), min_size=len(given), max_size=len(given))
    kept = np.array(data.draw(flags)) | (np.array([len(d) for d in given]) > 3)
    training = kept & np.array(data.draw(flags))
    left = [document for document, keep in zip(given, kept, strict=True) if keep]
    if not any(left):
        return
    tokens = np.array([token for document in given for token in document], np.int32)
    ends = np.cumsum([0, *map(len, given)])
    folder = tmp_path_factory.mktemp("store")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", size)
        vocabulary, about = write_tokens(folder, tokens, ends, TYPES, training, kept, 2, 9)
        words = count_words(tokens, ends, TYPES)

    types = (folder / "types.txt").read_text().split("\n")
    written = np.split(np.load(folder / "tokens.npy"), np.load(folder / "document_ends.npy"))[:-1]
    assert [[types[token] for token in document] for document in written] == [
        [TYPES[token] for token in document] for document in left
    ]
    learnt = [TYPES[t] for d, train in zip(given, training, strict=True) if train for t in d]
    ranking = sorted({TYPES[t] for d in left for t in d}, key=lambda n: (-learnt.count(n), n))
    assert types == ["<PAD>", "<UNK>", *ranking]
    assert list(vocabulary.words[2:]) == [name for name in ranking[:2] if name in learnt]
    known = sum(name in vocabulary.words for name in learnt)
    assert about == {
        "tokens": sum(map(len, left)),
        "types": len(ranking),
        "coverage": pytest.approx(known / max(1, len(learnt))),
    }
    assert words.tolist() == [sum(TYPES[t] not in "…-" for t in document) for document in given]
