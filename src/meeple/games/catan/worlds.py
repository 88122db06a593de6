"""Possible worlds: weighted sets of all hands, updated by what is public and by unseen steals.

A set holds up to CAPACITY worlds, each the hands of all seats, [4 * 5] counts. It is exact until a
steal would make more of them than that; then it becomes a weighted sample of that size.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.catan.state import KINDS, SEATS
from meeple.kernels import kernel, uniform

CAPACITY = 1024
CELLS = SEATS * KINDS
_TABLE = 16_384  # slots of the hash table, over three times as many as children of all worlds


class Worlds(NamedTuple):
    """The worlds, and room to branch them."""

    hands: npt.NDArray[np.int8]  # [CAPACITY, 20]
    weights: npt.NDArray[np.float64]  # [CAPACITY] summing to 1
    number: npt.NDArray[np.int64]  # [1] of worlds
    exact: npt.NDArray[np.bool_]  # [1]
    branched: npt.NDArray[np.int8]  # [5 * CAPACITY, 20]
    branched_weights: npt.NDArray[np.float64]  # [5 * CAPACITY]
    table: npt.NDArray[np.int32]  # [_TABLE] worlds by hash, 1 + their place; zero between


def certain() -> Worlds:
    """One world: all hands are empty."""
    worlds = Worlds(
        hands=np.zeros((CAPACITY, CELLS), dtype=np.int8),
        weights=np.zeros(CAPACITY),
        number=np.ones(1, dtype=np.int64),
        exact=np.ones(1, dtype=np.bool_),
        branched=np.zeros((KINDS * CAPACITY, CELLS), dtype=np.int8),
        branched_weights=np.zeros(KINDS * CAPACITY),
        table=np.zeros(_TABLE, dtype=np.int32),
    )
    worlds.weights[0] = 1.0
    return worlds


@kernel
def keep_possible(worlds: Any, changes: Any, least: Any, emptied: int, taker: int) -> bool:
    """Apply public changes of hands, drop worlds that they contradict; False where none is left.

    `changes` [20] are added; before that, each hand must hold `least` [20]; with `emptied` >= 0,
    every seat but `taker` must hold exactly what it gives of that resource.
    """
    kept = 0
    total = 0.0
    for place in range(worlds.number[0]):
        possible = True
        for cell in range(CELLS):
            held = np.int64(worlds.hands[place, cell])
            if held < least[cell] or held + changes[cell] < 0:
                possible = False
            if emptied >= 0 and cell % KINDS == emptied and cell // KINDS != taker:
                possible = possible and held + changes[cell] == 0
        if not possible:
            continue
        for cell in range(CELLS):
            worlds.hands[kept, cell] = worlds.hands[place, cell] + changes[cell]
        worlds.weights[kept] = worlds.weights[place]
        total += worlds.weights[kept]
        kept += 1
    return bool(_keep_first(worlds, kept, total))


@kernel
def see_steal(worlds: Any, thief: int, victim: int, resource: int) -> bool:
    """A steal that was seen: worlds by how likely it was; False where none allows it."""
    kept = 0
    total = 0.0
    for place in range(worlds.number[0]):
        held = np.int64(worlds.hands[place, victim * KINDS + resource])
        if held == 0:
            continue
        size = _hand_size(worlds.hands, place, victim)
        for cell in range(CELLS):
            worlds.hands[kept, cell] = worlds.hands[place, cell]
        worlds.hands[kept, victim * KINDS + resource] -= 1
        worlds.hands[kept, thief * KINDS + resource] += 1
        worlds.weights[kept] = worlds.weights[place] * held / size
        total += worlds.weights[kept]
        kept += 1
    return bool(_keep_first(worlds, kept, total))


@kernel
def _keep_first(worlds: Any, kept: int, total: float) -> bool:
    """Forget all worlds but the first, and let their weights, of this sum, sum to 1 again."""
    if kept == 0:
        return False
    worlds.number[0] = kept
    for place in range(kept):
        worlds.weights[place] /= total
    return True


@kernel
def branch_steal(worlds: Any, thief: int, victim: int, rng: Any) -> None:
    """A steal that was not seen: every world branches by the victim's cards; equal worlds merge.

    Consumes `rng` where there are too many and a sample is drawn.
    """
    found = 0
    for place in range(worlds.number[0]):
        size = _hand_size(worlds.hands, place, victim)
        for resource in range(KINDS):
            held = np.int64(worlds.hands[place, victim * KINDS + resource])
            if held == 0:
                continue
            for cell in range(CELLS):
                worlds.branched[found, cell] = worlds.hands[place, cell]
            worlds.branched[found, victim * KINDS + resource] -= 1
            worlds.branched[found, thief * KINDS + resource] += 1
            worlds.branched_weights[found] = worlds.weights[place] * held / size
            found += _merge(worlds, found)
    _clear_table(worlds, found)
    if found <= CAPACITY:
        _take(worlds, found)
    else:
        worlds.exact[0] = False
        _draw_sample(worlds, found, rng)


@kernel
def _hand_size(hands: Any, place: int, seat: int) -> int:
    size = 0
    for resource in range(KINDS):
        size += int(hands[place, seat * KINDS + resource])
    return size


@kernel
def _slot_of(hands: Any, place: int) -> int:
    """Where a world's search in the table begins."""
    value = np.uint64(0xCBF29CE484222325)
    for cell in range(CELLS):
        value = (value ^ np.uint64(np.uint8(hands[place, cell]))) * np.uint64(0x100000001B3)
    return int(np.int64((value ^ (value >> np.uint64(29))) & np.uint64(_TABLE - 1)))


