"""An index: made, opened, added to, deleted from, and gone on with after a kill."""

import json
import os
import subprocess
import time
from pathlib import Path

import lancedb
import numpy as np
import pytest

from samehand.corpus.readers import Columns
from samehand.errors import InputError
from samehand.index import Entry, Index
from samehand.index.corpora import entries, n_entries
from samehand.io.locking import alone_in
from samehand.reading import read_text
from samehand.verifier import Verifier
from tests.cli.console import SCRIPT, complaint, samehand
from tests.index.documents import documents, line, write_jsonl
from tests.models import essay, save_genres_model


def rows(place: Path, table: str = "documents") -> list[dict[str, object]]:
    """All rows, by LanceDB itself."""
    found: list[dict[str, object]] = lancedb.connect(place).open_table(table).to_arrow().to_pylist()
    return found


def test_an_index_has_all_documents_and_their_authors(by_genres: Verifier, tmp_path: Path) -> None:
    posts = documents()
    index = Index.build(tmp_path / "i", posts, by_genres)
    assert (len(index), index.authors, index.keeps_text) == (len(posts), 12, False)
    assert {row["id"] for row in rows(tmp_path / "i")} == {entry.id for entry in posts}
    by_author = {row["author"]: row for row in rows(tmp_path / "i", "authors")}
    own = [entry.id for entry in posts if entry.author == "writer 3"]
    assert by_author["writer 3"]["documents"] == len(own)
    assert set(json.loads(str(by_author["writer 3"]["ids"]))) == set(own)
    assert len(Index.open(tmp_path / "i", by_genres)) == len(posts)


def test_what_is_there_is_not_added_again(by_genres: Verifier, tmp_path: Path) -> None:
    first, *more = documents()
    index = Index.build(tmp_path, [first], by_genres)
    short = Entry("short", "Too short.", "somebody")
    assert index.add([first, *more, short]) == (len(more), 1, 1)
    assert index.add([first, *more, short, more[0]]) == (0, len(more) + 2, 1)
    assert len(rows(tmp_path)) == 1 + len(more)


def test_an_author_is_known_by_the_longest_documents(by_genres: Verifier, tmp_path: Path) -> None:
    texts = [" ".join(entry.text.split()[:20] * (n + 1)) for n, entry in enumerate(documents())]
    posts = [Entry(str(n), text, "one") for n, text in enumerate(texts[:12])]
    Index.build(tmp_path, [*posts, posts[11]._replace(id="again")], by_genres)
    (author,) = rows(tmp_path, "authors")
    assert author["documents"] == 13
    known = json.loads(str(author["ids"]))
    assert len(known) == 8
    assert len({"11", "again"} & set(known)) == 1
    assert set(known) - {"11", "again"} == set("456789") | {"10"}


def test_adding_and_deleting_leave_what_building_at_once_leaves(
    by_genres: Verifier, tmp_path: Path
) -> None:
    posts = documents()
    Index.build(tmp_path / "at once", posts[5:30], by_genres)
    index = Index.build(tmp_path / "by and by", posts[:20], by_genres)
    index.add(posts[20:35])
    assert index.delete([entry.id for entry in posts[:5]]) == 5
    assert index.delete([entry.id for entry in posts[30:35]]) == 5
    for table in ("documents", "authors"):
        key = "id" if table == "documents" else "author"
        one, other = (
            {row[key]: row for row in rows(tmp_path / name, table)}
            for name in ("at once", "by and by")
        )
        assert one.keys() == other.keys()
        for name, row in one.items():
            assert np.allclose(row["vector"], other[name]["vector"], atol=1e-6)  # type: ignore[arg-type]
            assert row.get("documents") == other[name].get("documents")


def test_what_was_deleted_is_on_the_disk_no_more(by_genres: Verifier, tmp_path: Path) -> None:
    posts = documents()
    secret = Entry("secret-id-of-a-post", "xyzzyplugh " * 30, "secret-name")
    index = Index.build(tmp_path, [*posts, secret], by_genres, keep_text=True)
    assert index.delete(authors=["secret-name"]) == 1
    assert index.authors == 12
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if b"xyzzyplugh" in path.read_bytes()]
    remaining = [path for path in files if path.suffix == ".lance"]
    assert len(remaining) == 2  # a file for each table
    assert not [path for path in remaining if b"secret-name" in path.read_bytes()]


