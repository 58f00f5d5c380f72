"""Recognising the pieces of a text that were met before, all of them at once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]

KEY_BYTES = 16  # a piece of up to 15 bytes and its length are two 64-bit numbers
_LONGEST_KEPT = 48  # bytes; longer pieces hardly come back
_SLOT_BITS = 19
_SPREAD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)  # odd, bits well mixed
_PREFIX = np.array(
    [list(b"\xff" * n + bytes(KEY_BYTES - n)) for n in range(KEY_BYTES)] + [[0] * KEY_BYTES],
    np.uint8,
).view("<u8")  # (17, 2): keeps the first n bytes of a key, and nothing of one that is too long
_LENGTH = np.arange(KEY_BYTES + 1, dtype=np.uint64) << np.uint64(56)  # n, in the last byte


class PieceCache:
    """Gives every distinct piece a number; `learn` gives those of pieces that are new.

    Making a string of each piece and looking it up in a dictionary takes Python some 150 ns a word.
    Here numpy compares keys with a table of the pieces met last, one a slot, at a third of that;
    the dictionary is asked only for what is long, new, or was pushed out of its slot.
    """

    def __init__(self, learn: Callable[[list[bytes]], list[int]]) -> None:
        self._learn = learn
        self._number: dict[bytes, int] = {}
        self._keys = np.zeros((1 << _SLOT_BITS, 2), np.uint64)
        self._numbers = np.zeros(1 << _SLOT_BITS, np.int32)

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, data: bytes, starts: Longs, ends: Longs) -> NDArray[np.int32]:
        """The number of each piece `data[start:end]`; KEY_BYTES more must follow the last start."""
        keys, short = _keys(data, starts, ends)
        mixed = keys[:, 0] * _SPREAD[0] + keys[:, 1] * _SPREAD[1]
        slot = (mixed >> np.uint64(64 - _SLOT_BITS)).view(np.int64)
        found: NDArray[np.int32] = self._numbers.take(slot)
        differs = self._keys.take(slot, axis=0) ^ keys
        missed = np.flatnonzero(differs[:, 0] | differs[:, 1])
        if len(missed):
            found[missed] = self._ask(data, starts[missed].tolist(), ends[missed].tolist())
            missed = missed[short[missed]]
            self._keys[slot[missed]] = keys[missed]
            self._numbers[slot[missed]] = found[missed]
        return found

    def _ask(self, data: bytes, starts: list[int], ends: list[int]) -> list[int]:
        pieces = [data[start:end] for start, end in zip(starts, ends, strict=True)]
        number = self._number
        new = [piece for piece in dict.fromkeys(pieces) if piece not in number]
        if new:
            number.update(zip(new, self._learn(new), strict=True))
        numbers = [number[piece] for piece in pieces]
        for piece in new:
            if len(piece) > _LONGEST_KEPT:
                del number[piece]
        return numbers


def _keys(data: bytes, starts: Longs, ends: Longs) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Two numbers that are a short piece's alone (pieces, 2), and which pieces are short."""
    length = np.minimum(ends - starts, KEY_BYTES)
    behind = np.ndarray(len(data) - KEY_BYTES + 1, f"V{KEY_BYTES}", data, strides=(1,))
    keys = behind[starts].view("<u8").reshape(-1, 2) & _PREFIX.take(length, axis=0)
    keys[:, 1] |= _LENGTH.take(length)
    return keys, length < KEY_BYTES
