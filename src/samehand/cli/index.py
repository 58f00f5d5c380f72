"""`samehand index`: documents of corpora into an index."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.console import progress, unusable_records


def index(
    corpora: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="CORPUS",
            help="PAN folders, author/topic/text.txt trees, CSV, JSONL, Parquet; one or more.",
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="INDEX", help="Folder of the index, or s3://…"),
    ] = ...,  # type: ignore[assignment]
    delete: Annotated[
        list[str] | None,
        typer.Option("--delete", metavar="ID", help="Delete this document; may be repeated."),
    ] = None,
    delete_author: Annotated[
        list[str] | None,
        typer.Option(
            "--delete-author",
            metavar="AUTHOR",
            help="Delete all documents of this author; may be repeated.",
        ),
    ] = None,
    keep_text: Annotated[
        bool, typer.Option("--keep-text", help="Store the texts, too, of which there is no word.")
    ] = False,
    model: options.Model = None,
    id_column: Annotated[
        str | None,
        typer.Option(help="The id's, in tables; ids are source/number unless it is given."),
    ] = None,
    author_column: options.AuthorColumn = "author",
    topic_column: options.TopicColumn = "topic",
    text_column: options.TextColumn = "text",
    format: options.Format = None,
    skip_bad: options.SkipBad = False,
    device: options.Device = "cpu",
    ray: Annotated[
        str | None,
        typer.Option(
            "--ray",
            metavar="ADDRESS",
            help="Embed by Ray: local for this machine, auto, or the address of a cluster.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Workers of Ray; one for each processor, or GPU, unless given."),
    ] = None,
) -> None:
    """Make an index of documents to be searched and linked; or add to one, or delete from it.

    What is in the index already is not embedded again, so that a command that
    was interrupted goes on when it is given again. Nothing leaves this
    machine, and no text is stored unless --keep-text asks for it.

    Examples:
    $ samehand index posts.parquet --author-column account --id-column post -o posts.index
    $ samehand index -o posts.index --delete-author somebody
    """
    from samehand.corpus.readers import Columns
    from samehand.errors import InputError
    from samehand.index import Index
    from samehand.index.corpora import entries, n_entries
    from samehand.verifier import Verifier

    gone, whose = delete or [], delete_author or []
    if bool(corpora) == bool(gone or whose):
        raise InputError(
            "Give either corpora to add, or documents to delete (--delete, --delete-author)."
        )
    if workers is not None and ray is None:
        raise InputError("--workers counts for Ray alone; name a cluster, too (--ray local).")
    verifier = Verifier.load(model, device="cpu" if ray else device)
    with progress() as watch:
        if not corpora:
            opened = Index.open(output, verifier)
            n = opened.delete(gone, authors=whose, progress=watch)
            done = f"{n:,} documents deleted"
        else:
            columns = Columns(author_column, topic_column, text_column, id_column)
            total = None if ray else n_entries(corpora, columns, format)
            opened = Index.at(output, verifier, keep_text=keep_text)
            bad = unusable_records(skip_bad)
            if ray is None:
                documents = entries(corpora, columns, format, bad)
                added = opened.add(documents, total=total, progress=watch)
            else:
                added = opened.add_by_ray(
                    corpora,
                    columns,
                    model=model,
                    device=device,
                    format=format,
                    address=ray,
                    workers=workers,
                    on_bad=bad,
                    progress=watch,
                )
            done = f"{added.new:,} documents added"
            if added.present:
                done += f"; {added.present:,} were there already"
            if added.too_short:
                done += f"; {added.too_short:,} with too few words to be compared left out"
    typer.echo(f"{done}: {output} has {len(opened):,} by {opened.authors:,} authors")
