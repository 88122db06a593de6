"""The speed of UCT here against another checkout's, search by search in turns, by processor time.

`git worktree add ../before COMMIT`, then
`python bench/against.py ../before hex:size=7 hex:size=11 --sims 10000`. Prints the best time of a
simulation of both, and the median and quartiles of the ratios: what else the machine does slows
two searches that follow each other alike.
"""

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
WORKER = """
import sys, time, meeple
agents = {}
for line in sys.stdin:
    name, _, options = line.strip().partition(":")
    if line not in agents:
        given = dict(option.split("=") for option in options.split(",") if option)
        game = meeple.make(name, **given)
        agents[line] = meeple.agent(f"uct:sims={sys.argv[1]}", game), game.start()
    agent, position = agents[line]
    agent.begin(0)
    began = time.thread_time()
    agent.choose(position)
    print((time.thread_time() - began) / int(sys.argv[1]) * 1e9, flush=True)
"""


def worker(checkout: Path, sims: int) -> subprocess.Popen[str]:
    environment = dict(os.environ, PYTHONPATH=str(checkout / "src"), MEEPLE_QUIET="1")
    command = [sys.executable, "-c", WORKER, str(sims)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)


def ask(process: subprocess.Popen[str], game: str) -> float:
    """Nanoseconds of a simulation."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(game + "\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def quartiles_of_ratios(over: Sequence[float], under: Sequence[float]) -> tuple[float, ...]:
    """The lower quartile, the median and the upper one, of pairs measured one after the other."""
    return tuple(statistics.quantiles((a / b for a, b in zip(over, under, strict=True)), n=4))


def main() -> None:
    parser = argparse.ArgumentParser(description="UCT here against another checkout's.")
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("games", nargs="+", help="such as hex:size=7")
    parser.add_argument("--sims", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=50)
    told = parser.parse_args()
    before, here = worker(told.before.resolve(), told.sims), worker(HERE, told.sims)
    for game in told.games:
        for process in (before, here):
            ask(process, game)  # compiles, and finds memory
        times = [(ask(before, game), ask(here, game)) for _ in range(told.repeats)]
        olds, news = zip(*times, strict=True)
        low, middle, high = quartiles_of_ratios(olds, news)
        print(
            f"{game}: {min(olds):.0f} and {min(news):.0f} ns a simulation at best; "
            f"{middle:.2f} times as fast ({low:.2f} to {high:.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
