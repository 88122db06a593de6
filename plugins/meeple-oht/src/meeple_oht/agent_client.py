"""A tournament client that plays with a Meeple agent."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

from meeple.agents.agent import Agent
from meeple.agents.spec import agent as make_agent
from meeple.agents.spec import parse
from meeple.arena.plan.seeds import seeds_of
from meeple.errors import MeepleError
from meeple.games.contract.game import Game, Position
from meeple_oht.client import Client
from meeple_oht.wire.boards import WireBoard, board_of

LOG = logging.getLogger(__name__)


class AgentClient(Client):
    """A client whose moves an agent chooses, named by its spec."""

    def __init__(
        self,
        spec: str,
        token: str,
        host: str,
        port: int,
        *,
        seed: int = 1,
        say: Callable[[str], None] | None = None,
        **options: Any,
    ) -> None:
        """Create the client.

        Args:
            spec: the agent's spec.
            token: as in `Client`.
            host: as in `Client`.
            port: as in `Client`.
            seed: seeds the agent; each game has a seed derived from it and the game's number.
            say: called with a line of text about each series and game.
            options: those of `Client`.

        Raises:
            SpecError: the spec is wrong.
            MeepleError: as in `Client`.
        """
        super().__init__(token, host, port, **options)
        parse(spec)
        self._spec, self._seed = spec, seed
        self._say = say or (lambda words: None)
        self._board: WireBoard | None = None
        self._agents: dict[int, Agent] = {}  # by the starting player, 1 or 2
        self._games = 0  # games that have begun, over all series
        self._me, self._starter = 0, 1
        self._position: Position | None = None
        # A second position from which the next state may follow: that of a game interrupted by a
        # lost connection, or the position before our last action, if that action was too late and
        # the server played another.
        self._before: Position | None = None

    def get_ready(self, game: Game) -> None:
        """Compile and load what the agent needs, before any clock runs, by choosing one action.

        Raises what `meeple.agent` raises for this game.
        """
        board = WireBoard(game)
        make_agent(self._spec, board.begun_by(2))  # raises if the agent cannot play it
        game = board.begun_by(1)
        position = game.start(seed=0)
        ready = make_agent(self._spec, game)
        ready.begin(self._seed)
        ready.choose(position, lambda: True)
        board.follow(position, board.state(position, 1), 1)

    def handle_series_start(
        self,
        unique_player_id: int,
        series_id: int,
        player_id_map: Sequence[tuple[int, int]],
        num_games: int,
        game_params: Sequence[Any],
    ) -> None:
        params = tuple(game_params)
        if self._board is None or self._board.params != params:
            self._board = board_of(params)
            self._agents.clear()
        self._me = series_id
        others = [str(uid) for uid, player in player_id_map if player != series_id]
        self._say(
            f"series of {num_games} games of {self._board.title} as player {series_id} "
            f"against {', '.join(others)}"
        )

    def handle_game_start(self, start_player: int) -> None:
        if self._board is None:
            raise MeepleError("the server begins a game outside of any series")
        self._before = self._position if start_player == self._starter else None
        self._starter = start_player
        self._games += 1
        self._position = self._board.begun_by(start_player).start(seed=0)
        self._agent().begin(seeds_of(self._seed, self._games, count=1)[0])

    def handle_get_action(self, state: Sequence[Any]) -> Sequence[int] | None:
        """Return the agent's action; None, which loses the game, if the state is unreachable."""
        board = self._board
        if board is None or self._position is None:
            raise MeepleError("the server asks for an action outside of any game")
        sent = board.checked(tuple(state))
        found = None
        for known in (self._position, self._before):
            if known is not None and found is None:
                found = board.follow(known, sent, self._starter)
        if found is None:
            self._say("error: the state that the server sent cannot be reached; the game is lost")
            return None
        action = self._agent().choose(found)
        self._before = found.copy()
        found.play(action)
        self._position = found
        return board.answer(int(action))

    def _agent(self) -> Agent:
        assert self._board is not None
        if self._starter not in self._agents:
            game = self._board.begun_by(self._starter)
            self._agents[self._starter] = make_agent(self._spec, game)
        return self._agents[self._starter]

    def handle_game_over(self, winner: int, end_state: Sequence[Any]) -> None:
        how = {0: "drawn", self._me: "won"}.get(winner, "lost")
        self._say(f"game {self._games}: {how}")
        self._position = None

    def handle_series_over(self, stats: Sequence[tuple[int, int, int, int]]) -> None:
        for _, player, won, lost in stats:
            if player == self._me:
                self._say(f"series over: {won} won, {lost} lost")

    def handle_tournament_over(self, score: float) -> None:
        self._say(f"tournament over, score {score:g}")

    def handle_message(self, message: str, level: str) -> None:
        self._say(message if level == "info" else f"{level}: {message}")
