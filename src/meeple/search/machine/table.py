"""A hash table: open-addressed slots that hold numbers of entries, from 1 on; 0: free.

`slots` is int32 [T], T a power of two, with one free slot at least; `keys` are uint64, those of the
entries by number, and their lowest bits look random. Both belong to the caller. The table misses
no entry: its size changes no result.
"""

from typing import Any

import numpy as np

from meeple.kernels import inlined, kernel


@inlined
def slot_of(slots: Any, keys: Any, key: Any) -> int:
    """Return the slot of a key, or the free slot where it belongs."""
    mask = np.uint64(slots.shape[0] - 1)
    slot = key & mask
    while slots[slot] != 0 and keys[slots[slot]] != key:
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@kernel
def fill_slots(slots: Any, keys: Any, used: int) -> None:
    """Enter the entries from 1 to `used` - 1 into free slots."""
    slots[:] = 0
    for number in range(1, used):
        slots[slot_of(slots, keys, keys[number])] = number
