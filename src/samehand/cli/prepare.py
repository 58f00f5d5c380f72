"""`samehand prepare`: corpora in, an encoded store out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from samehand.corpus.prepare import Preparation
    from samehand.corpus.store import Store


def prepare(
    corpus: Annotated[list[Path], typer.Argument(help="PAN folders, author/topic/text.txt trees, CSV, JSONL, Parquet.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="STORE", help="Folder to make.")],
    dev: Annotated[list[Path], typer.Option(help="A calibration part that comes split already.")] = [],  # noqa: B006
    test: Annotated[list[Path], typer.Option(help="A test part that comes split already.")] = [],  # noqa: B006
    trials: Annotated[list[Path], typer.Option(help="Trials in PAN format to score during training.")] = [],  # noqa: B006
    author_column: Annotated[str, typer.Option(help="Column with the author, in tables.")] = "author",
    topic_column: Annotated[str, typer.Option(help="Column with the topic.")] = "topic",
    text_column: Annotated[str, typer.Option(help="Column with the text.")] = "text",
    format: Annotated[str | None, typer.Option(help="Force a format: pan20, pan13, folders, csv, jsonl, parquet.")] = None,
    topics: Annotated[str, typer.Option(help="labels, text (clusters of content words), or auto.")] = "auto",
    n_topics: Annotated[int, typer.Option(min=2, help="Clusters a source, where topics come from the text.")] = 200,
    split_by: Annotated[str, typer.Option(help="Parts share no authors: alone, or with no topics: topics.")] = "topics",
    subsets: Annotated[str, typer.Option(help="Kinds of test trials to keep.")] = "SA_SF,SA_DF,DA_SF,DA_DF",
    words: Annotated[int, typer.Option(min=1, help="Words in the vocabulary.")] = 5_000,
    characters: Annotated[int, typer.Option(min=1, help="Characters in the vocabulary.")] = 300,
    vectors: Annotated[Path | None, typer.Option(help="fastText or GloVe text file with initial word vectors.")] = None,
    seed: Annotated[int, typer.Option(help="For split, clusters and trials.")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; as many as there are cores by default.")] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out unreadable records, and count them.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing store.")] = False,
) -> None:
    """Read corpora, split them by author and topic, count vocabularies, and encode everything into STORE."""
    from rich.console import Console

    from samehand.corpus.prepare import Preparation
    from samehand.corpus.prepare import prepare as make
    from samehand.corpus.readers import Columns
    from samehand.corpus.trials import parse_subsets
    from samehand.errors import InputError

    if topics not in ("labels", "text", "auto"):
        raise InputError(f"--topics {topics}: choose labels, text or auto.")
    if split_by not in ("topics", "authors"):
        raise InputError(f"--split-by {split_by}: choose topics or authors.")
    if output.exists() and not force:
        raise InputError(f"{output}: exists already; choose another place, or replace it with --force.")
    if output.exists() and not (output / "store.json").exists() and any(output.iterdir()):
        raise InputError(f"{output}: holds something that is no store, so --force will not replace it.")
    plan = Preparation(
        corpus, dev, test, trials, Columns(author_column, topic_column, text_column), format,
        disjoint_topics=split_by == "topics", topics=topics, n_topics=n_topics, n_words=words,
        n_characters=characters, subsets=parse_subsets(subsets), vectors=vectors, seed=seed, workers=workers,
    )  # fmt: skip
    errors = Console(stderr=True)
    with _progress(errors) as show:
        store = make(plan, output, (lambda fault: errors.print(f"skipped: {fault}", markup=False)) if skip_bad else None, show)
        show("drawing pair counts", 0, None)
        _plot_pair_counts(store, plan)
    _print_table(store)


def _plot_pair_counts(store: "Store", plan: "Preparation") -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    from samehand.corpus.zipf import count_pairs, plot_pair_counts

    training = store.documents("train")
    author, topic, source = (store.array(name)[training] for name in ("author", "topic", "source"))
    figure, ax = plt.subplots(figsize=(5, 3.6), layout="constrained")
    plot_pair_counts(ax, count_pairs(author, topic, plan.deltas, plan.seed, epochs=10, groups=source))
    ax.set_title("Pairs drawn in 10 epochs", pad=42)
    figure.savefig(store.folder / "pair-counts.png", dpi=150)
    plt.close(figure)


@contextmanager
def _progress(console: "Console") -> Iterator[Callable[[str, int, int | None], None]]:
    """One bar a step; documents are counted where their number is not known beforehand."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[count]}"), TimeElapsedColumn(),
        console=console, transient=True,
    ) as bars:  # fmt: skip
        tasks: dict[str, Any] = {}

        def show(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                for task in tasks.values():
                    bars.update(task, total=1, completed=1)
                tasks[what] = bars.add_task(what, total=total, count="")
            if done:
                bars.update(tasks[what], completed=done, count=f"{done:,} documents")

        yield show


def _print_table(store: "Store") -> None:
    from rich.console import Console
    from rich.table import Table

    about = store.about
    table = Table("", "documents", "authors", "topics", "tokens", title=f"{store.folder}", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, part in about["parts"].items():
        if part["documents"]:
            table.add_row(name, *(f"{part[key]:,}" for key in ("documents", "authors", "topics", "tokens")))
    console = Console()
    console.print(table)
    dropped = ", ".join(f"{count:,} {why}" for why, count in about["dropped"].items() if count) or "none"
    subsets = ", ".join(f"{name} {share:.1%}" for name, share in about["subsets"].items())
    lines = [
        f"dropped: {dropped}",
        f"vocabulary: covers {about['coverage']:.1%} of the training tokens ({about['types']:,} types)",
        f"an epoch: {about['pairs_an_epoch']:,} pairs ({subsets})",
    ]
    if about["topics_from_text"]:
        lines.append(f"topics from the text: {', '.join(about['topics_from_text'])}")
    if "vectors_found" in about:
        lines.append(f"word vectors: found for {about['vectors_found']:.1%} of the vocabulary")
    if about["trials"]:
        lines.append(f"trials to score: {', '.join(f'{name} ({n})' for name, n in about['trials'].items())}")
    console.print("\n".join(lines), highlight=False, markup=False)
