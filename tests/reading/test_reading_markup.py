"""What a program shows of a text is read, whatever markup stands around it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt  # comes with rich

from samehand.reading import read_text
from samehand.reading.markdown import markdown_text
from tests.reading.files import docx_of


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
    assert read(tmp_path, content, "text.docx").split("\n") == ["It rained all night."] * 3


def test_whole_paragraphs_rows_and_cells_in_content_controls_are_read(tmp_path: Path) -> None:
    def control(content: str) -> str:
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    first, second, third = (f"<w:p>{run(text)}</w:p>" for text in ("One.", "Two.", "Three."))
    rows = control(f"<w:tr>{control(f'<w:tc>{second}</w:tc>')}</w:tr>")
    table = f"<w:tbl><w:tblPr/><w:tblGrid/>{rows}</w:tbl>"
    content = docx_of(control(control(first) + table) + third)
    assert read(tmp_path, content, "text.docx") == "One.\nTwo.\nThree."


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


@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ("<p hidden>no<p>It rained.", "It rained."),
        ("<p hidden>no<br>no <b>no<div>It rained.</div>", "It rained."),
        ("<p hidden>no<hr/>It rained.", "It rained."),
        ("<div>One.<p hidden>no</div>Two.", "One.\nTwo."),
        ("<ul><li hidden>no<ul><li>no</ul>no<li>It rained.</ul>", "It rained."),
        ("<ol><li>One.<li hidden>no</ol>Two.", "One.\nTwo."),
        ("<table><tr><td hidden>no<td>One.<tr><th hidden>no<tr><td>Two.</table>", "One.\nTwo."),
        ("<table><tr hidden><td>no<table><tr><td>no</table>no<tr><td>One.</table>", "One."),
        ("<table><tr><td>One.<td hidden>no</table>Two.", "One.\nTwo."),
        ("<table><tbody hidden><tr><td>no<tbody><tr><td>It rained.</table>", "It rained."),
        ("<dl><dt hidden>no<dd hidden>no<dl><dd>no</dl>no<dt>One.</dl>Two.", "One.\nTwo."),
        ("<datalist><option hidden>no</datalist>It rained.", "It rained."),
        ("<div hidden><p>no<p>no<div>no</div>no</div>It rained.", "It rained."),
        ("<li hidden>no</li>It rained.", "It rained."),
    ],
)
def test_a_hidden_element_ends_where_its_end_tag_may_be_left_out(
    tmp_path: Path, page: str, seen: str
) -> None:
    assert read(tmp_path, f"<!doctype html>{page}".encode(), "page.html") == seen


@pytest.mark.parametrize(
    "head",
    [
        "<head><title>no</title>",
        "<title>no</title>",
        "<html><head><meta charset=utf-8><link href=x><base href=y /><script>'<p>no'</script>"
        "<noscript><img src=x><p>no</p></noscript><template><p>no</template><style>no</style>",
    ],
)
@pytest.mark.parametrize("start", ["<p>", "<b>", "<body>", "</head>", "</head><body><p>", "<hr/>"])
def test_the_tags_around_head_and_body_may_be_left_out(
    tmp_path: Path, head: str, start: str
) -> None:
    page = f"<!doctype html>{head}{start}It rained.<p>All night."
    assert read(tmp_path, page.encode(), "page.html") == "It rained.\nAll night."


@pytest.mark.parametrize(
    ("source", "prose"),
    [
        ("```samehand``` is the tool.\nIt rained.", "samehand is the tool. It rained."),
        ("One.\n```python title='x'\nno\n```\nTwo.", "One. Two."),
        ("One.\n````\nno\n```\nno\n````` \nTwo.", "One. Two."),
        ("One.\n```\nno\n~~~\nno\n```python\nno\n```\nTwo.", "One. Two."),
        ("One.\n~~~ a `b`\nno\n```\n~~~\nTwo.", "One. Two."),
        ("One.\n   ```\nno\n    ```\nno\n  ```\nTwo.", "One. Two."),
        ("- One.\n  ```\n  no\n  ```\n- Two.", "- One. - Two."),
        ("1. One.\n\n    ```sh\n    no\n    ```\n\n    Two.\n2. Three.", "1. One. Two. 2. Three."),
        ("* One.\n\n\t~~~\n\tno\n\t~~~\n\tTwo.", "* One. Two."),
        ("- ```\n  no\n  ```\n- Two.", "- Two."),
        ("10) ~~~ x\n    no\n\n    no\n    ~~~\nTwo.", "Two."),
        ("- One.\n  - Two.\n\n    ```\n    no\n    ```\n    Three.", "- One. - Two. Three."),
        ("- One\ngoes on.\n    ```\n    no\n    ```\nTwo.", "- One goes on. Two."),
        ("> One.\n> ```\n> no\n> ```\n> Two.", "One. Two."),
        ("> - One.\n>   ```\n>   no\n>   ```\n> Two.", "- One. Two."),
        ("- One.\n  ```\n  no\nTwo, as the item has ended.", "- One. Two, as the item has ended."),
        ("- - -\nOne.\n\n    ```\n    It is indented.", "- - - One. ``` It is indented."),
    ],
)
def test_fences_of_code_follow_commonmark(tmp_path: Path, source: str, prose: str) -> None:
    assert read(tmp_path, source.encode(), "text.md").split() == prose.split()


BEGINNINGS = (
    "",
    "",
    " ",
    "  ",
    "   ",
    "    ",
    "\t",
    "- ",
    "1. ",
    "> ",
    "  - ",
    "   * ",
    "- > ",
    "1. - ",
)
WRITTEN = st.sampled_from(["```", "```py", "~~~", "````", "word", "word", ""])


@given(st.lists(st.tuples(st.sampled_from(BEGINNINGS), WRITTEN), max_size=12))
def test_code_is_what_another_reader_of_commonmark_takes_for_it(
    lines: list[tuple[str, str]],
) -> None:
    source = "\n".join(
        begins.rstrip(" -*1.") if not what else begins + what.replace("word", f"word{number}")
        for number, (begins, what) in enumerate(lines)
    )
    blocks = MarkdownIt("commonmark").parse(source)
    code = {word for block in blocks if block.type == "fence" for word in block.content.split()}
    words = {word for word in source.split() if word.startswith("word")}
    assert words & set(markdown_text(source).split()) == words - code
