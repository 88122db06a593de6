"""Configuration files of any kind: sections of fields in TOML; errors name the field."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from meeple.errors import ConfigError, shown
from meeple.files import read_bounded
from meeple.learn.config.describe import as_option

Probability = Annotated[float, Field(ge=0, le=1)]  # from 0 to 1
Positive = Annotated[float, Field(gt=0)]  # above 0
Sections = TypeVar("Sections", bound=BaseModel)
COMPUTED_BY = ("device", "processes")  # fields that say by what; a run may go on elsewhere
MOST_BYTES = 64_000  # of a configuration: eight times a usual one
MAX_KEY_PARTS = 16  # of a dotted key; `game.options.size` has three
_LONG_KEY = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}"""
)
"""A dotted key of too many parts: tomllib takes memory that grows with their square."""


class Section(BaseModel):
    """A part of a configuration. An unknown field is an error; a field never changes."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


def read_config(path: str | Path) -> str:
    """The text of a configuration file. Raises ConfigError where it cannot be read."""
    try:
        return read_bounded(path, MOST_BYTES).decode()
    except FileNotFoundError:
        raise ConfigError(f"there is no configuration file {path}") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no TOML file: it is not text in UTF-8") from None


def parse_sections(kind: type[Sections], text: str, changes: Iterable[str], name: str) -> Sections:
    """A configuration of the given kind from a file's text, with changes such as "run.seed=2".

    Raises ConfigError that names the file (`name`) or the field, and what is allowed.
    """
    try:
        data = read_toml(text)
    except ValueError as error:
        raise ConfigError(f"{name} is no TOML file: {error}") from None
    for change in changes:
        _apply(data, change)
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{name}: {_sentence(kind, error, data)}") from None


def check_resumed(settled: Section, wanted: Section, lengths: Iterable[str], place: str) -> None:
    """Raise ConfigError where a run that goes on would change more than fields of [run] that say
    how long it is, and what computes it. `place` is where it is, for the message.
    """
    for name in type(settled).model_fields:
        ours, theirs = getattr(settled, name), getattr(wanted, name)
        if ours is None or theirs is None:
            if ours is not theirs:
                had = "without" if ours is None else "with"
                raise ConfigError(f"{place} was begun {had} a section [{name}]; go on as it was")
            continue
        for field in type(ours).model_fields:
            may_change = (name == "run" and field in lengths) or field in COMPUTED_BY
            if getattr(ours, field) != getattr(theirs, field) and not may_change:
                raise ConfigError(
                    f"{place} was begun with {name}.{field} = {getattr(ours, field)!r}, not "
                    f"{getattr(theirs, field)!r}; go on as it was, or begin a run in another folder"
                )


def read_toml(text: str) -> dict[str, Any]:
    """A configuration's TOML as data, of which no field is checked.

    Raises ValueError: a TOMLDecodeError where the text breaks TOML's own rules.
    """
    if _LONG_KEY.search(text):
        raise ValueError(f"a key in it has more than {MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise ValueError("a number in it has too many digits") from None


def _apply(data: dict[str, Any], change: str) -> None:
    """Set a.b.c=value in place; the value is TOML, or a plain word."""
    path, equals, text = change.partition("=")
    parts = path.strip().split(".")
    if not equals or len(parts) < 2 or not all(parts):
        raise ConfigError(f"{shown(change)} is no change; write section.field=value")
    if len(parts) > MAX_KEY_PARTS:
        raise ConfigError(f"{shown(path)} has more than {MAX_KEY_PARTS} parts")
    try:
        value = read_toml(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    except ValueError as error:
        raise ConfigError(f"{shown(path)} cannot be set so: {error}") from None
    place = data
    for part in parts[:-1]:
        inner = place.setdefault(part, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"{shown(change)}: {part} is no section")
        place = inner
    place[parts[-1]] = value


def _sentence(kind: type[BaseModel], error: ValidationError, data: dict[str, Any]) -> str:
    """What is wrong with the first wrong field, by its name."""
    first = error.errors()[0]
    path, field = _field_at(kind, first["loc"])
    if first["type"] == "extra_forbidden":
        known = ", ".join(_known(kind, path[:-1]))
        return f"unknown field {shown('.'.join(path))}; known here: {known}"
    if first["type"] == "missing":
        return f"{'.'.join(path)} is missing"
    if not path:
        return first["msg"].removeprefix("Value error, ")
    value: Any = data
    for part in path:
        value = value[part]
    if field is None:
        what = f"a section with {', '.join(_known(kind, path))}"
    else:
        what = as_option(field).allowed
    return f"{'.'.join(path)} must be {what}, not {shown(value)}"


def _field_at(
    kind: type[BaseModel], location: tuple[int | str, ...]
) -> tuple[list[str], FieldInfo | None]:
    """The path of the field at a location of an error, without the parts inside its value."""
    section: Any = kind
    path: list[str] = []
    field: FieldInfo | None = None
    for part in location:
        path.append(str(part))
        field = section.model_fields.get(part)
        section = section_of(field)
        if section is None:
            return path, field
    return path, None


def _known(kind: type[BaseModel], path: list[str]) -> list[str]:
    section: Any = kind
    for part in path:
        section = section_of(section.model_fields[part])
    return list(section.model_fields)


def section_of(field: FieldInfo | None) -> type[BaseModel] | None:
    """The section that a field is, be it one that may be left out; None for any other."""
    kinds = (field.annotation, *get_args(field.annotation)) if field else ()
    return next((k for k in kinds if isinstance(k, type) and issubclass(k, BaseModel)), None)
