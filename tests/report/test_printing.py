"""A report as PDF, by the browser that is here."""

import shutil
from pathlib import Path

import pypdfium2
import pytest

from samehand.errors import InputError
from samehand.report.markup import tag
from samehand.report.page import page
from samehand.report.printing import check_document, write_document
from tests.cli.console import complaint, samehand
from tests.models import ESSAYS

ANNA, BRUNO = (ESSAYS / f"{name}.txt" for name in ("anna-1", "bruno-1"))
HTML = page("A report <of> something", tag("p", "Never, \u2009ever & \U0001f600."))
needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, ("chromium", "google-chrome"))), reason="there is no browser"
)


@needs_browser
def test_a_pdf_is_the_same_each_time_and_keeps_the_words(tmp_path: Path) -> None:
    digests = {write_document(tmp_path / f"{name}.pdf", HTML) for name in ("one", "two")}
    assert len(digests) == 1
    read = pypdfium2.PdfDocument(tmp_path / "one.pdf")
    assert read.get_metadata_value("Title") == "A report <of> something"
    text = read[0].get_textpage().get_text_range()
    assert "A report <of> something" in text
    assert "1 / 1" in text


@needs_browser
def test_verify_writes_one(model: Path, tmp_path: Path) -> None:
    made = tmp_path / "report.pdf"
    samehand("verify", ANNA, BRUNO, "--model", model, "--report", made)
    assert made.read_bytes().startswith(b"%PDF")


def test_without_a_browser_it_is_said_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"none is here; write report\.html instead"):
        check_document(tmp_path / "report.pdf")
    check_document(tmp_path / "report.html")


def test_a_browser_that_prints_nothing_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\nexit 1\n")
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match=r"made no PDF; write report\.html instead"):
        write_document(tmp_path / "report.pdf", HTML)
    assert not (tmp_path / "report.pdf").exists()


def test_a_pdf_that_cannot_be_written_is_named(model: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "report.pdf"
    assert str(nowhere) in complaint("verify", ANNA, BRUNO, "--model", model, "--report", nowhere)
