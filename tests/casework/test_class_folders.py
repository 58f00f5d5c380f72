"""Whose texts are in two folders is told by names, and what cannot be read ends nothing."""

import os
import unicodedata
from pathlib import Path

import pytest

from samehand.casework.class_folders import find_class, read_class
from samehand.errors import InputError
from tests.models import essay
from tests.reading.files import docx, typeset

TEXT = essay("anna-1")


def put(folder: Path, *names: str, content: str | bytes = TEXT) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def folders(tmp_path: Path) -> tuple[Path, Path]:
    new, earlier = tmp_path / "new", tmp_path / "earlier"
    new.mkdir()
    earlier.mkdir()
    return new, earlier


def test_names_of_files_and_folders_tell_whose_texts_are_there(tmp_path: Path) -> None:
    new, earlier = folders(tmp_path)
    put(new, "Anna.docx", "bruno.txt.gz", "Clara/one.txt", "Clara/two.md", "dora.txt", ".DS_Store")
    put(earlier, "anna/2.txt", "anna/1.pdf", "anna/2024/3.txt", "anna/.hidden", "Bruno.txt")
    put(earlier, "clara/1.txt", "emil.txt")
    (earlier / "empty").mkdir()
    found = find_class(new, earlier)
    assert [each.name for each in found.writers] == [
        "Anna", "Clara/one.txt", "Clara/two.md", "bruno", "dora",
    ]  # fmt: skip
    anna, clara, again, bruno, dora = found.writers
    assert anna.questioned == new / "Anna.docx"
    assert anna.known == tuple(earlier / "anna" / name for name in ("1.pdf", "2.txt", "2024/3.txt"))
    assert clara.known == again.known == (earlier / "clara" / "1.txt",)
    assert bruno.known == (earlier / "Bruno.txt",)
    assert dora.known == ()
    assert found.without_new == ("emil",)


def test_an_accent_is_one_however_it_is_written(tmp_path: Path) -> None:
    new, earlier = folders(tmp_path)
    put(new, unicodedata.normalize("NFC", "Zoë Müller.txt"))
    put(earlier, unicodedata.normalize("NFD", "zoë müller") + "/1.txt")
    (found,) = find_class(new, earlier).writers
    assert len(found.known) == 1


def test_a_name_is_shown_on_one_line(tmp_path: Path) -> None:
    new, earlier = folders(tmp_path)
    name = os.fsdecode(b"two\nlines \xff")
    put(new, f"{name}.txt")
    put(earlier, f"{name}/1.txt", f"{name}2.txt")
    found = find_class(new, earlier)
    assert [each.name for each in found.writers] == ["two lines ?"]
    assert found.without_new == ("two lines ?2",)


def test_two_things_of_one_name_are_refused(tmp_path: Path) -> None:
    new, earlier = folders(tmp_path)
    put(new, "anna.txt", "Anna.docx")
    put(earlier, "anna.txt")
    with pytest.raises(InputError, match=r"new: Anna\.docx and anna\.txt are of one writer by"):
        find_class(new, earlier)


def test_folders_that_have_nothing_to_do_with_each_other_are_refused(tmp_path: Path) -> None:
    new, earlier = folders(tmp_path)
    with pytest.raises(InputError, match=r"new: there is no text in this folder"):
        find_class(new, earlier)
    put(new, "essay-1.txt")
    put(earlier, "anna/1.txt")
    with pytest.raises(InputError, match=r"no name in common \(essay-1 is in the one, anna in the"):
        find_class(new, earlier)
    with pytest.raises(InputError, match=r"essay-1\.txt: not a folder; with --each"):
        find_class(new / "essay-1.txt", earlier)


def test_texts_are_read_and_what_is_doubtful_or_wrong_is_said(tmp_path: Path) -> None:
    new, earlier = folders(tmp_path)
    text = TEXT.encode("ascii", "ignore").decode()
    put(new, "word.docx", content=docx(*text.split("\n")))
    put(new, "old.txt", content=(text + " caf\u00e9").encode("cp1252"))
    put(new, "short.txt", content="Not enough.")
    put(new, "image.txt", content=b"\x89PNG\r\n\x1a\n\0\0\0")
    put(new, "notes.txt", "torn.txt", "alone.txt")
    put(earlier, "word/1.pdf", content=typeset(text.split("\n\n")))
    put(earlier, "word/note.txt", "notes/note.txt", content="See me.")
    put(earlier, "old.txt", "short.txt", "image.txt", "torn/1.txt")
    put(earlier, "torn/2.pdf", content=b"%PDF-1.7 torn")
    os.mkfifo(earlier / "word" / "pipe")
    seen: list[int] = []

    def watch(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        assert (doing, total) == ("reading texts of writers", 7)
        seen.append(done)

    read = {each.writer.name: each for each in read_class(find_class(new, earlier), watch)}
    assert seen == list(range(7))
    assert "".join(read["word"].writer.questioned.split()) == "".join(text.split())
    (known,) = read["word"].writer.known
    assert "".join(known.split()) == "".join(text.split())
    assert [each.source for each in read["word"].readings] == [
        str(new / "word.docx"), str(earlier / "word" / "1.pdf"),
    ]  # fmt: skip
    note = earlier / "word" / "note.txt"
    assert read["word"].writer.doubts == (f"{note} has fewer than 20 words and was left out.",)
    assert "Windows-1252" in read["old"].writer.doubts[0]
    faults = {name: each.writer.fault for name, each in read.items() if each.writer.fault}
    assert faults.keys() == {"short", "image", "notes", "torn", "alone"}
    assert faults["short"].startswith(f"{new / 'short.txt'} has 2 words; give at least 20")
    assert str(new / "image.txt") in faults["image"]
    assert str(earlier / "torn" / "2.pdf") in faults["torn"]
    assert faults["alone"] == "There is no earlier text of 20 words or more by the name 'alone'."
    assert faults["notes"] == "There is no earlier text of 20 words or more by the name 'notes'."
    assert all(read[name].readings == () for name in faults)
