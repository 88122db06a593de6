"""Search for levels: `python -m bench.tune_levels LEVELS... [--games N] [--file FILE]`.

Finds a row of levels from a first one, in which each wins about `TARGET` of its games against the
one before: it takes the cheapest search of `SEARCHES` that can win so often, and bisects its `loss`
(`meeple/search/lenient.py`), or the temperature of a network without search. The last level is the
last search without a loss. The specs are printed for `meeple/agents/levels.toml`. A match ends as
soon as its interval excludes the target. Matches are saved in a file and not played again, so that
a search that was stopped resumes.
"""

import argparse
import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.levels import (
    ALL,
    BATCH,
    LEAST,
    MOST,
    LevelPairing,
    LevelResult,
    LevelResults,
    boards,
    extend,
)
from meeple.agents.levels import Levels
from meeple.arena.figures.statistics import wilson_interval

SEED = 500_007  # of the first batch of a match; levels are measured with other seeds
TARGET = 0.77
TOLERANCE = 0.04  # of the share that is searched for
GAMES = 80  # of a match, at most
LOOSEST, TIGHTEST = 8.0, 0.002  # losses between which the bisection searches
PROBES = 5  # losses tried for a level

BY_ROLLOUTS = ("uct:sims=50", "uct:sims=300", "uct:sims=2000", "uct:sims=10000")
BY_DEPTH = ("greedy", "minimax:depth=2", "minimax:depth=4", "minimax:depth=6")
SEARCHES: Mapping[str, tuple[str, ...]] = {
    "nim-heap": ("uct:sims=20,loss=8", "uct:sims=20", "uct:sims=3000"),
    "nim-heaps": ("uct:sims=20,loss=8", "uct:sims=20", "uct:sims=200", "uct:sims=3000"),
    "ledge": ("uct:sims=20,loss=8", "uct:sims=20", "uct:sims=200", "uct:sims=3000"),
    "hex-small": ("uct:sims=100,loss=1", "uct:sims=100", "uct:sims=500", "uct:sims=3000"),
    "hex-7": (
        "uct:sims=200,loss=0.15",
        *("uct:sims=200", "uct:sims=1000", "uct:sims=5000", "uct:sims=20000,guided=1"),
        *("policy:hex7", "puct:hex7,sims=20", "puct:hex7,sims=200"),
    ),
    "hex-large": (
        "uct:sims=300,loss=0.15",
        *("uct:sims=300", "uct:sims=1000", "uct:sims=5000", "policy:hex11"),
        *("puct:hex11,sims=20", "puct:hex11,sims=200"),
    ),
    "gomoku-3": ("uct:sims=10,loss=8", "uct:sims=10", "uct:sims=50", "puct:tictactoe,sims=200"),
    "gomoku-6": ("uct:sims=20", "greedy", "minimax:depth=4", "puct:gomoku6,sims=200"),
    "gomoku-8": ("uct:sims=100", *BY_DEPTH),
    "gomoku-7": ("uct:sims=100", *BY_DEPTH),
    "gomoku-small": ("uct:sims=20", *BY_DEPTH, "minimax:depth=8"),
    "gomoku-9": ("uct:sims=100", *BY_DEPTH, "minimax:depth=8"),
    "gomoku-15": ("greedy:loss=0.31", *BY_DEPTH, "minimax:depth=8", "minimax:depth=10"),
    "reversi-8": (
        "minimax:depth=2,loss=0.3",
        *("minimax:depth=2", "minimax:depth=4", "minimax:depth=6"),
        *(f"minimax:eval=reversi8-patterns,depth={depth}" for depth in (4, 6, 8)),
    ),
    "reversi-6": (
        "minimax:depth=2,loss=0.3",
        *("minimax:depth=2", "minimax:depth=4", "minimax:depth=6"),
        *(f"minimax:eval=reversi6-patterns,depth={depth}" for depth in (5, 10)),
    ),
    "reversi-10": (
        "minimax:depth=2,loss=0.2",
        *("minimax:depth=2", "minimax:depth=4"),
        *(f"minimax:eval=reversi10-patterns,depth={depth}" for depth in (5, 7)),
    ),
    "reversi-4": ("minimax:depth=2,loss=0.5", "minimax:depth=12"),
    "reversi-discs": (
        "minimax:depth=2,loss=0.1",
        *("minimax:depth=2", "minimax:depth=4", "minimax:depth=6", "minimax:depth=8"),
    ),
    "catan": ("weighted", "greedy", "states:catan"),
    "catan-reduced": ("weighted", "greedy", "states:catan-reduced"),
    "rules": ("uct:sims=50,loss=0.5", *BY_ROLLOUTS),
}
"""For each table of levels the first level, and searches by strength."""


