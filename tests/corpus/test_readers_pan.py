"""PAN corpora as documents: whose text is whose, and which files go together."""

import gzip
import json
from pathlib import Path

import pytest

from samehand.corpus.document import Document
from samehand.corpus.readers import read_corpus, sources
from samehand.errors import InputError

PAIRS = [
    {"id": "p1", "fandoms": ["Ships", "Bread"], "pair": ["Sail on.", "Bake it twice."]},
    {"id": "p2", "fandoms": ["Ships", "Ships"], "pair": ["Anchor up.", "Row, row."]},
]
TRUTH = [
    {"id": "p1", "same": True, "authors": ["11", "11"]},
    {"id": "p2", "same": False, "authors": ["11", "12"]},
]
DOCUMENTS = [
    Document("11", "Ships", "Sail on."),
    Document("11", "Bread", "Bake it twice."),
    Document("11", "Ships", "Anchor up."),
    Document("12", "Ships", "Row, row."),
]


def write_lines(path: Path, records: list[dict[str, object]]) -> Path:
    content = "".join(json.dumps(record) + "\n" for record in records).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def changed(records: list[dict[str, object]], **fields: object) -> list[dict[str, object]]:
    """The records, the first one with other fields."""
    return [{**records[0], **fields}, *records[1:]]


@pytest.mark.parametrize(
    ("pairs", "truth"),
    [
        ("pairs.jsonl", "truth.jsonl"),
        ("pairs.jsonl.gz", "truth.jsonl"),
        ("pairs.jsonl", "truth.jsonl.gz"),
        ("small-pairs.jsonl", "small-truth.jsonl"),
        ("pan20-training-small.jsonl", "pan20-training-small-truth.jsonl"),
        ("test_pairs.jsonl", "truth.jsonl"),
    ],
)
def test_pan20_by_the_names_in_use(pairs: str, truth: str, tmp_path: Path) -> None:
    write_lines(tmp_path / pairs, PAIRS)
    write_lines(tmp_path / truth, TRUTH)
    write_lines(tmp_path / "answers.jsonl", [{"id": "p1", "value": 0.5}])
    assert list(read_corpus(tmp_path)) == DOCUMENTS
    assert list(read_corpus(tmp_path / pairs)) == DOCUMENTS
    assert sources(tmp_path) == [(tmp_path.name, tmp_path)]


def test_pan20_folder_with_two_corpora_gives_each_its_own_truth(tmp_path: Path) -> None:
    for name, pair, truth in zip(["a", "b"], PAIRS, TRUTH, strict=True):
        write_lines(tmp_path / f"{name}-pairs.jsonl", [pair])
        write_lines(tmp_path / f"{name}-truth.jsonl", [truth])
    assert list(read_corpus(tmp_path)) == DOCUMENTS


def test_pan20_truth_of_another_corpus_is_not_taken(tmp_path: Path) -> None:
    write_lines(tmp_path / "small-pairs.jsonl", PAIRS)
    write_lines(tmp_path / "small-truth.jsonl", TRUTH)
    large = write_lines(tmp_path / "large-pairs.jsonl", PAIRS)
    with pytest.raises(InputError, match="no truth file"):
        list(read_corpus(large))


def test_pan22_discourse_types_are_topics_and_none_are_needed(tmp_path: Path) -> None:
    first = {"id": "p1", "discourse_types": ["email", "essay"], "pair": ["One.", "Two."]}
    write_lines(tmp_path / "pairs.jsonl", [first, {"id": "p2", "pair": ["Three.", "Four."]}])
    write_lines(tmp_path / "truth.jsonl", TRUTH)
    topics = [document.topic for document in read_corpus(tmp_path)]
    assert topics == ["email", "essay", "", ""]


BAD_PAN20 = {
    "id not in truth": (changed(PAIRS, id="p9"), TRUTH, "'p9' is not in truth.jsonl"),
    "no pair": (changed(PAIRS, pair="Sail on."), TRUTH, "`pair` is not a list of two"),
    "one topic": (changed(PAIRS, fandoms=["Ships"]), TRUTH, "`fandoms` is not a list of two"),
    "number as text": (changed(PAIRS, pair=["a", 1]), TRUTH, "text is not a string"),
    "empty text": (changed(PAIRS, pair=["a", ""]), TRUTH, "text is empty"),
    "label against authors": (PAIRS, changed(TRUTH, same=False), "`same` contradicts `authors`"),
    "no label": (PAIRS, changed(TRUTH, same="yes"), "neither true nor false"),
}


