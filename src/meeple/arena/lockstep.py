"""Games in lockstep: in every round, each player is asked once about all positions of its turn.

A network, alone or with search, is then asked in batches, which is many times as fast as one
position after the other. Other agents choose game by game.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from meeple.agents.agent import Agent
from meeple.agents.policy import pick
from meeple.agents.states import StatesAgent
from meeple.arena.forfeit import forfeited
from meeple.errors import EngineError, Stopped
from meeple.games.contract.game import Game, Position
from meeple.kernels import CHANCE
from meeple.search.evaluators import NetworkEvaluator, Predict
from meeple.search.mcts.lockstep import PUCT, Lockstep, LockstepOptions
from meeple.search.values.file import compiled
from meeple.search.values.states import StatesSearch

LOCKSTEP = 2048
"""Games under way at once: bounds the memory, and is more than enough for full batches."""

FORFEITED = -1  # in place of an action

Stop = Callable[[], bool]  # says whether to stop


@dataclass
class LiveGame:
    """A game under way."""

    number: int  # which no other game of the same run has
    lineup: tuple[int, ...]  # the player in every seat
    position: Position
    opening: int  # actions that were played before the players began
    rng: np.random.Generator  # of its players' random choices
    forfeit: int | None = None  # the seat whose program has failed, which ends the game

    @property
    def is_over(self) -> bool:
        """Whether nobody moves any more."""
        return self.forfeit is not None or self.position.is_over

    @property
    def shares(self) -> list[float]:
        """The share of each seat, once the game is over."""
        if self.forfeit is not None:
            return forfeited(self.forfeit, len(self.lineup))
        shares: list[float] = self.position.payoffs.tolist()
        return shares

    @property
    def player(self) -> int:
        """Who is to move, which must not be chance."""
        return self.lineup[self.position.to_move]


class BatchPlayer(Protocol):
    """Somebody who plays many games at once."""

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """A legal action for each of these games, in which it is this player's turn.

        Of a game that it forfeits, whatever it is.
        """
        ...

    def forget(self, game: LiveGame) -> None:
        """This game is over."""
        ...


class NetworkPlayer:
    """A network without search; `pick` says what epsilon and temperature mean."""

    def __init__(self, predict: Predict, epsilon: float = 0.0, temperature: float = 0.0) -> None:
        self._predict, self._epsilon, self._temperature = predict, epsilon, temperature

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """One call of the network for all games."""
        positions = [game.position for game in games]
        observations = np.stack([p.observation(p.to_move) for p in positions])
        masks = np.stack([p.legal_mask() for p in positions])
        policies, _ = self._predict(observations, masks)
        return [
            pick(
                policy,
                np.flatnonzero(mask).astype(np.int32),
                self._epsilon,
                self._temperature,
                game.rng,
            )
            for game, policy, mask in zip(games, policies, masks, strict=True)
        ]

    def forget(self, game: LiveGame) -> None:
        """Nothing was kept of it."""


class NetworkSearchPlayer:
    """A network with a tree search of so many simulations a move, begun anew at every move."""

    def __init__(
        self, game: Game, predict: Predict, simulations: int, most_games: int, seed: int = 0
    ) -> None:
        """`most_games`: that are under way at once."""
        self._evaluator = NetworkEvaluator(predict)
        self._simulations = max(simulations, 2)  # a root has visited children after the second
        options = LockstepOptions(rule=PUCT, exploration=0.5, room=self._simulations + 1)
        self._search = Lockstep(game, most_games, options, seed)
        self._places: dict[int, int] = {}  # by number of the game

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """The most visited action of each game's search, or a proven win."""
        places = [self._place(game.number) for game in games]
        self._search.begin([game.position for game in games], places)
        wanted = np.zeros(len(self._search), dtype=np.int64)
        wanted[places] = self._simulations
        self._search.run(self._evaluator, wanted)
        return [int(self._search.result(place).best) for place in places]

    def forget(self, game: LiveGame) -> None:
        """Its place is free."""
        self._places.pop(game.number, None)

    def _place(self, number: int) -> int:
        """Where a game is searched: always in the same place, where what is known of it lies."""
        if number not in self._places:
            taken = set(self._places.values())
            self._places[number] = next(n for n in itertools.count() if n not in taken)
        return self._places[number]


class AgentPlayer:
    """Agents that choose game by game: one for each seat of each game, made when it is needed."""

    def __init__(self, make: Callable[[], Agent]) -> None:
        self._make = make
        self._agents: dict[tuple[int, int], Agent] = {}

    def choose(self, games: Sequence[LiveGame]) -> list[int]:
        """What the agent in the seat to move chooses, in each game; a program that fails loses."""
        return [self._choice(game) for game in games]

    def _choice(self, game: LiveGame) -> int:
        try:
            return self._agent(game).choose(game.position)
        except EngineError:
            game.forfeit = game.position.to_move
            return FORFEITED

    def forget(self, game: LiveGame) -> None:
        """Its agents go."""
        for seat in range(len(game.lineup)):
            self._agents.pop((game.number, seat), None)

    def _agent(self, game: LiveGame) -> Agent:
        seat = (game.number, game.position.to_move)
        if seat not in self._agents:
            self._agents[seat] = self._make()
            self._agents[seat].begin(int(game.rng.integers(2**32)))
        return self._agents[seat]


def states_player(file: Path, game: Game) -> AgentPlayer:
    """A network of values, as `states:PATH` plays it. Raises CheckpointError."""
    network = compiled(file, game)
    return AgentPlayer(lambda: StatesAgent(StatesSearch(game, network)))


def play_in_lockstep(
    waiting: Iterator[LiveGame],
    players: Sequence[BatchPlayer],
    at_once: int = LOCKSTEP,
    stop: Stop = lambda: False,
    on_position: Callable[[LiveGame], None] = lambda game: None,
) -> Iterator[LiveGame]:
    """Play all games, so many at once, and give each when it is over.

    `lineup` of a game names its players by their numbers. `on_position` is told of each game as it
    begins, and after each of its moves. Raises Stopped where `stop`, which is
    asked before every round, turns true.
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
    """One move, or outcome of chance, in every game."""
    asked: dict[int, list[LiveGame]] = {}
    for game in live:
        if game.position.to_move == CHANCE:
            game.position.play_chance()
        elif not game.position.is_over:
            asked.setdefault(game.player, []).append(game)
    for player, games in sorted(asked.items()):
        for game, action in zip(games, players[player].choose(games), strict=True):
            if game.forfeit is None:
                game.position.play(action)
