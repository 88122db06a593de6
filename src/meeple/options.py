"""Options of games, agents and training: allowed values, defaults, and the check of a value.

An option is declared once; commands, pages and messages are derived from the declaration.
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from meeple.errors import OptionError, UsageError, shown
from meeple.sentences import Sentence, one_of, say

OptionValue = int | float | bool | str  # the checked value of an option

_TRUE = ("true", "on", "yes", "1")
_FALSE = ("false", "off", "no", "0")
_LIMITS = ("low", "high", "above", "below", "choices")


@dataclass(frozen=True)
class Integer:
    """An integer from `low` to `high`; None means no limit."""

    kind: ClassVar[str] = "integer"
    placeholder: ClassVar[str] = "N"
    default: int | None
    low: int | None
    high: int | None
    help: str

    @property
    def allowed(self) -> str:
        return _number("whole_number", self.low, self.high)

    def check(self, value: Any) -> int:
        """Return the value as an int. Raises ValueError if it is not allowed."""
        number = int(value) if isinstance(value, str) else value
        return whole_number(number, "it", self.low, self.high)


@dataclass(frozen=True)
class Number:
    """A number from `low` to `high`, greater than `above`, less than `below`; None means no limit.

    `names` are pairs of a word and the number that it stands for.
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
        allowed = _number("number", self.low, self.high, self.above, self.below)
        for name, number in self.names:
            allowed = say("allowed.or_name", allowed=allowed, name=name, n=number)
        return allowed

    def check(self, value: Any) -> float:
        """Return the value as a float. Raises ValueError if it is not allowed or not finite."""
        if _is_bool(value):
            raise ValueError
        named = dict(self.names) if isinstance(value, str) else {}
        number = named[value] if value in named else float(value)
        outside = (self.above is not None and number <= self.above) or (
            self.below is not None and number >= self.below
        )
        if outside or not _within(number, self.low, self.high) or not math.isfinite(number):
            raise ValueError
        return number


@dataclass(frozen=True)
class Flag:
    """On or off."""

    kind: ClassVar[str] = "flag"
    placeholder: ClassVar[str] = "on|off"
    default: bool | None
    help: str
    allowed: str = field(default_factory=lambda: say("allowed.on_or_off"))

    def check(self, value: Any) -> bool:
        """Return the value as a bool. Raises ValueError if it is not allowed."""
        if isinstance(value, bool):
            return value
        word = str(value).lower()
        if word not in _TRUE + _FALSE:
            raise ValueError
        return word in _TRUE


@dataclass(frozen=True)
class Choice:
    """One of several words."""

    kind: ClassVar[str] = "choice"
    default: str | None
    choices: tuple[str, ...]
    help: str

    @property
    def allowed(self) -> str:
        return one_of(self.choices)

    @property
    def placeholder(self) -> str:
        return "|".join(self.choices)

    def check(self, value: Any) -> str:
        """Return the value. Raises ValueError if it is not one of the choices."""
        if value not in self.choices:
            raise ValueError
        return str(value)


@dataclass(frozen=True)
class Text:
    """A string that `parse` accepts.

    `parse` raises ValueError for a string that is not allowed, or OptionError with a sentence if
    the user needs more than `allowed` to correct it.
    """

    kind: ClassVar[str] = "text"
    placeholder: ClassVar[str] = "TEXT"
    default: str | None
    allowed: str
    parse: Callable[[str], Any]
    help: str

    def check(self, value: Any) -> str:
        """Return the value as a string. Raises the error of `parse` if it is not allowed.

        For an option whose default is empty, the word "empty" means the empty string.
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
        """Return the path as a string. Raises ValueError if it is empty."""
        if not value:
            raise ValueError
        return str(value)


Option = Integer | Number | Flag | Choice | Text | File
"""An option of any kind; without a default (None) it may be left out."""


def check_options(
    owner: str, declared: Mapping[str, Option], given: Mapping[str, Any], word: str = "option"
) -> Mapping[str, OptionValue]:
    """Return the given options, checked, and the defaults of the others.

    An option that is not given and has no default is left out.

    Args:
        owner: the game or agent, for messages.
        declared: the options of the owner, by name.
        given: values, or their text, by name.
        word: what messages call an option, such as "key".

    Raises:
        OptionError: an option is unknown, or its value is not allowed.
    """
    for name in given:
        if name not in declared:
            known = ", ".join(declared) or "none"
            if word not in ("key", "option"):  # of plug-ins
                raise OptionError(f"{owner} has no {word} {shown(name)}; its {word}s: {known}")
            code = "option.no_key" if word == "key" else "option.no_option"
            raise OptionError(say(code, owner=owner, field=shown(name), command=known))
    values: dict[str, OptionValue] = {}
    for name, option in declared.items():
        value = given.get(name, option.default)
        if name not in given and value is None:
            continue
        try:
            values[name] = option.check(value)
        except OptionError as error:
            reason = say("text.named", name=name, text=error)
            raise OptionError(say("text.named", name=owner, text=reason)) from None
        except (ValueError, TypeError, OverflowError):
            reason = say("option.must_be", name=name, allowed=option.allowed, value=shown(value))
            raise OptionError(say("text.named", name=owner, text=reason)) from None
    return MappingProxyType(values)


def whole_number(number: Any, what: str, low: int | None = None, high: int | None = None) -> int:
    """Return a whole number of Python or NumPy as an int.

    Raises UsageError, which says what it should be: `what` is a noun, such as "a seed".
    """
    try:
        whole = operator.index(number)
    except TypeError:
        whole = None
    if whole is None or _is_bool(number):
        raise UsageError(f"{what} is a whole number, not {shown(number, 60)}")
    if not _within(whole, low, high):
        limits = f"at least {low}" if high is None else f"from {low} to {high:,}"
        raise UsageError(f"{what} must be {limits}, not {shown(whole)}")
    return whole


class Described(Protocol):
    """The attributes of anything that forms show as an option."""

    @property
    def kind(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def allowed(self) -> str: ...
    @property
    def help(self) -> str: ...


def describe_option(name: str, option: Described) -> dict[str, Any]:
    """Return an option as data for forms and scripts, with limits and choices if it has any."""
    limits = {key: getattr(option, key, None) for key in _LIMITS}
    return {
        "name": name,
        "kind": option.kind,
        "default": option.default,
        "allowed": option.allowed,
        **{key: limit for key, limit in limits.items() if limit is not None},
        "help": option.help,
    }


def _is_bool(value: Any) -> bool:
    """Return whether a value is a bool of Python or NumPy."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")) == "bool"


def _within(number: float, low: float | None, high: float | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)


def _number(
    kind: str,
    low: float | None,
    high: float | None,
    above: float | None = None,
    below: float | None = None,
) -> Sentence:
    """Return the words for a number or whole number within limits."""
    least, most = (low if above is None else above), (high if below is None else below)
    if least is None and most is None:
        return say(f"allowed.{kind}")
    if above is None and low is not None and most is None:
        return say(f"allowed.{kind}_at_least", low=low)
    ends = ["above" * (above is not None) or "from" * (low is not None)]
    ends.append("to_below" * (below is not None) or "to" * (high is not None))
    code = f"allowed.range_{'_'.join(filter(None, ends))}"
    return say(f"allowed.{kind}_in", range=say(code, low=least, high=most))
