"""Exploitability of external sampling in Liar's Dice, by a walk over all sequences of bids.

With two dice of six sides each, both players have 21 hands, and there are 2**24 sequences of bids:
`meeple solve` cannot build that tree. A best response is computed exactly: one walk over all
sequences, with a vector over the hands of the seat that responds, and the reach probability of each
hand of the other. With six sides it takes minutes.
"""

import itertools
import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import kernel
from meeple.search.exact.mccfr import ExternalSampling
from meeple.search.exact.recall import memory_after, memory_at_start, memory_seen
from meeple.search.machine.table import slot_of


class Hands(NamedTuple):
    """All hands of a seat: H multisets of dice."""

    counts: npt.NDArray[np.int64]  # [H, sides]
    chance: npt.NDArray[np.float64]  # [H]
    is_true: npt.NDArray[np.float64]  # [bids, H, H] whether a bid holds for the hands of both


class Frames(NamedTuple):
    """Working memory of a walk, a frame for each number of bids: D frames, A actions."""

    value: npt.NDArray[np.float64]  # [D, H] of the seat that responds, by its hand
    reach: npt.NDArray[np.float64]  # [D, H] of the other seat, by its hand
    memory: npt.NDArray[np.uint64]  # [D, H] of the other seat
    strategy: npt.NDArray[np.float64]  # [D, H, A] of the other seat
    action: npt.NDArray[np.int64]  # [D] the action that is followed
    last: npt.NDArray[np.int64]  # [D] the last bid, or -1
    shown: npt.NDArray[np.float32]  # [observation size]


def hands_of(dice: int, sides: int, wild: bool) -> Hands:
    """Return all hands with their probabilities."""
    found = list(itertools.combinations_with_replacement(range(sides), dice))
    counts = np.array([[hand.count(face) for face in range(sides)] for hand in found])
    ways = [
        math.factorial(dice) / math.prod(math.factorial(n) for n in row) for row in counts.tolist()
    ]
    shown = counts + wild * counts[:, -1:] * (np.arange(sides) < sides - 1)  # dice of each face
    both = shown[:, None] + shown[None]  # [H, H, sides]
    is_true = [both[:, :, bid % sides] > bid // sides for bid in range(2 * dice * sides)]
    return Hands(counts, np.array(ways) / sides**dice, np.array(is_true, np.float64))


def exploitability(sampling: ExternalSampling) -> float:
    """Return the share that a best response gains, the mean of both seats."""
    dice, sides = (int(sampling.game.options[name]) for name in ("dice", "sides"))
    hands = hands_of(dice, sides, bool(sampling.game.options["wild"]))
    most = 2 * dice * sides
    depth, count = most + 2, len(hands.chance)
    best = 0.0
    for seat in (0, 1):
        frames = Frames(
            value=np.zeros((depth, count)),
            reach=np.zeros((depth, count)),
            memory=np.zeros((depth, count), np.uint64),
            strategy=np.zeros((depth, count, most + 1)),
            action=np.zeros(depth, np.int64),
            last=np.zeros(depth, np.int64),
            shown=np.zeros(sides + most + 1, np.float32),
        )
        frames.reach[0] = hands.chance
        respond(sampling._table, hands, frames, seat, dice)
        best += float(hands.chance @ frames.value[0])
    return (best - 1.0) / 2


@kernel
def respond(table: Any, hands: Any, frames: Any, seat: int, dice: int) -> None:
    """Write the shares of a best response of `seat` for each of its hands into the first frame."""
    most = frames.strategy.shape[2] - 1
    frames.memory[0, :] = memory_at_start(1 - seat)
    frames.last[0] = -1
    _open(table, hands, frames, 0, seat, dice)
    depth = 0
    while True:
        action = frames.action[depth]
        mine = depth % 2 == seat
        if action > most or (action == most and depth == 0):  # no action is left
            if depth == 0:
                return
            depth -= 1
            _add(frames, depth, depth % 2 == seat)
            frames.action[depth] += 1
            continue
        reached = _descend(frames, depth, action, mine)
        if action == most:
            _call(hands, frames, depth, mine)
        elif reached > 0.0:
            frames.last[depth + 1] = action
            _open(table, hands, frames, depth + 1, seat, dice)
            depth += 1
            continue
        else:
            frames.value[depth + 1, :] = 0.0
        _add(frames, depth, mine)
        frames.action[depth] += 1


@kernel
def _open(table: Any, hands: Any, frames: Any, depth: int, seat: int, dice: int) -> None:
    """Begin a frame; look up the strategies of the other seat if it is to move."""
    mine = depth % 2 == seat
    first, most = frames.last[depth] + 1, frames.strategy.shape[2] - 1
    frames.action[depth] = first
    frames.value[depth, :] = -1.0 if mine else 0.0
    if mine:
        return
    sides = hands.counts.shape[1]
    frames.shown[:] = 0.0
    for before in range(1, depth + 1):
        frames.shown[sides + frames.last[before]] = 1.0
    frames.shown[sides + most] = 1 - seat
    actions = most - first + int(depth > 0)
    for hand in range(hands.counts.shape[0]):
        if frames.reach[depth, hand] == 0.0:
            continue
        for face in range(sides):
            frames.shown[face] = hands.counts[hand, face] / dice
        key = memory_seen(frames.memory[depth, hand], frames.shown)
        frames.memory[depth, hand] = key
        number, total = table.numbers[slot_of(table.numbers, table.keys, key)], 0.0
        slot = table.first[number]
        if number > 0:
            for index in range(actions):
                total += table.total[slot + index]
        for index in range(actions):
            known = table.total[slot + index] / total if total > 0.0 else 1.0 / actions
            frames.strategy[depth, hand, first + index] = known


@kernel
def _descend(frames: Any, depth: int, action: int, mine: bool) -> float:
    """Write reach and memory after an action into the next frame; return the sum of reaches."""
    total = 0.0
    for hand in range(frames.reach.shape[1]):
        reach, memory = frames.reach[depth, hand], frames.memory[depth, hand]
        if not mine and reach > 0.0:
            reach *= frames.strategy[depth, hand, action]
            memory = memory_after(memory, action)
        frames.reach[depth + 1, hand], frames.memory[depth + 1, hand] = reach, memory
        total += reach
    return float(total)


@kernel
def _call(hands: Any, frames: Any, depth: int, mine: bool) -> None:
    """Write the shares after a call into the next frame; `mine`: the seat that responds calls."""
    bid, reached = frames.last[depth], 0.0
    for theirs in range(hands.chance.shape[0]):
        reached += frames.reach[depth + 1, theirs]
    for own in range(hands.chance.shape[0]):
        is_true = 0.0
        for theirs in range(hands.chance.shape[0]):
            is_true += hands.is_true[bid, own, theirs] * frames.reach[depth + 1, theirs]
        frames.value[depth + 1, own] = reached - is_true if mine else is_true


@kernel
def _add(frames: Any, depth: int, mine: bool) -> None:
    """Back up the value of the next frame: the best of the own actions, the sum of others."""
    for hand in range(frames.value.shape[1]):
        value = frames.value[depth + 1, hand]
        if mine:
            frames.value[depth, hand] = max(frames.value[depth, hand], value)
        else:
            frames.value[depth, hand] += value
