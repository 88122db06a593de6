"""The moves played from a position in the games of the library, with their results."""

from typing import Any

from meeple.arena.explorer import DETOUR, PlayedGame, check_explorable, explore
from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.replay import Replay
from meeple.games.contract.result import DECLARED
from meeple.protocols.records.vocabulary import year_in
from meeple.server.errors import refusal
from meeple.server.limits import ServerLimits
from meeple.server.store import GameStore, StoredGame


def first_plies(line: Replay, ply: int, max_plies: int) -> tuple[int, ...]:
    """Return the first actions of a game.

    Raises:
        UsageError: There are more than `max_plies`, or the game is shorter.
        MeepleError: The game cannot be explored.
    """
    line.check(ply)
    check_explorable(line.game)
    if ply > max_plies:
        raise refusal(UsageError, "explored_too_far", most=max_plies)
    return line.actions[:ply]


def played_games(store: GameStore, game: Game, plies: int, max_games: int) -> list[PlayedGame]:
    """Return the library's games with the options of `game`, each with the plies that are needed.

    Args:
        store: the library.
        game: the game.
        plies: length of the line that is looked up.
        max_games: the newest games of any options that are read.
    """
    options = dict(game.options)
    found = store.played(game.name, max_games, plies + DETOUR + 1)
    return [
        PlayedGame(
            stored.id,
            actions,
            stored.plies,
            _shares(stored, game),
            _year(stored),
            _is_declared(stored),
        )
        for stored, actions in found
        if stored.options == options
    ]


def _shares(stored: StoredGame, game: Game) -> tuple[float, ...] | None:
    payoffs = (stored.result or {}).get("payoffs")
    if not isinstance(payoffs, list) or len(payoffs) != game.players:
        return None
    return tuple(map(float, payoffs))


def _is_declared(stored: StoredGame) -> bool:
    return (stored.result or {}).get("how") == DECLARED


def _year(stored: StoredGame) -> int | None:
    return year_in(stored.notes.get("date"))


def explored(
    game: Game, games: list[PlayedGame], line: tuple[int, ...], limits: ServerLimits
) -> dict[str, Any]:
    """Return the moves played after a line, as JSON data.

    Raises:
        UsageError: A game in the library breaks the rules.
    """
    try:
        found = explore(game, games, line)
    except IllegalAction as error:
        raise refusal(UsageError, "library_game_broken", reason=error) from None
    most = limits.max_opening_moves
    return {
        "games": len(games),
        "most": limits.max_searched_games,
        "reached": found.reached,
        "ended": found.ended,
        "to_move": found.position.to_move,
        "moves": [one.to_json() for one in found.nexts[:most]],
        "more": max(0, len(found.nexts) - most),
    }
