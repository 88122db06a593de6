"""Problems of Gomoku: positions of games in which the player to move wins by threats.

`python -m tests.games.gomoku.problems` makes `tests/data/gomoku_problems.json`: positions of games
that `uct` and `greedy` play with themselves and each other, whose wins the naive check confirms.
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import meeple
from meeple.games.contract.capabilities import position_solver
from meeple.games.contract.game import Game, Position
from tests.naive.gomoku_proof import NaiveProof, Strategy

FILE = Path(__file__).parents[2] / "data" / "gomoku_problems.json"
SIZE, IN_A_ROW = 15, 5

WANTED, PER_LENGTH = 100, 16
PLAYERS = ("uct:sims=50", "uct:sims=150", "greedy")
MIN_PLIES, MAX_PLIES = 3, 31  # of the solver's win
MAX_NODES = 100_000  # of the solver
MAX_POSITIONS = 600  # of the naive check


def load() -> list[tuple[Position, int]]:
    """Return the problems: a position, and the most plies of its win."""
    game = meeple.make("gomoku")
    problems = []
    for line in json.loads(FILE.read_text()):
        position = game.start()
        for name in line["moves"].split():
            position.play(position.parse_action(name))
        problems.append((position, int(line["plies"])))
    return problems


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


def main() -> None:
    """Play games, check the wins in their positions, and write the file."""
    game = meeple.make("gomoku")
    solver = position_solver(game)
    assert solver is not None
    lines: list[str] = []
    lengths: Counter[int] = Counter()
    number = 0
    while len(lines) < WANTED:
        found: set[int] = set()  # lengths of this game
        for position in _positions(game, number):
            solver.open(position)
            if not solver.advance(MAX_NODES) or not MIN_PLIES <= solver.plies <= MAX_PLIES:
                continue
            if solver.plies in found or lengths[solver.plies] == PER_LENGTH:
                continue
            try:
                positions = check(position)
            except OverflowError:
                continue
            names = " ".join(position_names(position))
            lines.append(json.dumps({"plies": solver.plies, "moves": names}))
            print(number, len(position.actions), solver.plies, positions, flush=True)
            FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
            found.add(solver.plies)
            lengths[solver.plies] += 1
            if len(lines) == WANTED:
                break
        number += 1


def position_names(position: Position) -> Iterator[str]:
    """Yield the names of the actions that lead to a position."""
    walk = position.game.start()
    for action in position.actions:
        yield walk.action_name(action)
        walk.play(action)


def _positions(game: Game, number: int) -> Iterator[Position]:
    """Yield the positions of a game, in an order of chance."""
    rng = np.random.default_rng(number)
    seats = [meeple.agent(str(rng.choice(PLAYERS)), game) for _ in range(2)]
    for agent in seats:
        agent.begin(number)
    position = game.start()
    for cell in rng.permutation(25)[:3]:  # around the centre
        position.play(int(cell // 5 + 5) * SIZE + int(cell % 5 + 5))
    positions = []
    while not position.is_over:
        positions.append(position.copy())
        position.play(seats[position.to_move].choose(position))
    yield from (positions[place] for place in rng.permutation(len(positions)))


if __name__ == "__main__":
    main()
