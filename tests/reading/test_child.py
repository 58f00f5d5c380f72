"""Any harm by a stranger's file ends with the process that reads it."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from samehand.reading import NotText, Unreadable, child, read_content
from samehand.reading.child import MOST_MEMORY, Kind, read_in_child
from tests.reading.files import docx, typeset

SENTENCE = "It rained all night, and nobody minded."
FILES: dict[Kind, bytes] = {
    "PDF": typeset([SENTENCE]),
    "Word file": docx(SENTENCE),
    "web page": f"<p>{SENTENCE}</p>".encode(),
    "Markdown file": SENTENCE.encode(),
}
ENDINGS: dict[Kind, str] = {
    "PDF": "pdf",
    "Word file": "docx",
    "web page": "html",
    "Markdown file": "md",
}
LONG = b"<p>" * (2 << 20)


def resident() -> int:
    """The most bytes that this process has held so far."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) << 10


@pytest.mark.parametrize("kind", FILES)
def test_the_text_comes_back(kind: Kind) -> None:
    assert read_content(FILES[kind], "it", f"it.{ENDINGS[kind]}").text == SENTENCE


def test_half_a_character_comes_back_as_it_is() -> None:
    page = "<p>caf&#xd83d; é 👩‍🚀 &#xdc69;"
    assert read_in_child("web page", page.encode()) == "caf\ufffd é 👩‍🚀 \ufffd"


@pytest.mark.parametrize("name", ["it.html", "it.md"])
def test_what_takes_too_long_is_given_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MOST_SECONDS", 0.5)
    start = time.monotonic()
    with pytest.raises(Unreadable, match="takes too long to read; save the part that matters"):
        read_content(LONG, "it", name)
    assert time.monotonic() - start < 5


def test_what_takes_too_much_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MOST_MEMORY", MOST_MEMORY // 20)
    before = resident()
    with pytest.raises(Unreadable, match="takes too long to read; save the part that matters"):
        read_in_child("web page", b"<a " + b"b=1 " * 500_000)
    assert resident() - before < MOST_MEMORY // 40


def test_stricter_limits_that_hold_already_stay() -> None:
    code = (
        "import resource as r; r.setrlimit(r.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "r.setrlimit(r.RLIMIT_CPU, (30, 30))\n"
        "from samehand.reading import read_content\n"
        "print(read_content(b'<p>It rained.', 'it', 'it.html').text)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "It rained.\n"


def test_what_ends_the_reader_is_told_in_a_sentence() -> None:
    with pytest.raises(Unreadable, match="the Markdown file is cut short or damaged; copy it"):
        read_in_child("Markdown file", b"\xff")  # nothing but text comes here, as a rule


def test_a_file_of_another_kind_is_told_as_such() -> None:
    with pytest.raises(NotText, match="a zip archive"):
        read_content(docx(SENTENCE).replace(b"word/document.xml", b"ward/document.xml"), "it", "it")


def test_it_needs_nothing_that_starts_slowly() -> None:
    readers = ("html", "markdown", "word", "pdf.extracting")
    code = (
        f"import sys, samehand.reading.child, {', '.join(f'samehand.reading.{r}' for r in readers)}"
        "\nassert not {'numpy', 'pydantic', 'rich', 'typer'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)
