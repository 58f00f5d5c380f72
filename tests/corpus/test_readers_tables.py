"""Tables with named columns: what is written is read, and what is wrong is named."""

import csv
import gzip
import json
import os
import threading
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samehand.corpus.document import Document
from samehand.corpus.readers import Columns, read_corpus, sources
from samehand.errors import InputError
from samehand.io.text_lines import MOST_BYTES

ROWS = [
    Document("ann", "boats", "The tide turned before we did."),
    Document("ben", "bread", 'Knead it, she said;\nthen wait, "as long as it takes".'),
    Document("ann", "bread", "Grüße aus der Bäckerei 🥖"),
]


def write_csv(path: Path, rows: list[Document] = ROWS, delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(Document._fields)
        writer.writerows(rows)
    return path


def write_jsonl(path: Path, rows: list[Document] = ROWS) -> Path:
    path.write_text("".join(json.dumps(row._asdict()) + "\n" for row in rows), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: list[Document] = ROWS) -> Path:
    pq.write_table(pa.Table.from_pylist([row._asdict() for row in rows]), path, row_group_size=2)
    return path


WRITERS = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}


def zipped(path: Path) -> Path:
    target = path.with_name(path.name + ".gz")
    target.write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    return target


def fault_of(path: Path, **options: object) -> str:
    """The one sentence that reading the path ends in."""
    with pytest.raises(InputError) as caught:
        list(read_corpus(path, **options))  # type: ignore[arg-type]
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert str(path) in sentence
    return sentence


@pytest.mark.parametrize("kind", WRITERS)
def test_reads_what_was_written(kind: str, tmp_path: Path) -> None:
    path = WRITERS[kind](tmp_path / f"corpus.{kind}")
    assert list(read_corpus(path)) == ROWS


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map(str.strip)
documents = st.builds(
    Document,
    names.filter(bool),
    names,
    # A raw NUL is how a CSV file shows that it is binary; the other formats can carry one.
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
    .filter(lambda text: bool(text.strip())),
    names.filter(bool),
)  # fmt: skip


@pytest.mark.parametrize("kind", WRITERS)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(documents, min_size=1, max_size=5))
def test_any_unicode_reads_back_the_same(kind: str, rows: list[Document], tmp_path: Path) -> None:
    path = WRITERS[kind](tmp_path / f"corpus.{kind}", rows)
    assert list(read_corpus(path, Columns(id="id"))) == rows


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_gzip_is_known_by_its_bytes(kind: str, tmp_path: Path) -> None:
    path = zipped(WRITERS[kind](tmp_path / f"corpus.{kind}"))
    assert list(read_corpus(path)) == ROWS
    misnamed = path.rename(tmp_path / f"misnamed.{kind}")
    assert list(read_corpus(misnamed)) == ROWS


def piped(path: Path, content: bytes) -> Path:
    """A pipe that somebody writes to."""
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=[content], daemon=True).start()
    return path


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_pipe_is_read_once_by_its_name_or_the_format_named(
    kind: str, packed: bool, tmp_path: Path
) -> None:
    content = WRITERS[kind](tmp_path / f"corpus.{kind}").read_bytes()
    content = gzip.compress(content) if packed else content
    assert list(read_corpus(piped(tmp_path / f"pipe.{kind}", content))) == ROWS
    assert list(read_corpus(piped(tmp_path / "63", content), format=kind)) == ROWS


@pytest.mark.parametrize("format", [None, "parquet", "pan20", "pan13", "folders"])
def test_a_pipe_of_anything_else_is_refused_before_it_is_read(
    format: str | None, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "63")  # opening it would wait for somebody to write
    told = fault_of(tmp_path / "63", format=format)
    assert "a pipe is read as CSV or JSONL; name which with --format, or give a file" in told


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_byte_order_mark_and_crlf(delimiter: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "corpus.csv", delimiter=delimiter)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert b"\r\n" in path.read_bytes()
    assert list(read_corpus(path)) == ROWS


