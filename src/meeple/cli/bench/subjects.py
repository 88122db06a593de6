"""The table of what `meeple bench` measures: each subject's options, and where its code is."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

from meeple.cli.arguments import open_game
from meeple.cli.bench.measuring import Figures
from meeple.errors import UsageError
from meeple.games.contract.game import Game

GAME = "hex"  # measured where none is named, but for belief
SIMULATIONS, PUCT_SIMULATIONS = 10_000, 200  # of each search, where their number is not given
REPEATS = 7


@dataclass(frozen=True)
class Asked:
    """The options of one call of the command; None: not given."""

    game: str | None = None
    option: list[str] | None = None
    sims: int | None = None
    depth: int | None = None
    vs: str | None = None
    threads: int | None = None
    config: Path | None = None
    repeats: int | None = None
    on: str | None = None
    workers: int | None = None
    seconds: float | None = None
    without_token: bool | None = None

    @property
    def given(self) -> list[str]:
        """The names of the options that were given, as fields are called."""
        return [field.name for field in fields(self) if getattr(self, field.name) is not None]

    @property
    def times(self) -> int:
        """How often to measure."""
        return self.repeats or REPEATS

    def open(self, default: str = GAME) -> Game:
        """The game to measure."""
        return open_game(self.game or default, self.option)


@dataclass(frozen=True)
class Subject:
    """Something to measure: `target`, as "module:function" in this folder, gives its figures.

    `takes` are the options that mean something to it; `peer` is the program to compare it with.
    """

    help: str
    target: str
    takes: tuple[str, ...]
    peer: str | None = None

    def measure(self, asked: Asked) -> Figures:
        """Its figures, measured as asked; the module is imported only now."""
        module, _, function = self.target.partition(":")
        found: Callable[[Asked], Figures] = getattr(
            importlib.import_module(f"meeple.cli.bench.{module}"), function
        )
        return found(asked)


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
    "scale": Subject(
        "games/s of training on a Ray cluster, against actors, lockstep, network and none",
        "scale:scale",
        ("config", "on", "workers", "seconds", "repeats", "without_token"),
    ),
    "belief": Subject(
        "microseconds to know what a seat of Catan can know",
        "belief:belief",
        ("game", "option", "repeats"),
    ),
}
"""Every subject by name, in the order of the help."""

PEERS = {subject.peer: name for name, subject in SUBJECTS.items() if subject.peer is not None}
"""The programs to compare with, and what is compared."""


def takers(option: str) -> str:
    """The subjects that take an option, as words: "uct, puct"."""
    return ", ".join(name for name, subject in SUBJECTS.items() if option in subject.takes)


def flag(option: str) -> str:
    """An option as it is typed."""
    return f"--{option.replace('_', '-')}"


def find(name: str, asked: Asked) -> Subject:
    """The subject of this name, to be measured as asked.

    Raises UsageError where there is none, or one that cannot be measured so.
    """
    if name not in SUBJECTS:
        raise UsageError(f"there is no benchmark '{name}'; there are {', '.join(SUBJECTS)}")
    subject = SUBJECTS[name]
    _check_peer(subject, asked)
    for option in asked.given:
        if option not in subject.takes:
            known = ", ".join(map(flag, subject.takes)) or "no option but --json"
            raise UsageError(f"{name} takes no {flag(option)}; it takes {known}")
    return subject


def _check_peer(subject: Subject, asked: Asked) -> None:
    """Raise UsageError where the peer asked for is none of the subject's, as it is asked for."""
    if asked.vs is None:
        return
    if asked.vs not in PEERS:
        known = ", ".join(PEERS)
        raise UsageError(f"there is no peer '{asked.vs}' to compare with; there are {known}")
    if asked.vs != subject.peer or (asked.threads or 1) > 1:
        what = PEERS[asked.vs]
        raise UsageError(
            f"--vs {asked.vs} compares {what} on one thread; leave it out, or --threads"
        )


def about(game: Game) -> Figures:
    """What figures are of."""
    return {"game": game.name, "options": dict(game.options)}
