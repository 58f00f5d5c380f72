"""Folders and files are there when they are whole; what was there before stays until then."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.io.atomic import (
    all_or_nothing,
    check_file,
    check_place,
    refuse_inputs,
    whole_file,
    write_whole,
)


def test_the_folder_appears_at_the_end(tmp_path: Path) -> None:
    wanted = tmp_path / "deep" / "down" / "store"
    with all_or_nothing(wanted) as made:
        (made / "file").write_text("new")
        assert not wanted.exists()
        assert made.name.startswith(".store-unfinished-")
    assert (wanted / "file").read_text() == "new"
    assert [path.name for path in wanted.parent.iterdir()] == ["store"]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_failure_leaves_what_was_there(tmp_path: Path, failure: type[BaseException]) -> None:
    wanted = tmp_path / "store"
    wanted.mkdir()
    (wanted / "file").write_text("old")
    with pytest.raises(failure), all_or_nothing(wanted) as made:  # noqa: PT012
        (made / "file").write_text("new")
        raise failure
    assert (wanted / "file").read_text() == "old"
    assert list(tmp_path.iterdir()) == [wanted]


def test_what_cannot_take_its_place_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = tmp_path / "store"
    wanted.mkdir()
    (wanted / "file").write_text("old")
    rename = os.rename

    def refused(source: Path, place: Path) -> None:
        if "-unfinished-" in source.name:
            raise OSError("no")
        rename(source, place)

    monkeypatch.setattr(os, "rename", refused)
    with pytest.raises(OSError, match="no"), all_or_nothing(wanted) as made:
        (made / "file").write_text("new")
    assert (wanted / "file").read_text() == "old"
    assert list(tmp_path.iterdir()) == [wanted]


def test_a_new_one_takes_the_place_of_the_old(tmp_path: Path) -> None:
    wanted = tmp_path / "store"
    wanted.mkdir()
    (wanted / "leftover").write_text("old")
    with all_or_nothing(wanted) as made:
        (made / "file").write_text("new")
        assert (wanted / "leftover").exists()
    assert [path.name for path in wanted.iterdir()] == ["file"]
    assert list(tmp_path.iterdir()) == [wanted]


def test_only_what_bears_the_mark_is_replaced(tmp_path: Path) -> None:
    check_place(tmp_path / "new", "mark", replace=False)
    check_place(tmp_path, "mark", replace=False)  # empty
    (tmp_path / "letters").write_text("dear to somebody")
    with pytest.raises(InputError, match="holds other things, which stay"):
        check_place(tmp_path, "mark", replace=True)
    with pytest.raises(InputError, match="a file is in this place"):
        check_place(tmp_path / "letters", "mark", replace=True)
    (tmp_path / "mark").write_text("")
    check_place(tmp_path, "mark", replace=True)
    with pytest.raises(InputError, match="exists already; choose another place, or pass --force"):
        check_place(tmp_path, "mark", replace=False)


def test_nothing_that_is_read_or_somebody_else_s_is_replaced(tmp_path: Path) -> None:
    made = tmp_path / "made"
    (made / "raw").mkdir(parents=True)
    for name in ("mark", "part", "raw/texts"):
        (made / name).write_text("")
    is_ours = ("mark", "part", "raw").__contains__
    check_place(made, "mark", True, is_ours, [tmp_path / "elsewhere", tmp_path])
    for inside in (made, made / "raw", made / "raw" / "texts", tmp_path / "x" / ".." / "made"):
        with pytest.raises(InputError, match="is read, and would be lost"):
            check_place(made, "mark", True, is_ours, [inside])
    (made / "diary").write_text("private")
    with pytest.raises(InputError, match="diary is in it, too, and would be lost"):
        check_place(made, "mark", True, is_ours)


def test_a_file_is_not_written_over_what_is_read_under_any_name(tmp_path: Path) -> None:
    read = tmp_path / "read.txt"
    read.write_text("dear to somebody")
    (tmp_path / "symbolic").symlink_to(read)
    (tmp_path / "hard").hardlink_to(read)
    for name in ("read.txt", "symbolic", "hard"):
        with pytest.raises(InputError, match="is read, and would be lost"):
            refuse_inputs(tmp_path / name, [read])
    refuse_inputs(tmp_path / "other", [read, Path("-")])


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    write_whole(tmp_path / "new", "a\nb")
    assert (tmp_path / "new").read_bytes() == b"a\nb"
    with pytest.raises(InputError, match="nowhere/new: cannot be written"):
        write_whole(tmp_path / "nowhere" / "new", "a")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="folder: this is a link, a folder"):
        write_whole(tmp_path / "folder", "a")
    assert {path.name for path in tmp_path.iterdir()} == {"new", "folder"}


def test_where_nothing_can_be_made_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InputError, match="store: cannot be made"),
        all_or_nothing(tmp_path / "file" / "store"),
    ):
        pass


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("dear to somebody")
    (tmp_path / "link").symlink_to(victim)
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "dangling", "fifo"):
        for write in (check_file, lambda path: write_whole(path, "new")):
            with pytest.raises(InputError, match=f"{name}: this is a link, a folder, a pipe or"):
                write(tmp_path / name)
    with pytest.raises(InputError, match="null: this is a link, a folder, a pipe or a device"):
        write_whole(Path(os.devnull), "new")
    assert victim.read_text() == "dear to somebody"
    assert (tmp_path / "link").is_symlink()
    assert stat.S_ISFIFO((tmp_path / "fifo").lstat().st_mode)
    assert not (tmp_path / "nowhere").exists()


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    with whole_file(path) as one, whole_file(path) as other:
        assert Path(one.name).parent == Path(other.name).parent == tmp_path
        assert one.name != other.name
        one.write(b"one")
        other.write(b"other")
    assert path.read_bytes() == b"one"  # the last to end
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_a_file_that_fails_leaves_what_was_there(
    tmp_path: Path, failure: type[BaseException]
) -> None:
    path = tmp_path / "answers"
    path.write_text("old")
    with pytest.raises(failure), whole_file(path) as file:  # noqa: PT012
        file.write(b"new")
        raise failure
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


UMASK = """
import os, sys
from pathlib import Path
from samehand.io.atomic import all_or_nothing, write_whole
os.umask(0o077)
folder = Path(sys.argv[1])
write_whole(folder / "file", "text")
with all_or_nothing(folder / "made") as made:
    (made / "inside").write_text("text")
