"""The hash table of searches finds every entry, and no other."""

import numpy as np
import pytest

from meeple.search.machine.table import fill_slots, slot_of


@pytest.mark.parametrize("step", [1, 7, 1 << 40])
@pytest.mark.parametrize("size", [16, 64])
def test_every_entry_is_found_and_no_other(step, size):
    """With a step of 2**40 all keys begin at one slot; with 16 slots one is free."""
    keys = np.arange(16, dtype=np.uint64) * np.uint64(step)
    slots = np.ones(size, np.int32)  # of an earlier filling
    fill_slots(slots, keys, len(keys))
    found = [int(slots[slot_of(slots, keys, key)]) for key in keys]
    assert found == [0, *range(1, 16)]
    assert slots[slot_of(slots, keys, np.uint64(step // 2 + 16 * step))] == 0