@pytest.mark.parametrize("name", BAD_PAN20)
def test_pan20_bad_records(name: str, tmp_path: Path) -> None:
    pairs, truth, complaint = BAD_PAN20[name]
    write_lines(tmp_path / "pairs.jsonl", pairs)
    write_lines(tmp_path / "truth.jsonl", truth)
    with pytest.raises(InputError, match="jsonl, line 1: ") as caught:
        list(read_corpus(tmp_path))
    assert complaint in str(caught.value)
    reports: list[str] = []
    assert list(read_corpus(tmp_path, on_bad=reports.append)) == DOCUMENTS[2:]
    assert complaint in reports[0]


def test_pan20_truth_cut_in_half(tmp_path: Path) -> None:
    write_lines(tmp_path / "pairs.jsonl", PAIRS)
    truth = write_lines(tmp_path / "truth.jsonl", TRUTH)
    truth.write_bytes(truth.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"truth.jsonl, line 2: the line is not valid JSON"):
        list(read_corpus(tmp_path))


def test_pan20_truth_that_cannot_train(tmp_path: Path) -> None:
    write_lines(tmp_path / "pairs.jsonl", PAIRS)
    with pytest.raises(InputError, match="no truth file"):
        list(read_corpus(tmp_path))
    truth = write_lines(tmp_path / "truth.jsonl", [{"id": "p1", "same": True}])
    with pytest.raises(InputError, match="names no `authors`"):
        list(read_corpus(tmp_path, on_bad=pytest.fail))
    write_lines(truth, [*TRUTH, {"id": "p1", "same": False, "authors": ["11", "13"]}])
    with pytest.raises(InputError, match="line 3: the id 'p1' had another answer before"):
        list(read_corpus(tmp_path, on_bad=pytest.fail))


def write_pan13(root: Path) -> Path:
    (root / "EN001").mkdir()
    (root / "EN001" / "known01.txt").write_text("First known.")
    (root / "EN001" / "known02.txt").write_bytes(b"\xef\xbb\xbfSecond\r\nknown.")
    (root / "EN001" / "unknown.txt").write_bytes(gzip.compress(b"By the same."))
    (root / "EN002").mkdir()
    (root / "EN002" / "known01.txt").write_text("Third known.")
    (root / "EN002" / "unknown.txt").write_text("By another.")
    (root / "contents.json").write_text('{"language": "English", "problems": ["EN001", "EN002"]}')
    (root / "truth.txt").write_bytes(b"\xef\xbb\xbfEN001 Y\r\nEN002 N\r\n\r\n")
    return root


def test_pan13_attributes_the_unknown_text_by_the_truth(tmp_path: Path) -> None:
    assert list(read_corpus(write_pan13(tmp_path))) == [
        Document("EN001", "", "First known."),
        Document("EN001", "", "Second\nknown."),
        Document("EN001", "", "By the same."),
        Document("EN002", "", "Third known."),
        Document("EN002-unknown", "", "By another."),
    ]


def spoil_truth(root: Path) -> None:
    (root / "truth.txt").write_text("EN001 perhaps\nEN002 N\n")


def drop_truth(root: Path) -> None:
    (root / "truth.txt").write_text("EN002 N\n")


def drop_known(root: Path) -> None:
    (root / "EN001" / "known01.txt").unlink()
    (root / "EN001" / "known02.txt").unlink()


def add_unknown(root: Path) -> None:
    (root / "EN001" / "unknown2.txt").write_text("Which of us?")


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (spoil_truth, r"truth.txt, line 1: the line is not a problem and Y or N"),
        (drop_truth, r"EN001: the problem 'EN001' is not in the truth file"),
        (drop_known, r"EN001: the problem has no known\*.txt"),
        (add_unknown, r"EN001: the problem has several unknown\*.txt"),
    ],
)
def test_pan13_bad_problems(spoil, complaint: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    spoil(write_pan13(tmp_path))
    with pytest.raises(InputError, match=complaint):
        list(read_corpus(tmp_path))
    kept = list(read_corpus(tmp_path, on_bad=lambda _: None))
    assert [document.author for document in kept] == ["EN002", "EN002-unknown"]


def test_pan13_without_truth(tmp_path: Path) -> None:
    (write_pan13(tmp_path) / "truth.txt").unlink()
    with pytest.raises(InputError, match=r"no truth\.txt"):
        list(read_corpus(tmp_path))
