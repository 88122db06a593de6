"""Boards packed in a word of bits: their images."""

from typing import Any

import numpy as np

from meeple.kernels import kernel

_GROUPS = tuple(
    np.uint64(mask)
    for mask in (
        0x5555555555555555,
        0x3333333333333333,
        0x0F0F0F0F0F0F0F0F,
        0x00FF00FF00FF00FF,
        0x0000FFFF0000FFFF,
        0x00000000FFFFFFFF,
    )
)
"""Masks of every other bit, pair, group of four... of a word."""


@kernel
def exchanged(word: Any, first: int, last: int) -> Any:
    """Return a word with neighbouring groups of `2**first` to `2**(last - 1)` bits exchanged."""
    for step in range(first, last):
        mask, shift = _GROUPS[step], np.uint64(1 << step)
        word = ((word >> shift) & mask) | ((word & mask) << shift)
    return word
