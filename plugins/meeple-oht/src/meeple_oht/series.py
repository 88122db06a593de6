"""A series of games between two entrants; each move is stored before it is announced."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np
from sqlalchemy.exc import SQLAlchemyError

from meeple.arena.plan.seeds import seeds_of
from meeple.database import reason_of
from meeple.errors import MeepleError
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE
from meeple_oht.entrants import Entrant, EntrantChoice
from meeple_oht.rules import LOSE, MAX_RETRIES, RANDOM, TournamentRules
from meeple_oht.store import BY_RULES, DONE, PLAYING, StoredSeries, StoredSeriesGame
from meeple_oht.wire.boards import WireBoard
from meeple_oht.wire.messages import (
    GameOver,
    GameStart,
    IllegalMove,
    Notice,
    SeriesOver,
    SeriesStart,
)

LOG = logging.getLogger(__name__)
T = TypeVar("T")


class Ledger(Protocol):
    """Storage of a series: `TournamentStore` on disk, or `MemoryLedger` for practice."""

    def set_series(self, id: int, state: str) -> None: ...
    def games(self, *, series: int) -> list[StoredSeriesGame]: ...
    def add_game(self, series: int, number: int, starter: int, seed: int) -> StoredSeriesGame: ...
    def moves(self, game: int) -> list[int]: ...
    def add_move(self, game: int, ply: int, action: int, seconds: float) -> None: ...
    def end_game(self, game: int, winner: int, how: str) -> None: ...
    def add_fault(self, uid: int, game: int | None, kind: str, words: str) -> None: ...


class MemoryLedger:
    """Keeps the games of one practice series in memory, without moves and faults."""

    def __init__(self) -> None:
        self._games: list[StoredSeriesGame] = []

    def set_series(self, id: int, state: str) -> None:
        """Do nothing."""

    def games(self, *, series: int) -> list[StoredSeriesGame]:
        """Return all games."""
        return self._games

    def add_game(self, series: int, number: int, starter: int, seed: int) -> StoredSeriesGame:
        """Add a game that begins."""
        game = StoredSeriesGame(id=number, series=series, number=number, starter=starter, seed=seed)
        self._games.append(game)
        return game

    def moves(self, game: int) -> list[int]:
        """Return no moves: practice games are not resumed."""
        return []

    def add_move(self, game: int, ply: int, action: int, seconds: float) -> None:
        """Do nothing."""

    def end_game(self, game: int, winner: int, how: str) -> None:
        """Store the result of a game."""
        self._games[game].winner, self._games[game].state = winner, DONE

    def add_fault(self, uid: int, game: int | None, kind: str, words: str) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class SeriesContext:
    """What all series of a tournament share: rules, board, seed, storage and its one thread."""

    rules: TournamentRules
    board: WireBoard
    seed: int
    ledger: Ledger
    writer: Executor

    async def write(self, call: Callable[..., T], *arguments: Any) -> T:
        """Run a storage call in the storage thread; afterwards its data may be announced.

        Raises MeepleError if writing fails: nothing more may be announced then.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.writer, call, *arguments)
        except SQLAlchemyError as error:
            words = f"the tournament's file cannot be written: {reason_of(error)}"
            raise MeepleError(words) from error


@dataclass(frozen=True)
class TurnResult:
    """The result of a turn: a legal action, or the fault that loses the game."""

    action: int
    seconds: float
    lost: str = ""  # the fault; "" if the action is played


