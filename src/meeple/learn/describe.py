"""A configuration in words: what each field may be, and the TOML file that documents itself.

Both are read off the models' own types and docstrings, so that neither can grow stale.
"""

import json
import textwrap
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

WIDTH = 100  # of a line of comment
_NUMBERS = {int: "a whole number", float: "a number"}


def allowed(field: FieldInfo) -> str:
    """What a field may be, such as "a whole number from 1 to 1000"."""
    return _words(field.annotation, _bounds(field.metadata))


def documented(model: BaseModel) -> str:
    """A model of sections as TOML text, every field present with its meaning and range.

    A field that is not set is a comment. Reading the text gives an equal model.
    """
    return "\n".join(_section(name, getattr(model, name)) for name in type(model).model_fields)


def _section(name: str, section: BaseModel) -> str:
    lines = [*_comment(type(section).__doc__ or ""), f"[{name}]"]
    for key, field in type(section).model_fields.items():
        value = getattr(section, key)
        default = "" if field.is_required() else f"; {_default(field)}"
        lines += ["", *_comment(f"{field.description} ({allowed(field)}{default})")]
        lines.append(f"# {key} =" if value is None else f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _default(field: FieldInfo) -> str:
    return "without by default" if field.default is None else f"by default {_toml(field.default)}"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent="# ",
        subsequent_indent="# ",
        break_on_hyphens=False,
    )


def _toml(value: Any) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


# ---------------------------------------------------------------- types in words


def _words(kind: Any, bounds: dict[str, float]) -> str:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _words(inner[0], bounds | _bounds(inner[1:]))
    if origin in (Union, UnionType):
        return ", or ".join(_words(part, bounds) for part in inner if part is not NoneType)
    if origin is Literal:
        return " or ".join(", ".join(map(str, inner)).rsplit(", ", 1))
    if kind is bool:
        return "true or false"
    if kind in _NUMBERS:
        return f"{_NUMBERS[kind]}{_range(bounds)}"
    if origin is list:
        return _listed(inner[0], bounds)
    if origin is tuple:
        if inner[-1] is Ellipsis:
            return f"a list of items, each {_words(inner[0], {})}"
        return f"[{', '.join(_words(part, {}) for part in inner)}]"
    if origin is dict:
        return "a table of numbers, texts, or true and false"
    return "a text"


def _listed(item: Any, bounds: dict[str, float]) -> str:
    if bounds.get("min_length") == bounds.get("max_length") == 2:
        return "[first, last] of such"
    return f"a list of {_words(item, {})}"


def _bounds(metadata: Any) -> dict[str, float]:
    """Limits by their names (ge, gt, le, lt, min_length, max_length) from a type's metadata."""
    names = ("ge", "gt", "le", "lt", "min_length", "max_length")
    found: dict[str, float] = {}
    for mark in metadata:
        inner = mark.metadata if isinstance(mark, FieldInfo) else [mark]
        for part in inner:
            found |= {name: getattr(part, name) for name in names if hasattr(part, name)}
    return {name: limit for name, limit in found.items() if limit is not None}


def _range(bounds: dict[str, float]) -> str:
    match bounds:
        case {"ge": low, "le": high}:
            return f" from {low} to {high}"
        case {"ge": low, "lt": high}:
            return f" from {low} up to below {high}"
        case {"gt": low, "le": high}:
            return f" above {low}, to {high}"
        case {"ge": low}:
            return f", {low} or more"
        case {"gt": low}:
            return f" above {low}"
    return ""
