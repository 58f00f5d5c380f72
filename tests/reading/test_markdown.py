"""Of Markdown, what is left is the prose."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from samehand.reading import Unreadable, child, read_content, read_text
from samehand.reading.markdown import markdown_text


def read(tmp_path: Path, content: bytes, name: str) -> str:
    path = tmp_path / name
    path.write_bytes(content)
    return read_text(path).text


@pytest.mark.parametrize(
    ("source", "prose"),
    [
        ("```samehand``` is the tool.\nIt rained.", "samehand is the tool. It rained."),
        ("One.\n```python title='x'\nno\n```\nTwo.", "One. Two."),
        ("One.\n````\nno\n```\nno\n````` \nTwo.", "One. Two."),
        ("One.\n```\nno\n~~~\nno\n```python\nno\n```\nTwo.", "One. Two."),
        ("One.\n~~~ a `b`\nno\n```\n~~~\nTwo.", "One. Two."),
        ("One.\n   ```\nno\n    ```\nno\n  ```\nTwo.", "One. Two."),
        ("- One.\n  ```\n  no\n  ```\n- Two.", "One. Two."),
        ("1. One.\n\n    ```sh\n    no\n    ```\n\n    Two.\n2. Three.", "One. Two. Three."),
        ("* One.\n\n\t~~~\n\tno\n\t~~~\n\tTwo.", "One. Two."),
        ("- ```\n  no\n  ```\n- Two.", "Two."),
        ("10) ~~~ x\n    no\n\n    no\n    ~~~\nTwo.", "Two."),
        ("- One.\n  - Two.\n\n    ```\n    no\n    ```\n    Three.", "One. Two. Three."),
        ("- One\ngoes on.\n    ```\n    no\n    ```\nTwo.", "One goes on. Two."),
        ("> One.\n> ```\n> no\n> ```\n> Two.", "One. Two."),
        ("> - One.\n>   ```\n>   no\n>   ```\n> Two.", "One. Two."),
        ("- One.\n  ```\n  no\nTwo, as the item has ended.", "One. Two, as the item has ended."),
        ("- - -\nOne.\n\n    ```\n    It is indented.", "One. ``` It is indented."),
    ],
)
def test_fences_of_code_follow_commonmark(tmp_path: Path, source: str, prose: str) -> None:
    assert read(tmp_path, source.encode(), "text.md").split() == prose.split()


@pytest.mark.parametrize(
    ("source", "prose"),
    [
        ("# One\n\nTwo\nthree.\n\n- a\n- b\n\nFour.", "One\n\nTwo\nthree.\n\na\nb\n\nFour."),
        (r"2 \* 3, snake_case, 1\. no list &amp; AT&T", "2 * 3, snake_case, 1. no list & AT&T"),
        ("~~not~~ *at* __all__ [here](http://x.org 'y') ![no](x.png)", "not at all here"),
        ("| a | b |\n|---|---|\n| c | d |\n\nTwo.", "a\nb\nc\nd\n\nTwo."),
        ("---\ntitle: no\n---\nOne.", "One."),
        ("One.\n\n---\n\nTwo.", "One.\n\nTwo."),
        ("One<br>two <span hidden>no</span>three.", "One\ntwo three."),
    ],
)
def test_marks_go_and_layout_stays(source: str, prose: str) -> None:
    assert markdown_text(source) == prose


@pytest.mark.parametrize("marks", ["[", "![", "](", "&", "> - ", "*a_ ", "`a", "<a "])
def test_no_marks_take_long(marks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "MOST_SECONDS", 1)
    start = time.monotonic()
    with suppress(Unreadable):
        read_content((marks * 100_000).encode(), "it", "it.md")
    assert time.monotonic() - start < 20
