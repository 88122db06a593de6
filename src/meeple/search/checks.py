"""What every search asks of its caller: limits that can be kept to, and a position to search."""

import math
import operator

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import HEURISTIC

MOST_SIMULATIONS = 1_000_000_000  # of one search
LONGEST = 86_400.0  # seconds: a day


def check_simulations(simulations: int | None) -> None:
    """Raise UsageError for a number of simulations that is not whole, or out of range."""
    if simulations is not None and not _is_count(simulations):
        raise UsageError(
            f"simulations must be a whole number from 1 to {MOST_SIMULATIONS:,}, not {simulations}"
        )


def _is_count(simulations: int) -> bool:
    try:
        return 1 <= operator.index(simulations) <= MOST_SIMULATIONS
    except TypeError:
        return False


def check_seconds(seconds: float | None) -> None:
    """Raise UsageError for a time that no search can keep to."""
    if seconds is not None and not (math.isfinite(seconds) and 0 < seconds <= LONGEST):
        raise UsageError(f"seconds must be above 0 and at most {LONGEST:g} (a day), not {seconds}")


def check_plies(game: Game, plies: int) -> None:
    """Raise UsageError where rollouts cannot be judged after so many moves."""
    if plies < 0:
        raise UsageError(f"plies must be at least 0, not {plies}")
    if plies > 0 and not game.has(HEURISTIC):
        raise UsageError(
            f"{game.name} has no heuristic to judge rollouts by: plies must be 0, to the end"
        )


def check_position(game: Game, position: Position) -> None:
    """Raise UsageError for a position of another game, or of a game that is over."""
    if position.game != game:
        raise UsageError(f"a search of {game!r} cannot search {position.game!r}")
    if position.is_over:
        raise UsageError("there is nothing to search: the game is over")


def check_decision(game: Game, position: Position) -> None:
    """Raise UsageError for what `check_position` refuses, and for a chance node."""
    check_position(game, position)
    if position.to_move < 0:
        raise UsageError("there is nothing to search: no player is to move")
