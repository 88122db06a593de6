"""The options of a game: what each may be, its default, and the check of a value a user gave."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from meeple.errors import OptionError

OptionValue = int | bool | str

_TRUE = ("true", "on", "yes", "1")
_FALSE = ("false", "off", "no", "0")


@dataclass(frozen=True)
class Integer:
    """A whole number from `low` to `high`."""

    default: int
    low: int
    high: int
    help: str

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: Any) -> int:
        """The value as an int; raises ValueError where it is not allowed."""
        number = int(value) if isinstance(value, str) else value
        whole = isinstance(number, int) and not isinstance(number, bool)
        if not whole or not self.low <= number <= self.high:
            raise ValueError
        return int(number)


@dataclass(frozen=True)
class Flag:
    """On or off."""

    default: bool
    help: str

    @property
    def allowed(self) -> str:
        return "on or off"

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

    default: str
    choices: tuple[str, ...]
    help: str

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(self.choices)

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

    default: str
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


Option = Integer | Flag | Choice | Text


def check_options(
    game: str, declared: Mapping[str, Option], given: Mapping[str, Any]
) -> Mapping[str, OptionValue]:
    """All options of a game with their values, those not given at their defaults.

    Raises OptionError that names a wrong option or value and what is allowed.
    """
    for name in given:
        if name not in declared:
            known = ", ".join(declared) or "none"
            raise OptionError(f"{game} has no option '{name}'; its options: {known}")
    values: dict[str, OptionValue] = {}
    for name, option in declared.items():
        value = given.get(name, option.default)
        try:
            values[name] = option.check(value)
        except OptionError as error:
            raise OptionError(f"{game}: {name}: {error}") from None
        except (ValueError, TypeError):
            raise OptionError(f"{game}: {name} must be {option.allowed}, not {value!r}") from None
    return MappingProxyType(values)
