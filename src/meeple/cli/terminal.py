"""What the commands share at the terminal: the arguments of a game, colour, words for analyses."""

import math
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TextIO

import numpy as np
import typer

from meeple.agents.agent import Analysis
from meeple.errors import OptionError
from meeple.games.contract.game import Game
from meeple.games.contract.position import Position
from meeple.games.contract.registry import load_game_file, make
from meeple.options import OptionValue

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game, or a .py file that defines one.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game; repeatable. A value that ends in .json is a file.",
    ),
]

LONGEST_LINE_OF_PLAY = 8  # moves shown of a principal variation
LONGEST_VALUE = 40  # characters of an option that a title shows


# ---------------------------------------------------------------- the arguments of a game


def open_game(name: str, options: Iterable[str] | None = None) -> Game:
    """The game that the words of a command line name, such as `hex` and `size=5`.

    Raises OptionError that names a wrong game, option or value and what is allowed.
    """
    chosen = parse_options(options or ())
    return make(load_game_file(name).name if name.endswith(".py") else name, **chosen)


def parse_options(words: Iterable[str]) -> dict[str, str]:
    """Options from words like `size=5`; a value that ends in .json is a file that holds it.

    Raises OptionError for any other word, a name twice, or a file that cannot be read.
    """
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise OptionError(f"an option is written name=value, such as size=5, not '{word}'")
        if name.strip() in options:
            raise OptionError(f"the option '{name.strip()}' is given twice")
        value = value.strip()
        options[name.strip()] = _read(value) if value.endswith(".json") else value
    return options


def _read(path: str) -> str:
    """The text of a file that an option names."""
    try:
        return Path(path).expanduser().read_text(encoding="utf-8")
    except FileNotFoundError:
        raise OptionError(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"cannot read {path}: {error}") from None


def game_words(game: Game) -> str:
    """A game as a command takes it, with the options that are not at their defaults."""
    words = [game.name]
    for name, value in game.options.items():
        if value != game.declared[name].default:
            words += ["--option", f"{name}={as_word(value)}"]
    return shlex.join(words)


def as_word(value: OptionValue) -> str:
    """An option's value as a user would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) or "empty"


# ---------------------------------------------------------------- the terminal


def in_colour(stream: TextIO | None = None) -> bool:
    """Whether to print in colour: to a terminal, unless NO_COLOR is set (https://no-color.org)."""
    to_terminal = (stream or sys.stdout).isatty()
    return to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_interactive() -> bool:
    """Whether a person sits at both ends: stdin and stdout are terminals."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def hidden_above() -> str:
    """What hides all that a terminal shows: a cleared screen, or elsewhere empty lines."""
    return "\033[2J\033[3J\033[H" if sys.stdout.isatty() else "\n" * 3


def width() -> int:
    """The columns of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def height() -> int:
    """The lines of the terminal; 24 where there is none."""
    return shutil.get_terminal_size().lines


def wrapped(line: str) -> str:
    """A line broken at words to the terminal's width; elsewhere as it is."""
    if not is_interactive():
        return line
    return textwrap.fill(line, width(), subsequent_indent="  ", break_long_words=False)


def in_columns(words: Sequence[str]) -> str:
    """Words in columns as wide as the widest, within the terminal's width."""
    column = max((len(word) for word in words), default=0) + 2
    count = max(1, width() // column)
    lines = (words[first : first + count] for first in range(0, len(words), count))
    return "\n".join("".join(word.ljust(column) for word in line).rstrip() for line in lines)


# ---------------------------------------------------------------- words


def percent(share: float) -> str:
    """A share in [0, 1] as a whole percentage that says 0 and 100 only where it is exact.

    "-" for NaN: what a search has not looked at closely enough to say.
    """
    if math.isnan(share):
        return "-"
    rounded = round(100 * share)
    if rounded == 0 and share > 0:
        return "<1 %"
    if rounded == 100 and share < 1:
        return ">99 %"
    return f"{rounded} %"


def title(game: Game) -> str:
    """The game with its options, as a line: "hex size=7 swap=off"; long values are cut."""
    words = {name: as_word(value) for name, value in game.options.items()}
    options = (f"{name}={w if len(w) <= LONGEST_VALUE else '...'}" for name, w in words.items())
    return " ".join([game.name, *options])


def line_of_play(position: Position, actions: Iterable[int]) -> str:
    """The names of actions played one after the other from a position, the first few."""
    names: list[str] = []
    walk = position.copy()
    for action in actions:
        if len(names) == LONGEST_LINE_OF_PLAY or action not in walk.legal_actions():
            break
        names.append(walk.action_name(action))
        walk.play(action)
    return ", ".join(names)


def effort(analysis: Analysis) -> str:
    """What a choice cost: "1,000 simulations, 0.31 s"."""
    count = f"{analysis.simulations:,} simulations, " if analysis.simulations else ""
    return f"{count}{analysis.seconds:.2f} s"


def describe_move(
    position: Position, action: int, name: str, analysis: Analysis | None, readers: Sequence[int]
) -> str:
    """A line on a move that an agent chose in `position`: cost, winning chances, what it expects.

    The chances are those of `readers`, the seats of people; of the mover where there is none.
    """
    parts = [f"{name} plays {position.action_name(action)}"]
    if analysis is None:
        return parts[0]
    parts.append(effort(analysis))
    if analysis.value is not None:
        if len(readers) == 1:
            parts.append(f"your winning chance {percent(analysis.value[readers[0]])}")
        else:
            seats = readers or (position.to_move,)
            parts.append(f"winning chance of {chances(position.game, analysis, seats)}")
    after = position.copy()
    after.play(action)
    expected = line_of_play(after, analysis.principal_variation[1:])
    if expected:
        parts.append(f"expects {expected}")
    return " · ".join(parts)


def chances(game: Game, analysis: Analysis, seats: Iterable[int]) -> str:
    """The winning chances of seats: "player 1 62 %, player 2 38 %"; "unknown" without a value."""
    if analysis.value is None:
        return "unknown"
    value = analysis.value
    return ", ".join(f"{game.player_name(seat)} {percent(value[seat])}" for seat in seats)


def ranked(analysis: Analysis) -> list[int]:
    """The places of an analysis' actions: the agent's choice, then its favourites.

    A choice that search has proven to win may have been visited less than others.
    """
    others = analysis.actions != analysis.principal_variation[0]
    order = np.lexsort((-analysis.policy, -analysis.visits, others))
    return [int(place) for place in order]


def describe_result(position: Position, names: Sequence[str]) -> str:
    """How a finished game ended, in a sentence; `names` says who sat in each seat."""
    payoffs = position.payoffs.tolist()
    if max(payoffs) == 1:
        return f"{names[payoffs.index(1)]} wins."
    if len(set(payoffs)) == 1:
        return "The game is a draw."
    shares = (f"{name} {percent(share)}" for name, share in zip(names, payoffs, strict=True))
    return f"The win is shared: {', '.join(shares)}."


def seat_names(game: Game, seats: Sequence[str]) -> list[str]:
    """Who sits where, as text: "player 1 (uct:sims=100)"."""
    return [f"{game.player_name(player)} ({seat})" for player, seat in enumerate(seats)]


def frame(position: Position, line: str, names: Sequence[str] | None = None) -> str:
    """A line over the board, and once the game is over its result, for the `names` of the seats."""
    parts = [line, position.game.draw(position, in_colour())]
    if position.is_over and names is not None:
        parts.append(describe_result(position, names))
    return "\n".join(parts)
