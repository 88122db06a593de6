"""Any game as an environment of PettingZoo, where agents act one after another (AEC)."""

import sys
from typing import Any

from meeple.errors import UsageError
from meeple.extras import missing
from meeple.games.contract.game import Game
from meeple.interop.rewards import rewards_of
from meeple.interop.spaces import Observation, action_space_of, masked, observation_space_of
from meeple.kernels import CHANCE
from meeple.options import whole_number

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise missing(error, "an environment") from None

RENDER_MODES = ("ansi", "human")  # to return the board as text, or to print it


class GameEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # pettingzoo is untyped
    """A game with an agent `player_0`, `player_1`, ... for each seat.

    An observation is a dictionary: `observation`, what the seat may know, and `action_mask`, 1 for
    each legal action of the seat to move. Chance outcomes are drawn by the environment. At the end
    each agent is rewarded as `meeple.interop.rewards.rewards_of` says. An illegal action raises
    `meeple.IllegalAction`, which names the legal ones, and changes nothing.

    Attributes:
        game: the game.
        position: the game in progress, with all that is hidden.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        """Make an environment; `reset` starts the first game.

        Args:
            game: the game, built-in or of a file.
            render_mode: "ansi", by which `render` returns the board as text, or "human", by which
                it prints it; None: there is no drawing.

        Raises:
            UsageError: there is no such mode.
        """
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(RENDER_MODES)
            raise UsageError(f"render_mode must be one of {modes}, not {render_mode!r}")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"meeple_{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        self._observations = {name: observation_space_of(game) for name in self.possible_agents}
        self._actions = {name: action_space_of(game) for name in self.possible_agents}
        self._games = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self._observations[self._checked(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self._actions[self._checked(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; without a seed, the next of a fixed sequence of games."""
        self._games = self._games + 1 if seed is None else whole_number(seed, "a seed")
        self.position = self.game.start(self._games)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self.agent_selection = self.agents[0]
        self._proceed()

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know, and its legal actions if it is to move."""
        return masked(self.position, self.possible_agents.index(self._checked(agent)))

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is selected; None once its game is over.

        Raises:
            UsageError: an action after the end, or none before it.
            IllegalAction: the action is not legal; nothing changes.
        """
        if not self.agents:
            raise UsageError("the game is over and every agent has left it: call reset()")
        if self.terminations[self.agent_selection]:
            if action is not None:
                raise UsageError(f"the game is over: step {self.agent_selection} with None")
            self._was_dead_step(None)
            return
        if action is None:
            raise UsageError(f"{self.agent_selection} is to move, and None is no action")
        self.position.play(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._proceed()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return or print the public drawing of the board, as `render_mode` says."""
        if self.render_mode == "human":
            sys.stdout.write(f"{self.position}\n")
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _proceed(self) -> None:
        """Draw chance outcomes, and select the agent to move, or end the game."""
        while self.position.to_move == CHANCE:
            self.position.play_chance()
        self._clear_rewards()
        if self.position.is_over:
            rewards = rewards_of(self.position.payoffs)[: self.position.game.seats].tolist()
            self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.position.to_move]

    def _checked(self, agent: str) -> str:
        if agent not in self.possible_agents:
            known = ", ".join(self.possible_agents)
            raise UsageError(f"there is no agent {agent!r}; agents: {known}")
        return agent
