"""Keys of states, 64 bits or 128: of transposition tables, Q-tables and the solver."""

from typing import Any

import numpy as np

from meeple.kernels import IDENTITY, inlined, invoke2, kernel, scramble

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: its multiples lie apart
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


@kernel
def write_key(rules: Any, state: Any, key: Any) -> None:
    """Write a state's key [2]: the game's own (`identity`), or two hashes of the state's bytes."""
    if rules[IDENTITY] != 0:
        invoke2(rules[IDENTITY], state.ctypes.data, key.ctypes.data)
        return
    key[0], key[1] = hash_bytes(state), np.uint64(0)
    for byte in state:
        key[1] = scramble(key[1] ^ np.uint64(byte)) + key[1]


@inlined
def mixed(key: Any) -> Any:
    """Return one word of a key [2] that looks random; with the second word it is as exact."""
    return scramble(key[0] ^ scramble(key[1] + GOLDEN))