def test_tsv_and_misnamed_jsonl_and_parquet(tmp_path: Path) -> None:
    assert list(read_corpus(write_csv(tmp_path / "a.tsv", delimiter="\t"))) == ROWS
    assert list(read_corpus(write_jsonl(tmp_path / "b.json"))) == ROWS
    assert list(read_corpus(write_parquet(tmp_path / "c.table"))) == ROWS
    assert list(read_corpus(write_csv(tmp_path / "d.data"), format="csv")) == ROWS


def test_jsonl_with_byte_order_mark_crlf_and_blank_lines(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "corpus.jsonl")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert list(read_corpus(path)) == ROWS


def test_named_columns_whole_numbers_and_no_topic(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"who": 17, "body": "Seventeen wrote this."}\n')
    assert list(read_corpus(path, Columns(author="who", text="body"))) == [
        Document("17", "", "Seventeen wrote this.")
    ]
    table = pa.table({"who": pa.array([17]).dictionary_encode(), "body": ["Seventeen wrote this."]})
    pq.write_table(table, tmp_path / "corpus.parquet")
    assert list(read_corpus(tmp_path / "corpus.parquet", Columns("who", text="body"))) == [
        Document("17", "", "Seventeen wrote this.")
    ]


@pytest.mark.parametrize("kind", WRITERS)
def test_where_nobody_asks_for_authors_there_are_none(kind: str, tmp_path: Path) -> None:
    path = WRITERS[kind](tmp_path / f"corpus.{kind}")
    expected = [row._replace(author="") for row in ROWS]
    assert list(read_corpus(path, Columns(author=None))) == expected


@pytest.mark.parametrize("kind", WRITERS)
def test_a_topic_column_that_was_asked_for_must_be_there(kind: str, tmp_path: Path) -> None:
    path = WRITERS[kind](tmp_path / f"corpus.{kind}")
    assert "no column 'subject'" in fault_of(path, columns=Columns(topic="subject"))


@pytest.mark.parametrize("name", ["author", "topic", "text"])
def test_columns_of_one_name_are_refused(name: str, tmp_path: Path) -> None:
    names = ["author", "topic", "text", name]
    (tmp_path / "c.csv").write_text(f"{','.join(names)}\na,b,c,d\n", "utf-8")
    table = pa.table([pa.array([value]) for value in "abcd"], names=names)
    pq.write_table(table, tmp_path / "c.parquet")
    for file in ("c.csv", "c.parquet"):
        assert f"several columns '{name}'" in fault_of(tmp_path / file)


@pytest.mark.parametrize("string_type", [pa.large_string(), pa.string_view()])
def test_parquet_string_types(string_type: pa.DataType, tmp_path: Path) -> None:
    columns = {
        name: pa.array([row._asdict()[name] for row in ROWS], string_type)
        for name in Document._fields
    }
    pq.write_table(pa.table(columns), tmp_path / "corpus.parquet")
    assert list(read_corpus(tmp_path / "corpus.parquet")) == ROWS


@pytest.mark.parametrize("kind", WRITERS)
def test_five_megabytes_just_work(kind: str, tmp_path: Path) -> None:
    long = [Document("ann", "sea", "salt water, " * 450_000)]
    assert list(read_corpus(WRITERS[kind](tmp_path / f"corpus.{kind}", long))) == long


def test_a_folder_of_tables_has_one_source_a_file(tmp_path: Path) -> None:
    write_csv(tmp_path / "letters.csv", ROWS[:1])
    zipped(write_jsonl(tmp_path / "diaries.jsonl", ROWS[1:]))
    (tmp_path / "README.md").write_text("not a table")
    parts = sources(tmp_path)
    assert [name for name, _ in parts] == ["diaries", "letters"]
    assert [list(read_corpus(path)) for _, path in parts] == [ROWS[1:], ROWS[:1]]
    assert list(read_corpus(tmp_path)) == ROWS[1:] + ROWS[:1]
    assert list(read_corpus(tmp_path, format="csv")) == ROWS[:1]


def test_sources_with_one_stem_keep_their_endings(tmp_path: Path) -> None:
    write_csv(tmp_path / "letters.csv")
    write_jsonl(tmp_path / "letters.jsonl")
    assert [name for name, _ in sources(tmp_path)] == ["letters.csv", "letters.jsonl"]


