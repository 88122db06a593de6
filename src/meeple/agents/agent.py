"""What an agent is, and what it can tell about its last choice. No agent lives here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from meeple.games.contract.game import Position


@dataclass(frozen=True)
class Analysis:
    """How an agent saw the position of its last choice; n is the number of actions it considered.

    Values are expected shares of the win, one for each player, in [0, 1] and summing to 1.
    """

    actions: npt.NDArray[np.int32]  # [n], legal actions
    visits: npt.NDArray[np.int64]  # [n], simulations through each; zeros for an agent without any
    policy: npt.NDArray[np.float32]  # [n], sums to 1: how much the agent favours each
    value: npt.NDArray[np.float64] | None  # [players]; None where the agent estimates none
    principal_variation: tuple[int, ...]  # the play it expects, its own choice first
    simulations: int  # of this choice, those kept from the move before not counted
    seconds: float  # wall clock
    action_values: npt.NDArray[np.float64] | None = None  # [n, players], after each action
    prior: npt.NDArray[np.float32] | None = None  # [n], what a network alone says; None: no network
    reasons: Mapping[int, str] = field(default_factory=dict)
    """By action, in words and for the eyes of who is to move alone: what speaks for it."""


class Agent(Protocol):
    """One seat's player. It may remember the game it is in; `begin` makes it forget.

    One that holds what must be let go, such as a process, may have a method `close()`: the arena
    calls it after the last game of every agent that it made itself.
    """

    spec: str  # what made it, such as "uct:sims=1000"
    analysis: Analysis | None  # of the last choice; None before it, or where there is nothing

    def begin(self, seed: int) -> None:
        """A new game starts: forget the last one; all randomness to come depends on the seed."""
        ...

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """A legal action for the player to move; the position is left as it was.

        The game must not be over, nor at a chance node. An agent that thinks for long asks `stop`
        now and then, and once that says so, it answers with the best it has found.
        """
        ...
