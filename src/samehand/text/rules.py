"""Where tokens begin and end in a piece of text without white space: the rules themselves."""

import re

import regex

LEADING = "\"'("
"""Marks that are tokens of their own right before a word, whatever it is …"""
TRAILING = ".,!?;:\"')"
"""… and behind it: no smiley goes on from letters into one of these, no address ends in one."""

# The bound on what stands before the @ keeps time linear, whatever a piece is made of.
_ADDRESSES = r"""
      (?:https?://|www\.)[^\s<>"]*[^\s<>{T}]
    | [{L}{N}._%+-]{{1,64}}@[{L}{N}-]+(?:\.[{L}{N}-]+)+
    |
"""
_TOKENS = r"""
      (?P<word>[{L}](?!\.[{L}]\.)[{L}{N}{J}]*(?:[{Q}][{L}][{L}{N}{J}]*)*)
    | (?:[{L}]\.){{2,}}                                     # e.g. U.S.
    | [<>]?[:;=8][-'^o]?(?P<mouth>[)(\][DPp/\\|*])(?P=mouth){{0,2}}(?![{L}{N}])  # :-)) ;P
    | <3(?![{N}])
    | [{N}]+(?:[.,:/][{N}]+)*                               # 1,000.50 12:30
    {emoji}
    | (?P<mark>[^{L}{N}\s{I}])(?P=mark)*{marks}             # a run of one mark: ... !!! --
"""
_ASCII = {
    "T": re.escape(TRAILING),
    "L": "A-Za-z",
    "N": "0-9",
    "J": "",
    "Q": "'",
    "I": r"\x00-\x1f\x7f",
    "emoji": "",
    "marks": "",
}
_UNICODE = {
    "T": re.escape(TRAILING),
    "L": r"\p{L}",
    "N": r"\p{N}",
    "J": r"\p{M}\p{Cf}",  # what may stand inside a word: accents, zero-width characters
    "Q": "'’ʼ\x92",
    "I": r"\p{Cf}\x00-\x1f\x7f-\x90\x98-\x9f",  # invisible; \x91 to \x97 are Windows' quotes
    "emoji": r"| [\p{Extended_Pictographic}\p{Regional_Indicator}]"
    r"[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Extended_Pictographic}\p{Regional_Indicator}]*",
    "marks": r"\p{M}*",
}
# Trying for addresses costs as much as all the rest, and few pieces can hold one. The standard
# library's expressions are twice as fast as regex's, which alone knows the properties of Unicode.
_RULES: dict[tuple[bool, bool], re.Pattern[str]] = {
    (True, False): re.compile(_TOKENS.format(**_ASCII), re.VERBOSE),
    (True, True): re.compile((_ADDRESSES + _TOKENS).format(**_ASCII), re.VERBOSE),
    (False, False): regex.compile(_TOKENS.format(**_UNICODE), regex.VERBOSE),
    (False, True): regex.compile((_ADDRESSES + _TOKENS).format(**_UNICODE), regex.VERBOSE),
}
_ADDRESS = re.compile(r"@|://|www\.")
_APOSTROPHE = re.compile(r"['’ʼ\x92]")
_CLITIC = re.compile(r"(?:n['’ʼ\x92]t|['’ʼ\x92](?:s|re|ve|ll|d|m))$", re.IGNORECASE)


def spans(piece: str) -> list[tuple[int, int]]:
    """Start and end of each token, in order; only invisible characters are in none."""
    rules = _RULES[piece.isascii(), _ADDRESS.search(piece) is not None]
    if not _APOSTROPHE.search(piece):
        return [match.span() for match in rules.finditer(piece)]
    found: list[tuple[int, int]] = []
    for match in rules.finditer(piece):
        start, end = match.span()
        clitic = _CLITIC.search(piece, start, end) if match.lastgroup == "word" else None
        if clitic and clitic.start() > start:  # do|n't, it|'s
            found += [(start, clitic.start()), (clitic.start(), end)]
        else:
            found.append((start, end))
    return found
