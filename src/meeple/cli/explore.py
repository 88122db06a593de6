"""`meeple explore`: the moves from a position in files of games, with their results."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from meeple.arena.explorer import (
    DETOUR,
    Explored,
    NextAction,
    PlayedGame,
    check_explorable,
    played_game,
)
from meeple.arena.explorer import explore as next_actions
from meeple.cli.shared.arguments import AsJson, GameOptions, open_game, parse_options
from meeple.cli.shared.interrupt import stopping
from meeple.cli.shared.progress import progress_bar
from meeple.cli.shared.words import print_notices, title
from meeple.errors import MeepleError, Stopped, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import command_for, game_words
from meeple.games.contract.pasted import read_pasted
from meeple.games.contract.records import GameRecord, action_names, game_of
from meeple.protocols.records.formats import read_file

MAX_DEPTH = 12  # plies of a tree of moves
MAX_ROWS = 20  # moves of a table


def explore(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files of games, in any format.")
    ],
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="GAME", help="By default the most frequent game."),
    ] = None,
    option: GameOptions = None,
    moves: Annotated[
        str, typer.Option(metavar="MOVES", help='Moves to the position: "f5 d6".')
    ] = "",
    symmetries: Annotated[
        str, typer.Option(metavar="on|off", help="Whether mirrored positions count together.")
    ] = "on",
    depth: Annotated[
        int, typer.Option(min=1, max=MAX_DEPTH, help="Depth of the tree, in moves.")
    ] = 1,
    least: Annotated[
        int, typer.Option(min=1, metavar="N", help="Leave out moves with fewer games.")
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Count the moves from a position in recorded games.

    meeple explore WTH_1984.wtb --moves "f5 d6" --least 10
    """
    if symmetries not in ("on", "off"):
        raise UsageError(f"--symmetries must be on or off, not '{symmetries}'")
    if option and not game:
        raise UsageError("--option goes with --game")
    chosen = open_game(game, option) if game and option else None
    if game:
        check_explorable(chosen or open_game(game))
    with stopping() as stopped, progress_bar("reading") as progress:
        named = parse_options(option or [])
        given = {name: chosen.options[name] for name in named} if chosen else {}
        found = _Files(files, given, stopped, progress)
        chosen = chosen or found.most_frequent(game)
        line = _line(chosen, moves)
        played, others = found.of(chosen, len(line) + DETOUR + depth)
        mirrored = symmetries == "on"
        explored = next_actions(chosen, played, line, symmetries=mirrored, stop=stopped)
        tree = _tree(chosen, explored, line, depth, least, mirrored)
    if others:
        typer.echo(f"Left out {_games(others)} that are not of {title(chosen)}.", err=True)
    if found.faulty:
        typer.echo(f"Left out {_games(found.wrong, 'faulty')}: {found.faulty}.", err=True)
    print_notices(*found.found)
    if as_json:
        notices = [notice for one in found.found for notice in one.notices()]
        print(json.dumps(_as_json(chosen, explored, tree) | {"notices": notices}, indent=2))
    else:
        print("\n".join(_as_text(chosen, explored, tree, files)))


def _games(count: int, such: str = "") -> str:
    """Return a number of games as text."""
    return f"{count:,} {such}{' ' if such else ''}game{'s' * (count != 1)}"


class _Files:
    """The games of files, each with its location; unreadable games are counted."""

    def __init__(
        self, files: Sequence[Path], given: Mapping[str, Any], stopped: Any, progress: Any
    ) -> None:
        opened = [read_file(path, given=given) for path in files]
        self.found = [one.found for one in opened]
        total, done = sum(one.found.total for one in opened), 0
        self.records: list[tuple[str, GameRecord]] = []
        self.faulty, self.wrong = "", 0
        for path, one in zip(files, opened, strict=True):
            for number, record in enumerate(one.found.games, start=1):
                if stopped():
                    raise Stopped
                done += 1
                progress(done, total)
                if isinstance(record, MeepleError):
                    self._note(record)
                else:
                    self.records.append((f"{path} game {number}", record))

    def _note(self, error: MeepleError) -> None:
        self.faulty = self.faulty or str(error)
        self.wrong += 1

    def most_frequent(self, name: str | None) -> Game:
        """Return the most frequent game with its options, of this name if given.

        Raises:
            MeepleError: There is no such game.
        """
        kinds: Counter[str] = Counter()
        games: dict[str, GameRecord] = {}
        for _, record in self.records:
            if name not in (None, record.game):
                continue
            kind = json.dumps([record.game, dict(record.options)], sort_keys=True, default=str)
            kinds[kind] += 1
            games.setdefault(kind, record)
        if not kinds and name is not None:
            raise MeepleError(f"there is no game of {name} in these files")
        if not kinds:
            raise MeepleError(
                f"there is no game to explore: {self.faulty or 'the files are empty'}"
            )
        return game_of(games[kinds.most_common(1)[0][0]])

    def of(self, game: Game, most: int) -> tuple[list[PlayedGame], int]:
        """Return the games of `game`, cut after `most` actions, and the number of other games.

        Raises:
            MeepleError: There is no game of `game`.
        """
        played: list[PlayedGame] = []
        others = 0
        for name, record in self.records:
            try:
                theirs = game_of(record)
                if (theirs.name, dict(theirs.options)) != (game.name, dict(game.options)):
                    others += 1
                    continue
                played.append(played_game(game, record, name, most))
            except MeepleError as error:
                self._note(type(error)(f"{name}: {error}"))
        if not played:
            raise MeepleError(f"there is no game of {title(game)} in these files")
        return played, others


