"""The options of commands that play many games, and the conditions that follow from them."""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.arena.games.conditions import MAX_REMOTE, MAX_WORKERS, Conditions
from meeple.arena.games.forfeit import MARGIN, FaultRule
from meeple.arena.games.forfeit import OnFault as FaultChoice
from meeple.arena.plan.book import read_book
from meeple.cli.board.shown import Delay, GameShow
from meeple.cli.main import INTERRUPTED
from meeple.cli.shared.arguments import AsJson, GameOptions, Seed
from meeple.cli.shared.progress import GameBar, progress_bar
from meeple.executors.backend import Place, place_of
from meeple.games.contract.game import Game

Specs = Annotated[
    list[str],
    typer.Argument(
        metavar="SPEC SPEC...", help="Agents, such as random, uct:sims=1000, policy:PATH."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MAX_REMOTE,
        help=f"Number of parallel games, at most {MAX_WORKERS} without --on; by default one a "
        "core, or one if an agent stops by the clock.",
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Run by a backend of a plug-in: its name, for this machine alone, or NAME://HOST:PORT.",
    ),
]
WithoutToken = Annotated[
    bool,
    typer.Option("--without-token", help="Use a cluster even if it requires no token."),
]
PairGames = Annotated[int, typer.Option("--games", min=1, help="Games of each pair.")]
Show = Annotated[
    bool, typer.Option("--show", help="Draw the games as they are played, one at a time.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", metavar="FOLDER", help="Write a report and the games here."),
]


@dataclass(frozen=True)
class GamesOptions:
    """The options of `meeple match`, `meeple tournament` and `meeple ladder`."""

    seed: Seed = 7
    option: GameOptions = None
    book: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Begin each round of seats from an opening of this file: records of games "
            "(.jsonl), or one line of moves an opening.",
        ),
    ] = None
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Save every finished game in this folder; the same command resumes from it.",
        ),
    ] = None
    workers: Workers = None
    on: On = None
    without_token: WithoutToken = False
    as_json: AsJson = False

    def conditions(
        self, game: Game, progress: GameBar, *, openings: bool = True, **more: Any
    ) -> Conditions:
        """Return the conditions of games.

        Args:
            game: the game.
            progress: of the games.
            openings: whether to begin with different first moves; a book does in any case.
            more: other fields.

        Raises:
            UsageError: the book or the place is wrong.
        """
        return Conditions(
            game,
            self.seed,
            openings=openings if self.book is None else read_book(self.book, game, self.seed),
            run=self.run,
            workers=self.workers,
            on=place_asked(self.on, self.without_token),
            progress=progress,
            **more,
        )

    def end_early(self, words: str = "Stopped before all games were played.") -> None:
        """Print that the games were stopped, and how to resume them; end the command."""
        on = f" They are saved in {self.run}; the same command resumes." if self.run else ""
        typer.echo(f"{words}{on}", err=True)
        raise typer.Exit(INTERRUPTED)


@dataclass(frozen=True)
class ShownGamesOptions(GamesOptions):
    """The options of `meeple match` and `meeple tournament`."""

    openings: Annotated[
        bool,
        typer.Option(
            "--openings",
            help="Begin each round of seats with different first moves, so that deterministic "
            "agents play different games.",
        ),
    ] = False
    on_fault: Annotated[
        FaultChoice | None,
        typer.Option(
            help="Whether an agent that crashes, breaks the rules or is too late loses the game, "
            "or stops all games with its error. By default it loses; in a match, an agent of a "
            "file stops all games."
        ),
    ] = None
    move_seconds: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help=f"Time limit of a move; an agent that exceeds it by more than {MARGIN:g} s loses "
            "the game.",
        ),
    ] = None
    show: Show = False
    delay: Delay = 0.0

    @contextmanager
    def shown(
        self, game: Game, specs: Sequence[str], *, openings: bool = False
    ) -> Iterator[tuple[Conditions, GameBar]]:
        """Show the games of agents, or how many were played, while the conditions are used."""
        human = "human" in specs
        with (
            GameShow(self.delay, with_key=self.show and not human) as games,
            progress_bar("playing", hidden=self.show or human) as progress,
        ):
            yield (
                self.conditions(
                    game,
                    progress,
                    openings=self.openings or openings,
                    rule=FaultRule(self.on_fault, self.move_seconds),
                    on_position=games.position if self.show else None,
                ),
                progress,
            )


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take, for each parameter that is a dataclass of options, its fields."""
    signature = inspect.signature(command)
    parameters, kinds = [], {}
    for one in signature.parameters.values():
        if is_dataclass(one.annotation):
            kinds[one.name] = one.annotation
            parameters += [
                one.replace(name=field.name, default=field.default, annotation=field.type)
                for field in fields(one.annotation)
            ]
        else:
            parameters.append(one)

    @functools.wraps(command)
    def spread(**given: Any) -> None:
        for name, kind in kinds.items():
            values = {field.name: given.pop(field.name) for field in fields(kind)}
            given[name] = kind(**values)  # type: ignore[operator]
        command(**given)

    keyword = inspect.Parameter.KEYWORD_ONLY
    spread.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[one.replace(kind=keyword) for one in parameters]
    )
    return spread


def place_asked(on: str | None, without_token: bool) -> Place | None:
    """Return the cluster of the options, which reports to stderr; raise UsageError."""
    place = place_of(on)
    if place is None:
        return None
    return replace(
        place, without_token=without_token, say=lambda sentence: typer.echo(sentence, err=True)
    )


def print_first_faults(sentences: Iterable[str]) -> None:
    """Print the first message of each failed agent to stderr."""
    for sentence in sentences:
        print(f"A fault: {sentence}", file=sys.stderr)
