"""What a search may be told to stop by: limits that make sense, and a sentence for all others."""

import math
import operator

from meeple.errors import UsageError

MOST_SIMULATIONS = 1_000_000_000
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
