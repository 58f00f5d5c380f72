"""Characters that prose hardly needs and programs live on."""

import regex

_SYMBOL = regex.compile(r"""[^\p{L}\p{M}\p{N}\p{Cf}\s.,;:!?'"’‘“”()\-–—…*]""")


def symbol_share(text: str) -> float:
    """Share of a text's characters that are neither letters, digits nor punctuation of prose."""
    return len(_SYMBOL.findall(text)) / max(1, len(text))
