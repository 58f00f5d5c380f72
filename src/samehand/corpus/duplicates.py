"""Documents are unique: what was seen before, apart from its spacing, is dropped and counted."""

from hashlib import blake2b
from unicodedata import normalize

_DIGEST_BYTES = 16  # among a billion documents, two different ones collide at odds of about 1e-21
_ASCII_SPACES = bytes(code for code in range(128) if chr(code).isspace())


class DuplicateFilter:
    """Remembers a digest of every document, so that memory stays small (about 150 bytes each).

    Documents are the same if they differ in whitespace only, or in how Unicode composes accents.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._seen: dict[bytes, int] = {}

    def is_new(self, text: str) -> bool:
        """Whether no such text was asked about before; if one was, it counts as dropped."""
        new = len(self._seen)
        if self._seen.setdefault(content_digest(text), new) == new:
            return True
        self.dropped += 1
        return False

    def number_of(self, text: str) -> int | None:
        """Which of the new texts it was, counted from 0; None if no such text was among them."""
        return self._seen.get(content_digest(text))


def content_digest(text: str) -> bytes:
    """A digest that ignores whitespace, and how Unicode composes accents."""
    # Deleting bytes is several times as fast as splitting into words, which then has only the rare
    # wider spaces left to do. Composing comes last, as it may join what a space kept apart.
    letters = text.encode("utf-8", "surrogatepass").translate(None, _ASCII_SPACES)
    if not letters.isascii():
        joined = "".join(letters.decode("utf-8", "surrogatepass").split())
        letters = normalize("NFC", joined).encode("utf-8", "surrogatepass")
    return blake2b(letters, digest_size=_DIGEST_BYTES).digest()
