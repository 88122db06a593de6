"""Descriptions of a configuration: each field as an option, and the whole as documented TOML.

Both are derived from the types and docstrings of the models.
"""

import json
import textwrap
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from meeple.options import Choice, Flag, Integer, Number, Text
from meeple.sentences import say

COMMENT_WIDTH = 100  # characters


@dataclass(frozen=True)
class Structure:
    """An option whose value is a list or a table, or a number or a list (a schedule)."""

    kind: ClassVar[str] = "list"
    default: Any
    allowed: str
    help: str


@dataclass(frozen=True)
class Notation:
    """Metadata of a string type: what is allowed, as a phrase for messages."""

    allowed: str


FieldOption = Integer | Number | Flag | Choice | Text | Structure


def as_option(field: FieldInfo) -> FieldOption:
    """Describe a field by its type, limits and docstring. Its values are checked by pydantic."""
    default = None if field.is_required() else field.default
    words = " ".join((field.description or "").split())
    return _option(field.annotation, _limits(field.metadata), default, words)


def documented(model: BaseModel) -> str:
    """Return a configuration as TOML text: every field with its meaning, range and default.

    A field that is None is commented out, and a section that is None is omitted. Parsing the text
    gives an equal model.
    """
    sections = {name: getattr(model, name) for name in type(model).model_fields}
    return "\n".join(_section(name, part) for name, part in sections.items() if part is not None)


def _section(name: str, section: BaseModel) -> str:
    lines = [*_comment(type(section).__doc__ or ""), f"[{name}]"]
    for key, field in type(section).model_fields.items():
        value, option = getattr(section, key), as_option(field)
        default = "" if field.is_required() else f"; {_default(field)}"
        lines += ["", *_comment(f"{option.help} ({option.allowed}{default})")]
        lines.append(f"# {key} =" if value is None else f"{key} = {toml(value)}")
    return "\n".join(lines) + "\n"


def _default(field: FieldInfo) -> str:
    return "not set by default" if field.default is None else f"by default {toml(field.default)}"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        COMMENT_WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_on_hyphens=False,
    )


def toml(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


# ---------------------------------------------------------------- types as options


def _option(kind: Any, limits: dict[str, Any], default: Any = None, words: str = "") -> FieldOption:
    """Return the option of a type; `words` are its help."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _option(inner[0], limits | _limits(inner[1:]), default, words)
    if origin in (Union, UnionType):
        parts = [_option(part, limits, default, words) for part in inner if part is not NoneType]
        if len(parts) == 1:
            return parts[0]
        allowed = parts[0].allowed
        for part in parts[1:]:
            allowed = say("allowed.or", allowed=allowed, other=part.allowed)
        return Structure(default, allowed, words)
    if origin is Literal:
        return Choice(default, inner, words)
    if kind is bool:
        return Flag(default, words, allowed=say("allowed.true_or_false"))
    low, high = limits.get("ge"), limits.get("le")
    if kind is int:
        return Integer(default, low, high, words)
    if kind is float:
        return Number(default, low, high, words, above=limits.get("gt"), below=limits.get("lt"))
    if kind is str:
        return Text(default, limits.get("allowed", say("allowed.string")), str, words)
    return Structure(default, _structure(origin, inner, limits), words)


def _structure(origin: Any, inner: tuple[Any, ...], limits: dict[str, Any]) -> str:
    """Return a phrase for the lists or tables that are allowed."""
    if origin is dict:
        return say("allowed.table_of_values")
    if not inner:  # a model
        return say("allowed.table")
    items = [_option(item, {}).allowed for item in inner if item is not Ellipsis]
    if origin is tuple and inner[-1] is not Ellipsis:
        return say("allowed.items", list=items)
    if limits.get("min_length") == limits.get("max_length") == 2:
        return say("allowed.first_last", item=items[0])
    if "max_length" not in limits:
        return say("allowed.list", item=items[0])
    return say("allowed.list_up_to", n=limits["max_length"], item=items[0])


def _limits(metadata: Any) -> dict[str, Any]:
    """Return limits by name (ge, gt, le, lt, min_length, max_length) from the metadata of a type.

    For a string with a `Notation`, also its `allowed`.
    """
    names = ("ge", "gt", "le", "lt", "min_length", "max_length", "allowed")
    found: dict[str, Any] = {}
    for mark in metadata:
        inner = mark.metadata if isinstance(mark, FieldInfo) else [mark]
        for part in inner:
            found |= {name: getattr(part, name) for name in names if hasattr(part, name)}
    return {name: limit for name, limit in found.items() if limit is not None}
