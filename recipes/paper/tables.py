"""Table 1 from the logs of its trainings alone.

    python recipes/paper/tables.py LOGS [--runs 4] [--departures]

LOGS has a folder for each training (fixed-0, learned-0, …) with its metrics.jsonl. Writes table.md,
table.csv and table.tex there, and departures.*.
"""

import argparse
import sys
from pathlib import Path

from samehand.errors import InputError
from samehand.training.ablate import DEPARTURES, write_tables
from samehand.training.table import markdown


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("logs", type=Path)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--departures", action="store_true")
    options = parser.parse_args()
    try:
        tables = write_tables(options.logs, options.runs, DEPARTURES if options.departures else ())
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(*map(markdown, tables.values()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
