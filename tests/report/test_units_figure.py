"""The figure of a text's units, read back from the SVG."""

import unicodedata
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from samehand.explaining.as_read import TextAsRead, as_read, printable
from samehand.report.units_figure import WIDTH, units_figure
from samehand.text.tokenise import Tokeniser
from tests.models import essay, untrained

SVG = "{http://www.w3.org/2000/svg}"


def drawn(read: TextAsRead, chosen: list[int]) -> ElementTree.Element:
    return ElementTree.fromstring(units_figure(read, chosen).encode())


def of_kind(svg: ElementTree.Element, element: str, kind: str) -> list[ElementTree.Element]:
    return [e for e in svg.iter(SVG + element) if kind in (e.get("class") or "").split()]


def test_tokens_of_the_units_are_drawn_in_their_order_and_shared_ones_marked() -> None:
    read = as_read([untrained()], essay("anna-1"), "")
    svg = drawn(read, [0, 1, 20])
    chosen = [at for unit in (0, 1, 20) for at in range(*read.units[unit])]
    names = [e.text for e in of_kind(svg, "text", "name")]
    assert names[2:] == [read.names[at] for at in chosen]  # two explain the marks
    shared = ["shared" in (e.get("class") or "") for e in of_kind(svg, "rect", "token")]
    assert shared[2:] == [read.shared[at] for at in chosen]
    marks = [e.text for e in of_kind(svg, "text", "mark")]
    assert marks[1:] == ["<UNK>"] * sum(read.views[0].seen[at] is not None for at in chosen)
    assert [e.text for e in of_kind(svg, "text", "unit")] == ["1", "2", "21"]
    assert "… 18 more …" in {e.text for e in svg.iter(SVG + "text")}


def test_nothing_overlaps_and_nothing_is_outside() -> None:
    read = as_read([untrained()], "m" * 99 + " " + "漢" * 99 + " " + essay("bruno-1"), "")
    svg = drawn(read, [0, 1, 2])
    height = float(svg.get("height") or 0)
    boxes = [
        [float(box.get(name) or 0) for name in ("x", "y", "width", "height")]
        for box in of_kind(svg, "rect", "token")
    ]
    assert all(x >= 0 and x + width <= WIDTH and y + tall <= height for x, y, width, tall in boxes)
    for (x, y, width, tall), (next_x, next_y, *_) in pairwise(boxes):
        assert next_x >= x + width or next_y >= y + tall


@given(st.text(st.characters()) | st.text(st.sampled_from("<>&'\"]]>\x00\x1b\ud800\ufffe a")))
def test_what_a_text_holds_cannot_break_the_figure(text: str) -> None:
    if not Tokeniser().strings(text):
        return
    read = as_read([untrained()], text, "")
    svg = drawn(read, [0])
    first, last = read.units[0]
    shown = [printable(name) for name in read.names[first:last]]
    assert [e.text for e in of_kind(svg, "text", "name")][2:] == shown
    assert {e.tag for e in svg.iter()} == {SVG + n for n in ("svg", "style", "rect", "text")}
    assert not any(unicodedata.category(c) in ("Cc", "Cf") for name in shown for c in name)
