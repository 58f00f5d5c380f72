"""Web pages are read as a browser shows them."""

from pathlib import Path

import pytest

from samehand.reading import read_text
from samehand.reading.html import html_text


def read(tmp_path: Path, content: bytes, name: str) -> str:
    path = tmp_path / name
    path.write_bytes(content)
    return read_text(path).text


@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ("<p hidden>no<p>It rained.", "It rained."),
        ("<p hidden>no<br>no <b>no<div>It rained.</div>", "It rained."),
        ("<p hidden>no<hr/>It rained.", "It rained."),
        ("<div>One.<p hidden>no</div>Two.", "One.\n\nTwo."),
        ("<ul><li hidden>no<ul><li>no</ul>no<li>It rained.</ul>", "It rained."),
        ("<ol><li>One.<li hidden>no</ol>Two.", "One.\n\nTwo."),
        ("<table><tr><td hidden>no<td>One.<tr><th hidden>no<tr><td>Two.</table>", "One.\n\nTwo."),
        ("<table><tr hidden><td>no<table><tr><td>no</table>no<tr><td>One.</table>", "One."),
        ("<table><tr><td>One.<td hidden>no</table>Two.", "One.\n\nTwo."),
        ("<table><tbody hidden><tr><td>no<tbody><tr><td>It rained.</table>", "It rained."),
        ("<dl><dt hidden>no<dd hidden>no<dl><dd>no</dl>no<dt>One.</dl>Two.", "One.\n\nTwo."),
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
    assert read(tmp_path, page.encode(), "page.html") == "It rained.\n\nAll night."


@pytest.mark.parametrize(
    ("page", "seen"),
    [
        ("<p>One.<p>Two.<br>Three.", "One.\n\nTwo.\nThree."),
        ("<p>One\n  line  of <b>the</b>\nsource.</p>\n<p>Two.", "One line of the source.\n\nTwo."),
        ("<p>One.</p><p>&nbsp;</p><p>Two.</p><p>Three.</p>", "One.\n\nTwo.\nThree."),
        ("<h1>One</h1>Two.<ul><li>a<li>b</ul>Three.", "One\n\nTwo.\n\na\nb\n\nThree."),
        ("<pre>One\n  two</pre><p>Three.", "One\ntwo\n\nThree."),
        ("<div style='white-space: pre-wrap'>One\ntwo</div>", "One\ntwo"),
        ("<table><tr><td>a<td>b<tr><td>c</table>Two.", "a\nb\nc\n\nTwo."),
    ],
)
def test_paragraphs_are_parted_by_blank_lines(page: str, seen: str) -> None:
    assert html_text(page) == seen


@pytest.mark.parametrize(
    ("reference", "character"),
    [
        ("&#233;", "é"),
        ("&#000000233;", "é"),
        ("&#xe9;", "é"),
        (f"&#{'9' * 5_000};", "\ufffd"),
        (f"&#{'0' * 5_000}233;", "é"),
        (f"&#x{'f' * 5_000};", "\ufffd"),
    ],
)
def test_a_character_may_have_any_number(reference: str, character: str) -> None:
    """Python reads no number of more than 4,300 digits."""
    assert html_text(f"<p>caf{reference} <b title='{reference}'>au lait</b>") == (
        f"caf{character} au lait"
    )
