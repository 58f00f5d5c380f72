"""Which documents an index has, so that none is embedded or there twice."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from samehand.assessment import case_digest
from samehand.errors import InputError
from samehand.index.table import Entry, is_comparable

if TYPE_CHECKING:
    import pyarrow as pa


class Added(NamedTuple):
    """Counts of documents that were to be added."""

    new: int
    present: int
    """Those that the index had already."""
    too_short: int
    """Those with too few words to be compared, which are left out."""


class Present:
    """The documents of an index by id, each with the digest of its text."""

    def __init__(self, batches: Iterable[Any], place: str) -> None:
        """`batches`: ids and digests of all documents; `place`: of the index, to be named."""
        self._place = place
        self._digests: dict[bytes, bytes] = {}
        for batch in batches:
            ids, digests = batch["id"].to_pylist(), batch["digest"].to_pylist()
            self._digests |= zip(map(case_digest, ids), digests, strict=True)
        self._met: dict[bytes, bytes] = {}
        self.present = self.too_short = 0
        """Of the documents that were asked about last."""

    def new(self, documents: Iterable[Entry]) -> Iterator[Entry]:
        """Those that are not there, each id once, and long enough to be compared.

        One whose id is there, or among them, with another text raises `InputError`.
        """
        self._met, self.present, self.too_short = {}, 0, 0
        for entry in documents:
            digest = case_digest(entry.text)
            if self._is_there(entry.id, digest):
                self.present += 1
            elif is_comparable(entry.text):
                self._met[case_digest(entry.id)] = digest
                yield entry
            else:
                self.too_short += 1

    def new_rows(self, batches: Iterable["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        """Rows of documents that are not there, each id once; as with `new`."""
        import pyarrow as pa

        self._met, self.present, self.too_short = {}, 0, 0
        for batch in batches:
            new = []
            for name, digest in zip(
                batch["id"].to_pylist(), batch["digest"].to_pylist(), strict=True
            ):
                new.append(not self._is_there(name, digest))
                self._met.setdefault(case_digest(name), digest)
            self.present += new.count(False)
            yield batch.filter(pa.array(new, pa.bool_()))

    def _is_there(self, name: str, digest: bytes) -> bool:
        key = case_digest(name)
        there = self._digests.get(key) or self._met.get(key)
        if there is not None and there != digest:
            raise InputError(
                f"{self._place}: the document {name!r} is in this index with another text; delete "
                "it first (--delete), or give the new one another id."
            )
        return there is not None
