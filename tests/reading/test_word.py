"""Word files are read as Word shows them, and none of them takes much memory or time."""

import io
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.reading import read_text
from samehand.reading.paragraphs import normal_layout
from samehand.reading.word import docx_text
from samehand.reading.word_body import MOST_ELEMENTS
from tests.reading.files import docx, docx_of


def read(tmp_path: Path, content: bytes, name: str) -> str:
    path = tmp_path / name
    path.write_bytes(content)
    return read_text(path).text


def run(text: str, properties: str = "") -> str:
    """A run of a Word file."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


TRACKED = 'w:id="1" w:author="A"'
DELETED = f'<w:del {TRACKED}><w:r><w:delText xml:space="preserve">never </w:delText></w:r></w:del>'


@pytest.mark.parametrize(
    "wrapped",
    [
        f"<w:ins {TRACKED}>{{}}</w:ins>",
        f"<w:moveTo {TRACKED}>{{}}</w:moveTo>",
        "<w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>",
        '<w:smartTag w:uri="x" w:element="place">{}</w:smartTag>',
        '<w:fldSimple w:instr="AUTHOR">{}</w:fldSimple>',
        f"<w:ins {TRACKED}>{DELETED}<w:sdt><w:sdtContent>{{}}</w:sdtContent></w:sdt></w:ins>",
        f"<w:hyperlink><w:ins {TRACKED}>{{}}</w:ins></w:hyperlink>",
    ],
)
def test_what_stands_in_a_wrapper_is_read_where_it_stands(tmp_path: Path, wrapped: str) -> None:
    paragraph = f"<w:p>{run('It ')}{wrapped.format(run('rained '))}{run('all night.')}</w:p>"
    table = f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>{paragraph}</w:tc></w:tr></w:tbl>"
    content = docx_of(paragraph + table + paragraph)
    assert read(tmp_path, content, "text.docx").split("\n\n") == ["It rained all night."] * 3


def test_whole_paragraphs_rows_and_cells_in_content_controls_are_read(tmp_path: Path) -> None:
    def control(content: str) -> str:
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    first, second, third = (f"<w:p>{run(text)}</w:p>" for text in ("One.", "Two.", "Three."))
    rows = control(f"<w:tr>{control(f'<w:tc>{second}</w:tc>')}</w:tr>")
    table = f"<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>"
    content = docx_of(control(control(first) + table) + third)
    assert read(tmp_path, content, "text.docx") == "One.\n\nTwo.\n\nThree."


def test_what_word_does_not_show_or_nobody_wrote_is_left_out(tmp_path: Path) -> None:
    off = '<w:vanish w:val="{}"/>'
    prompt = "<w:sdtPr><w:showingPlcHdr/></w:sdtPr>"
    content = docx_of(
        f"<w:p>{run('It ')}{DELETED}<w:moveFrom {TRACKED}>{run('hardly ')}</w:moveFrom>"
        f"{run('secretly ', '<w:vanish/>')}<w:ins {TRACKED}>{run('so ', '<w:vanish/>')}</w:ins>"
        f"{run('rained ', off.format(0))}{run('all ', off.format('false'))}"
        f"<w:sdt>{prompt}<w:sdtContent>{run('Click to enter text.')}</w:sdtContent></w:sdt>"
        f"{run('night.')}</w:p>"
    )
    assert read(tmp_path, content, "text.docx") == "It rained all night."


def test_paragraphs_are_parted_by_blank_lines_and_lines_by_line_ends(tmp_path: Path) -> None:
    content = docx("It rained all night.", "Nobody minded:\nthe roof is new.", last="The end.")
    assert read(tmp_path, content, "text.docx") == (
        "It rained all night.\n\nNobody minded:\nthe roof is new.\n\nThe end."
    )


def test_an_empty_paragraph_between_paragraphs_parts_them_as_a_blank_line(tmp_path: Path) -> None:
    """So do people who paste a plain text into Word: each line is a paragraph there."""
    lines = ["Dear Ann,", "", "It rained all night.", "Nobody minded.", "", "", "Yours,", "Ben"]
    assert read(tmp_path, docx(*lines), "text.docx") == (
        "Dear Ann,\n\nIt rained all night.\nNobody minded.\n\nYours,\nBen"
    )


def test_items_of_a_list_and_cells_of_a_table_follow_each_other(tmp_path: Path) -> None:
    def item(text: str) -> str:
        numbered = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        return f"<w:p>{numbered}{run(text)}</w:p>"

    content = docx_of(f"<w:p>{run('First:')}</w:p>{item('one')}{item('two')}<w:p>{run('X.')}</w:p>")
    assert read(tmp_path, content, "text.docx") == "First:\n\none\ntwo\n\nX."
    content = docx("First:", table=[["a", "b"], ["", "d"]], last="The end.")
    assert read(tmp_path, content, "text.docx") == "First:\n\na\nb\nd\n\nThe end."


def test_tabs_and_hyphens_are_signs_and_boxes_are_left_out(tmp_path: Path) -> None:
    box = (
        "<w:r><w:pict><w:txbxContent><w:p><w:r><w:t>no</w:t></w:r></w:p></w:txbxContent></w:pict>"
        "</w:r>"
    )
    tabs = '<w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>'
    sign = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t></w:r>"
    assert read(tmp_path, docx_of(f"<w:p>{tabs}{sign}{box}</w:p>"), "text.docx") == "a\tb-c"


def zipped(body: str, before: str = "") -> bytes:
    """A Word file that holds nothing but its body, as a hostile one may."""
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "word/document.xml",
            f'{before}<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>',
        )
    return file.getvalue()


PARAGRAPH = "<w:p><w:r><w:t>It rained.</w:t></w:r></w:p>"
SPAN = '<w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>'
MERGED = f"<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>{PARAGRAPH}</w:tc></w:tr>"
ENTITIES = "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (zipped(f"<w:tbl><w:tr><w:tc>{SPAN}{PARAGRAPH}</w:tc></w:tr></w:tbl>"), "It rained."),
        (zipped(f"<w:tbl>{MERGED * 900}</w:tbl>"), "\n\n".join(["It rained."] * 900)),
        (zipped("<w:p/>" * (MOST_ELEMENTS // 4) + PARAGRAPH), "It rained."),
    ],
    ids=["a cell over a billion columns", "merged rows", "empty paragraphs"],
)
def test_a_small_file_takes_little_memory_and_time(content: bytes, text: str) -> None:
    start = time.monotonic()
    tracemalloc.start()
    try:
        assert normal_layout(docx_text(content)) == text
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50_000_000
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (zipped("<w:p/>" * MOST_ELEMENTS), "takes too long to read; save the text alone as .txt"),
        (zipped("<!--" + "x" * 30_000_000 + "-->" + PARAGRAPH), "damaged"),
        (zipped("<w:p " + " ".join(f'a{n}=""' for n in range(400_000)) + "/>"), "damaged"),
        (zipped("<w:p><w:r><w:t>&b;</w:t></w:r></w:p>", ENTITIES), "damaged"),
        (zipped("<w:p>"), "damaged"),
        (zipped("<w:t>" + "word" * (9 << 20)), "too long; give the part that matters"),
    ],
    ids=["elements", "a comment", "attributes", "entities", "never closed", "characters"],
)
def test_what_has_no_bound_is_refused(tmp_path: Path, content: bytes, fault: str) -> None:
    start = time.monotonic()
    with pytest.raises(InputError, match=fault):
        read(tmp_path, content, "text.docx")
    assert time.monotonic() - start < 60
