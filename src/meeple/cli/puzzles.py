"""`meeple puzzles`: puzzles from recorded games, for the page and as a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from meeple.arena.puzzles import NODES, puzzles
from meeple.cli.shared.interrupt import stopping
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.words import print_notices
from meeple.errors import UsageError
from meeple.files import write_atomically
from meeple.games.contract.records import GameRecord, to_lines
from meeple.protocols.records.formats import read_file


def puzzles_(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE...]", help="Games, in any format.")
    ] = None,
    library: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Also take the finished games of a server."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="GAME", help="Only games of this one.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the puzzles as JSON lines.")
    ] = None,
    add_to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Add the puzzles to a server's games.")
    ] = None,
    most: Annotated[int, typer.Option(min=1, metavar="N", help="Stop after N puzzles.")] = 100,
    nodes: Annotated[
        int, typer.Option(min=1000, metavar="N", help="Limit of the proof of each move.")
    ] = NODES,
) -> None:
    """Make puzzles from recorded games.

    A puzzle is a position in which exactly one move wins. Hex on small boards and the end of
    Reversi are decided by exact search. In Gomoku the solution is proven by threats, and the same
    search finds no other winning move.

    meeple puzzles games.jsonl --game hex --output hex.jsonl
    """
    if output is None and add_to is None:
        raise UsageError("the puzzles go to a file (--output) or to a server's folder (--add-to)")
    found: dict[bytes, GameRecord] = {}  # by position: games may share one
    records = list(_records(files or [], library, game))
    with stopping() as stopped, progress_bar("searching") as progress:
        for done, puzzle in enumerate(puzzles(records, nodes, stopped), start=1):
            progress(done, len(records))
            if puzzle is not None:
                found.setdefault(puzzle.position.row.tobytes(), puzzle.record())
                progress.say(f"{len(found)} puzzles")
            if len(found) == most:
                break
    made = list(found.values())
    if output is not None:
        write_atomically(output, to_lines(made))
    if add_to is not None:
        _add(add_to, made)
    print(f"{len(made)} puzzles from {len(records):,} games")


def _records(files: list[Path], library: Path | None, game: str | None) -> Iterator[GameRecord]:
    """Yield the games of files and of a server's library; skip those that cannot be read."""
    if not files and library is None:
        raise UsageError("puzzles are made from files of games, or from a --library")
    for file in files:
        found = read_file(file).found
        for record in found.games:
            if isinstance(record, GameRecord) and game in (None, record.game):
                yield record
        print_notices(found)
    if library is not None:
        from meeple.server.store import OVER, Filter, GameStore

        store = GameStore(library)
        try:
            for stored in store.list(Filter(game=game or "", status=OVER, limit=10_000)):
                yield store.record(stored.id)
        finally:
            store.close()


def _add(folder: Path, made: list[GameRecord]) -> None:
    from meeple.server.puzzles.stored import PuzzleStore
    from meeple.server.store import GameStore

    store = GameStore(folder)
    try:
        PuzzleStore(store.engine).add(made)
    finally:
        store.close()
