"""A walk through a search tree, state by state, by which a Q-table is collected or read."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.kernels import inlined
from meeple.search.mcts.tree import block_of
from meeple.search.moves import copy_state, play

MAX_PLIES = 40  # below the root, whose statistics are collected or set


class Walk(NamedTuple):
    """Working memory of a walk, one level a ply; D is MAX_PLIES + 1."""

    states: npt.NDArray[np.uint8]  # [D, state_bytes]
    path: npt.NDArray[np.int32]  # [D] nodes from the root
    cursor: npt.NDArray[np.int32]  # [D] children of each that were visited


def new_walk(state: npt.NDArray[np.uint8]) -> Walk:
    """Return a walk at the root, whose state this is."""
    levels = MAX_PLIES + 1
    walk = Walk(
        states=np.zeros((levels, len(state)), dtype=np.uint8),
        path=np.zeros(levels, dtype=np.int32),
        cursor=np.zeros(levels, dtype=np.int32),
    )
    walk.states[0] = state
    return walk


@inlined
def next_child(tree: Any, walk: Any, depth: int) -> int:
    """Return the next child of the node at this depth, or -1."""
    block = block_of(tree, walk.path[depth])
    if walk.cursor[depth] >= block.size or depth + 1 >= walk.path.shape[0]:
        return -1
    walk.cursor[depth] += 1
    return int(block.first + walk.cursor[depth] - 1)


@inlined
def step(tree: Any, rules: Any, walk: Any, depth: int, child: int) -> None:
    """Set the level below to a child and its state."""
    copy_state(walk.states[depth], walk.states[depth + 1])
    play(rules, walk.states[depth + 1], tree.action[child])
    walk.path[depth + 1] = child
    walk.cursor[depth + 1] = 0