@dataclass(frozen=True)
class Tuner:
    """Searches for the levels of one game, on all its boards together."""

    levels: Levels
    probes: LevelResults
    games: int
    target: float

    def share(self, spec: str, against: str, target: float | None = None) -> float:
        """Return the share that a spec wins, as the mean over the boards.

        The matches have at most `games` games on each board, and end when the interval of their
        share excludes the target, by default the tuner's.
        """
        wanted = [
            LevelPairing(game, options, spec, against) for game, options in boards(self.levels)
        ]
        target = self.target if target is None else target
        games = 0
        while True:
            games = min(games + BATCH, self.games)
            played = [extend(self.probes, one, games, seed=SEED) for one in wanted]
            low, high = _interval(played)
            if games == self.games or not low <= target <= high:
                return sum(one.share for one in played) / len(played)

    def run(self) -> list[str]:
        """Return the specs, the weakest first."""
        first, *searches = SEARCHES[self.levels.name]
        found, at = [first], 0
        while True:
            while at < len(searches) - 1 and self.share(searches[at], found[-1]) < self.target:
                at += 1
            best = self.share(searches[at], found[-1])
            if at == len(searches) - 1 and best <= MOST:
                break
            spec = self._bisect(searches[at], found[-1], self.target)
            weaker = searches[max(at - 1, 0)]
            if self.share(spec, found[-1]) > MOST and self.share(weaker, found[-1]) >= LEAST:
                spec = weaker
            if spec == found[-1]:
                break
            found.append(spec)
            self._say(found)
        if best < LEAST and len(found) > 2:  # two steps of equal size instead of the last two
            before = self.share(found[-1], found[-2])
            target = _share((_logit(before) + _logit(best)) / 2)
            loose = _without_loss(found[-1])
            found[-1] = self._bisect(loose, found[-2], target)
        found.append(searches[-1])
        self._say(found)
        return found

    def _bisect(self, search: str, against: str, target: float) -> str:
        """Return a search, with a loss or without, that wins about the target share."""
        low, high = math.log(TIGHTEST), math.log(LOOSEST)
        if against.startswith(_with_loss(search, 1).rpartition("=")[0]):
            high = math.log(float(against.rpartition("=")[2]))
            low = max(low, high - 3)
        tried = [(abs(self.share(search, against, target) - target), search)]
        middle = high - 0.5 if low > math.log(TIGHTEST) else (low + high) / 2 + 1
        if self.share(_with_loss(search, LOOSEST), against) > MOST:
            return _with_loss(search, LOOSEST)
        for _ in range(PROBES):
            spec = _with_loss(search, math.exp(middle))
            share = self.share(spec, against, target)
            print(f"  {spec} against {against}: {share:.1%}", file=sys.stderr, flush=True)
            tried.append((abs(share - target), spec))
            if abs(share - target) <= TOLERANCE:
                break
            if share > target:
                low = middle
            else:
                high = middle
            middle = (low + high) / 2
        return min(tried)[1]

    def _say(self, found: Sequence[str]) -> None:
        share = self.share(found[-1], found[-2])
        print(
            f"{self.levels.name}: {len(found)}. {found[-1]}: {share:.1%}",
            file=sys.stderr,
            flush=True,
        )


def _interval(played: Sequence[LevelResult]) -> tuple[float, float]:
    points = sum(one.share * one.games for one in played)
    return wilson_interval(points, sum(one.games for one in played))


def _with_loss(search: str, loss: float) -> str:
    key = "temperature" if search.startswith("policy:") else "loss"
    return f"{search}{',' if ':' in search else ':'}{key}={loss:.2g}"


def _without_loss(spec: str) -> str:
    return re.sub(r"[:,](loss|temperature)=.*", "", spec)


def _logit(share: float) -> float:
    share = min(max(share, 0.01), 0.99)
    return math.log(share / (1 - share))


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def main() -> int:
    """Search for the levels that were named, and print their specs."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [levels.name for levels in ALL]
    parser.add_argument("tables", nargs="+", metavar="LEVELS", choices=names)
    parser.add_argument("--games", type=int, default=GAMES, help="games of a match")
    parser.add_argument("--target", type=float, default=TARGET, help="share of a step")
    parser.add_argument("--file", type=Path, default=Path("runs") / "tune_levels.json")
    arguments = parser.parse_args()
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    for name in arguments.tables:
        levels = next(one for one in ALL if one.name == name)
        tuner = Tuner(levels, LevelResults(arguments.file), arguments.games, arguments.target)
        for spec in tuner.run():
            print(f"{name}: {spec}", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
