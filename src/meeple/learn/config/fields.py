"""Types of fields, schedules, and the sections that the configurations of all methods share."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from meeple.learn.config.describe import Notation
from meeple.learn.config.sections import ConfigSection
from meeple.nets.devices import DEVICE_PATTERN

MAX_EPISODES = 100_000_000  # episodes of a run
MAX_MOVES = 100_000  # move number, or number of moves, in any field

Method = Literal["self-play", "records", "values"]  # how a run learns
Probability = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
ProbabilitySchedule = Probability | Annotated[list[Probability], Field(min_length=2, max_length=2)]
RateSchedule = Positive | Annotated[list[Positive], Field(min_length=2, max_length=2)]
Moves = Annotated[int, Field(ge=0, le=MAX_MOVES)]
MovesSchedule = Moves | Annotated[list[Moves], Field(min_length=2, max_length=2)]
Device = Annotated[
    str,
    Field(pattern=f"^({DEVICE_PATTERN})$"),
    Notation("auto, cpu, cuda, or cuda:N for accelerator N"),
]
"""Device of a network, as `meeple.nets.devices.choose_device` takes it."""


def at_progress(schedule: float | Sequence[float], progress: float) -> float:
    """Return the value of a schedule.

    Args:
        schedule: a constant, or `[first, last]`, which is linear in the progress.
        progress: share of the run that is done; values outside [0, 1] are clipped.
    """
    if isinstance(schedule, int | float):
        return schedule
    return schedule[0] + (schedule[1] - schedule[0]) * min(max(progress, 0.0), 1.0)


class GameSection(ConfigSection):
    """The game to learn."""

    name: str
    """Name of the game, as listed by `meeple games`."""
    options: dict[str, int | bool | str] = {}
    """Options of the game, such as `size = 5`."""


class MatchesSection(ConfigSection):
    """Matches against fixed opponents during training, which measure progress.

    They do not affect what is learned.
    """

    minutes: Annotated[float, Field(ge=0, le=10_000)] = 5.0
    """Minutes of training from one round of matches to the next; 0: no matches. The last round is
    at the end of the run. A round takes about a tenth of the time since the previous one."""
    games: Annotated[int, Field(ge=2, le=10_000)] = 40
    """Maximum number of games against each opponent in a round."""
    opponents: Annotated[tuple[str, ...], Field(max_length=64)] = ()
    """Specs of agents, such as uct:sims=1000, or start: the network that the run started from.
    Empty: random, uct:sims=100, start, and greedy if the game has a heuristic."""


class ToppSection(ConfigSection):
    """Tournament of progressive policies between the saved networks of a run, `meeple topp`."""

    games: Annotated[int, Field(ge=2, le=100_000)] = 50
    """Games per pair of networks."""
    policy: Literal["greedy", "epsilon", "sample"] = "greedy"
    """How a network chooses. greedy: its most probable action. epsilon: a random action with the
    probability `epsilon`, else greedy. sample: an action drawn from its policy."""
    epsilon: Probability = 0.05
    """With policy = epsilon: probability of a random action."""
