"""Agents of Meeple as bots of OpenSpiel, in our games there and in OpenSpiel's own."""

from typing import Any

import pyspiel

from meeple.agents.agent import Agent
from meeple.agents.spec import agent as make_agent
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make
from meeple_openspiel.exported import ExportedState
from meeple_openspiel.game import PREFIX, openspiel_class


def game_of(game: Any) -> Game:
    """Return the game of Meeple that stands behind a `pyspiel.Game`, or that plays it here.

    Raises:
        OptionError: it is one of OpenSpiel's that Meeple cannot play.
    """
    ours: Game | None = getattr(game, "game", None)
    return make(PREFIX + str(game)) if ours is None else ours


def position_of(state: Any) -> Position:
    """Return a state of OpenSpiel as a position, with its history."""
    if isinstance(state, ExportedState):
        if state.position is None:
            raise UsageError("the opening position is not drawn yet")
        return state.position.copy()
    position = openspiel_class(PREFIX + str(state.get_game()))().start()
    for action in state.history():
        position.play(action)
    return position


class AgentBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel is untyped
    """An agent in one seat of a `pyspiel.Game`: `pyspiel.evaluate_bots` and others play it.

    Of a game that hides something the agent uses what its seat knows, as everywhere.

    Attributes:
        agent: the agent.
    """

    def __init__(self, game: Any, agent: str | Agent, player: int, seed: int = 0) -> None:
        """Make a bot.

        Args:
            game: the `pyspiel.Game`.
            agent: a spec such as "uct:sims=100", or an agent.
            player: the seat.
            seed: of the agent's randomness.

        Raises:
            OptionError: Meeple cannot play the game.
            SpecError: the spec is wrong.
        """
        super().__init__()
        played = game_of(game)
        self.agent = make_agent(agent, played, seed) if isinstance(agent, str) else agent
        self._player, self._seed, self._games = player, seed, 0
        self.agent.begin(seed)

    def player_id(self) -> int:
        """Return the seat."""
        return self._player

    def restart(self) -> None:
        """Begin the next game."""
        self._games += 1
        self.agent.begin(self._seed + self._games)

    def restart_at(self, state: Any) -> None:
        """Begin the next game at a state."""
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Do nothing: `step` reads the state."""

    def provides_force_action(self) -> bool:
        """Return that an action can be forced: `step` follows any history."""
        return True

    def force_action(self, state: Any, action: int) -> None:
        """Do nothing: `step` reads the state."""

    def step(self, state: Any) -> int:
        """Return the agent's action."""
        return int(self.agent.choose(position_of(state)))
