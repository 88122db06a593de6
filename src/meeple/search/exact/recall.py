"""What a seat remembers of a game, as a hash of 64 bits.

A seat remembers every observation at its own decisions and every action it chose there (perfect
recall). Two positions are in one information set if the seat to move remembers the same in both:
then they have one key.
"""

from typing import Any

import numpy as np

from meeple.games.contract.game import Position
from meeple.kernels import kernel, scramble
from meeple.search.state_hash import GOLDEN, hash_bytes


@kernel
def memory_at_start(seat: int) -> Any:
    """Return the memory with which a seat begins; another for each, as they may see the same."""
    return scramble(np.uint64(seat + 1) * GOLDEN)


@kernel
def memory_seen(memory: Any, shown: Any) -> Any:
    """Return a seat's memory together with what it observes now; never 0."""
    return scramble(memory ^ hash_bytes(shown.view(np.uint8))) | np.uint64(1)


@kernel
def memory_after(memory: Any, action: int) -> Any:
    """Return a seat's memory after its own action."""
    return scramble(memory ^ (np.uint64(action + 1) * GOLDEN))


def seen(memory: int, position: Position, seat: int) -> int:
    """Return `memory_seen` of a position."""
    return int(memory_seen(np.uint64(memory), position.observation(seat).ravel()))


def after_action(memory: int, action: int) -> int:
    """Return `memory_after`, in Python."""
    return int(memory_after(np.uint64(memory), action))


def key_of(position: Position) -> int:
    """Return the key of a position's information set."""
    seat, walk = position.to_move, position.game.start(position.seed)
    memory = memory_at_start(seat)
    for action in position.actions:
        if walk.to_move == seat:
            memory = after_action(seen(memory, walk, seat), action)
        walk.play(action)
    return seen(memory, walk, seat)
