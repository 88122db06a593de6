"""Games in lockstep: in every round, each player chooses once for all games in which it moves.

A network, alone or with search, evaluates these positions in batches, which is many times as fast
as one position at a time. Other agents choose game by game.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from meeple.agents.agent import Agent
from meeple.agents.minimax import MinimaxAgent
from meeple.agents.policy import pick
from meeple.agents.states import StatesAgent
from meeple.errors import EngineError, Stopped
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game, Position
from meeple.games.contract.result import shares_without
from meeple.kernels import CHANCE
from meeple.search.evaluators import NetworkEvaluator, Predict
from meeple.search.mcts.lockstep import Lockstep, LockstepSettings
from meeple.search.patterns.file import load_patterns
from meeple.search.values.file import compiled
from meeple.search.values.states import StatesSearch

MAX_CONCURRENT_GAMES = 2048
"""Bounds the memory; enough to fill batches."""

FORFEITED = -1  # in place of an action


@dataclass
class LiveGame:
    """A game that is being played."""

    number: int  # unique in its run
    lineup: tuple[int, ...]  # the player in each seat
    position: Position
    opening: int  # actions that were played before the players began
    rng: np.random.Generator  # of its players' random choices
    forfeit: int | None = None  # the seat whose program failed, which ends the game

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.forfeit is not None or self.position.is_over

    @property
    def shares(self) -> list[float]:
        """The share of each seat, after the end."""
        if self.forfeit is not None:
            return list(shares_without(self.forfeit, len(self.lineup), self.position.tally))
        shares: list[float] = self.position.payoffs.tolist()
        return shares

    @property
    def player(self) -> int:
        """The player to move; not defined at a chance node."""
        return self.lineup[self.position.to_move]


class BatchPlayer(Protocol):
    """A player of many games at once."""

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """Return a legal action for each of these games, in which this player moves.

        The entry of a game that it forfeits is not used.
        """
        ...

    def forget(self, game: LiveGame) -> None:
        """Release the memory of a game that has ended."""
        ...


class NetworkPlayer:
    """A network without search; `pick` defines epsilon and temperature."""

    def __init__(self, predict: Predict, epsilon: float = 0.0, temperature: float = 0.0) -> None:
        self._predict, self._epsilon, self._temperature = predict, epsilon, temperature

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """Return an action for each game, by one evaluation of the network."""
        positions = [game.position for game in games]
        observations = np.stack([p.observation(p.to_move) for p in positions])
        masks = np.stack([p.legal_mask() for p in positions])
        policies, _ = self._predict(observations, masks)
        legal = (np.flatnonzero(mask).astype(np.int32) for mask in masks)
        return [
            pick(policy, actions, self._epsilon, self._temperature, game.rng)
            for game, policy, actions in zip(games, policies, legal, strict=True)
        ]

    def forget(self, game: LiveGame) -> None:
        """Do nothing: the network has no memory of a game."""


class NetworkSearchPlayer:
    """A network with tree search, without reuse of the tree between moves."""

    def __init__(
        self, game: Game, predict: Predict, simulations: int, most_games: int, seed: int = 0
    ) -> None:
        """Allocate trees for at most `most_games` concurrent games."""
        self._evaluator = NetworkEvaluator(predict)
        self._simulations = max(simulations, 2)  # a root has visited children after the second
        settings = LockstepSettings(room=self._simulations + 1)
        self._search = Lockstep(game, most_games, settings, seed)
        self._places: dict[int, int] = {}  # by number of the game

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """Return the most visited action of each game's search, or a proven win."""
        places = [self._place(game.number) for game in games]
        self._search.begin([game.position for game in games], places)
        wanted = np.zeros(len(self._search), dtype=np.int64)
        wanted[places] = self._simulations
        self._search.run(self._evaluator, wanted)
        return [int(self._search.result(place).best) for place in places]

    def forget(self, game: LiveGame) -> None:
        """Release the game's tree."""
        self._places.pop(game.number, None)

    def _place(self, number: int) -> int:
        """Return the index of a game's tree and belief, the same for the whole game."""
        if number not in self._places:
            taken = set(self._places.values())
            self._places[number] = next(n for n in itertools.count() if n not in taken)
        return self._places[number]


class AgentPlayer:
    """Agents that choose game by game: one for each seat of each game, built on first use."""

    def __init__(self, make: Callable[[], Agent]) -> None:
        self._make = make
        self._agents: dict[tuple[int, int], Agent] = {}

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """Return the choice of the agent in the seat to move; a program that fails forfeits."""
        return [self._choice(game) for game in games]

    def _choice(self, game: LiveGame) -> int:
        try:
            return self._agent(game).choose(game.position)
        except EngineError:
            game.forfeit = game.position.to_move
            return FORFEITED

    def forget(self, game: LiveGame) -> None:
        """Delete the game's agents."""
        for seat in range(len(game.lineup)):
            self._agents.pop((game.number, seat), None)

    def _agent(self, game: LiveGame) -> Agent:
        seat = (game.number, game.position.to_move)
        if seat not in self._agents:
            self._agents[seat] = self._make()
            self._agents[seat].begin(int(game.rng.integers(2**32)))
        return self._agents[seat]


def states_player(file: Path, game: Game) -> AgentPlayer:
    """Return a player for a value network (`states:PATH`).

    Raises:
        CheckpointError: The file cannot be read.
    """
    network = compiled(file, game)
    return AgentPlayer(lambda: StatesAgent(StatesSearch(game, network)))


def patterns_player(file: Path, game: Game) -> AgentPlayer:
    """Return a player that evaluates the position after each action (`minimax:eval=PATH,depth=1`).

    Raises:
        CheckpointError: The file cannot be read.
    """
    patterns = load_patterns(file, game)
    return AgentPlayer(lambda: MinimaxAgent(game, depth=1, patterns=patterns))


def play_in_lockstep(
    waiting: Iterator[LiveGame],
    players: Sequence[BatchPlayer],
    at_once: int = MAX_CONCURRENT_GAMES,
    stop: Stop = lambda: False,
    on_position: Callable[[LiveGame], None] = lambda game: None,
) -> Iterator[LiveGame]:
    """Play all games, at most `at_once` at a time, and yield each at its end.

    The `lineup` of a game holds indices of its players. `on_position` is called with each game at
    its start and after each of its moves.

    Raises:
        Stopped: `stop`, which is called before every round, returned true.
    """
    live = list(itertools.islice(waiting, at_once))
    for game in live:
        on_position(game)
    while live:
        if stop():
            raise Stopped
        _play_round(live, players)
        for game in live:
            on_position(game)
        over = [game for game in live if game.is_over]
        for game in over:
            for player in set(game.lineup):
                players[player].forget(game)
        yield from over
        live = [game for game in live if not game.is_over]
        fresh = list(itertools.islice(waiting, at_once - len(live)))
        for game in fresh:
            on_position(game)
        live += fresh


def _play_round(live: Sequence[LiveGame], players: Sequence[BatchPlayer]) -> None:
    """Play one action or chance outcome in every game."""
    to_choose: dict[int, list[LiveGame]] = {}
    for game in live:
        if game.position.to_move == CHANCE:
            game.position.play_chance()
        elif not game.position.is_over:
            to_choose.setdefault(game.player, []).append(game)
    for player, games in sorted(to_choose.items()):
        for game, action in zip(games, players[player].choose(games), strict=True):
            if game.forfeit is None:
                game.position.play(action)
