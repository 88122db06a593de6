"""Texts on games and search results, for a person at a terminal."""

import itertools
import sys
from collections.abc import Iterable, Sequence

import numpy as np

from meeple.agents.agent import Analysis
from meeple.cli.shared.terminal import in_colour
from meeple.games.contract.game import Game, Position
from meeple.games.contract.game_words import as_word
from meeple.games.contract.records import legal_line
from meeple.games.contract.result import result_text
from meeple.protocols.records.found import FoundGames

MAX_SHOWN_MOVES = 8  # of a principal variation
MAX_VALUE_CHARACTERS = 40  # of an option's value in a title


def title(game: Game) -> str:
    """Return the game with its options: "hex size=7 swap=off"; long values are cut."""
    return f"{game.name} {options_as_text(game)}".rstrip()


def options_as_text(game: Game) -> str:
    """Return a game's options as text: "size=7 swap=off"; long values are cut."""
    words = {name: as_word(value) for name, value in game.options.items()}
    return " ".join(
        f"{name}={w if len(w) <= MAX_VALUE_CHARACTERS else '...'}" for name, w in words.items()
    )


def print_notices(*files: FoundGames) -> None:
    """Print on stderr how files of games were understood, once their games were read."""
    for file in files:
        for notice in file.notices():
            print(f"Note: {notice}.", file=sys.stderr)


def line_of_play(position: Position, actions: Iterable[int]) -> str:
    """Return the names of the first few actions of a line of play from a position."""
    line = itertools.islice(legal_line(position, actions), MAX_SHOWN_MOVES)
    return ", ".join(walk.action_name(action) for walk, action in line)


def effort(analysis: Analysis) -> str:
    """Return the cost of a choice as text: "1,000 simulations, 0.31 s" or "9 plies, 0.10 s"."""
    count = f"{analysis.simulations:,} simulations, " if analysis.simulations else ""
    if analysis.depth is not None:
        count = f"{analysis.depth} plies, "
    return f"{count}{analysis.seconds:.2f} s"


def describe_move(
    position: Position, action: int, name: str, analysis: Analysis | None, readers: Sequence[int]
) -> str:
    """Describe a move that an agent chose in `position`: cost, winning chances, expected play.

    The chances are those of `readers`, the seats of people, or of the mover without readers. In a
    game with hidden information readers get neither: the mover's search knows its own cards.
    """
    parts = [f"{name} plays {position.action_name(action)}"]
    if analysis is None:
        return parts[0]
    parts.append(effort(analysis))
    if readers and position.game.hides:
        return " · ".join(parts)
    if analysis.value is not None:
        if len(readers) == 1:
            game = position.game
            parts.append(f"your {game.worth_name} {game.worth(analysis.value, readers[0])}")
        else:
            seats = readers or (position.to_move,)
            parts.append(f"{position.game.worth_name} of {chances(position.game, analysis, seats)}")
    after = position.copy()
    after.play(action)
    expected = line_of_play(after, analysis.principal_variation[1:])
    if expected:
        parts.append(f"expects {expected}")
    return " · ".join(parts)


def chances(game: Game, analysis: Analysis, seats: Iterable[int]) -> str:
    """Return the winning chances of seats: "player 1 62 %, player 2 38 %", or "unknown"."""
    if analysis.value is None:
        return "unknown"
    value = analysis.value
    return ", ".join(f"{game.player_name(seat)} {game.worth(value, seat)}" for seat in seats)


def ranked(analysis: Analysis) -> list[int]:
    """Return the indices of an analysis' actions: the agent's choice, then by visits.

    A choice that search has proven to win may have fewer visits than others.
    """
    others = analysis.actions != analysis.principal_variation[0]
    order = np.lexsort((-analysis.policy, -analysis.visits, others))
    return [int(place) for place in order]


def describe_result(position: Position, names: Sequence[str]) -> str:
    """Return the result of a finished game as a sentence; `names` are the names of the seats."""
    return f"Result: {result_text(position.payoffs.tolist(), names, tally=position.tally)}."


def seat_names(game: Game, seats: Sequence[str]) -> list[str]:
    """Return the agent of each seat as text: "player 1 (uct:sims=100)"."""
    people = zip(range(game.seats), seats, strict=False)
    return [f"{game.player_name(player)} ({seat})" for player, seat in people]


def partners(game: Game) -> str:
    """Return who plays together: "Teams: player 1, player 3; player 2, player 4"; or ""."""
    teams = [", ".join(map(game.player_name, side)) for side in game.sides if len(side) > 1]
    return f"Teams: {'; '.join(teams)}" if teams else ""


def frame(position: Position, line: str, names: Sequence[str] | None = None) -> str:
    """Return a line above the board, and the result of a finished game for the seats' `names`."""
    parts = [line, position.game.draw(position, in_colour())]
    if position.is_over and names is not None:
        parts.append(describe_result(position, names))
    return "\n".join(parts)