@pytest.mark.parametrize("kind", WRITERS)
def test_file_faults_are_named_even_when_bad_records_are_skipped(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"corpus.{kind}"

    def fault(**options: object) -> str:
        return fault_of(path, on_bad=pytest.fail, **options)

    assert "does not exist" in fault()
    path.write_bytes(b"")
    assert ("0 bytes" if kind == "parquet" else "empty") in fault()
    path.write_bytes(b"\x7fELF\x02\x00\x00\x00\xff" * 20)
    assert ("Parquet" if kind == "parquet" else "binary") in fault()
    WRITERS[kind](path)
    assert "--author-column" in fault(columns=Columns(author="writer"))
    assert "found: author, topic, text" in fault(columns=Columns(text="body"))


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_gzip_cut_short(kind: str, tmp_path: Path) -> None:
    path = zipped(WRITERS[kind](tmp_path / f"corpus.{kind}", ROWS * 500))
    path.write_bytes(path.read_bytes()[:-40])
    assert "cut short" in fault_of(path)


def test_parquet_cut_short(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "corpus.parquet")
    path.write_bytes(path.read_bytes()[:-40])
    assert "Parquet" in fault_of(path)


def test_a_long_field_is_read_and_the_limit_of_the_process_stays(tmp_path: Path) -> None:
    usual = csv.field_size_limit()
    long = Document("ann", "", "word " * 100_000)
    found = read_corpus(write_csv(tmp_path / "corpus.csv", [long, *ROWS]))
    for row in (long, *ROWS):
        assert next(found) == row
        assert csv.field_size_limit() == usual


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_line_without_end_is_refused(kind: str, tmp_path: Path) -> None:
    path = WRITERS[kind](tmp_path / f"corpus.{kind}")
    number = path.read_bytes().count(b"\n") + 1
    with path.open("ab") as file:
        file.truncate(path.stat().st_size)
        file.write(b'{"author": "ann", "text": "' + b"x" * (MOST_BYTES + 1))
    assert f"line {number} is longer than 32 MB" in fault_of(path)


def test_a_parquet_file_with_damaged_names(tmp_path: Path) -> None:
    content = write_parquet(tmp_path / "corpus.parquet").read_bytes()
    (tmp_path / "corpus.parquet").write_bytes(content.replace(b"topic", b"to\xffic"))
    assert "cannot be read as Parquet" in fault_of(tmp_path / "corpus.parquet")


def test_a_header_without_rows(tmp_path: Path) -> None:
    assert "no usable document" in fault_of(write_csv(tmp_path / "corpus.csv", []))


def test_parquet_text_that_is_no_string(tmp_path: Path) -> None:
    pq.write_table(pa.table({"author": ["ann"], "text": [1.5]}), tmp_path / "corpus.parquet")
    assert "'text' is not a string but of type double" in fault_of(tmp_path / "corpus.parquet")


def test_unknown_format_and_unknown_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("just a text")
    assert "no corpus is recognised" in fault_of(path)
    with pytest.raises(InputError, match="no format 'xml'"):
        list(read_corpus(path, format="xml"))


GOOD = b'{"author": "ann", "text": "A good line."}\n'
BAD_JSON = {
    "cut in half": (b'{"author": "ann", "te', "not valid JSON"),
    "not UTF-8": (b'{"author": "ann", "text": "caf\xe9"}', "not valid UTF-8"),
    "half a surrogate pair": (rb'{"author": "ann", "text": "\ud83d"}', "not valid UTF-8"),
    "NUL": (b'{"author": "ann", "text": "a' + b"\0" * 9 + b'"}', "not valid JSON"),
    "a list": (b'["ann", "text"]', "not a JSON object"),
    "deep": (b"[" * 100_000, "JSON"),
    "huge number": (b'{"author": ' + b"9" * 9_000 + b"}", "JSON"),
    "no author": (b'{"text": "x"}', "author is missing"),
    "null author": (b'{"author": null, "text": "x"}', "author is missing"),
    "empty author": (b'{"author": " ", "text": "x"}', "author is empty"),
    "null text": (b'{"author": "ann", "text": null}', "text is missing"),
    "blank text": (b'{"author": "ann", "text": " \\n"}', "text is empty"),
    "number as text": (b'{"author": "ann", "text": 5}', "text is not a string"),
    "true as author": (b'{"author": true, "text": "x"}', "author is not a string"),
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_bad_json_lines(name: str, tmp_path: Path) -> None:
    line, complaint = BAD_JSON[name]
    path = tmp_path / "corpus.jsonl"
    # Padding keeps the NUL out of the first block, where it would condemn the file as binary.
    path.write_bytes(GOOD * 8_000 + line + b"\n" + GOOD)
    sentence = fault_of(path)
    assert complaint in sentence
    assert f"{path}, line 8001:" in sentence
    reports: list[str] = []
    assert len(list(read_corpus(path, on_bad=reports.append))) == 8_001
    assert len(reports) == 1
    assert complaint in reports[0]


BAD_CSV = {
    "not UTF-8": (b"ann,boats,caf\xe9\n", "not valid UTF-8"),
    "too few fields": (b"ann,boats\n", "2 fields where the header has 3"),
    "too many fields": (b"ann,boats,a,b\n", "4 fields"),
    "text after a quote": (b'ann,boats,"one" two\n', "not valid CSV"),
    "empty author": (b",boats,Text.\n", "author is empty"),
    "empty text": (b"ann,boats,\n", "text is empty"),
}


@pytest.mark.parametrize("name", BAD_CSV)
def test_bad_csv_rows(name: str, tmp_path: Path) -> None:
    row, complaint = BAD_CSV[name]
    path = tmp_path / "corpus.csv"
    path.write_bytes(b'author,topic,text\nann,boats,"two\nlines"\n' + row + b"ben,bread,Last.\n")
    sentence = fault_of(path)
    assert complaint in sentence
    assert f"{path}, line 4:" in sentence
    reports: list[str] = []
    kept = list(read_corpus(path, on_bad=reports.append))
    assert [document.text for document in kept] == ["two\nlines", "Last."]
    assert len(reports) == 1


@pytest.mark.parametrize(
    "header", [b'"author"x,topic,text', b'author,text,"note', b'author,text,"no"te']
)
def test_bad_csv_headers(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_bytes(header + b"\nann,boats,Whole.\n")
    assert f"{path}, line 1: the row is not valid CSV" in fault_of(path)


def test_line_ends_of_old_macs_are_named(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "corpus.csv", ROWS[:1])
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\r"))
    assert rf"{path}, line 1: the row is broken by \r without \n" in fault_of(path)
    path.write_bytes(b"author,text\nann,One\rline.\n")
    assert r"line 2: the row is broken by \r without \n, outside of quotes" in fault_of(path)


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_what_is_packed_twice_is_said_to_be(kind: str, tmp_path: Path) -> None:
    path = zipped(zipped(WRITERS[kind](tmp_path / f"corpus.{kind}")))
    assert "packed twice; unpack it once" in fault_of(path, format=kind)


def test_a_header_may_be_long(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_bytes(b"author,text," + b"x" * 200_000 + b"\nann,Whole.,\n")
    assert [document.text for document in read_corpus(path)] == ["Whole."]


def test_csv_cut_inside_quotes(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_bytes(b'author,text\nann,Whole.\nben,"cut in ha')
    assert "line 3: the row is not valid CSV" in fault_of(path)


def test_bad_parquet_rows(tmp_path: Path) -> None:
    invalid = pa.array([b"fine", b"caf\xe9", None, b"fine too", b" "]).view(pa.string())
    authors = pa.array(["ann", "ben", "cas", None, "dan"])
    path = tmp_path / "corpus.parquet"
    pq.write_table(pa.table({"author": authors, "text": invalid}), path)
    assert "row 2: the text is not valid UTF-8" in fault_of(path)
    reports: list[str] = []
    assert list(read_corpus(path, on_bad=reports.append)) == [Document("ann", "", "fine")]
    assert [report.removeprefix(f"{path}, ").split(";")[0] for report in reports] == [
        "row 2: the text is not valid UTF-8",
        "row 3: the text is missing",
        "row 4: the author is missing",
        "row 5: the text is empty",
    ]
