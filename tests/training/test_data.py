"""Batches: the same for the same seed, new each epoch, true to the store, shared out exactly."""

import json

import numpy as np
import pytest
import torch

from samehand.corpus.prepare import Preparation, prepare
from samehand.corpus.split import kept_authors, used_authors
from samehand.errors import InputError
from samehand.text.layout import BLANK_LINE, LINE_END
from samehand.training.data import PairData, _thinned
from samehand.training.device_store import DeviceStore
from samehand.training.texts import Stored

from .runs import small_config


def epoch(store, number=0, rank=0, world=1, *changes):
    return PairData(store, small_config(*changes)).epoch(number, rank, world)


def same_steps(ours, theirs):
    return len(ours) == len(theirs) and all(
        torch.equal(a, b)
        for one, other in zip(ours, theirs, strict=True)
        for part, counterpart in zip(one, other, strict=True)
        for a, b in zip(part, counterpart, strict=True)
    )


def test_an_epoch_follows_from_its_seed_and_number(store):
    assert same_steps(epoch(store, 3), epoch(store, 3))
    assert not same_steps(epoch(store, 3), epoch(store, 4))
    assert not same_steps(epoch(store, 3), epoch(store, 3, 0, 1, "seed=1"))


def texts_of(store, batch):
    """Author and topic of each text, looked up from its tokens."""
    ends = np.array(store.array("document_ends"))
    before = 0
    for length in batch.lengths.tolist():
        taken, found = 0, set()
        while taken < length:
            start, run = batch.run_starts[before].item(), batch.run_lengths[before].item()
            document = int(np.searchsorted(ends, start, side="right"))
            assert start + run <= ends[document]  # a run stays inside a document
            found.add((int(store.array("author")[document]), int(store.array("topic")[document])))
            taken, before = taken + run, before + 1
        assert taken == length
        assert len(found) == 1
        yield found.pop()


def test_labels_are_true_and_the_scoring_has_authors_of_its_own(store):
    authors = [set(), set()]
    for step in epoch(store):
        for batch, met, kinds in zip(step, authors, (4, 2), strict=True):
            texts = list(texts_of(store, batch))
            pairs = list(zip(texts[: len(batch.same)], texts[len(batch.same) :], strict=True))
            assert [a == b for (a, _), (b, _) in pairs] == batch.same.tolist()
            met.update(author for author, _ in texts)
            if kinds == 2:  # the scoring learns from SA_DF and DA_SF alone
                assert all((a == b) != (s == t) for (a, s), (b, t) in pairs)
    assert not authors[0] & authors[1]
    seen = np.unique(np.array(store.array("author"))[store.documents("train")])
    assert authors[0] | authors[1] <= set(seen.tolist())
    kept = kept_authors([store.author_names[number] for number in seen], 0.3)
    assert authors[1] <= set(seen[kept].tolist())
    assert authors[0] <= set(seen[~kept].tolist())


def test_all_kinds_of_pairs_are_met_or_only_those_asked_for(store):
    def kinds(*changes):
        found = set()
        for step in epoch(store, 0, 0, 1, *changes):
            texts = list(texts_of(store, step.encoder))
            n = len(step.encoder.same)
            for (a, s), (b, t) in zip(texts[:n], texts[n:], strict=True):
                found.add(f"{'SA' if a == b else 'DA'}_{'SF' if s == t else 'DF'}")
        return found

    assert kinds("lengths={vary: false}") == {"SA_SF", "SA_DF", "DA_SF", "DA_DF"}
    assert kinds("pairs.subsets=[SA_DF, DA_SF]") == {"SA_DF", "DA_SF"}


def test_a_source_left_out_is_met_by_nobody(store):
    def met(*changes):
        found = set()
        for step in epoch(store, 0, 0, 1, *changes):
            for batch in step:
                ends = np.array(store.array("document_ends"))
                documents = np.searchsorted(ends, batch.run_starts.numpy(), side="right")
                found |= set(np.array(store.array("source"))[documents].tolist())
        return {store.about["sources"][number] for number in found}

    [own, *others] = [*met(), *(name for name in store.about["sources"] if name not in met())]
    for other in others:
        assert met(f"leave_out=[{other}]") == {own}
    with pytest.raises(InputError, match="no pair"):
        met(f"leave_out=[{own}]")
    with pytest.raises(InputError, match="has no source verse"):
        PairData(store, small_config("leave_out=[verse]"))


def test_a_share_of_the_authors_is_all_that_is_met(store):
    def met(*changes):
        ends, author = (np.array(store.array(name)) for name in ("document_ends", "author"))
        starts = [batch.run_starts.numpy() for step in epoch(store, 0, 0, 1, *changes)
                  for batch in step]  # fmt: skip
        return set(author[np.searchsorted(ends, np.concatenate(starts), side="right")].tolist())

    used = set(np.flatnonzero(used_authors(store.author_names, 0.5)).tolist())
    assert met("authors_used=0.5") == met() & used < met()


@pytest.mark.parametrize("world", [2, 3])
def test_processes_share_every_batch_of_one(store, world):
    whole = epoch(store)
    shares = [epoch(store, 0, rank, world) for rank in range(world)]
    assert {len(share) for share in shares} == {len(whole)}
    for number in range(len(whole)):
        for part in (0, 1):
            together = sorted(pairs_of(whole[number][part]))
            shared = [pairs_of(share[number][part]) for share in shares]
            assert sorted(pair for share in shared for pair in share) == together
            assert max(map(len, shared)) - min(map(len, shared)) <= 1


