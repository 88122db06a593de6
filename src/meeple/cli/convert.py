"""`meeple convert`: convert game records between formats, by the endings of the files."""

import contextlib
import dataclasses
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Annotated

import typer

from meeple.cli.shared.arguments import AsJson, GameOptions, parse_options
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.words import print_notices
from meeple.errors import MeepleError, OptionError, UsageError
from meeple.files import atomic_file
from meeple.games.contract.game_words import as_word
from meeple.games.contract.records import GameRecord, game_of, replay
from meeple.protocols.records import formats
from meeple.protocols.records.formats import Opened, RecordFormat

STREAM = "-"  # in place of a file: standard input or output


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file of games, or - for standard input.")
    ],
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write, or - for standard output.")
    ],
    read_as: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="Format of IN; by default detected."),
    ] = None,
    write_as: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Format of OUT; by default by its ending."),
    ] = None,
    game: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only this game, counted from 1.")
    ] = None,
    first: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N games.")
    ] = None,
    option: GameOptions = None,
    skip: Annotated[
        bool, typer.Option("--skip", help="Leave out faulty games, and count them.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write recorded games in another format.

    Formats are jsonl, sgf, ggf, psq, and wthor, which is only read.

    meeple convert WTH_1984.wtb games.sgf, or: meeple convert games.jsonl - --to ggf --game 3
    """
    if game is not None and first is not None:
        raise UsageError("--game and --first both select games; give one of them")
    if target == STREAM and as_json:
        raise UsageError(
            "--json and - both write to standard output: name a file, or leave one out"
        )
    form = _written_format(target, write_as)
    if target != STREAM and Path(target).exists() and not force:
        raise UsageError(f"{target} exists already: --force replaces it")
    given = parse_options(option or [])
    opened = open_games(source, read_as, given)
    found = opened.found
    if game is not None or first is not None:
        found = found.cut(game or 1, 1 if game is not None else first)
        opened = Opened(opened.format, found)
    if not form.several and found.total > 1:
        raise UsageError(
            f"a file in {form.name} holds one game, and {source} has {found.total:,}: "
            "choose one with --game"
        )
    written, skipped = _write(_checked(opened, given), form, target, skip)
    if skipped:
        typer.echo(f"Left out {skipped:,} of {found.total:,} games, which are faulty.", err=True)
    print_notices(found)
    if as_json:
        summary = {"from": opened.format.name, "to": form.name, "games": found.total}
        summary |= {"written": written, "skipped": skipped, "notices": found.notices()}
        print(json.dumps(summary, indent=2))
    elif target != STREAM:
        games = f"{written:,} game{'s' * (written != 1)}"
        print(f"Wrote {games} to {target}, from {opened.format.name} to {form.name}.")


def open_games(source: str, format: str | None, given: Mapping[str, str]) -> Opened:
    """Open the games of a file or of standard input; raise MeepleError."""
    if source != STREAM:
        return formats.read_file(source, format=format, given=given)
    content = sys.stdin.buffer.read(formats.MAX_BYTES + 1)
    if len(content) > formats.MAX_BYTES:
        raise UsageError(f"standard input has more than {formats.MAX_BYTES:,} bytes")
    return formats.read(content, format=format, given=given)


def _written_format(target: str, name: str | None) -> RecordFormat:
    if name is None and target == STREAM:
        raise UsageError("standard output needs a format, such as --to sgf")
    form = formats.format_named(name) if name else formats.format_of(target)
    formats.writer_of(form)
    return form


def _checked(opened: Opened, given: Mapping[str, str]) -> Opened:
    """Return the games with an error in place of each whose options are not the given ones."""

    def read(number: int) -> GameRecord:
        record = opened.found.read(number)
        options = {name: as_word(value) for name, value in game_of(record).options.items()}
        for name, word in given.items():
            if name not in options:
                raise OptionError(f"{record.game} has no option '{name}'")
            if options[name].lower() != word.lower():
                raise OptionError(f"its {name} is {options[name]}, not {word} as you gave")
        return record

    return Opened(opened.format, dataclasses.replace(opened.found, read=read)) if given else opened


def _write(opened: Opened, form: RecordFormat, target: str, skip: bool) -> tuple[int, int]:
    """Write the games atomically; return the numbers of games written and left out as faulty.

    Raises:
        MeepleError: A game is faulty and `skip` is not set, or all games are faulty.
    """
    found, written, skipped = opened.found, 0, 0
    try:
        with _out(target) as file, progress_bar("converting") as progress:
            for number, game in enumerate(found.games, start=1):
                try:
                    file.write(_text_of(game, found.first + number, opened.format, form).encode())
                    written += 1
                except MeepleError as error:
                    if not skip:
                        raise MeepleError(f"{error}; --skip leaves such games out") from None
                    skipped += 1
                progress(number, found.total)
            if not written:
                raise MeepleError(f"none of the {found.total:,} games can be written")
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise MeepleError(f"cannot write {target}: {error.strerror or error}") from None
    return written, skipped


@contextlib.contextmanager
def _out(target: str) -> Iterator[IO[bytes]]:
    if target == STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with atomic_file(target) as file:
        yield file


def _text_of(
    game: GameRecord | MeepleError, number: int, source: RecordFormat, target: RecordFormat
) -> str:
    """Return a game in the new format; raise MeepleError that names the game."""
    if isinstance(game, MeepleError):
        raise game
    try:
        if source.name == target.name == "jsonl":
            replay(game)  # the formats do not check the moves themselves
        return formats.writer_of(target)(game)
    except MeepleError as error:
        raise MeepleError(f"game {number}, {error}") from None
