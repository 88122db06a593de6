"""Sections of fields in TOML: their types, reading, changes such as `run.seed=2`, and errors.

Those that the configurations of all methods share are here too.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Never, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from meeple.errors import ConfigError, UsageError, did_you_mean, shown
from meeple.files import read_text
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.learn.config.describe import Notation, as_option
from meeple.nets.devices import DEVICE_PATTERN
from meeple.sentences import say

MAX_EPISODES = 100_000_000  # episodes of a run
START = "start"  # name of an opponent: the network before the first episode
MAX_MOVES = 100_000  # move number, or number of moves, in any field

Method = Literal["self-play", "records", "values", "patterns"]  # how a run learns
DEVICE_FIELDS = ("device",)  # may change when a run is resumed, in any section
MAX_FILE_BYTES = 64_000  # a documented configuration of every field has about 8,000
MAX_KEY_PARTS = 16  # of a dotted key; `game.options.size` has three
_LONG_KEY = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}"""
)
"""A dotted key of too many parts. The memory that tomllib takes grows with their square."""

Probability = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
ProbabilitySchedule = Probability | Annotated[list[Probability], Field(min_length=2, max_length=2)]
RateSchedule = Positive | Annotated[list[Positive], Field(min_length=2, max_length=2)]
Moves = Annotated[int, Field(ge=0, le=MAX_MOVES)]
MovesSchedule = Moves | Annotated[list[Moves], Field(min_length=2, max_length=2)]
Device = Annotated[
    str,
    Field(pattern=f"^({DEVICE_PATTERN})$"),
    Notation(say("allowed.device")),
]
"""Device of a network, as `meeple.nets.devices.choose_device` takes it."""


class ConfigSection(BaseModel):
    """Base of all sections and configurations: frozen, and an unknown field is an error."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


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

    @property
    def specs(self) -> tuple[str, ...]:
        """The opponents that are agents."""
        return tuple(spec for spec in self.opponents if spec != START)


class ToppSection(ConfigSection):
    """Tournament of progressive policies between the saved networks of a run, `meeple topp`."""

    games: Annotated[int, Field(ge=2, le=100_000)] = 50
    """Games per pair of networks."""
    policy: Literal["greedy", "epsilon", "sample"] = "greedy"
    """How a network chooses. greedy: its most probable action. epsilon: a random action with the
    probability `epsilon`, else greedy. sample: an action drawn from its policy."""
    epsilon: Probability = 0.05
    """With policy = epsilon: probability of a random action."""


class Configuration(ConfigSection):
    """Base of the configurations of all methods."""

    resumable: ClassVar[tuple[str, ...]] = ("rounds", "minutes")
    """Fields of [run] that may change when a run is resumed; the first is its length."""
    run: ConfigSection
    game: GameSection

    @property
    def networks_named(self) -> list[str]:
        """The networks that the run begins with, by name or path."""
        names = (getattr(self.run, field, None) for field in ("start", "teacher"))
        return [name for name in names if name is not None]

    def check(self) -> None:
        """Raise UsageError if the configuration does not fit its game."""
        raise NotImplementedError

    def make_game(self) -> Game:
        """Make the game of the run. Raises OptionError if it or an option is unknown."""
        return make_from(self.game.name, self.game.options)


Model = TypeVar("Model", bound=Configuration)


class RoundsConfiguration(Configuration):
    """Base of the configurations of methods whose run is a number of rounds, without records."""

    unit: ClassVar[str] = "round"
    """What `run.rounds` counts."""
    topp: ClassVar[ToppSection] = ToppSection()
    method: ClassVar[Method]
    mode: ClassVar[str]

    def with_records(self) -> Never:
        """Raise ConfigError: no such run learns from records."""
        raise ConfigError(f"a configuration of mode {self.mode} cannot learn from records")


def at_progress(schedule: float | Sequence[float], progress: float) -> float:
    """Return the value of a schedule: a constant, or `[first, last]`, linear in the progress.

    `progress`: share of the run that is done; values outside [0, 1] are clipped.
    """
    if isinstance(schedule, int | float):
        return schedule
    return schedule[0] + (schedule[1] - schedule[0]) * min(max(progress, 0.0), 1.0)


def read_config(path: str | Path) -> str:
    """Return the text of a configuration file. Raises ConfigError if it cannot be read."""
    try:
        return read_text(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        raise ConfigError(f"there is no configuration file {path}") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None


def parse_sections(
    model: type[Model], text: str, changes: Iterable[str] = (), name: str = "configuration"
) -> Model:
    """Parse a configuration.

    Args:
        model: the class of the configuration.
        text: the text of a file.
        changes: changes of fields, such as "run.seed=2".
        name: the name of the file, for messages.

    Raises:
        ConfigError: names the file or the field, and what is allowed.
    """
    try:
        data = read_toml(text)
    except ValueError as error:
        raise ConfigError(f"{name} is not a TOML file: {error}") from None
    for change in changes:
        _apply(data, change)
    try:
        config = model.model_validate(data)
    except ValidationError as error:
        words = _sentence(model, error, data)
        raise ConfigError(say("text.named", name=name, text=words)) from None
    try:
        config.check()
    except UsageError as error:
        raise ConfigError(say("text.named", name=name, text=error)) from None
    return config


def check_resumed(saved: Any, wanted: Any, place: str) -> None:
    """Check that a run can be resumed with another configuration of the same class.

    Its length and the devices may change: the fields `resumable` of [run] and `DEVICE_FIELDS`.

    Args:
        saved: the configuration of the run.
        wanted: the configuration to resume it with.
        place: the folder of the run, for messages.

    Raises:
        ConfigError: another field, or the training method, differs.
    """
    if type(saved) is not type(wanted):
        raise ConfigError(
            f"{place} was started with a configuration of mode {saved.mode}, not {wanted.mode}; "
            "resume it without this change, or start a run in another folder"
        )
    for name in type(saved).model_fields:
        ours, theirs = getattr(saved, name), getattr(wanted, name)
        if (ours is None) != (theirs is None):
            had = "without" if ours is None else "with"
            raise ConfigError(
                f"{place} was started {had} a section [{name}]; resume it without changing that"
            )
        for field in () if ours is None else type(ours).model_fields:
            may_change = (name == "run" and field in saved.resumable) or field in DEVICE_FIELDS
            if getattr(ours, field) != getattr(theirs, field) and not may_change:
                raise ConfigError(
                    f"{place} was started with {name}.{field} = {getattr(ours, field)!r}, not "
                    f"{getattr(theirs, field)!r}; resume it without this change, or start a run in "
                    "another folder"
                )


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML without checking any field.

    Raises:
        ValueError: the text is invalid or too large to parse; a TOMLDecodeError if it breaks TOML's
            own rules.
    """
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None