def pairs_of(batch):
    """Each pair as the runs of its two texts."""
    runs, texts = iter(zip(batch.run_starts.tolist(), batch.run_lengths.tolist(), strict=True)), []
    for length in batch.lengths.tolist():
        text, taken = [], 0
        while taken < length:
            text.append(next(runs))
            taken += text[-1][1]
        texts.append(tuple(text))
    n = len(batch.same)
    return list(zip(texts[:n], texts[n:], batch.same.tolist(), strict=True))


def test_more_devices_than_pairs_are_refused(store):
    with pytest.raises(InputError, match="batch_pairs"):
        epoch(store, 0, 0, 9)


def test_without_authors_of_its_own_the_scoring_gets_none(store):
    assert all(step.scoring is None for step in epoch(store, 0, 0, 1, "scoring={authors: 0}"))


def test_authors_of_its_own_who_give_no_pairs_are_refused(store):
    with pytest.raises(InputError, match="the authors kept for BFS and UAL give no pairs of both"):
        epoch(store, 0, 0, 1, "scoring.authors=1e-9")


def test_a_store_without_the_pairs_asked_for_is_refused(store):
    as_one_text = "lengths.longest=5000", "lengths.shortest=5000"
    with pytest.raises(InputError, match=r"no pair of the kinds asked for \(SA_SF\)"):
        epoch(store, 0, 0, 1, "pairs.subsets=[SA_SF]", *as_one_text)


def test_sources_are_made_even():
    source = np.repeat([0, 1, 2], [10_000, 1_000, 100])
    lengths = np.full(len(source), 7)
    nothing = np.zeros_like(source)
    stored = Stored(nothing, lengths, nothing, nothing, source)
    everything = np.arange(len(source))
    for evenness, expected in ((0.0, 10_000), (0.5, 10_000 * 0.1**0.5), (1.0, 1_000)):
        kept = _thinned(everything, stored, evenness, np.random.default_rng(0))
        counts = np.bincount(source[kept])
        assert counts[0] == pytest.approx(expected, rel=0.1)
        assert counts[1:].tolist() == [1_000, 100]


def test_tokens_are_gathered_and_some_masked(store):
    device = DeviceStore(store, "rare")
    windowing = small_config().network.windowing
    starts, lengths = torch.tensor([5, 40]), torch.tensor([4, 3])
    made = device.documents(starts, lengths, torch.tensor([7]), windowing)
    expected = torch.cat([device.tokens[5:9], device.tokens[40:43]]).long()
    assert torch.equal(made.types.words[made.tokens[0, :7]], device.words[expected])
    long = torch.tensor([2000])
    masked = device.documents(torch.tensor([0]), long, long, windowing, word_dropout=0.3)
    share = (masked.types.words[masked.tokens] == 1).float().mean().item()
    assert share == pytest.approx(0.3, abs=0.05)
    assert not device.state_dict()


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    """A store whose texts have lines and paragraphs."""
    folder = tmp_path_factory.mktemp("laid out")
    texts = ("A line.\nAnother, a long one that goes on.\n\nEnd\n\nof", "No line ends here, in")
    records = [{"author": f"a{i}", "topic": "t", "text": f"{texts[i % 2]} {i}."} for i in range(8)]
    path = folder / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    plan = Preparation([path], topics="labels", shares=(1, 0, 0), workers=1)
    return prepare(plan, folder / "store")


def read_back(store, most_words=None, **dropout):
    """Words of each document of the store, each read as two runs of tokens."""
    device = DeviceStore(store, "rare", most_words)
    ends = torch.from_numpy(np.array(store.array("document_ends")).astype(np.int64))
    lengths = ends.diff(prepend=torch.zeros(1, dtype=torch.long))
    runs = torch.stack([torch.full_like(lengths, 3), lengths - 3], 1)
    starts = torch.stack([ends - lengths, ends - lengths + 3], 1)
    windowing = small_config().network.windowing
    made = device.documents(starts.flatten(), runs.flatten(), lengths, windowing, **dropout)
    assert len(made.tokens) == len(lengths)  # a unit each
    read = [row[:n] for row, n in zip(made.tokens, made.unit_lengths, strict=True)]
    return [made.types.words[tokens].tolist() for tokens in read]


def without_line_ends(store, documents):
    ends = [store.vocabulary.words.index(name) for name in (LINE_END, BLANK_LINE)]
    return [[word for word in document if word not in ends] for document in documents]


def test_texts_that_lose_their_layout_keep_all_else_in_order(laid_out):
    whole = read_back(laid_out)
    stripped = without_line_ends(laid_out, whole)
    assert sum(map(len, whole)) - sum(map(len, stripped)) == 4 * 3
    assert read_back(laid_out, layout_dropout=0) == whole
    assert read_back(laid_out, layout_dropout=1 - 1e-9) == stripped


def test_a_text_loses_all_of_its_layout_or_none(laid_out):
    torch.manual_seed(0)
    whole = read_back(laid_out)
    stripped = without_line_ends(laid_out, whole)
    lost = []
    for _ in range(50):
        for read, before, after in zip(
            read_back(laid_out, layout_dropout=0.3), whole, stripped, strict=True
        ):
            assert read in (before, after)
            lost += [read == after] if before != after else []
    assert np.mean(lost) == pytest.approx(0.3, abs=0.1)


def test_line_ends_are_known_where_few_words_are(laid_out):
    few = read_back(laid_out, most_words=1, layout_dropout=1 - 1e-9)
    stripped = without_line_ends(laid_out, read_back(laid_out))
    assert list(map(len, few)) == list(map(len, stripped))
