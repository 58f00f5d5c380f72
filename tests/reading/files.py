"""Word and PDF files as programs write them, made for a test."""

import io
from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls


def docx(*paragraphs: str, table: Sequence[Sequence[str]] = (), last: str = "") -> bytes:
    """Paragraphs, then a table, then a last paragraph."""
    document = Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    if table:
        grid = document.add_table(len(table), len(table[0]))
        for row, cells in enumerate(table):
            for column, cell in enumerate(cells):
                grid.cell(row, column).text = cell
    document.add_paragraph(last)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def docx_of(markup: str) -> bytes:
    """A Word file with this WordprocessingML as its body."""
    document = Document()
    last = document.element.body.sectPr
    for element in parse_xml(f"<w:body {nsdecls('w')}>{markup}</w:body>"):
        last.addprevious(element)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def pdf(*pages: str, times: int = 1, unicode: str = "") -> bytes:
    """Pages of plain text, a line each line; an empty one is as blank as a scan.

    All of them so many times; and with a font that says what a capital A stands for, in figures.
    """
    placed = (
        [Placed(line, 50, 800 - 12 * place) for place, line in enumerate(page.split("\n")) if line]
        for page in pages
    )
    return pdf_of(*placed, times=times, unicode=unicode)


class Placed(NamedTuple):
    """A line of a page of 595 by 842 points, in Courier, whose letters are 0.6 of its size wide."""

    text: str
    left: float
    base: float
    size: float = 10
    turned: bool = False
    """By a quarter of a circle, as a stamp on the margin is."""


def pdf_of(*pages: Sequence[Placed], times: int = 1, unicode: str = "") -> bytes:
    """Pages of lines, each where it is put; all of them so many times."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", ""]
    objects[2] = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    if unicode:
        objects[2] = objects[2].replace(">>", "/ToUnicode 4 0 R >>")
        objects.append(_stream(f"begincmap 1 beginbfchar <41> <{unicode}> endbfchar endcmap"))
    kids = []
    for page in pages:
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects) + 2} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(_stream("".join(map(_shown, page))))
    kids *= times
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _assembled(objects)


def typeset(
    paragraphs: Sequence[str], *, columns: int = 80, indent: int = 0, space: float = 8
) -> bytes:
    """Paragraphs as a program prints them: wrapped, and parted by space or by indentation."""
    pages: list[list[Placed]] = [[]]
    base = 780.0
    for paragraph in paragraphs:
        for line in paragraph.split("\n"):
            for number, part in enumerate(wrap(line, columns, initial_indent=" " * indent)):
                if base < 60:
                    pages.append([])
                    base = 780.0
                left = 50 + 6 * (indent if number == 0 else 0)
                pages[-1].append(Placed(part.strip(), left, base))
                base -= 12
        base -= space
    return pdf_of(*pages)


def _shown(line: Placed) -> str:
    text, left, base, size, turned = line
    matrix = "0 1 -1 0" if turned else "1 0 0 1"
    return f"BT /F1 {size} Tf {matrix} {left} {base} Tm ({_escaped(text)}) Tj ET\n"


def _stream(content: str) -> str:
    return f"<< /Length {len(content.encode('cp1252'))} >>\nstream\n{content}\nendstream"


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _assembled(objects: list[str]) -> bytes:
    file, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(file))
        file += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    count = len(objects) + 1
    file += f"xref\n0 {count}\n0000000000 65535 f \n{table}"
    file += f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{file.index('xref')}\n%%EOF\n"
    return file.encode("cp1252")