def texts_in(changes: Iterable[str]) -> list[str]:
    """Return all texts in the values of changes, such as specs of agents and names of networks."""
    data: dict[str, Any] = {}
    for change in changes:
        _apply(data, change)
    found: list[Any] = [data]
    for value in found:
        if isinstance(value, dict | list):
            found += value.values() if isinstance(value, dict) else value
    return [value for value in found if isinstance(value, str)]


def _apply(data: dict[str, Any], change: str) -> None:
    """Apply "section.field=value" to the data in place; the value is TOML or an unquoted word."""
    path, equals, text = change.partition("=")
    parts = path.strip().split(".")
    if not equals or len(parts) < 2 or not all(parts):
        raise ConfigError(f"{shown(change)} is not a change; write section.field=value")
    if len(parts) > MAX_KEY_PARTS:
        raise ConfigError(f"{shown(path)} has more than {MAX_KEY_PARTS} parts")
    try:
        value = read_toml(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    except ValueError as error:
        raise ConfigError(f"cannot set {shown(path)}: {error}") from None
    place = data
    for part in parts[:-1]:
        inner = place.setdefault(part, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"{shown(change)}: {part} is not a section")
        place = inner
    place[parts[-1]] = value


def _sentence(model: type[BaseModel], error: ValidationError, data: dict[str, Any]) -> str:
    """Return a sentence about the first wrong field."""
    first = error.errors()[0]
    path, field = _field_at(model, first["loc"])
    name = ".".join(path)
    if first["type"] == "extra_forbidden":
        kind = "field" if len(path) > 1 else "section"
        known = _known(model, path[:-1])
        near = did_you_mean(path[-1], known)
        return (
            f"unknown {kind} {shown(name)}; known {kind}s: {', '.join(known)}{near and f'; {near}'}"
        )
    if first["type"] == "missing":
        return f"{name} is missing"
    if not path:
        return str(first["ctx"]["error"])
    value: Any = data
    for part in path:
        value = value[part]
    if field is None:
        allowed = f"a section with {', '.join(_known(model, path))}"
    else:
        allowed = as_option(field).allowed
    return say("option.must_be", name=name, allowed=allowed, value=shown(value))


def _field_at(
    model: type[BaseModel], location: tuple[int | str, ...]
) -> tuple[list[str], FieldInfo | None]:
    """Return the field at the location of an error, and its path without parts inside its value."""
    section: Any = model
    path: list[str] = []
    field: FieldInfo | None = None
    for part in location:
        path.append(str(part))
        field = section.model_fields.get(part)
        section = section_of(field)
        if section is None:
            return path, field
    return path, None


def _known(model: type[BaseModel], path: list[str]) -> list[str]:
    section: Any = model
    for part in path:
        section = section_of(section.model_fields[part])
    return list(section.model_fields)


def section_of(field: FieldInfo | None) -> type[BaseModel] | None:
    """Return the class of a field that is a section, optional or not; None for any other field."""
    kinds = (field.annotation, *get_args(field.annotation)) if field else ()
    return next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), None)
