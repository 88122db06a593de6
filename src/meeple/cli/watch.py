"""`meeple watch`: watch agents play each other, or replay a recorded game."""

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from meeple.agents.spec import agent
from meeple.cli.board.shown import MAX_DELAY
from meeple.cli.shared.arguments import GameOptions, load_checked, open_game
from meeple.cli.shared.progress import solving
from meeple.cli.shared.terminal import CLEAR, is_interactive
from meeple.cli.shared.words import describe_move, frame, partners, print_notices, seat_names, title
from meeple.errors import MeepleError, UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.game import Game, Position
from meeple.games.contract.game_words import command_for
from meeple.games.contract.records import GameRecord, positions, replay
from meeple.games.contract.registry import game_names, is_of_library, make_from
from meeple.kernels import CHANCE
from meeple.protocols.records.formats import read_file
from meeple.sentences import plain

KEYS = "(Enter: next, b: back, a number: that ply, e: end, q: quit) "


def watch(
    what: Annotated[
        str, typer.Argument(metavar="GAME|FILE", help="A game, or a file of recorded games.")
    ],
    specs: Annotated[
        list[str] | None, typer.Argument(metavar="[SPEC]...", help="With a game: an agent a seat.")
    ] = None,
    option: GameOptions = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of chance and agents. Default 0.")
    ] = None,
    game: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="With a file: which game, from 1.")
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(min=0, max=MAX_DELAY, metavar="SECONDS", help="Go on by itself."),
    ] = None,
) -> None:
    """Watch agents play, or replay a recorded game.

    meeple watch hex uct:sims=200 random, or: meeple watch games.jsonl --game 3
    """
    words = specs or []
    if what.endswith(".py") and len(words) == 1 and Path(words[0]).is_file():
        load_checked(what)
        what, words = words[0], []
    if what.endswith(".py") or is_of_library(what) or what in game_names():
        if game is not None:
            raise UsageError("--game selects a game of a file; name a file in place of the game")
        show(live(open_game(what, option), words, seed or 0), delay)
        return
    if not Path(what).is_file():
        known = ", ".join(game_names())
        raise UsageError(f"there is no game and no file '{what}'; games: {known}")
    if words or option or seed is not None:
        raise UsageError("a recorded game has its own agents, options and seed; give none")
    found = read_file(what).found
    records = list(found.records())
    print_notices(found)
    if game is None and len(records) != 1:
        print(listing(what, records))
        return
    show(recorded(pick(what, records, game or 1)), delay)


# ---------------------------------------------------------------- what is seen: a text a ply


def live(game: Game, specs: Sequence[str], seed: int) -> Iterator[str]:
    """Yield the boards of a game while agents play it; raise UsageError before the first move."""
    if len(specs) != game.seats:
        raise UsageError(f"{game.name} needs {game.seats} agents, one a seat, not {len(specs)}")
    if "human" in specs:
        raise UsageError("watch shows agents; to play yourself, use meeple play")
    agents = [agent(spec, game, seed + seat) for seat, spec in enumerate(specs)]
    names = seat_names(game, specs)
    for seat, player in enumerate(agents):
        player.begin(seed + seat)
    position = game.start(seed)
    yield frame(position, heading(game, names))
    while not position.is_over:
        seat, analysis, before = position.to_move, None, position.copy()
        if seat == CHANCE:
            action = position.play_chance()
            line = f"chance: {before.action_name(action)}"
        else:
            with solving(agents[seat]):
                action = agents[seat].choose(position)
            analysis = agents[seat].analysis
            line = describe_move(position, action, names[seat], analysis, ())
            position.play(action)
        told = None if analysis else capabilities.describe_action(before, action, position, None)
        line = f"{len(position.actions)}. {told or line}"
        yield frame(position, line, names)


def recorded(record: GameRecord) -> Iterator[str]:
    """Yield the boards of a recorded game; raise MeepleError before the first if it is illegal."""
    game = replay(record).game
    names = seat_names(game, record.seats)
    before: Position | None = None
    for ply, position in enumerate(positions(record)):
        if before is None:
            line = heading(game, names)
        else:
            who = "chance" if before.to_move == CHANCE else names[before.to_move]
            told = capabilities.describe_action(before, position.actions[-1], position, None)
            line = f"{ply}. {told or f'{who}: {record.actions[ply - 1]}'}"
        yield frame(position, line, names)
        before = position.copy()


def heading(game: Game, names: Sequence[str]) -> str:
    """Return the game and its players as text."""
    return "\n".join(filter(None, [f"{title(game)}: {', '.join(names)}", partners(game)]))


def pick(path: str, records: Sequence[GameRecord], number: int) -> GameRecord:
    """Return game `number`, from 1; raise UsageError with the number of games."""
    if number > len(records):
        count = f"{len(records)} game{'s' * (len(records) != 1)}"
        raise UsageError(f"{path} holds {count}; there is no game {number}")
    return records[number - 1]


def listing(path: str, records: Sequence[GameRecord]) -> str:
    """Return a line on each game of a file, and the command that shows one, if known."""
    if not records:
        raise MeepleError(f"{path} holds no game")
    lines = []
    for number, record in enumerate(records, start=1):
        shares, points = record.shares, record.tally.get("points")
        result = "broken off" if shares is None else " ".join(f"{share:g}" for share in shares)
        result = f"{' : '.join(map(plain, points))} points" if points else result
        result += " (declared)" if record.is_declared else ""
        seats = " - ".join(record.seats)
        lines.append(
            f"{number:>6}  {record.game}  {seats}  {result}  ({len(record.actions)} plies)"
        )
    first = records[0]
    if first.game in game_names():
        game = make_from(first.game, first.options)
        lines.append(f"To show one: {command_for(game, 'watch', Path(path), '--game', '1')}")
    return "\n".join(lines)


# ---------------------------------------------------------------- how it is shown


def show(frames: Iterator[str], delay: float | None) -> None:
    """Print the boards: at a terminal one a key, with a delay timed, else all at once."""
    if delay is None and is_interactive():
        step(frames)
        return
    animated = delay is not None and sys.stdout.isatty()
    for number, shown in enumerate(frames):
        if delay and number:
            time.sleep(delay)
        print(f"{CLEAR if animated else ''}{shown}\n", flush=True)


def step(frames: Iterator[str]) -> None:
    """Show the boards by the keys that the person at the terminal presses."""
    seen = [next(frames)]
    at = 0
    while True:
        print(f"{seen[at]}\n")
        try:
            word = input(KEYS).strip().lower()
        except EOFError:
            return
        if word == "q":
            return
        wanted = {"": at + 1, "b": at - 1, "e": None}.get(word, at)
        if word.isdigit():
            wanted = int(word)
        while wanted is None or wanted >= len(seen):
            following = next(frames, None)
            if following is None:
                break
            seen.append(following)
        last = len(seen) - 1
        if wanted is not None and wanted > last and at == last:
            return  # past the end
        at = last if wanted is None else min(max(wanted, 0), last)
