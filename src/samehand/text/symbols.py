"""Characters that prose hardly needs and programs live on."""

import re

_SYMBOL = re.compile(r"[#$%&+/<=>@\[\\\]^_`{|}~]")


def symbol_share(text: str) -> float:
    """Share of a text's characters that are symbols on a keyboard, not punctuation of prose."""
    return len(_SYMBOL.findall(text)) / max(1, len(text))