class Series:
    """One series, resumed in the first unfinished game if it was interrupted."""

    def __init__(
        self, context: SeriesContext, row: StoredSeries, entrants: Sequence[Entrant]
    ) -> None:
        """Create the series; `entrants` are player 1 and player 2."""
        self._context, self._row, self._entrants = context, row, tuple(entrants)

    async def play(self) -> list[StoredSeriesGame]:
        """Play all unfinished games and announce the result; return all games of the series."""
        context, row = self._context, self._row
        await context.write(context.ledger.set_series, row.id, PLAYING)
        ids = tuple((entrant.uid, player) for player, entrant in enumerate(self._entrants, 1))
        for entrant in self._entrants:
            await entrant.send(SeriesStart(entrant.uid, ids, row.games, context.board.params))
        played = {
            game.number: game
            for game in await context.write(partial(context.ledger.games, series=row.id))
        }
        for number in range(row.games):
            game = played.get(number)
            if game is None:
                starter = 1 + number % 2
                seed = seeds_of(context.seed, row.id, number, count=1)[0]
                game = await context.write(context.ledger.add_game, row.id, number, starter, seed)
            if game.state != DONE:
                await self._play_game(game)
        return await self._end()

    async def _end(self) -> list[StoredSeriesGame]:
        context, row = self._context, self._row
        games = await context.write(partial(context.ledger.games, series=row.id))
        await context.write(context.ledger.set_series, row.id, DONE)
        won = [sum(game.winner == player for game in games) for player in (1, 2)]
        stats = tuple(
            (entrant.uid, player, won[player - 1], won[2 - player])
            for player, entrant in enumerate(self._entrants, 1)
        )
        for entrant in self._entrants:
            await entrant.send(SeriesOver(stats))
            entrant.forget()
        return games

    # ------------------------------------------------------------ a game

    async def _play_game(self, game: StoredSeriesGame) -> None:
        """Play a game to its end, from the position after its stored moves."""
        context = self._context
        position = context.board.begun_by(game.starter).start(game.seed)
        for action in await context.write(context.ledger.moves, game.id):
            position.play(action)
        seeds = seeds_of(game.seed, count=2)
        for entrant, seed in zip(self._entrants, seeds, strict=True):
            await entrant.send(GameStart(game.starter))
            await entrant.begin(context.board, game.starter, seed)
        winner, how = await self._play_out(game, position)
        await context.write(context.ledger.end_game, game.id, winner, how)
        end = GameOver(winner, context.board.state(position, game.starter))
        for entrant in self._entrants:
            await entrant.send(end)

    async def _play_out(self, game: StoredSeriesGame, position: Position) -> tuple[int, str]:
        """Play to the end; return the winner, 1, 2 or 0 for a draw, and how the game ended."""
        context, board = self._context, self._context.board
        while not position.is_over:
            forced = board.forced(position)
            if position.to_move == CHANCE:
                decision = TurnResult(position.copy().play_chance(), 0.0)
            elif forced is not None:
                decision = TurnResult(forced, 0.0)
            else:
                player = board.player(position.to_move, game.starter)
                decision = await self._decide(game, position, player)
                if decision.lost:
                    return 3 - player, decision.lost
            ply = len(position.actions)
            await context.write(
                context.ledger.add_move, game.id, ply, decision.action, decision.seconds
            )
            position.play(decision.action)
        shares = position.payoffs
        if abs(shares[0] - shares[1]) < 1e-9:
            return 0, BY_RULES
        return board.player(int(np.argmax(shares)), game.starter), BY_RULES

    async def _decide(self, game: StoredSeriesGame, position: Position, player: int) -> TurnResult:
        """Request an action until it is legal or the player has lost the game."""
        entrant, board, rules = self._entrants[player - 1], self._context.board, self._context.rules
        for _ in range(1 + MAX_RETRIES):
            choice = await entrant.choose(board, position, game.starter)
            action = None if choice.action is None else board.action(choice.action)
            if action is not None and action in position.legal_actions():
                return TurnResult(action, choice.seconds)
            fault = choice.fault or "illegal"
            words = choice.words or f"{list(choice.action or ())} is illegal"
            await self._store_fault(entrant, game, fault, words)
            cost = LOSE if fault == "disconnect" else rules.cost(fault)
            await self._report_fault(entrant, choice, board.state(position, game.starter), cost)
            if cost == RANDOM:
                return TurnResult(self._random_action(game, position), choice.seconds)
            if cost == LOSE:
                return TurnResult(-1, choice.seconds, fault)
        return TurnResult(-1, choice.seconds, fault)

    def _random_action(self, game: StoredSeriesGame, position: Position) -> int:
        """Return a random legal action, the same each time the game is resumed here."""
        seed = seeds_of(game.seed, len(position.actions), count=1)[0]
        return int(np.random.default_rng(seed).choice(position.legal_actions()))

    async def _store_fault(
        self, entrant: Entrant, game: StoredSeriesGame, fault: str, words: str
    ) -> None:
        context = self._context
        LOG.warning("%s, game %d: %s: %s", entrant.name, game.id, fault, words)
        await context.write(context.ledger.add_fault, entrant.uid, game.id, fault, words)

    async def _report_fault(
        self, entrant: Entrant, choice: EntrantChoice, state: tuple[Any, ...], cost: str
    ) -> None:
        """Inform an entrant of its fault and the cost."""
        if choice.action is not None and cost == LOSE:
            await entrant.send(IllegalMove(state, choice.action))
            return
        costs = {LOSE: "you lose this game", RANDOM: "a random move is made for you"}
        words = choice.words or f"the action {list(choice.action or ())} is illegal"
        await entrant.send(Notice(f"{words}: {costs.get(cost, 'try again')}", "error"))
