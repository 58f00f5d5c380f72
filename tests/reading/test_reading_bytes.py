"""The bytes that are given are those that are named by their digest and told apart by content."""

import gzip
import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.reading import read_content, read_text
from samehand.reading.sources import MOST_BYTES
from tests.cli.console import SCRIPT
from tests.models import ESSAYS
from tests.reading.files import docx, pdf

TEXT = "It rained all night.\n\nNobody minded (the roof is new)."
ANNA, ANNA_2 = ESSAYS / "anna-1.txt", ESSAYS / "anna-2.txt"


@pytest.mark.parametrize("content", [TEXT.encode(), docx(*TEXT.split("\n\n"))], ids=["txt", "docx"])
def test_the_digest_is_of_the_bytes_on_disk(tmp_path: Path, content: bytes) -> None:
    for name, written in [("plain", content), ("packed.gz", gzip.compress(content))]:
        (tmp_path / name).write_bytes(written)
        reading = read_text(tmp_path / name)
        assert reading.text.strip() == TEXT
        assert reading.sha256 == hashlib.sha256(written).hexdigest()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no path here")
@pytest.mark.parametrize("packed", [True, False])
def test_a_pipe_is_read_once(packed: bool) -> None:
    content = gzip.compress(TEXT.encode()) if packed else TEXT.encode()
    reader, writer = os.pipe()
    try:
        with open(writer, "wb") as file:
            file.write(content)
        reading = read_text(Path(f"/dev/fd/{reader}"))
    finally:
        os.close(reader)
    assert (reading.text, reading.sha256) == (TEXT, hashlib.sha256(content).hexdigest())


def test_gzip_on_standard_input_is_unpacked(model: Path) -> None:
    content = gzip.compress(ANNA.read_bytes())
    command = [SCRIPT, "verify", "-", ANNA_2, "--json", "--model", model]
    done = subprocess.run(command, input=content, capture_output=True, check=True)
    told = json.loads(done.stdout)["questioned"]
    assert told["sha256"] == hashlib.sha256(ANNA.read_bytes()).hexdigest()
    assert told["file_sha256"] == hashlib.sha256(content).hexdigest()


def test_standard_input_that_is_closed_ends_in_one_sentence() -> None:
    command = ["sh", "-c", 'exec "$0" verify - "$1" <&-', SCRIPT, ANNA_2]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "samehand: standard input: it is closed; name a file.\n"


@pytest.mark.parametrize("packed", [True, False])
def test_the_limit_is_on_what_is_unpacked_and_on_what_is_packed(
    tmp_path: Path, packed: bool
) -> None:
    def pack(content: bytes) -> bytes:
        return gzip.compress(content, 1) if packed else content

    (tmp_path / "most").write_bytes(pack(b"rain " * (MOST_BYTES // 5)))
    assert len(read_text(tmp_path / "most").text) == MOST_BYTES // 5 * 5
    (tmp_path / "more").write_bytes(pack(b"x" * (MOST_BYTES + 1)))
    with pytest.raises(InputError, match="larger than 32 MiB"):
        read_text(tmp_path / "more")


MAC_HEADER = b"\0\x08text.pdf".ljust(128, b"\0")
MAIL_HEADER = b"Content-Type: application/pdf\r\n\r\n"


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (b"", "text"),
        (b"\xef\xbb\xbf \r\n", "text"),
        (MAC_HEADER, "text"),
        (MAIL_HEADER, "text.pdf"),
        (MAIL_HEADER, "text.PDF.gz"),
    ],
)
def test_a_pdf_may_have_something_before_its_mark(before: bytes, name: str) -> None:
    assert read_content(before + pdf(TEXT), "it", name).text.split() == TEXT.split()


@pytest.mark.parametrize(
    "text", ["A file that begins with %PDF-1.4 is a PDF.", "Its first line is\n%PDF-1.4\nor so."]
)
def test_a_text_that_speaks_of_the_mark_of_a_pdf_is_a_text(text: str) -> None:
    assert read_content(text.encode(), "it", "text.txt").text.split() == text.split()
