"""Documents into a table by a Ray Data job, where one machine is not enough.

Actors that hold the model read slices of the corpus, embed them and write fragments of the table,
which nobody sees until the job commits them, each slice once. So a slice that a killed worker had
begun is done again by another, nothing is lost and nothing is there twice. What was committed
before a job was killed is not embedded again.
"""

import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from socket import create_connection
from typing import TYPE_CHECKING, Any, NamedTuple

from samehand.corpus.readers import Columns
from samehand.errors import InputError, needs
from samehand.index.present import Added, Present
from samehand.index.slices import Slice, read_slice, slices
from samehand.index.table import Entry, TableFacts, embedded_rows
from samehand.io.progress import Progress, unwatched
from samehand.verifier import Verifier

if TYPE_CHECKING:
    import pyarrow as pa

LOCAL = "local"
"""Instead of the address of a cluster: one of this machine alone, which ends with the job."""
_TEXTS_AT_ONCE = 512
_SECONDS = 10.0
"""In which a cluster has to answer."""
_STEP = "embedding documents"


class Job(NamedTuple):
    """Settings of all the workers."""

    table: str
    """The place of the table, as all machines see it."""
    model: str | None
    """The folder of the model, as all machines see it; None for the packaged one."""
    device: str = "cpu"
    columns: Columns = Columns()


class Done(NamedTuple):
    """The result of a slice."""

    ids: list[str]
    """Of the documents that were embedded."""
    present: int
    """Documents that the table had already."""
    too_short: int
    """Documents with too few words to be compared."""
    fragments: list[str]
    """Written fragments as JSON, not yet part of the table."""
    faults: list[str]
    """A sentence for each record that cannot be used."""
    refusal: str = ""
    """Why nothing was done, if so."""


def embed_by_ray(
    job: Job,
    corpora: Sequence[Path],
    *,
    format: str | None = None,
    address: str = LOCAL,
    workers: int | None = None,
    on_bad: Callable[[str], None] | None = None,
    progress: Progress = unwatched,
) -> Added:
    """Add the documents of corpora to a table. What is there already is not embedded again.

    `address`: of a cluster, "auto" for the one that this machine is part of, or `LOCAL`. `workers`:
    one for each processor, or each GPU, of the cluster unless given. Faults of records go to
    `on_bad`; without it the first one is raised.
    """
    parts = slices(corpora, job.columns, format)
    total = sum(part.documents for part in parts)
    progress(_STEP, 0, total)
    met: set[str] = set()
    new = present = too_short = 0
    with _cluster(address, workers) as ray:
        for done in _each_done(ray, job, parts, workers):
            if done.refusal:
                raise InputError(f"On a worker of Ray: {done.refusal}")
            for fault in done.faults:
                _report(fault, on_bad)
            if job.columns.id is not None:  # else they are numbered
                _check_distinct(met, done.ids)
            _commit(job.table, done.fragments)
            new, present = new + len(done.ids), present + done.present
            too_short += done.too_short
            progress(_STEP, new + present + too_short, total)
    return Added(new, present, too_short)


class EmbedSlice:
    """An actor: the model, and what is in the table already."""

    def __init__(self, job: Job) -> None:
        self._job, self._is_loaded = job, False

    def __call__(self, row: dict[str, str]) -> dict[str, str]:
        """Embed a slice and write its fragments."""
        try:
            if not self._is_loaded:
                self._load()
            done = self._embed(Slice(**json.loads(row["slice"])))
        except InputError as error:
            done = Done([], 0, 0, [], [], str(error))
        return {"done": json.dumps(done._asdict())}

    def _load(self) -> None:
        import lance

        where = self._job.table
        table = lance.dataset(where)
        self._schema = table.schema
        self._verifier = Verifier.load(self._job.model, device=self._job.device)
        TableFacts.of(table.schema, where).check_model(self._verifier, where)
        self._present = Present(table.to_batches(columns=["id", "digest"]), where)
        self._is_loaded = True

    def _embed(self, part: Slice) -> Done:
        import pyarrow as pa
        from lance.fragment import write_fragments

        ids: list[str] = []
        faults: list[str] = []
        refused: list[InputError] = []  # which Arrow would hide from whoever reads its stream
        documents = read_slice(part, self._job.columns, faults.append)

        def batches() -> Iterator["pa.RecordBatch"]:
            try:
                for chunk in _chunks(self._present.new(documents)):
                    yield embedded_rows(self._verifier, self._schema, chunk)
                    ids.extend(entry.id for entry in chunk)
            except InputError as error:
                refused.append(error)

        content = pa.RecordBatchReader.from_batches(self._schema, batches())
        written = write_fragments(content, self._job.table, mode="append")
        if refused:
            raise refused[0]
        fragments = [json.dumps(one.to_json()) for one in written]
        return Done(ids, self._present.present, self._present.too_short, fragments, faults)


