"""Word and PDF files as programs write them, made for a test."""

import io
from collections.abc import Sequence

from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from pypdf import PdfReader, PdfWriter


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
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", ""]
    objects[2] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    if unicode:
        objects[2] = objects[2].replace(">>", "/ToUnicode 4 0 R >>")
        map = f"begincmap 1 beginbfchar <41> <{unicode}> endbfchar endcmap"
        objects.append(f"<< /Length {len(map)} >>\nstream\n{map}\nendstream")
    kids = []
    for page in pages:
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects) + 2} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        shown = "".join(f"({_escaped(line)}) Tj T*\n" for line in page.splitlines() if line)
        stream = f"BT /F1 10 Tf 12 TL 50 800 Td\n{shown}ET" if shown else ""
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    kids *= times
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _assembled(objects)


def locked(content: bytes, password: str) -> bytes:
    """The same PDF, encrypted."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    writer.encrypt(password, algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


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
    return file.encode("latin-1")