@kernel
def _merge(worlds: Any, new: int) -> int:
    """Add a new branch's weight to an equal one before it: 0; or enter it into the table: 1."""
    slot = _slot_of(worlds.branched, new)
    while worlds.table[slot] > 0:
        other = np.int64(worlds.table[slot]) - 1
        same = True
        for cell in range(CELLS):
            if worlds.branched[other, cell] != worlds.branched[new, cell]:
                same = False
        if same:
            worlds.branched_weights[other] += worlds.branched_weights[new]
            return 0
        slot = (slot + 1) % _TABLE
    worlds.table[slot] = new + 1
    return 1


@kernel
def _clear_table(worlds: Any, found: int) -> None:
    """Empty the table, by the worlds in it."""
    for place in range(found):
        slot = _slot_of(worlds.branched, place)
        while worlds.table[slot] > 0:
            worlds.table[slot] = 0
            slot = (slot + 1) % _TABLE


@kernel
def _take(worlds: Any, found: int) -> None:
    worlds.number[0] = found
    for place in range(found):
        worlds.weights[place] = worlds.branched_weights[place]
        for cell in range(CELLS):
            worlds.hands[place, cell] = worlds.branched[place, cell]


@kernel
def _draw_sample(worlds: Any, found: int, rng: Any) -> None:
    """CAPACITY worlds in proportion to their weights, evenly spread (systematic resampling)."""
    kept = 0
    last = -1
    passed = 0.0
    mark = uniform(rng) / CAPACITY
    for place in range(found):
        passed += worlds.branched_weights[place]
        while kept < CAPACITY and mark + kept / CAPACITY < passed:
            last = place
            worlds.weights[kept] = 1.0 / CAPACITY
            for cell in range(CELLS):
                worlds.hands[kept, cell] = worlds.branched[place, cell]
            kept += 1
    while kept < CAPACITY:  # weights that sum to a little less than 1
        worlds.weights[kept] = 1.0 / CAPACITY
        for cell in range(CELLS):
            worlds.hands[kept, cell] = worlds.branched[last, cell]
        kept += 1
    worlds.number[0] = CAPACITY


@kernel
def draw_world(worlds: Any, rng: Any) -> int:
    """The place of a world drawn by the weights; consumes `rng`."""
    mark = uniform(rng)
    last = np.int64(worlds.number[0]) - 1
    for place in range(last):
        mark -= worlds.weights[place]
        if mark < 0.0:
            return place
    return int(last)
