"""`meeple play`: play a game with agents in the terminal, or resume a saved one."""

import re
import secrets
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from meeple.agents.evaluators import evaluator_for
from meeple.agents.kinds import AGENTS
from meeple.agents.levels import levels_for
from meeple.agents.spec import agent, parse
from meeple.agents.words import in_words
from meeple.cli.board.session import PlaySession
from meeple.cli.shared.arguments import GameOptions, open_game
from meeple.cli.shared.terminal import in_colour, is_interactive
from meeple.cli.shared.words import print_notices
from meeple.errors import MeepleError, UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import GameRecord, replay
from meeple.protocols.records.formats import read_file

SECONDS = 1  # seconds a move of the strongest level
HUMAN = "human"


class First(StrEnum):
    """The player with the first move."""

    YOU = "you"
    THEM = "them"
    RANDOM = "random"


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game, or a .py file that defines one."),
    ] = None,
    option: GameOptions = None,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="An opponent; repeatable. By default a beginner."),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(metavar="SPECS", help="Every seat: human,uct:sims=100,human."),
    ] = None,
    first: Annotated[First, typer.Option(help="Who has the first move.")] = First.YOU,
    hint: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="The agent that gives hints. By default the strongest."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of chance and agents.")] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the game after every move.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Resume the last game of a file.")
    ] = None,
) -> None:
    """Play a game in the terminal, against agents or other people."""
    if against and seats:
        raise UsageError("--against and --seats both set the players; give one of them")
    seed = secrets.randbelow(2**31) if seed is None else seed
    position, recorded = begin(game, option, resume, seed)
    strongest = evaluator_for(position.game, SECONDS)
    advice = strongest if hint is None else hint
    parse(advice)
    level = levels_for(position.game).beginner
    alone = recorded is not None or position.game.seats == 1
    opponents = against or ([] if alone else [level.spec])
    specs = seats_of(position.game, recorded, opponents, seats, first, seed)
    session = PlaySession(
        position,
        [None if spec == HUMAN else agent(spec, position.game, seed) for spec in specs],
        lambda: agent(advice, position.game, seed),
        save_to=save,
        own_files=[] if resume is None else [resume],
        colour=in_colour(),
        read=read_line,
        note=""
        if against or seats or recorded or position.game.seats == 1
        else f"Opponents play at the level {level.name} ({in_words(level.spec, position.game)}); "
        f"the strongest is --against {strongest}",
    )
    session.run()


def read_line(prompt: str) -> str:
    """Return the next line of stdin; if stdin is no terminal, print it after the prompt."""
    if is_interactive():
        import readline  # noqa: F401  # gives `input` its history and editing
    line = input(prompt)
    if not is_interactive():
        print(line)
    return line


def begin(
    name: str | None, option: list[str] | None, resume: Path | None, seed: int
) -> tuple[Position, GameRecord | None]:
    """Return the first position of a new game, or the last one of a recorded game with its record.

    Raises:
        UsageError: Neither a game nor a file is given.
    """
    chosen = open_game(name, option) if name else None
    if resume is not None:
        return reopen(resume, chosen, bool(option))
    if chosen is None:
        raise UsageError("name a game, such as meeple play hex, or give --resume FILE")
    return chosen.start(seed), None


def reopen(file: Path, chosen: Game | None, with_options: bool) -> tuple[Position, GameRecord]:
    """Return the last position of a file's last game, and its record."""
    found = read_file(file).found
    records = list(found.records())
    print_notices(found)
    if not records:
        raise MeepleError(f"{file} holds no game")
    record = records[-1]
    position = replay(record)
    if chosen is not None and chosen.name != record.game:
        raise UsageError(f"{file} holds a game of {record.game}, not of {chosen.name}")
    if with_options:
        raise UsageError("--option cannot be given with --resume: the options are the record's")
    return position, record


def seats_of(
    game: Game,
    recorded: GameRecord | None,
    against: Sequence[str],
    seats: str | None,
    first: First,
    seed: int,
) -> list[str]:
    """Return the spec of every seat: from --seats, from --against, or from a record.

    Raises:
        UsageError: Their number is wrong, or no seat is human.
    """
    if seats is not None:
        specs = split_specs(seats)
    elif recorded is not None and not against:
        specs = list(recorded.seats[: game.seats])
    else:
        begins = max(game.start(seed).to_move, 0)
        if against and game.seats == 1:
            raise UsageError(f"{game.name} is for one player: leave out --against")
        specs = around_you(game.seats, list(against), first, seed, begins)
    if len(specs) != game.seats:
        raise UsageError(f"this game has {game.seats} seats, and {len(specs)} were given")
    if HUMAN not in specs:
        raise UsageError(
            f"no seat is human ({', '.join(specs)}): set the players with --seats, or use "
            "meeple watch"
        )
    return specs


def around_you(
    players: int, opponents: list[str], first: First, seed: int, begins: int = 0
) -> list[str]:
    """Return your seat and your opponents' by seat; a single opponent takes all other seats.

    `begins` is the seat with the first move.
    """
    if len(opponents) == 1:
        opponents = opponents * (players - 1)
    seat = {First.YOU: begins, First.THEM: (begins + players - 1) % players}.get(first)
    if seat is None:
        seat = int(np.random.default_rng(seed).integers(players))
    return [*opponents[:seat], HUMAN, *opponents[seat:]]


def split_specs(text: str) -> list[str]:
    """Split "human,puct:PATH,sims=400,human" into specs; a comma ends one only before an agent."""
    names = "|".join(map(re.escape, {HUMAN, *AGENTS}))
    return [spec.strip() for spec in re.split(rf",(?=\s*(?:{names})\s*(?:[:,]|$))", text)]
