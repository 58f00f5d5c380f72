"""How much the kind of file changes a likelihood ratio.

    python benchmarks/formats.py TRIALS [--trials 100] [--model DIR] [--browser chromium]

TRIALS holds a folder a set (pairs.jsonl.gz, truth.jsonl). Trials are drawn from all sets in turn.
The questioned text of each is written as a file of each kind by the programs that people use, read
back as `samehand verify` reads it, and compared with the known text, which stays a plain text.
Printed is how far the log10 LR lies from that of the plain text. LRs at the model's bounds, which
would hide a difference, are counted. Needs python-docx and a browser that prints to PDF.
`quality.py --browser` does the same.
"""

import argparse
import html
import re
import subprocess
from collections.abc import Callable, Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from docx import Document
from quality_figures import Figures, bar

from samehand import Verifier
from samehand.corpus.readers import Trial, read_trials
from samehand.reading import read_text

BAR = 0.1
TRIALS = 100
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+.!|~&-])")
Writer = Callable[[str, Path], None]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("--trials", dest="n", type=int, default=TRIALS)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--browser", default="chromium")
    options = parser.parse_args()
    found = formats(Verifier.load(options.model), options.trials, options.browser, options.n)
    print(f"{found['trials']} trials, {found['at_bounds']} of them at the model's bounds")
    for kind, off in found["kinds"].items():
        print(
            f"{kind:11} mean {off['mean']:.3f}  highest {off['highest']:.3f}"
            f"  {off['beyond']} of {BAR} and more"
        )


def formats(verifier: Verifier, folder: Path, browser: str, n: int = TRIALS) -> dict[str, Any]:
    """How far log10 LRs of trials lie, by kind of file, from those of the plain texts."""
    kinds = ("txt", *writers(browser))
    found, at_bounds = [], 0
    for trial in islice(drawn(folder), n):
        with TemporaryDirectory() as place:
            texts = [text for _, text in as_files(trial.questioned, Path(place), browser)]
        verdicts = [verifier.verify(text, trial.known) for text in texts]
        found.append([verdict.log10_lr for verdict in verdicts])
        at_bounds += found[-1][0] in verdicts[0].log10_lr_bounds
    off = np.abs(np.array(found) - np.array(found)[:, :1])
    return {
        "trials": len(found),
        "at_bounds": at_bounds,
        "kinds": {
            kind: {
                "mean": float(column.mean()),
                "highest": float(column.max()),
                "beyond": int((column >= BAR).sum()),
            }
            for kind, column in zip(kinds[1:], off.T[1:], strict=True)
        },
    }


def bars(found: dict[str, Any]) -> list[Figures]:
    """One for each kind of file."""
    return [
        bar(f"log10 LR from {kind}: highest difference to plain text", off["highest"], BAR)
        for kind, off in found["kinds"].items()
    ]


def table(found: dict[str, Any]) -> str:
    """As Markdown."""
    rows = [
        f"| {kind} | {off['mean']:.3f} | {off['highest']:.3f} | {off['beyond']} |"
        for kind, off in found["kinds"].items()
    ]
    heads = f"|  | mean | highest | of {found['trials']}, {BAR} and more |"
    return "\n".join([heads, "| --- | ---: | ---: | ---: |", *rows])


def drawn(folder: Path) -> Iterator[Trial]:
    """The first trial of each set, then the second of each, and so on."""
    sets = [read_trials(path.parent) for path in sorted(folder.glob("*/truth.jsonl"))]
    return (trial for trial in chain.from_iterable(zip_longest(*sets)) if trial is not None)


def as_files(text: str, folder: Path, browser: str) -> Iterator[tuple[str, str]]:
    """The text as it is read from a file of each kind."""
    (folder / "text.txt").write_text(text, "utf-8")
    yield "txt", read_text(folder / "text.txt").text
    for kind, write in writers(browser).items():
        path = folder / f"text-{kind}"
        path = path.with_suffix("." + kind.split("-")[0])
        write(text, path)
        yield kind, read_text(path).text


def writers(browser: str) -> dict[str, Writer]:
    """How a text is put into a file of each kind."""
    return {
        "docx": write_docx,
        "docx-lines": write_docx_by_lines,
        "html": write_html,
        "md": write_markdown,
        "pdf": lambda text, path: write_pdf(text, path, browser),
    }


def paragraphs(text: str) -> list[list[str]]:
    """The lines of each paragraph."""
    parts = re.split(r"\n\s*\n", text.strip("\n"))
    return [[line.strip() for line in part.split("\n")] for part in parts]


def write_docx(text: str, path: Path) -> None:
    document = Document()
    for lines in paragraphs(text):
        document.add_paragraph("\n".join(lines))
    document.save(str(path))


def write_docx_by_lines(text: str, path: Path) -> None:
    """As it comes about where a plain text is pasted into Word."""
    document = Document()
    for line in text.split("\n"):
        document.add_paragraph(line)
    document.save(str(path))


def page(text: str) -> str:
    blocks = ("<br>\n".join(map(html.escape, lines)) for lines in paragraphs(text))
    body = "\n".join(f"<p>{block}</p>" for block in blocks)
    return f'<!doctype html><meta charset="utf-8"><title>A text</title>\n{body}\n'


def write_html(text: str, path: Path) -> None:
    path.write_text(page(text), "utf-8")


def write_markdown(text: str, path: Path) -> None:
    written = ("\n".join(map(escaped, lines)) for lines in paragraphs(text))
    path.write_text("\n\n".join(written) + "\n", "utf-8")


def escaped(line: str) -> str:
    return _MARKUP.sub(r"\\\1", line)


def write_pdf(text: str, path: Path, browser: str) -> None:
    """As a browser prints a page, with its head and foot."""
    source = path.with_suffix(".print.html")
    write_html(text, source)
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={path}"]
    subprocess.run([*command, source.as_uri()], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    main()
