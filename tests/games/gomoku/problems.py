"""Problems of Gomoku: positions of games in which the player to move wins by threats.

`tests/data/gomoku_problems.json` has positions of games that `uct` and `greedy` played with
themselves and each other, at most one of a length of win from each game.
"""

import itertools
import json
from pathlib import Path

from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Game, Position
from tests.games.gomoku.boards import after
from tests.naive.gomoku_proof import NaiveProof, Strategy

FILE = Path(__file__).parents[2] / "data" / "gomoku_problems.json"
SIZE, IN_A_ROW = 15, 5

MAX_NODES = 100_000  # of the solver
MAX_POSITIONS = 600  # of the naive check


def load() -> list[Position]:
    """Return the problems."""
    return [after(problem["moves"]) for problem in json.loads(FILE.read_text())]


def check(position: Position) -> int:
    """Return the number of positions in which the naive check confirms the solver's win.

    Raises:
        OverflowError: there are more than MAX_POSITIONS.
        AssertionError: it is no win.
    """
    mover, stones = position.to_move, stones_of(position)
    proof = NaiveProof(SIZE, IN_A_ROW, solver_move(position.game), MAX_POSITIONS)
    assert proof.attacker_wins(stones[mover], stones[1 - mover])
    return proof.positions


def stones_of(position: Position) -> list[int]:
    """Return the cells of both seats as bits."""
    return [sum(1 << action for action in position.actions[seat::2]) for seat in range(2)]


def solver_move(game: Game) -> Strategy:
    """Return the strategy of the game's solver; without a win it plays the first empty cell."""
    solver, size = position_solver(game), int(game.options["size"])
    assert solver is not None

    def move(own: int, other: int) -> int:
        solver.open(_position_of(game, own, other))
        while not solver.advance(MAX_NODES):
            pass
        if solver.payoffs is not None:
            return solver.line[0]
        return next(cell for cell in range(size**2) if not (own | other) >> cell & 1)

    return move


def _position_of(game: Game, own: int, other: int) -> Position:
    """Return the position with these stones; `own` are those of the player to move."""
    position = game.start()
    first, second = (own, other) if own.bit_count() == other.bit_count() else (other, own)
    cells = [
        [cell for cell in range(game.num_actions) if stones >> cell & 1]
        for stones in (first, second)
    ]
    for pair in itertools.zip_longest(*cells):
        for cell in pair:
            if cell is not None:
                position.play(cell)
    return position
