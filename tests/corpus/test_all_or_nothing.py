"""A folder is there when it is whole; what was there before stays until then."""

import os
from pathlib import Path

import pytest

from samehand.corpus.all_or_nothing import all_or_nothing, check_place
from samehand.errors import InputError


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


def test_where_nothing_can_be_made_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InputError, match="store: cannot be made"),
        all_or_nothing(tmp_path / "file" / "store"),
    ):
        pass
