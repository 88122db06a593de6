"""Checks of a search's arguments: its limits, and the position."""

import math
import operator

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import HEURISTIC

MAX_SIMULATIONS = 1_000_000_000  # of one search
MAX_SECONDS = 86_400.0  # a day


def check_simulations(simulations: int | None) -> None:
    """Raise UsageError for a number of simulations that is not whole or out of range."""
    if simulations is not None and not _is_count(simulations):
        raise UsageError(
            f"simulations must be a whole number from 1 to {MAX_SIMULATIONS:,}, not {simulations}"
        )


def _is_count(simulations: int) -> bool:
    try:
        return 1 <= operator.index(simulations) <= MAX_SIMULATIONS
    except TypeError:
        return False


def check_seconds(seconds: float | None) -> None:
    """Raise UsageError for seconds that are not finite or out of range."""
    if seconds is not None and not (math.isfinite(seconds) and 0 < seconds <= MAX_SECONDS):
        raise UsageError(
            f"seconds must be above 0 and at most {MAX_SECONDS:g} (a day), not {seconds}"
        )


def check_plies(game: Game, plies: int) -> None:
    """Raise UsageError if rollouts cannot be evaluated after `plies` moves."""
    if plies < 0:
        raise UsageError(f"plies must be at least 0, not {plies}")
    if plies > 0 and not game.has(HEURISTIC):
        raise UsageError(
            f"{game.name} has no heuristic to evaluate rollouts by: plies must be 0, to the end"
        )


def check_position(game: Game, position: Position) -> None:
    """Raise UsageError for a position of another game or a finished one.

    Raises KernelError for one that no game may have, such as one without actions.
    """
    if position.game != game:
        raise UsageError(f"a search of {game!r} cannot search {position.game!r}")
    if position.is_over:
        raise UsageError("there is nothing to search: the game is over")
    position.legal_actions()


def check_decision(game: Game, position: Position) -> None:
    """Raise UsageError for a position of another game, a finished one, or a chance node."""
    check_position(game, position)
    if position.to_move < 0:
        raise UsageError("there is nothing to search: no player is to move")
