"""Measure each level against the one before: `python -m bench.levels [LEVELS...] [--games N]`.

Plays every level of `meeple/agents/levels.toml` against the one before, and the last one against
other candidates (`RIVALS`). Each opening is played from all seats. With more than two seats each
agent has half of them, and the winner's agent counts. A match ends as soon as its interval is
within LEAST to MOST or outside of it, at the latest after GAMES games. Results are saved in
`bench/levels.json` after every BATCH games, and only missing games are played: all of them if a
network of the pairing has other weights since. `--check` plays nothing, and exits with 1 unless
every step is measured and within LEAST to MOST.
"""

import argparse
import functools
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import meeple
from meeple.agents.levels import BY_RULES, LEVELS, Levels
from meeple.agents.networks import shipped_networks
from meeple.arena.figures.statistics import wilson_interval
from meeple.arena.plan.openings import openings
from meeple.arena.plan.schedule import round_length
from meeple.files import write_atomically
from meeple.games.contract.game_words import as_word
from meeple.games.contract.registry import load_game_file, make_from
from meeple.options import OptionValue
from meeple.search.patterns.file import KIND, read_patterns
from meeple.tensor_file import kind_of

ALL = (*LEVELS, BY_RULES)
FILE = Path(__file__).with_suffix(".json")
GAMES = 200
SEED = 1007  # `bench/tune_levels.py` has another
BATCH = 20  # games of a match, after which the result is saved
LEAST, MOST = 0.65, 0.85  # share of the games that a level wins against the one before
EVEN = 0.5  # least share of the last level against its rivals

EXAMPLES = [
    Path(__file__).resolve().parent.parent / "examples" / name
    for name in ("connect_four.py", "third_party_game.py")
]
"""Games on which the levels of games known by their rules alone are measured."""

RIVALS: Mapping[str, tuple[str, ...]] = {
    "gomoku-6": ("puct:gomoku6,sims=200",),
    "gomoku-8": ("puct:gomoku8,sims=200",),
}
"""Other candidates for the last step, by the name of the levels."""


WIDE: Mapping[str, frozenset[str]] = {"rules": frozenset(["Expert"])}
"""Levels that win more than MOST against the one before, until levels between them are found.

Those of `rules` are one row for all games: a level between the last two would win less than LEAST
in Domineering.
"""


@functools.cache
def _digests() -> Mapping[str, str]:
    return {
        name: hashlib.sha256(_deciding(file)).hexdigest()[:12]
        for name, file in shipped_networks().items()
    }


def _deciding(file: Path) -> bytes:
    """Return what decides the moves of levels, which are searches to a depth: of patterns, weights.

    What is measured of patterns changes only searches that are limited by time.
    """
    if kind_of(file) == KIND:
        return read_patterns(file).weights["weights"].tobytes()
    return file.read_bytes()


def weights_of(*specs: str) -> dict[str, str]:
    """Return the first digits of the SHA-256 of each shipped network that the specs name."""
    words = set(re.findall(r"[\w-]+", " ".join(specs)))
    return {name: digest for name, digest in _digests().items() if name in words}


@dataclass(frozen=True)
class LevelPairing:
    """Two agents to compare."""

    game: str
    options: Mapping[str, OptionValue]
    spec: str
    against: str

    @property
    def board(self) -> str:
        """The game with its options, as a command takes them."""
        words = (f"-o {key}={as_word(value)}" for key, value in self.options.items())
        return " ".join([self.game, *words])


