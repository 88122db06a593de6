"""Play an agent of this checkout against one of another, by processor time.

    python -m bench.duel gomoku -o rule=standard --against ../base --spec minimax:seconds=0.1

Each agent is a process of its own, with the sources of its checkout and with its processor time as
every clock. Games come in pairs: an opening of random stones that this checkout's search gives 40
to 60 %, from both sides. Prints the share with Wilson's interval, the time and the plies of a move
and the nodes a second of both, and a sequential test, which ends the match if --stop is given.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

HERE = Path(__file__).resolve()
MARGIN = 0.1  # of the winning chance around one half, of an opening
STONES, REACHES = (3, 7), (2, 5)  # random stones of an opening, and cells around the middle


class Opponent:
    """An agent in a process of its own."""

    def __init__(self, checkout: Path, given: Any, spec: str) -> None:
        """Start the process; it compiles its kernels first."""
        options = [word for option in given.option for word in ("-o", option)]
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(HERE), given.game, *options, "--spec", spec, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(checkout.resolve() / "src")},
        )
        self._sums = [0.0, 0.0, 0.0, 0.0]  # moves, seconds, plies and nodes

    def ask(self, *words: object) -> list[float]:
        """Send a command and return the numbers of its answer."""
        assert self._process.stdin
        assert self._process.stdout
        print(*words, file=self._process.stdin, flush=True)
        return [float(word) for word in self._process.stdout.readline().split()]

    def choose(self, actions: Sequence[int]) -> int:
        """Return the agent's action after these; counts what it cost."""
        action, _, *costs = self.ask("choose", *actions)
        self._sums = [total + cost for total, cost in zip(self._sums, (1, *costs), strict=True)]
        return int(action)

    def report(self) -> str:
        """Return the mean time and plies of a move, and the nodes a second."""
        moves, seconds, plies, nodes = self._sums
        return (
            f"{1000 * seconds / moves:.1f} ms, {plies / moves:.1f} plies and "
            f"{nodes / seconds:,.0f} nodes/s"
        )


def serve(given: Any) -> None:
    """Answer commands on standard input with the agent of `--spec`, which evaluates positions."""
    time.perf_counter = time.process_time  # before any module has a clock
    import meeple

    game = meeple.make(given.game, **dict(option.split("=") for option in given.option))
    agent = meeple.agent(given.spec, game, seed=1)
    for line in sys.stdin:
        command, *words = line.split()
        if command == "begin":
            agent.begin(int(words[0]))
            print(0, flush=True)
            continue
        position = game.start(0)
        for word in words:
            position.play(int(word))
        began = time.process_time()
        action = agent.choose(position)
        seconds, found = time.process_time() - began, cast(Any, agent.analysis)
        value = float(found.value[position.to_move])
        print(action, value, seconds, found.depth or 0, int(found.visits.sum()), flush=True)


def openings(game: Any, judge: Any, seed: int) -> Iterator[list[int]]:
    """Yield the actions of openings of random stones around the middle that are balanced."""
    import numpy as np

    while True:
        seed += 1
        rng, position = np.random.default_rng(seed), game.start(seed)
        reach = int(rng.integers(*REACHES))
        middle = game.size // 2
        places = rng.permutation((2 * reach + 1) ** 2)
        stones = rng.integers(*STONES)
        for row, column in zip(*np.divmod(places, 2 * reach + 1), strict=True):
            action = int(middle - reach + row) * game.size + int(middle - reach + column)
            if len(position.actions) < stones and action in position.legal_actions():
                position.play(action)
        if position.is_over:
            continue
        judge.ask("begin", seed)
        if abs(judge.ask("choose", *position.actions)[1] - 0.5) <= MARGIN:
            yield list(position.actions)


def play(game: Any, seats: Sequence[Opponent], opening: Sequence[int], seed: int) -> float:
    """Play a game and return the share of the first seat."""
    position = game.start(0)
    for action in opening:
        position.play(action)
    for player in seats:
        player.ask("begin", seed)
    while not position.is_over:
        position.play(seats[position.to_move].choose(position.actions))
    return float(position.payoffs[0])


def match(given: Any) -> None:
    """Play the match and print its state after every pair."""
    import meeple
    from meeple.arena.figures.sprt import SequentialTest, parse_hypotheses, state_of
    from meeple.arena.figures.statistics import wilson_interval

    game = meeple.make(given.game, **dict(option.split("=") for option in given.option))
    here = HERE.parent.parent
    players = (
        Opponent(here, given, given.spec),
        Opponent(given.against, given, given.their_spec or given.spec),
    )
    judge = Opponent(here, given, given.judge)
    test, points, games = SequentialTest(parse_hypotheses(given.test)), 0.0, 0
    for seed, opening in enumerate(openings(game, judge, given.seed), given.seed):
        first = play(game, players, opening, seed)
        second = 1 - play(game, players[::-1], opening, seed)
        test.add((first, second))
        points, games = points + first + second, games + 2
        low, high = wilson_interval(points, games)
        if games % given.every == 0 or games >= given.games or (given.stop and test.accepted):
            print(
                f"{games} games: {100 * points / games:.1f} % ({100 * low:.1f} to "
                f"{100 * high:.1f}), {state_of(test)}; {players[0].report()} against "
                f"{players[1].report()}",
                flush=True,
            )
        if games >= given.games or (given.stop and test.accepted):
            return


def main() -> None:
    """Parse the command line, and play or serve."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.duel",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game")
    parser.add_argument("-o", "--option", action="append", metavar="KEY=VALUE", default=[])
    parser.add_argument("--against", type=Path, help="the other checkout")
    parser.add_argument("--spec", default="minimax:seconds=0.1")
    parser.add_argument("--their-spec", help="of the other agent, --spec if not given")
    parser.add_argument("--judge", default="minimax:seconds=0.2", help="evaluates openings")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--test", default="0,40", help="LOW,HIGH in Elo points")
    parser.add_argument("--stop", action="store_true", help="end when the test has decided")
    parser.add_argument("--every", type=int, default=20, help="games between reports")
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given)
    else:
        match(given)


if __name__ == "__main__":
    main()
