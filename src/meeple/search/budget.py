"""What a search may be told to stop by: limits that make sense, and a sentence for all others."""

import math
import operator
from collections.abc import Callable

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.kernels import HEURISTIC

MOST_SIMULATIONS = 1_000_000_000
LONGEST = 86_400.0  # seconds: a day


def check_limits(
    simulations: int | None, seconds: float | None, stop: Callable[[], bool] | None = None
) -> None:
    """Raise UsageError where nothing ends a search, or a limit cannot be kept to."""
    if simulations is None and seconds is None and stop is None:
        raise UsageError("a search needs a limit: simulations, seconds, or both")
    check_simulations(simulations)
    check_seconds(seconds)


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
