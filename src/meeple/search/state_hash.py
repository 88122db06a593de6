"""A hash of a state's bytes: the key of transposition tables and Q-tables."""

from typing import Any

import numpy as np

from meeple.kernels import kernel

_FNV_PRIME = np.uint64(0x100000001B3)
_FNV_START = np.uint64(0xCBF29CE484222325)


@kernel
def hash_bytes(state: Any) -> Any:
    """A 64-bit hash of a state, FNV-1a over its 8-byte words and the bytes left.

    Two states of a search meet by accident with odds of about n**2 / 2**65 for n states.
    """
    size = state.shape[0]
    words = state[: size - size % 8].view(np.uint64)
    value = _FNV_START
    for index in range(words.shape[0]):
        value = (value ^ words[index]) * _FNV_PRIME
        value ^= value >> np.uint64(29)
    for index in range(size - size % 8, size):
        value = (value ^ np.uint64(state[index])) * _FNV_PRIME
    return value ^ (value >> np.uint64(32))
