"""The table of the subjects of `python -m bench`: their options and functions."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

from bench.speed.measuring import Figures
from meeple.cli.shared.arguments import open_game
from meeple.errors import UsageError
from meeple.games.contract.game import Game

GAME = "hex"  # the default game, except for belief
SIMULATIONS, PUCT_SIMULATIONS = 10_000, 200  # default simulations of each search
REPEATS = 7


@dataclass(frozen=True)
class BenchOptions:
    """The options of one call of the command; `None` if not given."""

    game: str | None = None
    option: list[str] | None = None
    sims: int | None = None
    depth: int | None = None
    vs: str | None = None
    threads: int | None = None
    config: Path | None = None
    repeats: int | None = None

    @property
    def given(self) -> list[str]:
        """The names of the given options, which are those of the fields."""
        return [field.name for field in fields(self) if getattr(self, field.name) is not None]

    @property
    def times(self) -> int:
        """The number of repeats."""
        return self.repeats or REPEATS

    def open(self, default: str = GAME) -> Game:
        """Return the game to measure."""
        return open_game(self.game or default, self.option)


@dataclass(frozen=True)
class Subject:
    """A benchmark; `target` is its "module:function" in this folder, which returns the figures.

    `takes` are the options it accepts; `peer` is the program to compare with.
    """

    help: str
    target: str
    takes: tuple[str, ...]
    peer: str | None = None

    def measure(self, options: BenchOptions) -> Figures:
        """Import the module, measure and return the figures."""
        module, _, function = self.target.partition(":")
        found: Callable[[BenchOptions], Figures] = getattr(
            importlib.import_module(f"bench.speed.{module}"), function
        )
        return found(options)


SUBJECTS: dict[str, Subject] = {
    "uct": Subject(
        "simulations/s of search",
        "search:uct",
        ("game", "option", "sims", "vs", "threads", "repeats"),
        peer="openspiel",
    ),
    "puct": Subject(
        "simulations/s of lockstep search without a network",
        "search:puct",
        ("game", "option", "sims", "repeats"),
    ),
    "games": Subject(
        "random games/s", "games:games", ("game", "option", "vs", "repeats"), peer="catanatron"
    ),
    "perft": Subject(
        "positions at each depth, and how many a second",
        "games:perft",
        ("game", "option", "depth", "repeats"),
    ),
    "start": Subject("seconds to the first move", "processes:start", ("game", "option", "repeats")),
    "memory": Subject("memory of a million-node tree", "processes:memory", ()),
    "selfplay": Subject("episodes/s", "learning:selfplay", ("config", "threads", "repeats")),
    "labels": Subject(
        "labels/s of playouts by the value network of Catan",
        "labels:labels",
        ("game", "option", "repeats"),
    ),
    "belief": Subject(
        "microseconds to track what a seat of Catan can infer",
        "belief:belief",
        ("game", "option", "repeats"),
    ),
}
"""Every subject by name, in the order of the help."""

PEERS = {subject.peer: name for name, subject in SUBJECTS.items() if subject.peer is not None}
"""The programs to compare with, and the subjects that they are compared on."""


def takers(option: str) -> str:
    """Return the names of the subjects that accept an option: "uct, puct"."""
    return ", ".join(name for name, subject in SUBJECTS.items() if option in subject.takes)


def flag(option: str) -> str:
    """Return an option as it is typed."""
    return f"--{option.replace('_', '-')}"


def find(name: str, options: BenchOptions) -> Subject:
    """Return the subject of this name, if it accepts the options.

    Raises:
        UsageError: There is no such subject, or it does not accept an option.
    """
    if name not in SUBJECTS:
        raise UsageError(f"there is no benchmark '{name}'; there are {', '.join(SUBJECTS)}")
    subject = SUBJECTS[name]
    _check_peer(subject, options)
    for option in options.given:
        if option not in subject.takes:
            known = ", ".join(map(flag, subject.takes)) or "no option but --json"
            raise UsageError(f"{name} takes no {flag(option)}; it takes {known}")
    return subject


def _check_peer(subject: Subject, options: BenchOptions) -> None:
    """Raise UsageError if the subject cannot be compared with the given peer and options."""
    if options.vs is None:
        return
    if options.vs not in PEERS:
        known = ", ".join(PEERS)
        raise UsageError(f"there is no peer '{options.vs}' to compare with; there are {known}")
    if options.vs != subject.peer or (options.threads or 1) > 1:
        what = PEERS[options.vs]
        raise UsageError(
            f"--vs {options.vs} compares {what} on one thread; leave it out, or --threads"
        )


def about(game: Game) -> Figures:
    """Return the game that figures belong to."""
    return {"game": game.name, "options": dict(game.options)}
