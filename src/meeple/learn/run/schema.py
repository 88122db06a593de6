"""Schemas of the files of a run, and their reading: a file that breaks its schema is refused.

No value is converted, no field may be missing or unknown, and every number has limits. The schema
of a run's configuration is in `config/`.
"""

import os
from collections.abc import Sequence
from typing import Annotated, Any, Self, TypeVar

from pydantic import AllowInfNan, BaseModel, ConfigDict, Field, ValidationError, model_validator

from meeple.errors import RunError, shown
from meeple.files import read_bounded
from meeple.learn.config import MAX_EPISODES, as_option
from meeple.nets.inference import Format

VERSION = 1  # raised when states written before can no longer be read
MAX_SECONDS = 1e10  # training time of a run: 300 years
MAX_GAMES_BYTES = 2**53  # size of games.jsonl
MAX_STATE_BYTES = 2**26  # size of state.json: reached after more than a week of saves
MIN_IMPROVEMENT = 1e-4  # nats by which a loss on held-out games must fall to count as lower
SUFFIX = ".safetensors"  # of files of tensors

Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS)]  # since a run began
Episodes = Annotated[int, Field(ge=1, le=MAX_EPISODES)]  # of a run, at least one


class Stored(BaseModel):
    """Base of the schemas of files and of their lines."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class RunState(Stored):
    """The saved state of a run of any method; the rest follows from its configuration and files."""

    version: Annotated[int, Field(ge=VERSION, le=VERSION)]  # of this format
    episodes: Annotated[int, Field(ge=0, le=MAX_EPISODES)]
    """Episodes that were learned from: games, or completed rounds of a run of values."""
    seconds: Seconds  # spent so far
    games_bytes: Annotated[int, Field(ge=0, le=MAX_GAMES_BYTES)]  # length of games.jsonl
    format: Format  # number format that self-play uses
    training: str  # file of weights and optimizer state; a run of values writes no such file
    replay: list[str]  # files of positions, oldest first
    cases: list[Annotated[int, Field(ge=1)]]  # number of positions in each file
    held_out: list[float] = []  # in a run on records: the loss on held-out games, by epoch
    missing: list[Annotated[int, Field(ge=0, le=MAX_EPISODES)]] = []
    """Numbers of episodes that were not learned from yet, though higher numbers were. On a
    cluster, waves end in any order."""
    incumbent: Annotated[int, Field(ge=0, le=MAX_EPISODES)] = 0
    """In a run of values: the round whose network plays."""
    history: list[dict[str, Any]] = []  # in a run of values: the results of each round

    @classmethod
    def before_all(cls, number_format: Format) -> "RunState":
        """Return the state before the first episode."""
        return cls(
            version=VERSION,
            episodes=0,
            seconds=0.0,
            games_bytes=0,
            format=number_format,
            training=file_after(0),
            replay=[],
            cases=[],
        )

    @model_validator(mode="after")
    def _names_its_own_files(self) -> Self:
        if self.training != file_after(self.episodes):
            raise ValueError(
                f"training must be '{file_after(self.episodes)}', not {shown(self.training)}"
            )
        if len(self.replay) != len(self.cases):
            raise ValueError("replay and cases must be of one length")
        numbers = [_episode_of(name) for name in self.replay]
        if numbers != sorted(set(numbers)) or not all(0 < n <= self.episodes for n in numbers):
            raise ValueError("replay must name files of the episodes played, oldest first")
        missing = self.missing
        if missing != sorted(set(missing)) or (missing and missing[-1] >= self.top - 1):
            raise ValueError("missing must hold numbers of episodes below others, in their order")
        return self

    @property
    def top(self) -> int:
        """One more than the highest number of an episode that was learned from."""
        return self.episodes + len(self.missing)

    def count(self, numbers: Sequence[int]) -> None:
        """Count the episodes of these numbers as learned from; each once, or raise ValueError."""
        top = max(self.top, *(number + 1 for number in numbers))
        open_ = {*self.missing, *range(self.top, top)}
        if not open_.issuperset(numbers):
            raise ValueError(f"an episode was counted twice, of {numbers}")
        self.missing = sorted(open_.difference(numbers))
        self.episodes += len(numbers)

    def has_stopped_improving(self, patience: int) -> bool:
        """Return whether the last `patience` epochs are no better than an earlier one; 0: never."""
        losses = self.held_out
        if not patience or len(losses) <= patience:
            return False
        return min(losses[-patience:]) >= min(losses[:-patience]) - MIN_IMPROVEMENT

    def to_json(self) -> str:
        """Return the state as JSON text."""
        return self.model_dump_json(indent=1)


class WaveMetrics(Stored):
    """Metrics of a wave: a line of metrics.jsonl."""

    episodes: Episodes  # since the run began
    seconds: Seconds  # since the run began
    time: float  # of writing, in seconds since 1970
    starts: bool  # whether it is the first of a session
    metrics: dict[str, Annotated[float, AllowInfNan()]]  # by name; not finite after a divergence


class _Notes(Stored):
    model_config = ConfigDict(extra="ignore")

    episode: Episodes


class NotedGame(Stored):
    """The notes of a game record in games.jsonl; its other fields are ignored."""

    model_config = ConfigDict(extra="ignore")

    notes: _Notes


Schema = TypeVar("Schema", bound=Stored)


def file_after(episodes: int) -> str:
    """Return the name of a state file by its number of episodes."""
    return f"{episodes:08d}{SUFFIX}"


def read_stored(path: str | os.PathLike[str], model: type[Schema], max_bytes: int) -> Schema:
    """Read a file by its schema, at most `max_bytes` long.

    Raises:
        FileNotFoundError: there is no such file.
        RunError: it cannot be read or breaks its schema; names the file and the fault.
    """
    try:
        content = read_bounded(path, max_bytes)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        return model.model_validate_json(content)
    except ValidationError as error:
        raise RunError(f"{path} {_fault(error, model)}") from None


def read_line(line: str | bytes, model: type[Schema]) -> Schema | None:
    """Read a line of a file; None if it breaks its schema."""
    try:
        return model.model_validate_json(line)
    except ValidationError:
        return None


def _episode_of(name: str) -> int:
    """Return the number of episodes in the name of a state file; -1 for other names."""
    digits = name.removesuffix(SUFFIX)
    number = int(digits) if digits.isdecimal() and len(digits) < 20 else -1
    return number if name == file_after(number) else -1


def _fault(error: ValidationError, model: type[Stored]) -> str:
    """Return the fault of a file as text that follows its name."""
    found = error.errors(include_url=False)
    for fault in found:
        if fault["loc"] == ("version",) and fault["type"] != "missing":
            return f"is of version {shown(fault['input'])}; this Meeple reads version {VERSION}"
    first = found[0]
    path = ".".join(map(str, first["loc"]))
    field = model.model_fields.get(path)
    if first["type"] == "json_invalid":
        what = f"it is no JSON: {first['ctx']['error']}"
    elif not path:
        what = first["msg"].removeprefix("Value error, ")
    elif first["type"] == "missing":
        what = f"it lacks '{path}'"
    elif first["type"] == "extra_forbidden":
        what = f"it has an unknown field {shown(path)}"
    elif field is None:
        what = f"{path} is {shown(first['input'])}: {first['msg']}"
    else:
        what = f"{path} must be {as_option(field).allowed}, not {shown(first['input'])}"
    return f"is corrupt ({what})"
