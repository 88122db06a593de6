"""What one choice costs in time of the processor, for kernels of the processor that is set.

    python -m bench.processor
    NUMBA_CPU_NAME=generic python -m bench.processor
    NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES= python -m bench.processor

The time of the processor is hardly more where a machine is busy; the least of some tries is told.
"""

import time

import meeple
from meeple.games.contract.game import Game

TRIES = 6


def milliseconds(game: Game, spec: str) -> float:
    """Of the processor, for the first choice of a game."""
    found = []
    for _ in range(TRIES):
        agent, position = meeple.agent(spec, game, seed=1), game.start(seed=1)
        began = time.process_time()
        agent.choose(position)
        found.append(time.process_time() - began)
    return 1000 * min(found)


def main() -> None:
    """Print a line for each game."""
    for name, options, sims in (
        ("hex", {"size": 7}, 10_000),
        ("reversi", {}, 5000),
        ("gomoku", {}, 3000),
        ("catan", {}, 300),
    ):
        spec = f"uct:sims={sims}"
        print(f"{name:<8} {spec:<15} {milliseconds(meeple.make(name, **options), spec):6.1f} ms")


if __name__ == "__main__":
    main()
