"""Room in arrays whose size follows from what a game declares, and faults of its rules.

A kernel asks `fits` before each write whose place depends on a game's rules or options. Writes
without the question are within bounds by an argument beside them, or because `moves.py` has checked
the list: at most `max_moves` moves, and actions below `num_actions`.
"""

import contextlib
import itertools
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from meeple.errors import KernelError, MeepleError
from meeple.games.contract.faults import Fault, error_of
from meeple.games.contract.position import BarePosition
from meeple.games.contract.rules import Rules
from meeple.kernels import inlined

SECONDS = 2.0  # of processor time, in which random games look for a fault that a kernel met


class PliesExceeded(MeepleError):
    """A kernel met a game with more plies than the arrays have room for: `max_plies` is wrong."""

    def __init__(self) -> None:
        super().__init__("the game has more plies than its `max_plies`")


class FaultyMoves(MeepleError):
    """A kernel met a state with a list of moves, or a seat to move, that no game may have."""

    def __init__(self) -> None:
        super().__init__("the game lists no moves, too many, or others than it declares")


@inlined
def fits(array: Any, length: int) -> bool:
    """Return whether an array has the places 0 to `length` - 1."""
    return bool(length <= array.shape[0])


@contextlib.contextmanager
def faults_reported(game: Rules, position: BarePosition | None = None) -> Iterator[None]:
    """Raise MeepleError, which names the line, if a kernel in the block meets a fault of the rules.

    Args:
        game: the game whose rules are called.
        position: where the search begins; None: at a start.
    """
    try:
        yield
    except PliesExceeded:
        raise game.longer_than_declared() from None
    except FaultyMoves:
        raise fault_after(game, position) from None


def fault_after(game: Rules, position: BarePosition | None) -> MeepleError:
    """Return the error of a fault that a kernel met after a position; None: after a start.

    A kernel does not record the actions that lead to the fault: random games look for it.
    """
    until, choice = time.thread_time() + SECONDS, np.random.default_rng(0)
    for seed in itertools.count():
        twin = BarePosition(game, seed) if position is None else position.copy()
        try:
            twin.ensure_sound()
            while not twin.is_over and time.thread_time() < until:
                if len(twin.actions) == game.max_plies:
                    break
                twin.play(int(choice.choice(twin.legal_actions())))
                twin.ensure_sound()
        except KernelError as error:
            return error
        if time.thread_time() > until:
            break
    met = "a search met a seat to move, or a list of actions, that no game may have"
    actions = () if position is None else position.actions
    return error_of(Fault(met, ("legal",)), game, twin.seed, actions)
