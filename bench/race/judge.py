"""The judge: the share of best moves in solved positions, and matches against `uct:sims=1000`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bench.five_minutes.measure import row_of
from bench.race.ours import GAME
from bench.race.solver import Table, bitboards, scores
from meeple.agents.spec import agent
from meeple.arena.figures.statistics import wilson_interval
from meeple.arena.match import match
from meeple.arena.plan.openings import Opening
from meeple.games.contract.game import Position

FILE = Path(__file__).with_name("positions.json")
PLIES = range(10, 32)  # of the positions
PER_PLY = 23
OPPONENT = "uct:sims=1000"
SIMULATIONS = 100  # of a move of every contestant
GAMES = 100


class Player(Protocol):
    """A contestant with the network of one checkpoint."""

    def choose(self, moves: Sequence[int], simulations: int) -> int:
        """Return the column played after moves; 0 simulations: without search."""
        ...


@dataclass(frozen=True)
class Solved:
    """A position, as the columns played, with the exact score of each legal column."""

    moves: tuple[int, ...]
    scores: dict[int, int]

    def keeps_result(self, column: int) -> bool:
        """Return whether a column keeps the exact result: win, draw or loss."""
        return bool(np.sign(self.scores[column]) == np.sign(max(self.scores.values())))

    def is_best(self, column: int) -> bool:
        """Return whether a column also wins soonest, or loses latest."""
        return self.scores[column] == max(self.scores.values())


def make_positions(
    table: Table, plies: Sequence[int] = PLIES, count: int = PER_PLY
) -> list[Solved]:
    """Return positions of games in which a quarter of the moves are random, solved.

    In each of them some moves keep the result and others do not; mirror images count as equal.
    """
    generator, opponent = np.random.default_rng(1), agent("uct:sims=100", GAME)
    found: dict[int, list[Solved]] = {ply: [] for ply in plies}
    seen = set[tuple[int, int]]()
    while any(len(solved) < count for solved in found.values()):
        position, moves, game = GAME.start(0), list[int](), generator.integers(2**32)
        opponent.begin(int(game))
        ply = int(generator.choice([ply for ply, solved in found.items() if len(solved) < count]))
        while not position.is_over and len(moves) < ply:
            is_random = generator.random() < 0.25
            legal = position.legal_actions()
            move = int(generator.choice(legal)) if is_random else opponent.choose(position)
            position.play(move)
            moves.append(move)
        mirror = bitboards([6 - move for move in moves])
        if position.is_over or {bitboards(moves), mirror} & seen:
            continue
        seen.add(bitboards(moves))
        solved = Solved(tuple(moves), scores(moves, table))
        if len({solved.keeps_result(column) for column in solved.scores}) == 2:
            found[ply].append(solved)
    return [solved for ply in plies for solved in found[ply]]


def write_positions(positions: Sequence[Solved], path: Path = FILE) -> None:
    """Write positions, one a line: the columns played, then columns with scores."""
    lines = [json.dumps(["".join(map(str, one.moves)), one.scores]) for one in positions]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def read_positions(path: Path = FILE) -> list[Solved]:
    """Return the positions of a file."""
    return [
        Solved(tuple(map(int, moves)), {int(column): score for column, score in found.items()})
        for moves, found in json.loads(path.read_text())
    ]


def shares(player: Player, positions: Sequence[Solved], simulations: int) -> dict[str, Any]:
    """Return the shares of moves that keep the result, and of the best ones, with intervals."""
    chosen = [player.choose(one.moves, simulations) for one in positions]
    counts = {
        "keep": sum(one.keeps_result(move) for one, move in zip(positions, chosen, strict=True)),
        "best": sum(one.is_best(move) for one, move in zip(positions, chosen, strict=True)),
    }
    return {
        name: {"share": count / len(chosen), "interval": wilson_interval(count, len(chosen))}
        for name, count in counts.items()
    }


class _Contestant:
    """A player as an agent of a match."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, position: Position) -> int:
        return self._player.choose([int(action) for action in position.actions], SIMULATIONS)


def play(player: Player, games: int = GAMES, opponent: str = OPPONENT) -> dict[str, Any]:
    """Return the result of a match from random openings of two plies, each from both seats."""
    pairs = np.random.default_rng(2).integers(7, size=(games // 2, 2)).tolist()
    openings = [Opening(number, tuple(pair)) for number, pair in enumerate(pairs)]
    result = match(GAME, [_Contestant(player), opponent], games, seed=1, openings=openings)
    ours = result.agents[0]
    return {**row_of(ours), "ms_a_move": round(ours.ms_per_move, 2)}


def judge(player: Player, positions: Sequence[Solved]) -> dict[str, Any]:
    """Return all figures of a player."""
    return {
        "alone": shares(player, positions, 0),
        "search": shares(player, positions, SIMULATIONS),
        "match": play(player),
    }
