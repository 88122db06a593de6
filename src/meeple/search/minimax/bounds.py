"""The transposition table of alpha-beta: bounds on states' scores, by the states' keys.

A table is int64 [slots, 3], slots a power of two, owned by the caller. A key has two slots side by
side: the first holds the deepest entry of the current search; the second takes all others.
Scores are for the state's player to move, counting plies from the state.

Several threads may use a table without locks: a slot stores its key combined with the other two
words by exclusive or, so that an entry of which two threads wrote parts is not found (Hyatt and
Mann, "A lock-less transposition table implementation for parallel search", 2002).
"""

from typing import Any

import numpy as np

from meeple.kernels import IDENTITY, inlined, invoke2, kernel, prefetch, scramble
from meeple.search.state_hash import hash_bytes, mixed

# Columns: key ^ score ^ meta; the score; meta, which packs action, depth, bound and age.
# Meta is 0 in a free slot.
_MIXED, _SCORE, _META = range(3)

LOWER, EXACT, UPPER = 1, 2, 3  # bounds: the score is at least, just, or at most the entry's

_ACTION_BITS, _DEPTH_BITS, _BOUND_BITS, _AGE_BITS = 31, 10, 2, 20
_BOUND_AT = _ACTION_BITS + _DEPTH_BITS
_AGE_AT = _BOUND_AT + _BOUND_BITS
AGES = 1 << _AGE_BITS
KNOWN = (1 << _DEPTH_BITS) - 1
"""The depth of entries that were searched to the end of the game."""


@kernel
def key_of(rules: Any, state: Any, words: Any) -> Any:
    """A state's key, 63 bits: from the game's own `identity`, or else a hash of its bytes.

    The probability of any collision is about n**2 / 2**64 for n states. `words` is uint64 [2],
    scratch memory of the call.
    """
    if rules[IDENTITY] != 0:
        invoke2(rules[IDENTITY], state.ctypes.data, words.ctypes.data)
        word = mixed(words)
    else:
        word = scramble(hash_bytes(state))
    return np.int64(word >> np.uint64(1))


@inlined
def fetch(table: Any, key: int) -> None:
    """Let the processor load a key's slots, in which `find` will look."""
    row = (key & (table.shape[0] - 1)) * table.strides[0]
    prefetch(np.intp(table.ctypes.data + row))


@inlined
def find(table: Any, key: int) -> Any:
    """The packed word and the score of a key's entry; 0 and 0 if there is none."""
    first = key & (table.shape[0] - 1)
    for slot in (first, first ^ 1):
        score, meta = table[slot, _SCORE], table[slot, _META]
        if table[slot, _MIXED] ^ score ^ meta == key and meta != 0:
            return meta, score
    return np.int64(0), np.int64(0)


@inlined
def action_of(meta: Any) -> Any:
    """The best action of an entry. States of one key may differ: it need not be legal."""
    return meta & ((1 << _ACTION_BITS) - 1)


@inlined
def depth_of(meta: Any) -> Any:
    """The plies that an entry was searched to, or KNOWN."""
    return (meta >> _ACTION_BITS) & KNOWN


@inlined
def bound_of(meta: Any) -> Any:
    """The kind of an entry's score: LOWER, EXACT or UPPER."""
    return (meta >> _BOUND_AT) & 3


@inlined
def keep(table: Any, key: int, score: int, action: int, depth: int, bound: int, age: int) -> None:
    """Store an entry; `age` is the number of the search, below AGES."""
    slot = key & (table.shape[0] - 1)
    old = table[slot, _META]
    other = table[slot, _MIXED] ^ table[slot, _SCORE] ^ old != key
    if other and old >> _AGE_AT == age and depth_of(old) > depth:
        slot ^= 1
    meta = action | depth << _ACTION_BITS | bound << _BOUND_AT | age << _AGE_AT
    table[slot, _MIXED] = key ^ score ^ meta
    table[slot, _SCORE] = score
    table[slot, _META] = meta
