"""A series of games between two entrants, each move stored before anybody is told of it."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

import numpy as np
from sqlalchemy.exc import SQLAlchemyError

from meeple.arena.seeds import seeds_of
from meeple.errors import MeepleError
from meeple.games.contract.game import Position
from meeple.kernels import CHANCE
from meeple.oht.entrants import Choice, Entrant
from meeple.oht.rules import LOSE, RANDOM, RETRIES, Rules
from meeple.oht.store import BY_RULES, DONE, PLAYING, StoredGame, StoredSeries
from meeple.protocols.oht.boards import Board
from meeple.protocols.oht.messages import (
    Action,
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
    """Where a series is kept: `Store` on disk, or `Scratch`, which forgets it."""

    def set_series(self, id: int, state: str) -> None: ...
    def games(self, *, series: int) -> list[StoredGame]: ...
    def add_game(self, series: int, number: int, starter: int, seed: int) -> StoredGame: ...
    def moves(self, game: int) -> list[int]: ...
    def add_move(self, game: int, ply: int, action: int, seconds: float) -> None: ...
    def end_game(self, game: int, winner: int, how: str) -> None: ...
    def add_fault(self, uid: int, game: int | None, kind: str, words: str) -> None: ...


class Scratch:
    """A ledger of one series in memory, for practice."""

    def __init__(self) -> None:
        self._games: list[StoredGame] = []

    def set_series(self, id: int, state: str) -> None:
        """Nothing is kept of it."""

    def games(self, *, series: int) -> list[StoredGame]:
        """All of them."""
        return self._games

    def add_game(self, series: int, number: int, starter: int, seed: int) -> StoredGame:
        """A game begins."""
        game = StoredGame(id=number, series=series, number=number, starter=starter, seed=seed)
        self._games.append(game)
        return game

    def moves(self, game: int) -> list[int]:
        """None: nothing is resumed."""
        return []

    def add_move(self, game: int, ply: int, action: int, seconds: float) -> None:
        """Nothing is kept of it."""

    def end_game(self, game: int, winner: int, how: str) -> None:
        """A game is over."""
        self._games[game].winner, self._games[game].state = winner, DONE

    def add_fault(self, uid: int, game: int | None, kind: str, words: str) -> None:
        """Nothing is kept of it."""


@dataclass(frozen=True)
class Desk:
    """What every series of a tournament needs: the rules, the board, and the store's one thread."""

    rules: Rules
    board: Board
    seed: int
    ledger: Ledger
    writer: Executor

    async def write(self, call: Callable[..., T], *arguments: Any) -> T:
        """Have the store written to; afterwards it is on disk, and may be told.

        Raises MeepleError where that cannot be: then nothing may be told any more.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.writer, call, *arguments)
        except SQLAlchemyError as error:
            reason = getattr(error, "orig", None) or error
            raise MeepleError(f"the tournament's file cannot be written: {reason}") from error


@dataclass(frozen=True)
class Decision:
    """What becomes of a turn: an action of the rules, or the fault that loses the game."""

    action: int
    seconds: float
    lost: str = ""


class Series:
    """One series, from its first game that is not over, or the middle of it, to its end."""

    def __init__(self, desk: Desk, row: StoredSeries, entrants: Sequence[Entrant]) -> None:
        """`entrants`: who is player 1, and who is player 2."""
        self._desk, self._row, self._entrants = desk, row, tuple(entrants)

    async def play(self) -> list[StoredGame]:
        """Play all games that are not over yet, tell both players how it ended; all its games."""
        desk, row = self._desk, self._row
        await desk.write(desk.ledger.set_series, row.id, PLAYING)
        ids = tuple((entrant.uid, player) for player, entrant in enumerate(self._entrants, 1))
        for entrant in self._entrants:
            await entrant.tell(SeriesStart(entrant.uid, ids, row.games, desk.board.params))
        played = {
            game.number: game
            for game in await desk.write(partial(desk.ledger.games, series=row.id))
        }
        for number in range(row.games):
            game = played.get(number)
            if game is None:
                starter = 1 + number % 2
                seed = seeds_of(desk.seed, row.id, number, count=1)[0]
                game = await desk.write(desk.ledger.add_game, row.id, number, starter, seed)
            if game.state != DONE:
                await self._play_game(game)
        return await self._end()

    async def _end(self) -> list[StoredGame]:
        desk, row = self._desk, self._row
        games = await desk.write(partial(desk.ledger.games, series=row.id))
        await desk.write(desk.ledger.set_series, row.id, DONE)
        won = [sum(game.winner == player for game in games) for player in (1, 2)]
        stats = tuple(
            (entrant.uid, player, won[player - 1], won[2 - player])
            for player, entrant in enumerate(self._entrants, 1)
        )
        for entrant in self._entrants:
            await entrant.tell(SeriesOver(stats))
            entrant.forget()
        return games

    # ------------------------------------------------------------ a game

    async def _play_game(self, game: StoredGame) -> None:
        """Play a game to its end, from where its stored moves have led."""
        desk = self._desk
        position = desk.board.begun_by(game.starter).start(game.seed)
        for action in await desk.write(desk.ledger.moves, game.id):
            position.play(action)
        seeds = seeds_of(game.seed, count=2)
        for entrant, seed in zip(self._entrants, seeds, strict=True):
            await entrant.tell(GameStart(game.starter))
            await entrant.begin(desk.board, game.starter, seed)
        winner, how = await self._play_out(game, position)
        await desk.write(desk.ledger.end_game, game.id, winner, how)
        end = GameOver(winner, desk.board.state(position, game.starter))
        for entrant in self._entrants:
            await entrant.tell(end)

    async def _play_out(self, game: StoredGame, position: Position) -> tuple[int, str]:
        """Who has won, 1 or 2 or nobody (0), and how."""
        desk, board = self._desk, self._desk.board
        while not position.is_over:
            forced = board.forced(position)
            if position.to_move == CHANCE:
                decision = Decision(position.copy().play_chance(), 0.0)
            elif forced is not None:
                decision = Decision(forced, 0.0)
            else:
                player = board.player(position.to_move, game.starter)
                decision = await self._decide(game, position, player)
                if decision.lost:
                    return 3 - player, decision.lost
            ply = len(position.actions)
            await desk.write(desk.ledger.add_move, game.id, ply, decision.action, decision.seconds)
            position.play(decision.action)
        shares = position.payoffs
        if abs(shares[0] - shares[1]) < 1e-9:
            return 0, BY_RULES
        return board.player(int(np.argmax(shares)), game.starter), BY_RULES

    async def _decide(self, game: StoredGame, position: Position, player: int) -> Decision:
        """A legal action of this player, or the loss of the game."""
        entrant, board, rules = self._entrants[player - 1], self._desk.board, self._desk.rules
        for _ in range(1 + RETRIES):
            choice = await entrant.choose(board, position, game.starter)
            action = None if choice.action is None else board.action(choice.action)
            if action is not None and action in position.legal_actions():
                return Decision(action, choice.seconds)
            fault = choice.fault or "illegal"
            words = choice.words or f"{list(choice.action or ())} is illegal"
            await self._note(entrant, game, fault, words)
            cost = LOSE if fault == "disconnect" else rules.cost(fault)
            await self._reproach(entrant, choice, board.state(position, game.starter), cost)
            if cost == RANDOM:
                return Decision(self._any(game, position), choice.seconds)
            if cost == LOSE:
                return Decision(-1, choice.seconds, fault)
        return Decision(-1, choice.seconds, fault)

    def _any(self, game: StoredGame, position: Position) -> int:
        """A legal action at random, the same whenever this game is resumed here."""
        seed = seeds_of(game.seed, len(position.actions), count=1)[0]
        return int(np.random.default_rng(seed).choice(position.legal_actions()))

    async def _note(self, entrant: Entrant, game: StoredGame, fault: str, words: str) -> None:
        desk = self._desk
        LOG.warning("%s, game %d: %s: %s", entrant.name, game.id, fault, words)
        await desk.write(desk.ledger.add_fault, entrant.uid, game.id, fault, words)

    async def _reproach(
        self, entrant: Entrant, choice: Choice, state: tuple[Any, ...], cost: str
    ) -> None:
        """Tell an entrant what it did wrong, and what it costs."""
        if choice.action is not None and cost == LOSE:
            await entrant.tell(IllegalMove(state, choice.action))
            return
        costs = {LOSE: "you lose this game", RANDOM: "a random move is made for you"}
        words = choice.words or f"the action {_written(choice.action)} is illegal"
        await entrant.tell(Notice(f"{words}: {costs.get(cost, 'try again')}", "error"))


def _written(action: Action | None) -> str:
    return str(list(action or ()))
