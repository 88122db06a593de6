"""The moves played from a position in the games of the library, with their results."""

from typing import Any

from meeple.arena.explorer import DETOUR, PlayedGame, check_explorable, explore
from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.game import Game
from meeple.protocols.records.vocabulary import year_in
from meeple.server.analysis.line import Line
from meeple.server.store import GameStore, StoredGame

MAX_GAMES = 2_000  # newest games of the library that are searched: 1 to 2 seconds
MAX_LINE_PLIES = 200  # of an opening
MAX_MOVES = 40  # in an answer


def first_plies(line: Line, ply: int) -> tuple[int, ...]:
    """Return the first actions of a game.

    Raises:
        UsageError: There are too many, or the game is shorter.
        MeepleError: The game has no openings.
    """
    line.check(ply)
    check_explorable(line.game)
    if ply > MAX_LINE_PLIES:
        raise UsageError(f"openings of more than {MAX_LINE_PLIES} plies are not searched")
    return line.actions[:ply]


def played_games(store: GameStore, game: Game, plies: int) -> list[PlayedGame]:
    """Return the library's games with the options of `game`, each with the plies that are needed.

    `plies` is the length of the line that is looked up.
    """
    options = dict(game.options)
    found = store.played(game.name, MAX_GAMES, plies + DETOUR + 1)
    return [
        PlayedGame(stored.id, actions, stored.plies, _shares(stored, game), _year(stored))
        for stored, actions in found
        if stored.options == options
    ]


def _shares(stored: StoredGame, game: Game) -> tuple[float, ...] | None:
    payoffs = (stored.result or {}).get("payoffs")
    if not isinstance(payoffs, list) or len(payoffs) != game.players:
        return None
    return tuple(map(float, payoffs))


def _year(stored: StoredGame) -> int | None:
    return year_in(stored.notes.get("date"))


def openings_of(game: Game, games: list[PlayedGame], line: tuple[int, ...]) -> dict[str, Any]:
    """Return the moves played after a line, as JSON data.

    Raises:
        UsageError: A game in the library breaks the rules.
    """
    try:
        found = explore(game, games, line)
    except IllegalAction as error:
        raise UsageError(f"a game of the library cannot be replayed: {error}") from None
    return {
        "games": len(games),
        "most": MAX_GAMES,
        "reached": found.reached,
        "ended": found.ended,
        "to_move": found.position.to_move,
        "moves": [one.to_json() for one in found.nexts[:MAX_MOVES]],
        "more": max(0, len(found.nexts) - MAX_MOVES),
    }
