"""Spelling differences that come from keyboards and editors, not from the writer, are taken out."""

import re
import unicodedata

import regex

LONGEST_RUN = 3
"""`soooooo` and `sooo` are one habit: runs of a character are cut to this length."""

# \x91 to \x97: Windows quotes and dashes read as Latin-1, common in old mail.
_SAME = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ′´\x91\x92", "'"),
        **dict.fromkeys("“”„‟″«»\x93\x94", '"'),
        **dict.fromkeys("‐‑‒–−\x96", "-"),
        **dict.fromkeys("—―\x97", "--"),
        "…": "...",
    }
)
_RUN = re.compile(r"(.)" + r"\1" * LONGEST_RUN + r"\1*", re.DOTALL)
_INVISIBLE = regex.compile(r"[\p{Cf}\x00-\x1f\x7f]+")


def normalise(token: str) -> str:
    """The form a token is counted under: NFC, plain quotes and dashes, short runs, all visible.

    Works token by token, after tokenising, so that offsets into the user's own string stay true.
    What is normal stays as it is.
    """
    plain = token if token.isascii() else _plain(token)
    if _RUN.search(plain):
        plain = _RUN.sub(lambda run: run.group(1) * LONGEST_RUN, plain)
    return plain


def _plain(token: str) -> str:
    visible = _INVISIBLE.sub("", token) or token
    return unicodedata.normalize("NFC", visible).translate(_SAME)
