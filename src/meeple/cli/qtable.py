"""`meeple qtable`: learn a Q-table from UCT searches, show it, and convert it."""

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from meeple.agents.spec import agent
from meeple.agents.spec_syntax import write
from meeple.cli.main import INTERRUPTED
from meeple.cli.shared.arguments import AsJson, GameName, GameOptions, Seed, open_game
from meeple.cli.shared.interrupt import stopping
from meeple.cli.shared.words import title
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import command_for, game_words
from meeple.search.qtable.table import CAPACITY, MAX_CAPACITY, TRUST, QTable

SAVE_SECONDS = 20.0  # seconds between two writes of the file
SIMULATIONS = 1000  # default simulations of a search

TableFile = Annotated[Path, typer.Argument(metavar="FILE", help="The Q-table.")]
Capacity = Annotated[
    int | None,
    typer.Option(
        "--capacity",
        min=1,
        max=MAX_CAPACITY,
        help=f"Maximum number of actions; by default {CAPACITY}.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists.")]

qtable = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Learn a Q-table from searches, which later searches start from.",
)


@qtable.command()
def learn(
    game: GameName,
    file: TableFile,
    option: GameOptions = None,
    games: Annotated[int, typer.Option(min=1, help="Games of self-play.")] = 100,
    sims: Annotated[
        int | None, typer.Option(min=1, help=f"Simulations a move; by default {SIMULATIONS}.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Wall clock a move.")] = None,
    against: Annotated[
        str | None, typer.Option(metavar="SPEC", help="The opponent; by default UCT itself.")
    ] = None,
    trust: Annotated[
        int, typer.Option(min=1, help="Maximum visits that a search takes over.")
    ] = TRUST,
    capacity: Capacity = None,
    seed: Seed = 1,
) -> None:
    """Play games of UCT against itself or an agent, and update the table after each game.

    An existing FILE is learned further; Ctrl-C saves all finished games.
    """
    from meeple.learn.qtable import learn as learn_table

    table = _open_table(file, open_game(game, option), capacity)
    before = table.games
    with _saved_regularly(file, table, games) as after_game:
        learn_table(
            table,
            games,
            simulations=SIMULATIONS if sims is None and seconds is None else sims,
            seconds=seconds,
            seed=seed,
            trust=trust,
            against=None if against is None else agent(against, table.game, seed),
            progress=after_game,
        )
    learned = table.games - before
    print(f"Learned from {learned} games; {_described(table)}.")
    print(f"Play with it: {_play(table, file)}")
    if learned < games:
        print("Stopped; run the same command again to resume.", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


@qtable.command()
def info(file: TableFile, as_json: AsJson = False) -> None:
    """Show the size of a Q-table, and its values at the start of the game."""
    from meeple.search.qtable.file import load

    table = load(file)
    start = table.game.start(seed=0)
    known = table.at(start)
    actions = [
        {"action": start.action_name(int(action)), "visits": int(visits), "value": value.tolist()}
        for action, visits, value in zip(known.action, known.visits, known.value, strict=True)
        if start.to_move >= 0
    ]
    if as_json:
        facts: dict[str, Any] = {"game": table.game.name, "options": dict(table.game.options)}
        facts |= {"games": table.games, "actions": len(table), "positions": table.positions}
        print(json.dumps({**facts, "capacity": table.capacity, "start": actions}, indent=2))
        return
    print(f"{title(table.game)}: {_described(table)}, learned from {table.games} games.")
    for entry in sorted(actions, key=lambda entry: -entry["visits"]):
        share = entry["value"][start.to_move]
        print(f"  {entry['action']}  {100 * share:.1f} %  {entry['visits']:,} visits")


@qtable.command()
def export(
    file: TableFile,
    out: Annotated[Path, typer.Argument(metavar="CSV", help="The CSV file to write.")],
    force: Force = False,
) -> None:
    """Write a Q-table as CSV: a line an action, with board, player to move, visits and Q."""
    from meeple.search.qtable.csv_file import export_csv
    from meeple.search.qtable.file import load

    _refuse_existing(out, force)
    table = load(file)
    export_csv(out, table)
    print(f"{out}: {_described(table)}.")


@qtable.command("import")
def import_(
    game: GameName,
    csv: Annotated[Path, typer.Argument(metavar="CSV", help="What `export` wrote.")],
    file: TableFile,
    option: GameOptions = None,
    capacity: Capacity = None,
    force: Force = False,
) -> None:
    """Convert a CSV file of this game to a Q-table."""
    from meeple.search.qtable.csv_file import import_csv
    from meeple.search.qtable.file import save

    _refuse_existing(file, force)
    table = import_csv(csv, open_game(game, option), CAPACITY if capacity is None else capacity)
    save(file, table)
    print(f"{file}: {_described(table)}.")
    print(f"Play with it: {_play(table, file)}")


def _open_table(file: Path, game: Game, capacity: int | None) -> QTable:
    """Return the table of a file, or a new one that is saved there before any game is played.

    Raises:
        UsageError: The file's table has another capacity.
    """
    from meeple.search.qtable.file import load, save

    if file.exists():
        table = load(file, game)
        if capacity not in (None, table.capacity):
            raise UsageError(f"{file} has a capacity of {table.capacity}, which cannot change")
        return table
    table = QTable(game, capacity=CAPACITY if capacity is None else capacity)
    save(file, table)
    return table


@contextlib.contextmanager
def _saved_regularly(file: Path, table: QTable, games: int) -> Iterator[Callable[[int], bool]]:
    """Save the table regularly and at the end.

    Yields a function to call after every game with the number of games; it returns whether to
    continue.
    """
    from meeple.search.qtable.file import save

    saved = time.monotonic()
    with stopping() as stopped, _Progress(games) as progress:

        def after_game(done: int) -> bool:
            nonlocal saved
            progress.show(done, table)
            if time.monotonic() - saved > SAVE_SECONDS:
                save(file, table)
                saved = time.monotonic()
            return not stopped()

        try:
            yield after_game
        finally:
            save(file, table)


def _refuse_existing(path: Path, force: bool) -> None:
    if path.exists() and not force:
        raise MeepleError(f"{path} exists already; name another file, or replace it with --force")


def _described(table: QTable) -> str:
    return f"{len(table):,} actions of {table.positions:,} positions"


def _play(table: QTable, file: Path) -> str:
    against = write("uct", options={"sims": SIMULATIONS, "qtable": file})
    return command_for(table.game, "play", *game_words(table.game), "--against", against)


class _Progress:
    """Counts games in a line on stderr, on a terminal."""

    def __init__(self, games: int) -> None:
        from rich.console import Console

        self._games = games
        self._status = Console(stderr=True).status(f"game 1 of {games}")

    def __enter__(self) -> "_Progress":
        self._status.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._status.stop()

    def show(self, done: int, table: QTable) -> None:
        self._status.update(f"{done} of {self._games} games · {_described(table)}")
