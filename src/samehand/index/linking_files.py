"""Groups of accounts as files: a table of pairs in Parquet, JSON, and a picture."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samehand.errors import InputError, needs
from samehand.index.picture import draw_groups
from samehand.io.atomic import check_file, whole_file, write_whole

if TYPE_CHECKING:
    from samehand.index.linking import Linked

_FORMATS, _PICTURES = (".parquet", ".json"), (".png", ".svg", ".pdf")


def check_linked(output: Path | None, picture: Path | None) -> None:
    """Raise unless the files can be written, before any long work."""
    for path, endings in ((output, _FORMATS), (picture, _PICTURES)):
        if path is not None:
            if path.suffix not in endings:
                raise InputError(
                    f"{path}: its ending names none of the formats there are; name a file that "
                    f"ends in {', '.join(endings[:-1])} or {endings[-1]}."
                )
            check_file(path)
    if picture is not None:
        needs("plots", "matplotlib")


def write_linked(linked: "Linked", output: Path | None, picture: Path | None) -> None:
    """Write the files that are named."""
    if output is not None and output.suffix == ".json":
        write_whole(output, json.dumps(linked.as_dict(), ensure_ascii=False, indent=2) + "\n")
    elif output is not None:
        _write_parquet(linked, output)
    if picture is not None:
        draw_groups(linked, picture)


def _write_parquet(linked: "Linked", path: Path) -> None:
    """A row for each pair of each group."""
    pa, pq = needs("scale", "pyarrow"), needs("scale", "pyarrow.parquet")
    schema = pa.schema(
        [
            ("group", pa.int32()),
            ("account", pa.string()),
            ("other_account", pa.string()),
            ("log10_lr", pa.float64()),
            ("probability", pa.float64()),
            ("accounts_in_group", pa.int32()),
            ("expected_precision", pa.float64()),
        ],
        {"finding": linked.sentence},
    )
    rows: list[dict[str, Any]] = [
        {
            "group": number,
            "account": linked.names[link.one],
            "other_account": linked.names[link.other],
            "log10_lr": link.log10_lr,
            "probability": link.probability,
            "accounts_in_group": len(group.accounts),
            "expected_precision": group.expected_precision,
        }
        for number, group in enumerate(linked.groups, start=1)
        for link in group.links
    ]
    with whole_file(path) as file:
        pq.write_table(pa.Table.from_pylist(rows, schema), file)