def _each_done(ray: Any, job: Job, parts: Sequence[Slice], workers: int | None) -> Iterator[Done]:
    """The result of each slice, as workers get done with them."""
    import ray.data as data

    kind = "CPU" if job.device == "cpu" else "GPU"
    there = int(ray.cluster_resources().get(kind, 0))
    if not there:
        raise InputError(f"The Ray cluster has no {kind}; name another one, or another --device.")
    data.DataContext.get_current().enable_progress_bars = False
    embed: Any = EmbedSlice
    rows = [{"slice": json.dumps(part._asdict())} for part in parts]
    done = data.from_items(rows, override_num_blocks=len(rows)).map(
        embed,
        fn_constructor_args=(job,),
        compute=data.ActorPoolStrategy(
            size=min(workers or there, len(rows)), max_tasks_in_flight_per_actor=2
        ),
        # Actors of a whole processor each would leave none for tasks of Ray's own.
        **({"num_cpus": 0.9} if kind == "CPU" else {"num_gpus": 1}),
    )
    try:
        for row in done.iter_rows():
            yield Done(**json.loads(row["done"]))
    except ray.exceptions.RayError as error:
        raise InputError(
            f"A worker of Ray failed ({_reason(error)}); what was done before is in the index, and "
            "the same command goes on from there."
        ) from None


def _reason(error: BaseException) -> str:
    """The first cause of an error, on a line."""
    while (cause := getattr(error, "cause", None) or error.__cause__) is not None:
        error = cause
    first = next(iter(str(error).strip().splitlines()), "")
    return f"{type(error).__name__}: {first[:200]}".rstrip(". :")


def _check_distinct(met: set[str], ids: Sequence[str]) -> None:
    """Raise where an id was met before; workers do not see each other's."""
    if not met.isdisjoint(ids):
        raise InputError(
            f"Two documents have the id {min(met.intersection(ids))!r}; give each its own."
        )
    met.update(ids)


def _commit(table: str, fragments: Sequence[str]) -> None:
    """Make fragments part of a table, all or none."""
    import lance

    if fragments:
        version = lance.dataset(table).version
        made = [lance.FragmentMetadata.from_json(one) for one in fragments]
        lance.LanceDataset.commit(table, lance.LanceOperation.Append(made), read_version=version)


def _report(fault: str, on_bad: Callable[[str], None] | None) -> None:
    if on_bad is None:
        raise InputError(fault)
    on_bad(fault)


def _chunks(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    chunk: list[Entry] = []
    for entry in entries:
        chunk.append(entry)
        if len(chunk) == _TEXTS_AT_ONCE:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


@contextmanager
def _cluster(address: str, workers: int | None) -> Iterator[Any]:
    """Ray, connected to a cluster, without its own remarks; it reports its use to nobody."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before Ray is loaded
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    needs("scale", "lance")
    ray = needs("scale", "ray")
    needs("scale", "ray.data")
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    own = {"num_cpus": workers, "include_dashboard": False} if address == LOCAL else {}
    with warnings.catch_warnings(), redirect_stdout(sys.stderr):
        warnings.simplefilter("ignore")
        try:
            _check_answers(address)
            ray.init(address, logging_level=logging.CRITICAL, log_to_driver=False, **own)
        except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
            reason = str(error).split("\n")[0].split(". ")[0].rstrip(".")
            raise InputError(
                f"There is no Ray cluster at {address} ({reason}); give its address, or auto, or "
                "local."
            ) from None
        try:
            yield ray
        finally:
            ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise where nobody listens at an address: Ray would ask for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host:
        with create_connection((host.strip("[]"), int(port)), _SECONDS):
            pass
