"""Rows of documents, and the vectors in them."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from samehand.errors import InputError
from samehand.index.place import SEARCHED_IN_FULL, Place, index_vectors, taken
from samehand.index.table import (
    Entry,
    TableFacts,
    embedded_rows,
    is_comparable,
    schema_for,
    vectors_of,
)
from samehand.scoring.distance import straightened
from samehand.verifier import Verifier
from tests.index.documents import documents


def test_rows_hold_vectors_of_16_bits_and_no_text(by_genres: Verifier) -> None:
    entries = documents()
    rows = embedded_rows(by_genres, schema_for(by_genres), entries)
    assert rows.schema.names == ["id", "author", "topic", "source", "tokens", "digest", "vector"]
    assert rows["id"].to_pylist() == [entry.id for entry in entries]
    assert rows["source"].null_count == len(entries)
    exact = by_genres.vectors([entry.text for entry in entries])
    found = vectors_of(rows, exact.sizes)
    assert np.array_equal(found.tokens, exact.tokens)
    assert np.allclose(straightened(found), straightened(exact), rtol=0, atol=3e-5)


def test_texts_are_kept_only_where_that_is_asked_for(by_genres: Verifier) -> None:
    entries = documents()
    rows = embedded_rows(by_genres, schema_for(by_genres, keep_text=True), entries)
    assert rows["text"].to_pylist() == [entry.text for entry in entries]


def test_texts_with_too_few_words_get_no_row(by_genres: Verifier) -> None:
    few = Entry("few", "word " * 19, "somebody")
    enough = Entry("enough", "word " * 20, "somebody")
    rows = embedded_rows(by_genres, schema_for(by_genres), [few, enough])
    assert rows["id"].to_pylist() == ["enough"]
    assert is_comparable("x " * 300 + "word " * 20)
    assert not is_comparable(" ".join(["a" * 60] * 19))


def test_what_is_no_name_in_utf8_is_written_all_the_same(by_genres: Verifier) -> None:
    (entry, *_) = documents()
    rows = embedded_rows(by_genres, schema_for(by_genres), [entry._replace(id="a\udcff")])
    assert rows["id"].to_pylist() == ["a?"]


def test_a_table_says_which_model_made_it(by_genres: Verifier) -> None:
    facts = TableFacts.of(schema_for(by_genres), "here")
    assert facts.model_sha256 == by_genres.facts.sha256
    assert facts.sizes == by_genres.embedder.sizes
    facts.check_model(by_genres, "here")
    other = facts._replace(model_sha256="0" * 64)
    with pytest.raises(InputError, match=r"here: this index was made with another model .*--model"):
        other.check_model(by_genres, "here")


@pytest.mark.parametrize(
    "metadata",
    [None, {}, {"samehand": "no JSON"}, {"samehand": "[]"}, {"samehand": '{"format": 99}'}],
)
def test_another_table_is_refused(metadata: dict[str, str] | None) -> None:
    with pytest.raises(InputError, match="no index that this version of samehand can read"):
        TableFacts.of(pa.schema([pa.field("id", pa.string())], metadata), "here")


def test_a_later_format_is_refused(by_genres: Verifier) -> None:
    schema = schema_for(by_genres)
    about = json.loads(schema.metadata[b"samehand"])
    later = schema.with_metadata({"samehand": json.dumps(about | {"format": 2})})
    with pytest.raises(InputError, match="make it again"):
        TableFacts.of(later, "here")


def test_a_model_of_the_paper_has_no_index(verifier: Verifier) -> None:
    with pytest.raises(InputError, match="samehand fit"):
        schema_for(verifier)


def test_many_vectors_are_found_again_by_the_approximate_index(tmp_path: Path) -> None:
    rng, n = np.random.default_rng(0), SEARCHED_IN_FULL + 1
    centres = rng.normal(size=(200, 16))
    vectors = (centres[rng.integers(200, size=n)] + rng.normal(size=(n, 16)) / 4).astype(np.float32)
    schema = pa.schema([("vector", pa.list_(pa.float32(), 16))])
    table = Place(tmp_path / "many").made("vectors", schema)
    values = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 16)
    table.add(pa.table([values], schema=schema))
    index_vectors(table)
    assert [index.index_type for index in table.list_indices()] == ["IvfPq"]
    made = table.list_indices()[0].index_uuid
    index_vectors(table)  # nothing has changed
    assert table.list_indices()[0].index_uuid == made
    recall = []
    for query in vectors[:50]:
        found = table.search(query).nprobes(20).refine_factor(10).limit(20).with_row_id(True)
        nearest = np.argsort(np.square(vectors - query).sum(1))[:20]
        recall.append(len({*found.to_arrow()["_rowid"].to_pylist()} & {*nearest.tolist()}) / 20)
    assert np.mean(recall) > 0.95
    rows = np.array([7, 3, n - 1])
    assert taken(table, rows, ["vector"])["vector"].to_pylist() == vectors[rows].tolist()
