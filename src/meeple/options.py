"""Options of games, agents and training: what each may be, its default, the check of a value.

An option is declared once; commands, pages and sentences are made from what it says of itself.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from meeple.errors import OptionError, shown

OptionValue = int | float | bool | str  # what `check` returns

_TRUE = ("true", "on", "yes", "1")
_FALSE = ("false", "off", "no", "0")
_LIMITS = ("low", "high", "above", "below", "choices")


@dataclass(frozen=True)
class Integer:
    """A whole number from `low` to `high`; None: without that limit."""

    kind: ClassVar[str] = "integer"
    placeholder: ClassVar[str] = "N"
    default: int | None
    low: int | None
    high: int | None
    help: str

    @property
    def allowed(self) -> str:
        return f"a whole number{_range(self.low, self.high)}"

    def check(self, value: Any) -> int:
        """The value as an int; raises ValueError where it is not allowed."""
        number = int(value) if isinstance(value, str) else value
        whole = isinstance(number, int) and not isinstance(number, bool)
        if not whole or not _within(number, self.low, self.high):
            raise ValueError
        return int(number)


@dataclass(frozen=True)
class Number:
    """A number from `low` to `high`, greater than `above` and less than `below`; None: no limit.

    `names` are words that stand for a number, with it.
    """

    kind: ClassVar[str] = "number"
    placeholder: ClassVar[str] = "N"
    default: float | None
    low: float | None
    high: float | None
    help: str
    above: float | None = None
    below: float | None = None
    names: tuple[tuple[str, float], ...] = ()

    @property
    def allowed(self) -> str:
        names = "".join(f", or {name} ({number:.3g})" for name, number in self.names)
        return f"a number{_range(self.low, self.high, self.above, self.below)}{names}"

    def check(self, value: Any) -> float:
        """The value as a float; raises ValueError where it is not allowed or not finite."""
        if isinstance(value, bool):
            raise ValueError
        number = dict(self.names)[value] if value in dict(self.names) else float(value)
        beyond = (self.above is not None and number <= self.above) or (
            self.below is not None and number >= self.below
        )
        if beyond or not _within(number, self.low, self.high) or not math.isfinite(number):
            raise ValueError
        return number


@dataclass(frozen=True)
class Flag:
    """On or off."""

    kind: ClassVar[str] = "flag"
    placeholder: ClassVar[str] = "on|off"
    default: bool | None
    help: str
    allowed: str = "on or off"

    def check(self, value: Any) -> bool:
        """The value as a bool; raises ValueError where it is not allowed."""
        if isinstance(value, bool):
            return value
        word = str(value).lower()
        if word not in _TRUE + _FALSE:
            raise ValueError
        return word in _TRUE


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    kind: ClassVar[str] = "choice"
    default: str | None
    choices: tuple[str, ...]
    help: str

    @property
    def allowed(self) -> str:
        return " or ".join(", ".join(self.choices).rsplit(", ", 1))

    @property
    def placeholder(self) -> str:
        return "|".join(self.choices)

    def check(self, value: Any) -> str:
        """The value; raises ValueError where it is not one of the choices."""
        if value not in self.choices:
            raise ValueError
        return str(value)


@dataclass(frozen=True)
class Text:
    """A string in a notation of its own; `parse` raises ValueError where it does not hold.

    Where more is to be said than what is allowed, it raises OptionError with a sentence.
    """

    kind: ClassVar[str] = "text"
    placeholder: ClassVar[str] = "TEXT"
    default: str | None
    allowed: str
    parse: Callable[[str], Any]
    help: str

    def check(self, value: Any) -> str:
        """The value as a string; raises ValueError where `parse` refuses it.

        An option that may be left empty takes the word "empty" for that, as it is shown.
        """
        text = "" if self.default == "" and value == "empty" else str(value)
        self.parse(text)
        return text


@dataclass(frozen=True)
class File:
    """A file, by its path."""

    kind: ClassVar[str] = "file"
    placeholder: ClassVar[str] = "FILE"
    default: ClassVar[None] = None
    allowed: ClassVar[str] = "the path of a file"
    help: str

    def check(self, value: Any) -> str:
        """The path as a string; raises ValueError where it is empty."""
        if not value:
            raise ValueError
        return str(value)


Option = Integer | Number | Flag | Choice | Text | File
"""One without a default (None) may be left out."""


def check_options(
    owner: str, declared: Mapping[str, Option], given: Mapping[str, Any], word: str = "option"
) -> Mapping[str, OptionValue]:
    """All options of a game or agent with their values: those given, and the defaults of others.

    One that is not given and has no default is left out. Raises OptionError that names a wrong
    option (called `word` there) or value and what is allowed.
    """
    for name in given:
        if name not in declared:
            known = ", ".join(declared) or "none"
            raise OptionError(f"{owner} has no {word} {shown(name)}; its {word}s: {known}")
    values: dict[str, OptionValue] = {}
    for name, option in declared.items():
        value = given.get(name, option.default)
        if name not in given and value is None:
            continue
        try:
            values[name] = option.check(value)
        except OptionError as error:
            raise OptionError(f"{owner}: {name}: {error}") from None
        except (ValueError, TypeError, OverflowError):
            raise OptionError(
                f"{owner}: {name} must be {option.allowed}, not {shown(value)}"
            ) from None
    return MappingProxyType(values)


class Described(Protocol):
    """What anything must say of itself that is shown as an option."""

    @property
    def kind(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def allowed(self) -> str: ...
    @property
    def help(self) -> str: ...


def describe_option(name: str, option: Described) -> dict[str, Any]:
    """An option as data for forms and scripts; limits and choices only where it has such."""
    limits = {key: getattr(option, key, None) for key in _LIMITS}
    return {
        "name": name,
        "kind": option.kind,
        "default": option.default,
        "allowed": option.allowed,
        **{key: limit for key, limit in limits.items() if limit is not None},
        "help": option.help,
    }


def _within(number: float, low: float | None, high: float | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


def _range(
    low: float | None, high: float | None, above: float | None = None, below: float | None = None
) -> str:
    """Limits in words that follow "a number"."""
    if low is not None and high is None and below is None:
        return f", {_plain(low)} or more"
    words = [
        ("from", low),
        ("above", above),
        ("up to" if low is None else "to", high),
        ("to below", below),
    ]
    return "".join(f" {word} {_plain(limit)}" for word, limit in words if limit is not None)


def _plain(number: float) -> str:
    """A limit as people write it: 0.001, 1000, 1,000,000."""
    return f"{number:,.0f}" if number >= 1_000_000 else f"{number:g}"