def test_quotes_in_names_are_no_sql(by_genres: Verifier, tmp_path: Path) -> None:
    one, other, *_ = documents()
    name = "o'hara' OR '1'='1"
    index = Index.build(tmp_path, [one._replace(id=name, author=name), other], by_genres)
    assert index.delete([name]) == 1
    assert [row["id"] for row in rows(tmp_path)] == [other.id]
    with pytest.raises(InputError, match="there is no document"):
        index.delete([name])


def test_a_document_that_has_changed_is_refused(by_genres: Verifier, tmp_path: Path) -> None:
    one, other, *_ = documents()
    index = Index.build(tmp_path, [one], by_genres)
    with pytest.raises(InputError, match=r"'post 0' is in this index with another text; delete"):
        index.add([one._replace(text=other.text)])
    assert index.add([one._replace(text=one.text.replace(" ", "  "))]).present == 1


def test_another_model_is_refused(by_genres: Verifier, tmp_path: Path) -> None:
    Index.build(tmp_path / "i", documents()[:3], by_genres)
    other = Verifier.load(save_genres_model(tmp_path / "m", name="another", bounds=(-1.0, 1.0)))
    for use in (Index.open, Index.at):
        with pytest.raises(InputError, match="another model"):
            use(tmp_path / "i", other)


def test_texts_are_not_kept_in_an_index_without_them(by_genres: Verifier, tmp_path: Path) -> None:
    Index.build(tmp_path, documents()[:3], by_genres)
    with pytest.raises(InputError, match="leave out --keep-text"):
        Index.build(tmp_path, documents(), by_genres, keep_text=True)


