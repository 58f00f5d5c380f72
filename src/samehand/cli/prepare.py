"""`samehand prepare`: corpora in, an encoded store out."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.cli import options
from samehand.cli.console import progress, terminal, unusable_records

if TYPE_CHECKING:
    from samehand.corpus.prepare import Preparation
    from samehand.corpus.store import Store


class Topics(StrEnum):
    """Where topics come from."""

    auto = "auto"
    labels = "labels"
    text = "text"


class SplitBy(StrEnum):
    """The labels that no two parts of a store have in common."""

    topics = "topics"
    authors = "authors"


Paths = list[Path] | None


def prepare(
    corpus: Annotated[
        list[Path],
        typer.Argument(help="PAN folders, author/topic/text.txt trees, CSV, JSONL, Parquet."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="STORE", help="Folder to make.")
    ],
    dev: Annotated[
        Paths,
        typer.Option(
            metavar="CORPUS", help="A corpus that is the calibration part, split off already."
        ),
    ] = None,
    test: Annotated[
        Paths,
        typer.Option(metavar="CORPUS", help="A corpus that is the test part, split off already."),
    ] = None,
    trials: Annotated[
        Paths,
        typer.Option(metavar="DIR", help="Trials in PAN format, to be scored during training."),
    ] = None,
    author_column: options.AuthorColumn = "author",
    topic_column: options.TopicColumn = "topic",
    text_column: options.TextColumn = "text",
    format: options.Format = None,
    authors_apart: Annotated[
        bool,
        typer.Option(
            "--authors-apart", help="Take a name that is in two sources for two authors, not one."
        ),
    ] = False,
    topics: Annotated[
        Topics,
        typer.Option(
            metavar="auto|labels|text",
            help="Where topics come from. labels: as given; text: clusters of the words; auto: "
            "clusters where labels are missing or say nothing.",
        ),
    ] = Topics.auto,
    n_topics: Annotated[
        int, typer.Option(min=2, help="Clusters of each source, where topics come from the text.")
    ] = 200,
    split_by: Annotated[
        SplitBy,
        typer.Option(
            metavar="topics|authors",
            help="topics: parts share neither authors nor topics; authors: they share no authors.",
        ),
    ] = SplitBy.topics,
    shares: Annotated[
        str,
        typer.Option(
            metavar="PERCENT,PERCENT,...",
            help="Sizes of the parts: training, calibration and, if there is one, test.",
        ),
    ] = "75,12.5,12.5",
    subsets: Annotated[
        str,
        typer.Option(
            metavar="KIND,...",
            help="Kinds of sampled trials to keep: SA, DA for the same and different authors, SF, "
            "DF for the same and different topics.",
        ),
    ] = "SA_SF,SA_DF,DA_SF,DA_DF",
    words: Annotated[int, typer.Option(min=1, help="Words in the vocabulary.")] = 5_000,
    characters: Annotated[
        int, typer.Option(min=1, max=30_000, help="Characters in the vocabulary.")
    ] = 300,
    vectors: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Initial word vectors: fastText or GloVe.")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the split, the clusters and the trials.")
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="How many processes; where it is not said, one for each core."),
    ] = None,
    skip_bad: options.SkipBad = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a store that is in STORE.")
    ] = False,
) -> None:
    """Read corpora, split them by author and topic, count words, and encode it all into STORE.

    Examples:
    $ samehand prepare novels mails.parquet -o store
    $ samehand prepare posts.csv --split-by authors --trials pan20-test -o store
    """
    from samehand.corpus.prepare import Preparation
    from samehand.corpus.prepare import prepare as make
    from samehand.corpus.readers import Columns
    from samehand.corpus.split import parse_shares
    from samehand.corpus.trial_sampling import parse_subsets
    from samehand.errors import needs

    needs("train", "sklearn")
    plan = Preparation(
        corpora=corpus,
        dev=dev or (),
        test=test or (),
        trials=trials or (),
        columns=Columns(author_column, topic_column, text_column),
        format=format,
        authors_apart=authors_apart,
        shares=parse_shares(shares),
        disjoint_topics=split_by is SplitBy.topics,
        topics=topics.value,
        n_topics=n_topics,
        n_words=words,
        n_characters=characters,
        subsets=parse_subsets(subsets),
        vectors=vectors,
        seed=seed,
        workers=workers,
    )
    with progress() as watch:
        store = make(plan, output, unusable_records(skip_bad), watch, replace=force)
        watch("drawing pair counts")
        _plot_pair_counts(store, plan)
    _print_table(store)


def _plot_pair_counts(store: "Store", plan: "Preparation") -> None:
    from matplotlib.figure import Figure

    from samehand.corpus.zipf import count_pairs, plot_pair_counts
    from samehand.io.atomic import whole_file

    training = store.documents("train")
    author, topic, source = (store.array(name)[training] for name in ("author", "topic", "source"))
    counts = count_pairs(author, topic, plan.deltas, plan.seed, epochs=10, groups=source)
    figure = Figure(figsize=(5, 3.6), layout="constrained")
    ax = figure.add_subplot()
    plot_pair_counts(ax, counts)
    ax.set_title("Pairs drawn in 10 epochs", pad=42)
    with whole_file(store.folder / "pair-counts.png") as file:
        figure.savefig(file, format="png", dpi=150)


def _print_table(store: "Store") -> None:
    from rich.table import Table

    about = store.about
    counted = ("documents", "authors", "topics", "words", "tokens")
    table = Table("", title=str(store.folder), title_justify="left")
    for name in counted:
        table.add_column(name, justify="right")
    for name, part in about["parts"].items():
        if part["documents"]:
            table.add_row(name, *(f"{part[key]:,}" for key in counted))
    console = terminal(soft_wrap=True)
    console.print(table)
    for line in _lines(about):
        console.print(line)
    console.print(f"drew {store.folder / 'pair-counts.png'}")


def _lines(about: dict[str, Any]) -> Iterator[str]:
    """Lines to print below the table."""
    why = {"between parts": "whose author and topic fell into different parts"}
    dropped = [f"{n:,} {why.get(name, name)}" for name, n in about["dropped"].items() if n]
    yield f"dropped: {', '.join(dropped) or 'none'}"
    yield (
        f"vocabulary: covers {about['coverage']:.1%} of the training tokens "
        f"({about['types']:,} types in all)"
    )
    subsets = ", ".join(f"{name} {share:.1%}" for name, share in about["subsets"].items())
    yield f"an epoch: {about['pairs_an_epoch']:,} pairs ({subsets})"
    if about["topics_from_text"]:
        yield f"topics from the text: {', '.join(about['topics_from_text'])}"
    if "vectors_found" in about:
        yield f"word vectors: found for {about['vectors_found']:.1%} of the vocabulary"
    if about["trials"]:
        sets = ", ".join(f"{name} ({count})" for name, count in about["trials"].items())
        yield f"trials to score: {sets}"
    yield from _cautions(about)


def _cautions(about: dict[str, Any]) -> Iterator[str]:
    """Cautions, and what to do about them."""
    if shared := about["shared_authors"]["authors"]:
        name, one, other = about["shared_authors"]["example"]
        yield (
            f"caution: names of authors in several sources: {shared:,}, such as {name!r} in {one} "
            f"and {other}; each is taken for one author, unless --authors-apart is given"
        )
    for name, count in about["trials_trained_on"].items():
        if count:
            yield (
                f"caution: trials of {name} that hold a text of the training part: {count:,} of "
                f"{about['trials'][name]:,}; figures on them flatter, so leave it out of one"
            )
