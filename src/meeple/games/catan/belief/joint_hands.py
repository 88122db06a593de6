"""The joint distribution of all hands, updated by public changes, seen steals and hidden steals.

The distribution holds at most CAPACITY weighted cases. A case is the hands of all seats, [4 * 5]
card counts. The distribution is exact until a hidden steal would create more than CAPACITY cases;
then CAPACITY of them are sampled.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.catan.rules.cards import draw_card
from meeple.games.catan.rules.state import BANK_CARDS, KINDS, MAX_SEATS
from meeple.kernels import kernel, uniform

CAPACITY = 1024
CELLS = MAX_SEATS * KINDS
_TABLE = 16_384  # slots of the hash table, more than three times 5 * CAPACITY


class JointHands(NamedTuple):
    """The weighted cases, and buffers in which a hidden steal branches them."""

    hands: npt.NDArray[np.int8]  # [CAPACITY, 20]
    weights: npt.NDArray[np.float64]  # [CAPACITY] summing to 1
    number: npt.NDArray[np.int64]  # [1] the number of cases
    exact: npt.NDArray[np.bool_]  # [1] whether no case was lost to sampling
    branched: npt.NDArray[np.int8]  # [5 * CAPACITY, 20]
    branched_weights: npt.NDArray[np.float64]  # [5 * CAPACITY]
    table: npt.NDArray[np.int32]  # [_TABLE] 1 + index of a branch, by its hash; 0: empty


def empty_hands() -> JointHands:
    """Return a distribution with one case, in which all hands are empty."""
    joint = JointHands(
        hands=np.zeros((CAPACITY, CELLS), dtype=np.int8),
        weights=np.zeros(CAPACITY),
        number=np.ones(1, dtype=np.int64),
        exact=np.ones(1, dtype=np.bool_),
        branched=np.zeros((KINDS * CAPACITY, CELLS), dtype=np.int8),
        branched_weights=np.zeros(KINDS * CAPACITY),
        table=np.zeros(_TABLE, dtype=np.int32),
    )
    joint.weights[0] = 1.0
    return joint


@kernel
def keep_possible(joint: Any, changes: Any, least: Any, emptied: int, taker: int) -> bool:
    """Apply a public change of hands and remove the cases that contradict it.

    Args:
        joint: JointHands, updated in place.
        changes: [20] cards to add to each seat's count of each resource.
        least: [20] cards that each seat must hold before the change.
        emptied: resource of which every seat but `taker` holds 0 after the change; -1: none.
        taker: the seat that may hold `emptied` afterwards.

    Returns:
        Whether at least one case remains; if not, the weights are not updated.
    """
    kept = 0
    total = 0.0
    for place in range(joint.number[0]):
        possible = True
        for cell in range(CELLS):
            held = np.int64(joint.hands[place, cell])
            if held < least[cell] or held + changes[cell] < 0:
                possible = False
            if emptied >= 0 and cell % KINDS == emptied and cell // KINDS != taker:
                possible = possible and held + changes[cell] == 0
        if not possible:
            continue
        for cell in range(CELLS):
            joint.hands[kept, cell] = joint.hands[place, cell] + changes[cell]
        joint.weights[kept] = joint.weights[place]
        total += joint.weights[kept]
        kept += 1
    return bool(_keep_first(joint, kept, total))


@kernel
def make_possible(joint: Any, changes: Any, least: Any) -> None:
    """Exchange cards within hands until each case allows a public change, where its size does.

    For a sample of cases that all contradict an event: the true case was not drawn. The arguments
    are those of `keep_possible`.
    """
    for place in range(joint.number[0]):
        for seat in range(MAX_SEATS):
            for resource in range(KINDS):
                cell = seat * KINDS + resource
                needed = max(np.int64(least[cell]), -np.int64(changes[cell]))
                for other in range(KINDS):
                    spare = seat * KINDS + other
                    kept = max(np.int64(least[spare]), -np.int64(changes[spare]), 0)
                    while joint.hands[place, cell] < needed and joint.hands[place, spare] > kept:
                        joint.hands[place, cell] += 1
                        joint.hands[place, spare] -= 1


@kernel
def draw_hands(joint: Any, sizes: Any, known: Any, seat: int, pool: Any, rng: Any) -> None:
    """Draw CAPACITY cases with hands of known sizes from all cards that the seat does not hold.

    Args:
        joint: JointHands, replaced.
        sizes: [4] cards in each hand.
        known: [5] the hand of `seat`.
        seat: whose hand is known.
        pool: [5] int64, a buffer.
        rng: the generator; advanced.
    """
    for place in range(CAPACITY):
        joint.weights[place] = 1.0 / CAPACITY
        left = 0
        for resource in range(KINDS):
            pool[resource] = BANK_CARDS - known[resource]
            left += pool[resource]
        for other in range(MAX_SEATS):
            for resource in range(KINDS):
                cell = other * KINDS + resource
                joint.hands[place, cell] = known[resource] if other == seat else 0
            if other != seat:
                for _ in range(sizes[other]):
                    joint.hands[place, other * KINDS + draw_card(pool, left, rng)] += 1
                    left -= 1
    joint.number[0] = CAPACITY
    joint.exact[0] = False


@kernel
def see_steal(joint: Any, thief: int, victim: int, resource: int) -> bool:
    """Apply a steal of a known card: weight each case by the steal's probability in it.

    Without a thief, -1, the card goes to the bank.

    Returns:
        Whether at least one case allows the steal.
    """
    kept = 0
    total = 0.0
    for place in range(joint.number[0]):
        held = np.int64(joint.hands[place, victim * KINDS + resource])
        if held == 0:
            continue
        size = _hand_size(joint.hands, place, victim)
        for cell in range(CELLS):
            joint.hands[kept, cell] = joint.hands[place, cell]
        joint.hands[kept, victim * KINDS + resource] -= 1
        if thief >= 0:
            joint.hands[kept, thief * KINDS + resource] += 1
        joint.weights[kept] = joint.weights[place] * held / size
        total += joint.weights[kept]
        kept += 1
    return bool(_keep_first(joint, kept, total))


@kernel
def _keep_first(joint: Any, kept: int, total: float) -> bool:
    """Truncate to the first `kept` cases and divide their weights by `total`, their sum."""
    if kept == 0:
        return False
    joint.number[0] = kept
    for place in range(kept):
        joint.weights[place] /= total
    return True


@kernel
def branch_steal(joint: Any, thief: int, victim: int, rng: Any) -> None:
    """Apply a steal of an unknown card: branch each case by the victim's resources, merge equals.

    Without a thief, -1, the card goes to the bank. If more than CAPACITY cases result, CAPACITY of
    them are sampled; only this consumes `rng`.
    """
    found = 0
    for place in range(joint.number[0]):
        size = _hand_size(joint.hands, place, victim)
        for resource in range(KINDS):
            held = np.int64(joint.hands[place, victim * KINDS + resource])
            if held == 0:
                continue
            for cell in range(CELLS):
                joint.branched[found, cell] = joint.hands[place, cell]
            joint.branched[found, victim * KINDS + resource] -= 1
            if thief >= 0:
                joint.branched[found, thief * KINDS + resource] += 1
            joint.branched_weights[found] = joint.weights[place] * held / size
            found += _merge(joint, found)
    _clear_table(joint, found)
    if found <= CAPACITY:
        _take(joint, found)
    else:
        joint.exact[0] = False
        _draw_sample(joint, found, rng)


@kernel
def _hand_size(hands: Any, place: int, seat: int) -> int:
    size = 0
    for resource in range(KINDS):
        size += int(hands[place, seat * KINDS + resource])
    return size


@kernel
def _slot_of(hands: Any, place: int) -> int:
    """Return the first table slot to probe for a case."""
    value = np.uint64(0xCBF29CE484222325)
    for cell in range(CELLS):
        value = (value ^ np.uint64(np.uint8(hands[place, cell]))) * np.uint64(0x100000001B3)
    return int(np.int64((value ^ (value >> np.uint64(29))) & np.uint64(_TABLE - 1)))


@kernel
def _merge(joint: Any, new: int) -> int:
    """Merge a new branch into an earlier equal one, or enter it into the table.

    Returns:
        The number of branches added: 0 if merged, 1 if new.
    """
    slot = _slot_of(joint.branched, new)
    while joint.table[slot] > 0:
        other = np.int64(joint.table[slot]) - 1
        same = True
        for cell in range(CELLS):
            if joint.branched[other, cell] != joint.branched[new, cell]:
                same = False
        if same:
            joint.branched_weights[other] += joint.branched_weights[new]
            return 0
        slot = (slot + 1) % _TABLE
    joint.table[slot] = new + 1
    return 1


@kernel
def _clear_table(joint: Any, found: int) -> None:
    """Empty the table by visiting the slots of its `found` branches only."""
    for place in range(found):
        slot = _slot_of(joint.branched, place)
        while joint.table[slot] > 0:
            joint.table[slot] = 0
            slot = (slot + 1) % _TABLE


@kernel
def _take(joint: Any, found: int) -> None:
    joint.number[0] = found
    for place in range(found):
        joint.weights[place] = joint.branched_weights[place]
        for cell in range(CELLS):
            joint.hands[place, cell] = joint.branched[place, cell]


@kernel
def _draw_sample(joint: Any, found: int, rng: Any) -> None:
    """Replace the cases by CAPACITY branches, drawn by weight with systematic resampling."""
    kept = 0
    last = -1
    passed = 0.0
    mark = uniform(rng) / CAPACITY
    for place in range(found):
        passed += joint.branched_weights[place]
        while kept < CAPACITY and mark + kept / CAPACITY < passed:
            last = place
            joint.weights[kept] = 1.0 / CAPACITY
            for cell in range(CELLS):
                joint.hands[kept, cell] = joint.branched[place, cell]
            kept += 1
    while kept < CAPACITY:  # rounding: the weights sum to slightly less than 1
        joint.weights[kept] = 1.0 / CAPACITY
        for cell in range(CELLS):
            joint.hands[kept, cell] = joint.branched[last, cell]
        kept += 1
    joint.number[0] = CAPACITY


@kernel
def draw_case(joint: Any, rng: Any) -> int:
    """Return the index of a case, drawn by weight; consumes `rng`."""
    mark = uniform(rng)
    last = np.int64(joint.number[0]) - 1
    for place in range(last):
        mark -= joint.weights[place]
        if mark < 0.0:
            return place
    return int(last)
