"""Documents are cut into the same units as `Windowing` says, whatever company they are in."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from samehand.network.documents import assemble
from samehand.text.units import Windowing

from .drawn import N_TYPES, batch, small, texts, token_types

windowings = st.tuples(st.integers(2, 9), st.integers(1, 9), st.integers(1, 6)).map(
    lambda t: Windowing(t[0], min(t[1], t[0]), t[2])
)


@given(st.lists(st.integers(0, 70), min_size=1, max_size=6), windowings, st.integers(0, 99))
def test_units_are_those_of_windowing(lengths, windowing, seed):
    documents = texts(lengths, seed)
    types = token_types()
    made = assemble(torch.cat(documents), torch.tensor(lengths), types, windowing)
    assert made.lengths.tolist() == [windowing.count(n) for n in lengths]
    for document, units, count in zip(documents, made.units, made.lengths, strict=True):
        assert (units[count:] == 0).all()
        for unit, (start, end) in zip(units[:count], windowing.bounds(len(document)), strict=True):
            expected = document[start:end].long() if len(document) else torch.tensor([0])
            assert made.unit_lengths[unit] == len(expected)
            found = made.tokens[unit, : len(expected)]
            assert torch.equal(made.types.words[found], types.words[expected])
            assert torch.equal(made.types.characters[found], types.characters[expected])
            assert (made.tokens[unit, len(expected) :] == 0).all()


@given(st.lists(st.integers(0, 200), min_size=1, max_size=4), st.integers(0, 99))
def test_each_type_is_held_once_and_the_first_is_the_padding(lengths, seed):
    documents = texts(lengths, seed)
    windowing = Windowing(30, 26, 210)
    numbered = token_types()._replace(words=torch.arange(N_TYPES))
    made = assemble(torch.cat(documents), torch.tensor(lengths), numbered, windowing)
    assert made.types.words[0] == 0
    met = sorted({0, *torch.cat(documents).tolist()})
    assert sorted(made.types.words.tolist()) == met


def test_what_lies_beyond_the_cap_is_not_read():
    config = small()
    reach = config.windowing.span(config.most_units)
    long = texts([3 * reach])[0]
    whole, cut = batch([long], config), batch([long[:reach]], config)
    assert whole.lengths.tolist() == [config.most_units]
    for ours, theirs in zip(whole, cut, strict=True):
        if isinstance(ours, torch.Tensor):
            assert torch.equal(ours, theirs)