@dataclass(frozen=True)
class LevelResult:
    """The result of a pairing, for the agent named first."""

    board: str
    spec: str
    against: str
    games: int
    won: int
    drawn: int
    ms_per_move: float
    networks: Mapping[str, str] = field(default_factory=dict)
    """Digests of the networks of both agents (`weights_of`)."""

    def __add__(self, more: "LevelResult") -> "LevelResult":
        """Return the result with more games of the same pairing."""
        return replace(
            self,
            games=self.games + more.games,
            won=self.won + more.won,
            drawn=self.drawn + more.drawn,
            ms_per_move=round(
                (self.games * self.ms_per_move + more.games * more.ms_per_move)
                / (self.games + more.games),
                2,
            ),
        )

    @property
    def is_stale(self) -> bool:
        """Whether a network of the agents has other weights today."""
        return self.networks != weights_of(self.spec, self.against)

    @property
    def share(self) -> float:
        """The share of its games that it won, with draws as halves."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.share * self.games, self.games)

    @property
    def is_small(self) -> bool:
        """Whether the share is below LEAST, by its interval."""
        return self.interval[1] < LEAST

    @property
    def is_large(self) -> bool:
        """Whether the share is above MOST, by its interval."""
        return self.interval[0] > MOST

    @property
    def is_within(self) -> bool:
        """Whether the share is between LEAST and MOST, by its interval."""
        low, high = self.interval
        return low >= LEAST and high <= MOST


def step_is_decided(result: LevelResult) -> bool:
    """Return whether the games so far show that a step is within LEAST to MOST, or outside."""
    return result.is_within or result.is_small or result.is_large


def rival_is_decided(result: LevelResult) -> bool:
    """Return whether the games so far show which of two rivals is stronger."""
    low, high = result.interval
    return low > EVEN or high < EVEN


def boards(levels: Levels) -> list[tuple[str, Mapping[str, OptionValue]]]:
    """Return the games, with options, on which levels are measured."""
    if levels is BY_RULES:
        return [(load_game_file(file).name, {}) for file in EXAMPLES]
    return [(levels.game, options) for options in levels.measured]


def steps(levels: Levels) -> Iterator[LevelPairing]:
    """Yield each level with the one before it, on every board of the levels."""
    specs = list(levels.steps.values())
    for game, options in boards(levels):
        for before, spec in pairwise(specs):
            yield LevelPairing(game, options, spec, before)


def rivals(levels: Levels) -> Iterator[LevelPairing]:
    """Yield the strongest level with other candidates."""
    for game, options in boards(levels):
        for rival in RIVALS.get(levels.name, ()):
            yield LevelPairing(game, options, levels.strongest, rival)


class LevelResults:
    """The results so far, in a file that is written after every match."""

    def __init__(self, path: Path = FILE) -> None:
        self._path = path
        text = path.read_text() if path.exists() else "[]"
        self.all = [LevelResult(**entry) for entry in json.loads(text)]

    def of(self, pairing: LevelPairing) -> LevelResult | None:
        """Return the result of a pairing with the weights of today; None if there is none."""
        wanted = (pairing.board, pairing.spec, pairing.against)
        found = (one for one in self.all if (one.board, one.spec, one.against) == wanted)
        return next((one for one in found if not one.is_stale), None)

    def put(self, result: LevelResult) -> None:
        """Save a result in the place of an earlier one of its pairing."""
        key = (result.board, result.spec, result.against)
        self.all = [one for one in self.all if (one.board, one.spec, one.against) != key]
        self.all.append(result)
        rows = [{k: v for k, v in asdict(one).items() if v != {}} for one in self.all]
        lines = ",\n".join(map(json.dumps, rows))
        write_atomically(self._path, f"[\n{lines}\n]\n")


def extend(
    results: LevelResults,
    pairing: LevelPairing,
    games: int,
    *,
    seed: int = SEED,
    is_decided: Callable[[LevelResult], bool] = lambda _: False,
) -> LevelResult:
    """Play a pairing, in addition to its saved games, until it has a number of games.

    Args:
        results: the saved games.
        pairing: the agents to compare.
        games: number of games, at most.
        seed: of the openings; those of a batch follow those of the batch before.
        is_decided: called with the result after each batch; true ends the match.
    """
    result = results.of(pairing)
    while result is None or (result.games < games and not is_decided(result)):
        done = 0 if result is None else result.games
        more = play(pairing, min(BATCH, games - done), seed, done)
        result = more if result is None else result + more
        results.put(result)
    return result


def play(pairing: LevelPairing, games: int, seed: int = SEED, before: int = 0) -> LevelResult:
    """Play a pairing after a number of games `before`, with its progress on standard error."""
    game = make_from(pairing.game, pairing.options)
    length = round_length(2, game)
    starts = openings(game, -(-(before + games) // length), seed)[before // length :]

    def progress(done: int, of: int) -> None:
        words = f"\r{pairing.board}: {pairing.spec} against {pairing.against}: {done} of {of} "
        if sys.stderr.isatty():
            print(words, end="", file=sys.stderr, flush=True)

    found = meeple.match(
        game,
        [pairing.spec, pairing.against],
        games=games,
        seed=seed + before,
        openings=starts,
        workers=1,
        progress=progress,
    )
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if found.interrupted:
        raise KeyboardInterrupt
    first = found.agents[0]
    return LevelResult(
        board=pairing.board,
        spec=pairing.spec,
        against=pairing.against,
        games=first.games,
        won=first.wins,
        drawn=first.draws,
        ms_per_move=round(first.ms_per_move, 2),
        networks=weights_of(pairing.spec, pairing.against),
    )


def table(results: LevelResults, tables: Sequence[Levels] = ALL) -> list[str]:
    """Return all results as the rows of a Markdown table."""
    rows = []
    for levels in tables:
        names = {spec: name for name, spec in levels.steps.items()}
        for pairing in [*steps(levels), *rivals(levels)]:
            result = results.of(pairing)
            if result is not None:
                rows.append(_row(names[pairing.spec], names.get(pairing.against), result))
    return rows


def _row(name: str, before: str | None, result: LevelResult) -> str:
    low, high = (100 * end for end in result.interval)
    against = f"`{result.against}`" + (f" ({before})" if before else "")
    return (
        f"| {result.board.replace('-o ', '')} | {name}: `{result.spec}` | {against} "
        f"| {100 * result.share:.1f} % | {low:.1f} to {high:.1f} | {result.games} "
        f"| {result.ms_per_move:.3g} |"
    )


def check(results: LevelResults, tables: Sequence[Levels] = ALL) -> list[str]:
    """Return the faults of the results, as sentences."""
    faults = []
    for levels in tables:
        names = {spec: name for name, spec in levels.steps.items()}
        for pairing in steps(levels):
            result, name = results.of(pairing), names[pairing.spec]
            words = f"{pairing.board}, {name}: {pairing.spec} against {pairing.against}"
            if result is None:
                faults.append(f"{words}: not played; python -m bench.levels {levels.name}")
            elif result.is_small or (result.is_large and name not in WIDE.get(levels.name, ())):
                low, high = result.interval
                faults.append(
                    f"{words}: {result.share:.1%} ({low:.1%} to {high:.1%}) is not {LEAST:.0%} to "
                    f"{MOST:.0%}; python -m bench.tune_levels {levels.name} searches for a level"
                )
        for pairing in rivals(levels):
            result = results.of(pairing)
            words = f"{pairing.board}: {pairing.spec} against its rival {pairing.against}"
            if result is None:
                faults.append(f"{words}: not played")
            elif result.share < EVEN:
                faults.append(f"{words}: {result.share:.1%}")
    return faults


def main() -> int:
    """Play the missing pairings, and print the table, or with --json the results."""
    arguments = _arguments()
    wanted = [one for one in ALL if not arguments.tables or one.name in arguments.tables]
    results = LevelResults(arguments.file)
    for levels in () if arguments.check else wanted:
        for pairing in steps(levels):
            extend(results, pairing, arguments.games, is_decided=step_is_decided)
        for pairing in rivals(levels):
            extend(results, pairing, arguments.games, is_decided=rival_is_decided)
    if arguments.json:
        print(json.dumps([{**asdict(one), "interval": one.interval} for one in results.all]))
    else:
        print("\n".join(table(results, wanted)))
    faults = check(results, wanted)
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


def _arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [levels.name for levels in ALL]
    parser.add_argument("tables", nargs="*", metavar="LEVELS", help=f"of {', '.join(names)}")
    parser.add_argument("--games", type=int, default=GAMES, help="games of a match, at most")
    parser.add_argument("--file", type=Path, default=FILE, help="where results are kept")
    parser.add_argument("--check", action="store_true", help="play nothing; check what is there")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
