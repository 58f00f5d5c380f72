"""`samehand link` lists groups with what is expected of them, or says why it lists nobody."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from samehand.errors import InputError
from samehand.index import Index
from samehand.index.linking_files import check_linked
from samehand.verifier import Verifier
from tests.cli.console import samehand
from tests.index.documents import documents
from tests.models import save_genres_model


def test_groups_are_printed_written_and_drawn(
    tmp_path: Path, genres_model: Path, by_genres: Verifier
) -> None:
    index = Index.build(tmp_path / "index", documents(6), by_genres)
    table, picture = tmp_path / "review.parquet", tmp_path / "review.png"
    options = ("--expect-false", 5, "--second-accounts", 0.5, "-o", table, "--picture", picture)
    told = json.loads(
        samehand("link", tmp_path / "index", "-m", genres_model, "--json", *options).stdout
    )
    linked = index.link(second_accounts=0.5, expect_false=5)
    assert {key: told[key] for key in linked.as_dict()} == linked.as_dict()
    assert told["pairs"] == told["pairs_compared"] == 15
    assert told["groups"]
    rows = pq.read_table(table).to_pylist()
    assert [row["expected_precision"] for row in rows] == sorted(
        (row["expected_precision"] for row in rows), reverse=True
    )
    assert {row["account"] for row in rows} <= set(linked.names)
    assert len(rows) == sum(len(group["links"]) for group in told["groups"])
    assert picture.read_bytes().startswith(b"\x89PNG")
    printed = samehand("link", tmp_path / "index", "-m", genres_model, *options).stdout
    assert printed.startswith(told["finding"])
    assert told["groups"][0]["accounts"][0]["name"] in printed


def test_where_the_evidence_cannot_do_nobody_is_listed(tmp_path: Path) -> None:
    verifier = Verifier.load(save_genres_model(tmp_path / "weak", bounds=(-1.0, 1.0)))
    index = Index.build(tmp_path / "index", documents(12), verifier)
    linked = index.link()
    assert linked.groups == ()
    assert linked.threshold is None
    assert linked.compared == 0
    assert "of the 66 pairs of 12 accounts up to 7 by different people" in linked.sentence
    assert "allows for 5 accounts" in linked.sentence
    assert "--expect-false 7)" in linked.sentence
    assert index.link(expect_false=7).threshold is not None
    with pytest.raises(InputError, match="above 0"):
        index.link(expect_false=0)
    with pytest.raises(InputError, match="share of accounts"):
        index.link(second_accounts=0)


def test_files_of_other_kinds_are_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \.parquet or \.json"):
        check_linked(tmp_path / "review.csv", None)
    with pytest.raises(InputError, match=r"ends in \.png, \.svg or \.pdf"):
        check_linked(None, tmp_path / "review.txt")
    with pytest.raises(InputError, match="cannot be written there"):
        check_linked(tmp_path / "nowhere" / "review.json", None)
