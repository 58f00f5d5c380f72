"""Habits to look for: marks with their spacing, words, endings, line ends; how usual each is.

The table of rates was counted by recipes/habits over texts of many genres.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from samehand.text.layout import BLANK_LINE, JOINED, LINE_END, plain_name

USUAL = Path(__file__).with_name("usual.json")

Kind = Literal["mark", "word", "ending", "layout"]

ENDINGS = (
    "able", "al", "ance", "ed", "en", "ence", "er", "est", "ful", "ible", "ic", "ing", "ion", "ise",
    "ish", "ism", "ist", "ity", "ive", "ize", "less", "ly", "ment", "ness", "or", "our", "ous", "s",
)  # fmt: skip
_LEAST_STEM = 3
"""Letters before an ending."""

_MARKS = {
    "‿,": "comma (,)",
    "‿.": "full stop (.)",
    "‿;": "semicolon (;)",
    "‿:": "colon (:)",
    "‿?": "question mark (?)",
    "‿!": "exclamation mark (!)",
    "‿...": "dots (...), no space before",
    "‿-‿": "hyphen (-)",
    "-": "hyphen or short dash between spaces ( - )",
    "‿--‿": "dash without spaces (— or --)",
    "--": "dash between spaces ( — or -- )",
    "(‿": "bracket opened",
    "‿)": "bracket closed",
    '"‿': "quotation mark (\"), opening",
    '‿"': "quotation mark (\"), closing",
    "'‿": "single quotation mark ('), opening",
    "‿'": "apostrophe or single quotation mark (') at a word's end",
}  # fmt: skip
_SPACING = {
    (False, False): "between spaces",
    (True, False): "no space before",
    (False, True): "no space after",
    (True, True): "no space on either side",
}


@dataclass(frozen=True)
class Feature:
    """Something that writers do more or less often."""

    kind: Kind
    form: str
    """The type of a word or mark, the letters of an ending."""
    mean: float
    """Per 1,000 words, over texts of many genres."""
    spread: float
    """Standard deviation of the rate from writer to writer, without what chance adds."""
    low: float
    high: float
    """Nine in ten texts of about 1,000 words have between so many per 1,000 words."""

    @property
    def name(self) -> str:
        """For reading."""
        if self.kind == "mark":
            return _MARKS.get(self.form) or _marked(self.form)
        if self.kind == "word":
            return f"“{self.form}”"
        if self.kind == "ending":
            return f"words in -{self.form}"
        return "blank lines" if self.form == BLANK_LINE else "line ends inside paragraphs"


def forms(name: str) -> Iterator[tuple[Kind, str]]:
    """The kinds and forms of all that a token of this type may count as."""
    if name in (LINE_END, BLANK_LINE):
        yield "layout", name
    elif not is_word(name):
        yield "mark", name
    elif not name[0].isdigit():
        yield "word", name
        if name.isalpha():
            lowered = name.lower()
            longest = max((e for e in ENDINGS if lowered.endswith(e)), key=len, default="")
            if longest and len(name) >= len(longest) + _LEAST_STEM:
                yield "ending", longest


def is_word(name: str) -> bool:
    """Whether a type is a word or a number, and not a mark or a line end."""
    return any(map(str.isalnum, name))


@cache
def usual() -> dict[tuple[Kind, str], Feature]:
    """The table that comes with the package, read when it is first asked for."""
    listed = json.loads(USUAL.read_bytes())["features"]
    features = (Feature(*row) for row in listed)
    return {(feature.kind, feature.form): feature for feature in features}


def table_bytes(features: list[Feature], on: str) -> bytes:
    """The content of a table that `usual` reads; `on` says what it was counted over."""
    rows = ",\n  ".join(
        json.dumps(list(asdict(feature).values()), ensure_ascii=False) for feature in features
    )
    about = json.dumps(on, ensure_ascii=False)
    return f'{{\n "on": {about},\n "features": [\n  {rows}\n ]\n}}\n'.encode()


def _marked(form: str) -> str:
    spacing = _SPACING[form.startswith(JOINED), form.endswith(JOINED)]
    return f"{plain_name(form)}, {spacing}"
