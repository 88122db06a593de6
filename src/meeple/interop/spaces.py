"""Spaces and masked observations, which the environments share."""

from typing import Any

import numpy as np
import numpy.typing as npt

from meeple.extras import missing
from meeple.games.contract.game import Game, Position

try:
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing(error, "an environment") from None

Observation = dict[str, npt.NDArray[Any]]
"""`observation`, float32 [*observation_shape], and `action_mask`, int8 [num_actions]."""


def observation_space_of(game: Game) -> spaces.Dict:
    """Return the space of `masked`."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-np.inf, np.inf, game.observation_shape, np.float32),
            "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
        }
    )


def action_space_of(game: Game) -> spaces.Discrete:
    """Return the space of actions: numbers in range(num_actions)."""
    return spaces.Discrete(game.num_actions)


def masked(position: Position, seat: int) -> Observation:
    """Return what a seat may know, with the legal actions if it is to move, else none."""
    mask = np.zeros(position.game.num_actions, np.int8)
    if position.to_move == seat:
        mask[position.legal_actions()] = 1
    return {"observation": position.observation(seat), "action_mask": mask}
