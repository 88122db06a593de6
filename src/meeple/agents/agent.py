"""The protocol of agents, and the record of how an agent made its last choice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

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
    value: npt.NDArray[np.float64] | None  # [players]; None if the agent estimates no value
    principal_variation: tuple[int, ...]  # the play it expects, its own choice first
    simulations: int  # of this choice, without those reused from the move before
    seconds: float  # wall clock
    action_values: npt.NDArray[np.float64] | None = None  # [n, players], after each action
    prior: npt.NDArray[np.float32] | None = None  # [n], the policy of the network alone
    reasons: Mapping[int, str] = field(default_factory=dict)
    """By action, a sentence on what speaks for it; only the seat to move may read it."""
    labels: Mapping[int, str] = field(default_factory=dict)
    """By action, what it begins where its name does not say it: "offer 1 wool for 1 grain"."""
    depth: int | None = None
    """The plies of a search by plies; None of any other agent."""
    proven: bool = False
    """Whether `value` is exact: the result if all play their best."""

    @classmethod
    def of_draw(
        cls, actions: npt.NDArray[Any], chances: npt.NDArray[Any], action: int, seconds: float
    ) -> "Analysis":
        """Return the analysis of an agent that drew an action by known probabilities.

        Args:
            actions: int [n], the legal actions.
            chances: float [n], their probabilities.
            action: the one that was drawn.
            seconds: wall clock of the choice.
        """
        return cls(
            actions=actions.astype(np.int32),
            visits=np.zeros(len(actions), dtype=np.int64),
            policy=chances.astype(np.float32),
            value=None,
            principal_variation=(action,),
            simulations=0,
            seconds=seconds,
        )


class Agent(Protocol):
    """Chooses the moves of one seat. It may keep state during a game; `begin` clears it.

    An agent with a resource such as a process may have a method `close()`: the arena calls it
    after the last game of every agent that the arena made.
    """

    spec: str  # what made it, such as "uct:sims=1000"
    analysis: Analysis | None  # of the last choice; None before it, or if there is no analysis

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        ...

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return a legal action for the player to move; the position is not changed.

        The game must not be over, nor at a chance node. An agent that thinks for long polls `stop`;
        once it returns True, the agent returns the best action found so far.
        """
        ...
