"""`Index`: a collection of documents that is kept as vectors, and searched."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samehand.corpus.readers import Columns
from samehand.errors import InputError
from samehand.index.accounts import NEAREST
from samehand.index.adding import Adding, embedded
from samehand.index.among import EXPECT_FALSE, PRIOR_OF_NONE
from samehand.index.authors import refresh_authors
from samehand.index.linking import Linked, link
from samehand.index.links import SECOND_ACCOUNTS
from samehand.index.place import (
    DOCUMENTS,
    Place,
    index_vectors,
    put_in_order,
    quoted,
)
from samehand.index.present import Added
from samehand.index.searching import TOP, Found, Search
from samehand.index.table import Entry, TableFacts, rows, schema_for
from samehand.io.progress import Progress, unwatched
from samehand.verifier import Verifier

if TYPE_CHECKING:
    import pyarrow as pa

_NAMES_AT_ONCE = 1_000
_STEP = "embedding documents"


class Index:
    """Vectors of a collection at a place, and the model they were made with."""

    def __init__(self, place: Place, verifier: Verifier) -> None:
        """An index that exists; `Index.open` and `Index.build` say more."""
        self._place, self._verifier = place, verifier
        self._documents = place.documents()
        self.facts = TableFacts.of(self._documents.schema, str(place))
        self.facts.check_model(verifier, str(place))

    @classmethod
    def open(cls, place: str | Path, verifier: Verifier | None = None) -> "Index":
        """The index in a folder, or at an address that LanceDB knows.

        `verifier`: the model that it was made with, the packaged one unless given; another raises
        `InputError`.
        """
        return cls(Place(place), verifier or Verifier.load())

    @classmethod
    def build(
        cls,
        place: str | Path,
        documents: Iterable[Entry],
        verifier: Verifier | None = None,
        *,
        keep_text: bool = False,
        total: int | None = None,
        progress: Progress = unwatched,
    ) -> "Index":
        """Make an index of documents, or go on where making it was interrupted."""
        index = cls.at(place, verifier or Verifier.load(), keep_text=keep_text)
        index.add(documents, total=total, progress=progress)
        return index

    @classmethod
    def at(cls, place: str | Path, verifier: Verifier, *, keep_text: bool = False) -> "Index":
        """The index at a place, made empty where there is none."""
        where = Place(place)
        schema = schema_for(verifier, keep_text=keep_text)
        if not where.has_index():
            with where.alone():
                where.made(DOCUMENTS, schema)
        index = cls(where, verifier)
        if keep_text and not index.keeps_text:
            raise InputError(
                f"{where}: this index was made without the texts; leave out --keep-text, or make "
                "another index."
            )
        return index

    def __len__(self) -> int:
        """How many documents there are."""
        return int(self._documents.count_rows())

    @property
    def authors(self) -> int:
        """How many authors there are."""
        table = self._place.authors()
        return 0 if table is None else int(table.count_rows())

    @property
    def schema(self) -> "pa.Schema":
        """The columns of the table of documents."""
        return self._documents.schema

    @property
    def keeps_text(self) -> bool:
        """Whether the texts themselves are in the index."""
        return "text" in self._documents.schema.names

    def add(
        self,
        documents: Iterable[Entry],
        *,
        total: int | None = None,
        progress: Progress = unwatched,
    ) -> Added:
        """Add documents. What is there already is not embedded again.

        Rows are on the disk after some seconds at most, so that a process that is killed loses no
        more. A document whose id is there with another text raises `InputError`. `total`: how many
        documents there will be, for `progress`.
        """
        with self._place.alone(), self._place.readable():
            adding = Adding(self._documents, str(self._place))

            def new() -> Iterator[Entry]:
                for place, entry in enumerate(adding.there.new(documents)):
                    if place == 0:  # from here on it takes time
                        progress(_STEP, adding.done, total)
                    yield entry

            progress("finding new documents")
            for entries, vectors in embedded(self._verifier, new()):
                adding.take(rows(self._documents.schema, entries, vectors))
                progress(_STEP, adding.done, total)
            adding.write()
            self.put_in_order(progress)
        return Added(adding.new, adding.there.present, adding.there.too_short)

    def add_rows(self, batches: Iterable[Any], *, progress: Progress = unwatched) -> Added:
        """Add record batches of rows that were embedded elsewhere, in the columns of this table."""
        with self._place.alone(), self._place.readable():
            adding = Adding(self._documents, str(self._place))
            for batch in adding.there.new_rows(batches):
                adding.take(batch)
                progress("adding rows", adding.done)
            adding.write()
            self.put_in_order(progress)
        return Added(adding.new, adding.there.present, 0)

    def add_by_ray(
        self,
        corpora: Sequence[Path],
        columns: Columns,
        *,
        model: Path | str | None = None,
        device: str = "cpu",
        format: str | None = None,
        address: str = "local",
        workers: int | None = None,
        on_bad: Callable[[str], None] | None = None,
        progress: Progress = unwatched,
    ) -> Added:
        """Add the documents of Parquet and JSON Lines by a Ray cluster, as `embed_by_ray` has it.

        `model`: the folder of the model, as all machines see it; None for the packaged one.
        """
        from samehand.index.ray_job import Job, embed_by_ray

        folder = str(Path(model).resolve()) if model and model != "default" else None
        job = Job(self._place.address(DOCUMENTS), folder, device, columns)
        with self._place.alone():
            added = embed_by_ray(
                job,
                corpora,
                format=format,
                address=address,
                workers=workers,
                on_bad=on_bad,
                progress=progress,
            )
            self.put_in_order(progress)
        return added

    def delete(
        self,
        ids: Sequence[str] = (),
        *,
        authors: Sequence[str] = (),
        progress: Progress = unwatched,
    ) -> int:
        """Delete documents by their ids, and all those of some authors, from the disk, too.

        How many there were is returned; one that is not there raises `InputError`.
        """
        with self._place.alone(), self._place.readable():
            before = len(self)
            self._check_present("id", ids, "document")
            self._check_present("author", authors, "author")
            for column, names in (("id", ids), ("author", authors)):
                for some in _some(names):
                    self._documents.delete(f"{column} IN ({quoted(some)})")
            self.put_in_order(progress)
            return before - len(self)

    def search(
        self,
        texts: Sequence[str],
        top: int = TOP,
        *,
        prior_of_none: float = PRIOR_OF_NONE,
        expect_false: float = EXPECT_FALSE,
    ) -> list[Found]:
        """Which authors may have written each of some texts, and whether anybody can be named.

        `prior_of_none`: the probability that no author of the index did, before texts are compared.
        `expect_false`: wrong authors who may be named in a search, on average.
        """
        if isinstance(texts, str):
            raise InputError("This is one text where a list of texts is needed; put it in a list.")
        with self._place.readable():
            return self.searcher.find(
                texts, top, prior_of_none=prior_of_none, expect_false=expect_false
            )

    def link(
        self,
        *,
        second_accounts: float = SECOND_ACCOUNTS,
        expect_false: float = EXPECT_FALSE,
        nearest: int = NEAREST,
        progress: Progress = unwatched,
    ) -> Linked:
        """Groups of authors who may be one person, for review.

        `second_accounts`: the share of authors who have a second name here, the prior.
        `expect_false`: pairs of different people that may be listed, on average, of all pairs.
        `nearest`: authors near to each that are compared with it.
        """
        return link(
            self._verifier,
            self.batches,
            second_accounts=second_accounts,
            expect_false=expect_false,
            nearest=nearest,
            progress=progress,
        )

    def batches(self, columns: list[str]) -> Iterator[Any]:
        """Record batches of some columns of all documents, in the same order every time."""
        yield from self._documents.to_lance().to_batches(columns=columns)

    def put_in_order(self, progress: Progress = unwatched) -> None:
        """Bring what is searched in line with the documents, whoever has changed them."""
        progress("putting the index in order")
        put_in_order(self._documents)
        authors = refresh_authors(self._place, self._documents, self.facts.sizes)
        put_in_order(authors)
        progress("making the approximate index")
        index_vectors(authors)
        put_in_order(authors)

    @cached_property
    def searcher(self) -> Search:
        """The authors, to be searched; where there is none, `InputError`."""
        authors = self._place.authors()
        if authors is None or not authors.count_rows():
            raise InputError(
                f"{self._place}: no document in this index has an author, so nobody can be found; "
                "add some that have one (samehand index)."
            )
        return Search(self._verifier, self._documents, authors)

    def _check_present(self, column: str, names: Sequence[str], what: str) -> None:
        for some in _some(names):
            found = self._documents.search().where(f"{column} IN ({quoted(some)})")
            present = set(found.select([column]).limit(len(self)).to_arrow()[column].to_pylist())
            for name in some:
                if name not in present:
                    raise InputError(
                        f"{self._place}: there is no {what} {name!r} in this index; check the name."
                    )


def _some(names: Sequence[str]) -> Iterator[list[str]]:
    source = iter(names)
    while some := list(islice(source, _NAMES_AT_ONCE)):
        yield some