"""


def test_the_mask_of_permissions_holds(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", UMASK, tmp_path], check=True)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes == {"file": 0o600, "made": 0o700, "inside": 0o600}


FULL = """
import resource, sys, signal
from pathlib import Path
import numpy as np
from samehand.errors import InputError
from samehand.io.atomic import all_or_nothing, write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
folder = Path(sys.argv[1])
def write_folder(folder, write):
    with all_or_nothing(folder) as made:
        write(made)
for write in (
    lambda: write_whole(folder / "file", "x" * 100_000),
    lambda: write_folder(folder / "store", lambda made: (made / "a").write_text("x" * 100_000)),
    lambda: write_folder(folder / "store", lambda made: np.save(made / "a.npy", np.zeros(9_999))),
):
    try:
        write()
    except InputError as error:
        print(error)
"""


def test_where_the_room_ends_one_sentence_names_the_place(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path], check=True, capture_output=True, text=True
    )
    ends = "cannot be written (no space left on device); choose another place"
    places = [tmp_path / name for name in ("file", "store", "store")]
    assert done.stdout.splitlines() == [f"{place}: {ends}" for place in places]
    assert not any(tmp_path.iterdir())


def test_other_faults_are_not_taken_for_a_full_disk(tmp_path: Path) -> None:
    fault = OSError(errno.EIO, os.strerror(errno.EIO), "elsewhere")
    with pytest.raises(OSError, match="elsewhere"), whole_file(tmp_path / "file"):
        raise fault
    with pytest.raises(OSError, match="elsewhere"), all_or_nothing(tmp_path / "folder"):
        raise fault
    assert not any(tmp_path.iterdir())