def _line(game: Game, moves: str) -> list[int]:
    """Return the actions of a list of moves; raise IllegalAction or UsageError."""
    position = read_pasted(game.start(), moves)
    if position.game != game:
        raise UsageError(f"--moves needs moves of {title(game)}, not another board")
    return list(position.actions)


class _Branch(NamedTuple):
    """An action of a tree of moves, and the tree below it."""

    entry: NextAction
    below: list[Any]  # of branches

    def to_json(self) -> dict[str, Any]:
        below = [branch.to_json() for branch in self.below]
        return self.entry.to_json() | ({"next": below} if below else {})


def _tree(
    game: Game, explored: Explored, line: list[int], depth: int, least: int, symmetries: bool
) -> list[_Branch]:
    """Return the branches of at least `least` games, `depth` moves deep."""
    tree = []
    for entry in explored.nexts:
        if entry.games >= least:
            below, on = [], [*line, entry.action]
            if depth > 1:
                following = next_actions(game, explored.games, on, symmetries=symmetries)
                below = _tree(game, following, on, depth - 1, least, symmetries)
            tree.append(_Branch(entry, below))
    return tree


def _as_json(game: Game, explored: Explored, tree: Sequence[_Branch]) -> dict[str, Any]:
    return {
        "game": game.name,
        "options": dict(game.options),
        "moves": action_names(explored.position),
        "reached": explored.reached,
        "ended": explored.ended,
        "next": [branch.to_json() for branch in tree],
    }


def _as_text(
    game: Game, explored: Explored, tree: Sequence[_Branch], files: Sequence[Path]
) -> list[str]:
    """Return the table, with the command that shows one of the games."""
    names = action_names(explored.position)
    where = f"after {' '.join(names)}" if names else "at the beginning"
    lines = [f"{title(game)}: {_games(explored.reached)} reached the position {where}."]
    if not tree:
        return [*lines, "No move from this position is in that many games."]
    lines.append("move           games  share of the mover (95 %)    plies  years")
    lines += _rows(tree[:MAX_ROWS], 0)
    if len(tree) > MAX_ROWS:
        lines.append(
            f"and {len(tree) - MAX_ROWS} more; --least leaves out rare ones, --json prints all"
        )
    if declared := sum(branch.entry.declared for branch in tree):
        lines.append(f"The result of {_games(declared)} is only declared by the file.")
    example = tree[0].entry.examples[0].game
    path, _, number = example.rpartition(" game ")
    watch = command_for(game, "watch", Path(path), "--game", number)
    following = ["--moves", " ".join([*names, tree[0].entry.name]), "--game", *game_words(game)]
    lines.append(f"To show a game: {watch}")
    lines.append(f"To follow the first move: {command_for(game, 'explore', *files, *following)}")
    return lines


def _rows(tree: Sequence[_Branch], indent: int) -> list[str]:
    lines = []
    for branch in tree:
        one = branch.entry
        low, high = (100 * end for end in one.interval)
        share = one.share
        shown = "unknown" if share is None else f"{100 * share:5.1f} % ({low:.1f} to {high:.1f})"
        ends = {min(one.years), max(one.years)} if one.years else ()
        years = " to ".join(str(year) for year in sorted(ends))
        name = "  " * indent + one.name
        row = f"{name:<13}{one.games:>7,}  {shown:<26}{one.plies / one.games:>8.1f}  {years}"
        lines += [row.rstrip(), *_rows(branch.below, indent + 1)]
    return lines
