"""Every format gives the same text; every fault ends in one sentence with the file's name."""

import gzip
import hashlib
import io
import random
import re
import sys
import zipfile
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.reading import read_text
from samehand.reading.sources import MOST_BYTES
from tests.reading.files import docx, pdf, typeset

PDFS = Path(__file__).with_name("pdf")
TEXT = "It rained all night.\n\nNobody minded – the roof is “new”, said Zoë."
PLAIN = "It rained all night.\n\nNobody minded (the roof is new)."

LONG = (
    "Nobody minded that the roof was new, for the old one had let in the rain of eleven winters, "
    "and whoever slept below it had learned to sleep with a pail at either side of the bed."
)


def read(tmp_path: Path, content: bytes, name: str = "text.txt") -> str:
    path = tmp_path / name
    path.write_bytes(content)
    return read_text(path).text


def fault(tmp_path: Path, content: bytes, name: str = "text.txt") -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, content, name)
    sentence = str(caught.value)
    assert sentence.startswith(f"{tmp_path / name}: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_unicode_is_told_by_its_mark(tmp_path: Path, encoding: str, ends: str) -> None:
    assert read(tmp_path, TEXT.replace("\n", ends).encode(encoding)) == TEXT


def test_windows_text_is_read_with_a_caution(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes(TEXT.encode("cp1252"))
    reading = read_text(path)
    assert reading.text == TEXT
    assert reading.caution == f"{path}: not valid UTF-8, so it was read as Windows-1252."


def test_gzip_is_unpacked_and_the_text_is_named_by_its_digest(tmp_path: Path) -> None:
    assert read(tmp_path, gzip.compress(TEXT.encode(), mtime=0), "text.md.gz") == TEXT
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    reading = read_text(tmp_path / "text.txt")
    assert reading.sha256 == hashlib.sha256(TEXT.encode()).hexdigest()
    assert reading.caution is None


def test_a_web_page_is_read_as_it_is_seen(tmp_path: Path) -> None:
    page = """<!DOCTYPE html><html><head><title>Rain</title><style>p {color: red}</style></head>
        <body><!-- no --><h1>Rain</h1><script>if (a < b) alert("x")</script>
        <p>It rained   all <b>night</b>.<p>Nobody minded &ndash; the roof is &ldquo;new&rdquo;,
        said Zo&euml;.</p><div hidden><div>secret</div></div><p style="display:none">secret</p>
        <ul><li>one<li>two</ul><svg><text>secret</text></svg></body></html>"""
    seen = f"Rain\n\n{TEXT}\n\none\ntwo"
    assert read(tmp_path, page.encode(), "page.html") == seen
    assert read(tmp_path, page.encode(), "saved") == seen


def test_a_web_page_that_never_closes_its_tags_is_still_read(tmp_path: Path) -> None:
    page = "<html><head><title>x<body><p>It rained all night.<p>Nobody minded <i>at all."
    seen = "It rained all night.\n\nNobody minded at all."
    assert read(tmp_path, page.encode(), "page.htm") == seen


@pytest.mark.parametrize("opened", ["<a ", "<!--", "<a b='", "x<b ", "</a", "<script>", "<!["])
def test_a_page_that_leaves_everything_open_is_refused_at_once(tmp_path: Path, opened: str) -> None:
    """Python's parser would take minutes."""
    page = f"<html>{opened * 100_000}".encode()
    assert re.search("never closed|markup is broken", fault(tmp_path, page, "page.html"))


def test_a_page_cut_inside_a_tag_is_read_to_there(tmp_path: Path) -> None:
    page = "<html><p>It rained. " * 30_000 + "<p class='c"
    assert read(tmp_path, page.encode()).split("\n\n") == ["It rained."] * 30_000
    assert read(tmp_path, b"<html>Tea &amp; cake &am") == "Tea & cake &am"


def test_markdown_loses_its_markup_and_keeps_its_prose(tmp_path: Path) -> None:
    source = """---
title: Rain
---
# Rain

It *rained* all __night__, see [the log](https://example.org/log_1) or [this][1]. ![roof](r.png)
> Nobody minded 2 * 3 * 4 snake_case_names.

```python
secret = 1
```
Use `tar` <b>now</b>.<!-- secret -->

[1]: https://example.org/2
"""
    prose = " ".join(read(tmp_path, source.encode(), "text.md").split())
    assert prose == (
        "Rain It rained all night, see the log or this. "
        "Nobody minded 2 * 3 * 4 snake_case_names. Use tar now."
    )
    assert "secret" in read(tmp_path, source.encode(), "text.txt")


def test_a_word_file_is_read_in_its_order(tmp_path: Path) -> None:
    content = docx(*TEXT.split("\n\n"), table=[["a", "b"], ["c", "d"]], last="The end.")
    for name in ("text.docx", "no-ending"):
        assert read(tmp_path, content, name) == f"{TEXT}\n\na\nb\nc\nd\n\nThe end."


def test_a_pdf_is_read_page_by_page(tmp_path: Path) -> None:
    content = pdf(PLAIN, "The end.")
    for name in ("text.pdf", "no-ending"):
        assert read(tmp_path, content, name) == f"{PLAIN}\n\nThe end."


def test_a_pdf_that_only_forbids_printing_is_read(tmp_path: Path) -> None:
    content = (PDFS / "forbids-printing.pdf").read_bytes()
    assert read(tmp_path, content, "text.pdf").split() == PLAIN.split()


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        (b"", "text.txt", "empty"),
        (b" \n\n", "text.txt", "no text in it"),
        (b"<html><script>1</script></html>", "text.html", "no text in it"),
        (random.Random(0).randbytes(5000), "text.txt", "binary data"),
        (b"\x7fELF\x02\x01\x01" + bytes(100), "program", "binary data"),
        (b"\xff\xfea\x00\x00\xd8", "text.txt", "save it as UTF-8"),
        (TEXT.encode("utf-32"), "text.txt", "binary data"),
        (TEXT.encode("utf-16-le"), "text.txt", "binary data"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "text.doc", "save it as .docx"),
        (rb"{\rtf1\ansi Hello}", "text.rtf", "save it as .docx"),
        (docx(TEXT)[:2000], "text.docx", "cut short or damaged"),
        (docx(""), "text.docx", "no text in it"),
        (pdf(PLAIN)[:-200], "text.pdf", "cut short or damaged"),
        (b"%PDF-1.4\nnothing like it\n%%EOF", "text.pdf", "cut short or damaged"),
        (pdf(""), "scan.pdf", "only pictures of it"),
        ((PDFS / "locked.pdf").read_bytes(), "text.pdf", "locked with a password"),
        (gzip.compress(TEXT.encode(), mtime=0)[:-9], "text.txt.gz", "cut short or damaged"),
        (gzip.compress(bytes(MOST_BYTES + 1), mtime=0), "bomb.gz", "larger than 32 MiB"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, content: bytes, name: str, reason: str
) -> None:
    assert reason in fault(tmp_path, content, name)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_text(tmp_path / "nowhere.txt")
    with pytest.raises(InputError, match="is a folder"):
        read_text(tmp_path)


def zipped(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name.replace("__", "/"), content)
    return file.getvalue()


def test_other_archives_and_zip_bombs_are_refused(tmp_path: Path) -> None:
    assert "save it as .docx" in fault(tmp_path, zipped(content=b"x"), "text.odt")
    parts = {"word__document.xml": bytes(257 << 20)}
    assert "unpacks to more than 256 MiB" in fault(tmp_path, zipped(**parts), "bomb.docx")
    assert "damaged" in fault(tmp_path, zipped(**{"word__document.xml": b"<w/>"}), "text.docx")


def test_the_extra_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    assert "run pip install '.[docs]'" in fault(tmp_path, pdf(PLAIN))


@pytest.mark.parametrize("end", ["\n", "\n\n"])
@pytest.mark.parametrize("lines", [1, 3])
def test_the_same_words_of_every_kind_of_file_are_the_same_text(
    tmp_path: Path, end: str, lines: int
) -> None:
    """However paragraphs are marked, and however the author broke lines in them."""
    paragraphs = ["\n".join([words] * lines) for words in (LONG, "It rained.", LONG, LONG)]
    written = end.join(paragraphs)
    html = "".join(f"<p>{paragraph}</p>".replace("\n", "<br>\n") for paragraph in paragraphs)
    found = {
        read(tmp_path, written.encode(), "text.txt"),
        read(tmp_path, docx(*paragraphs), "text.docx"),
        read(tmp_path, docx(*written.split("\n")), "lines.docx"),
        read(tmp_path, html.encode(), "text.html"),
        read(tmp_path, "\n\n".join(paragraphs).encode(), "text.md"),
        read(tmp_path, typeset(paragraphs), "text.pdf"),
    }
    assert len(found) == 1
    assert found == {"\n\n".join(paragraphs)} or lines > 1