def test_places_that_are_no_index(by_genres: Verifier, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other things, which stay"):
        Index.build(tmp_path / "other", documents(), by_genres)
    with pytest.raises(InputError, match="a file is in this place"):
        Index.build(tmp_path / "other" / "thesis.txt", documents(), by_genres)
    with pytest.raises(InputError, match="there is no index here"):
        Index.open(tmp_path / "nowhere", by_genres)
    assert not (tmp_path / "nowhere").exists()


def test_one_process_at_a_time_writes(by_genres: Verifier, tmp_path: Path) -> None:
    index = Index.build(tmp_path, documents()[:3], by_genres)
    with alone_in(tmp_path), pytest.raises(InputError, match="another samehand is at work"):
        index.add(documents())


def test_progress_has_a_total(by_genres: Verifier, tmp_path: Path) -> None:
    told: list[tuple[object, ...]] = []
    Index.build(
        tmp_path, documents(), by_genres, total=48, progress=lambda *about: told.append(about)
    )
    assert told[:2] == [("finding new documents",), ("embedding documents", 0, 48)]
    assert ("embedding documents", len(documents()), 48) in told
    told.clear()
    again = [*documents(), Entry("new", essay("anna-1"), "somebody")]
    Index.build(tmp_path, again, by_genres, total=49, progress=lambda *about: told.append(about))
    assert ("embedding documents", 48, 49) in told  # from here on it takes time


def test_the_command_adds_and_deletes(genres_model: Path, tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "posts.jsonl", documents())
    options = ("-o", tmp_path / "i", "--model", genres_model)
    n = len(documents())
    done = samehand("index", corpus, "--id-column", "post", *options)
    assert done.stdout == f"{n} documents added: {tmp_path / 'i'} has {n} by 12 authors\n"
    done = samehand("index", "--delete", "post 0", "--delete-author", "writer 3", *options)
    assert done.stdout.startswith("5 documents deleted: ")
    assert "either corpora to add, or documents to delete" in complaint("index", *options)
    other = ("-o", tmp_path / "other", "--model", genres_model)
    assert "does not exist" in complaint("index", tmp_path / "missing.jsonl", *other)
    assert not (tmp_path / "other").exists()


def test_without_a_column_of_ids_they_are_source_and_number(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    corpus = write_jsonl(tmp_path / "posts.jsonl", documents()[:3])
    same = write_jsonl(tmp_path / "other" / "posts.jsonl", documents()[3:])
    found = list(entries([corpus], Columns()))
    assert [entry.id for entry in found] == ["posts/1", "posts/2", "posts/3"]
    assert {entry.source for entry in found} == {"posts"}
    assert n_entries([corpus, same], Columns()) == len(documents())
    with pytest.raises(InputError, match="another corpus is called 'posts', too"):
        list(entries([corpus, same], Columns()))
    found = list(entries([corpus, same], Columns(id="post")))
    assert [entry.id for entry in found] == [entry.id for entry in documents()]
    with pytest.raises(InputError, match="--id-column"):
        list(entries([corpus], Columns(id="nr")))


def test_corpora_have_the_layout_that_files_have(tmp_path: Path) -> None:
    """Line ends are a trait of style, and `samehand search` reads its texts from files."""
    paragraphs = [entry.text for entry in documents()[:3]]
    file = tmp_path / "letter.txt"
    file.write_text("\n".join(paragraphs), "utf-8")
    corpus = write_jsonl(tmp_path / "c.jsonl", [Entry("1", "\n".join(paragraphs), "a", "t")])
    (entry,) = entries([corpus], Columns())
    assert entry.text == read_text(file).text == "\n\n".join(paragraphs)


def test_after_a_kill_it_goes_on_where_it_was(genres_model: Path, tmp_path: Path) -> None:
    """Rows are written after three seconds, so that this takes as long."""
    words = documents()[0].text.split()[:20]
    lines = [line(Entry(str(n), " ".join([*words, str(n)]), f"w{n % 50}")) for n in range(4_200)]
    (tmp_path / "slow").mkdir()
    pipe = tmp_path / "slow" / "posts.jsonl"
    os.mkfifo(pipe)
    options = ("--id-column", "post", "-o", str(tmp_path / "i"), "--model", str(genres_model))
    process = subprocess.Popen([SCRIPT, "index", str(pipe), *options])
    with pipe.open("w", encoding="utf-8") as file:
        file.writelines(lines[:2_100])
        file.flush()
        time.sleep(3.5)
        file.writelines(lines[2_100:])
        file.flush()
        while not (tmp_path / "i" / "documents.lance").is_dir() or not rows(tmp_path / "i"):
            time.sleep(0.05)
        process.kill()
        process.wait(10)
    written = len(rows(tmp_path / "i"))
    assert 0 < written < 4_200
    corpus = tmp_path / "posts.jsonl"
    corpus.write_text("".join(lines))
    done = samehand("index", corpus, *options)
    assert f"{4_200 - written:,} documents added; {written:,} were there already" in done.stdout
    assert sorted(int(str(row["id"])) for row in rows(tmp_path / "i")) == [*range(4_200)]
    assert sum(int(str(row["documents"])) for row in rows(tmp_path / "i", "authors")) == 4_200


def test_a_damaged_index_is_told(by_genres: Verifier, tmp_path: Path) -> None:
    index = Index.build(tmp_path / "i", documents(), by_genres)
    (data,) = (tmp_path / "i" / "authors.lance" / "data").iterdir()
    data.write_bytes(data.read_bytes()[:100])
    with pytest.raises(InputError, match="the index cannot be read"):
        Index.open(tmp_path / "i", by_genres).search([essay("anna-1")])
    (data,) = (tmp_path / "i" / "documents.lance" / "data").iterdir()
    data.write_bytes(b"")
    with pytest.raises(InputError, match="the index cannot be read"):
        index.add([Entry("new", essay("anna-1"), "somebody")])
    for manifest in (tmp_path / "i" / "documents.lance" / "_versions").glob("*.manifest"):
        manifest.write_bytes(b"nonsense")
    with pytest.raises(InputError, match=r"the index (cannot be read|is damaged)"):
        Index.open(tmp_path / "i", by_genres)


def test_an_address_is_a_place(by_genres: Verifier, tmp_path: Path) -> None:
    address = f"file://{tmp_path}/i"
    posts = documents()
    assert len(Index.build(address, posts[4:], by_genres)) == len(posts) - 4
    (found,) = Index.open(address, by_genres).search([posts[0].text])
    assert len(found.hits) == 12
    with pytest.raises(InputError, match="there is no index here"):
        Index.open(f"file://{tmp_path}/other", by_genres)
    with pytest.raises(InputError, match="No object store provider"):
        Index.open("nowhere://bucket/i", by_genres)
