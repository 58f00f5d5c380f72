"""The wording of a store is counted from the encoder's authors, and doubt is fitted to it."""

import numpy as np
import pytest
import torch

from samehand.fitting.doubt import add_doubt, left_out_pairs
from samehand.fitting.impostors import add_impostors
from samehand.fitting.rejection import add_rejection
from samehand.fitting.wording import WordingReader, count_wording
from samehand.training.data import PairData

from .test_impostors import CONFIG, long_store, start  # noqa: F401


@pytest.fixture(scope="module")
def wording(long_store):  # noqa: F811
    return count_wording(PairData(long_store, CONFIG))


def test_texts_by_authors_who_were_not_counted_are_usual(long_store, wording):  # noqa: F811
    data = PairData(long_store, CONFIG)
    texts = data.whole(data.documents)
    told = WordingReader(long_store, wording)(texts, np.arange(len(texts)))
    assert told.shape == (len(texts), 2)
    kept = torch.from_numpy(data.kept_from_encoder(texts.author))
    assert told[kept].mean(0).abs().max() < 0.3
    assert told[~kept, 1].mean() < -1  # these are what was counted
    spelt = long_store.types
    assert len(spelt) == len(long_store.array("type_word"))
    first = np.array(long_store.array("tokens")[: int(texts.lengths[0])])
    expected = wording.covariates(wording.classes([spelt[i] for i in first]))
    assert told[0].tolist() == pytest.approx(expected.tolist(), abs=1e-6)
    assert WordingReader(long_store, None)(texts, np.arange(3)).shape == (3, 0)


def test_doubt_by_wording_is_one_for_all_members(long_store, start, wording):  # noqa: F811
    data = PairData(long_store, CONFIG)
    fitted = add_impostors(start, data, CONFIG, wording)
    assert fitted.network.config.wording
    assert fitted.drawn.told.shape == (*fitted.drawn.lengths.shape, 2)
    name = long_store.about["sources"][int(fitted.drawn.source[0])]
    left = left_out_pairs(
        fitted, long_store, CONFIG.model_copy(update={"leave_out": (name,)}), wording
    )
    members = add_doubt([fitted, fitted], [left])
    one, other = (member.network.scoring.doubt.wording for member in members)
    assert one.abs().max() > 0
    assert torch.equal(one, other)
    assert members[0].about["doubt_by_wording"] == pytest.approx(one.tolist(), abs=1e-5)
    judge = add_rejection(members[0], 0).network
    assert torch.equal(judge.scoring.doubt.wording, one)
