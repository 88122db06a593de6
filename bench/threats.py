"""Paired games of minimax on Gomoku 15x15 with the game's solver against minimax without it.

`python -m bench.threats --games 100 --seconds 0.3`; with less than 0.2 s the solver is not asked.
Every clock is the processor time of this process, so that other work of the machine does not change
the result. Each pair of games begins with the same four stones near the centre.
"""

import argparse
import time

import numpy as np

from meeple.agents.minimax import MinimaxAgent
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make

STONES = 4  # of an opening


def opening(game: Game, rng: np.random.Generator) -> Position:
    """Return a position with stones on random cells of the 5x5 cells in the centre."""
    size, position = int(game.options["size"]), game.start()
    first = size // 2 - 2
    for cell in rng.permutation(25)[:STONES].tolist():
        position.play((first + cell // 5) * size + first + cell % 5)
    return position


def play(position: Position, seats: tuple[MinimaxAgent, MinimaxAgent], seconds: list[float]) -> int:
    """Play a game to its end, adding the time of each seat to `seconds`; return the moves."""
    before = len(position.actions)
    while not position.is_over:
        seat, began = position.to_move, time.process_time()
        position.play(seats[seat].choose(position))
        seconds[seat] += time.process_time() - began
    return len(position.actions) - before


def main() -> None:
    """Play the games, and print the result after every pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.3, help="processor time a move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    time.perf_counter = time.process_time
    game, rng = make("gomoku"), np.random.default_rng(arguments.seed)
    agents = (
        MinimaxAgent(game, seconds=arguments.seconds),
        MinimaxAgent(game, seconds=arguments.seconds, solver=False),
    )
    results, moves, spent = [0, 0, 0], 0, [0.0, 0.0]  # won, drawn, lost; by agent
    for pair in range(arguments.games // 2):
        start = opening(game, rng)
        for seat in range(2):
            position, seconds = start.copy(), [0.0, 0.0]
            for agent in agents:
                agent.begin(2 * pair + seat)
            moves += play(position, agents if seat == 0 else agents[::-1], seconds)
            results[int(2 - 2 * position.payoffs[seat])] += 1
            spent[0] += seconds[seat]
            spent[1] += seconds[1 - seat]
        print(
            f"{2 * pair + 2} games: with the solver {results[0]} won, {results[1]} drawn, "
            f"{results[2]} lost; {2000 * spent[0] / moves:.1f} and {2000 * spent[1] / moves:.1f} "
            "ms a move",
            flush=True,
        )


if __name__ == "__main__":
    main()
