"""Sentences with codes: English for the terminal, and data for a page in another language.

`say("catan.rolled", who=..., n=...)` is the English text of `languages/en/server.json`, and knows
its code and fields. What is made of it by an f-string is a plain text; so a sentence with others in
it is made by `say` again, with them as fields. A list is set with commas.
"""

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

LANGUAGES = Path(__file__).parent / "languages"  # a folder for each language
SENTENCES = "sentences"  # in an object: the code and fields of the sentences in it, by their texts


class Sentence(str):
    """An English text with its code and fields.

    Attributes:
        code: a stable name, such as "catan.rolled".
        fields: what fills the places of the text: numbers, texts that are the same in all
            languages, sentences, and lists of these.
    """

    code: str
    fields: Mapping[str, Any]

    def __new__(cls, text: str, code: str, fields: Mapping[str, Any] | None = None) -> "Sentence":
        """Return the text with its code and fields."""
        made = super().__new__(cls, text)
        made.code, made.fields = code, fields or {}
        return made

    def __str__(self) -> str:
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return "".join(self), self.code, self.fields

    def to_json(self) -> dict[str, Any]:
        """Return the sentence as data."""
        return {"code": self.code, "text": self, "fields": _data_of(self.fields)}


def say(code: str, /, **fields: Any) -> Sentence:
    """Return the sentence of a code of `languages/en/server.json`, with its places filled.

    The sentence keeps the fields that have a place, and so tells no more than its text. A number
    whose place has no format is shown by `plain`.
    """
    template, formats = _template(code)
    shown = dict(fields)
    for name, value in fields.items():
        if isinstance(value, list | tuple):
            shown[name] = ", ".join(map(str, value))
        elif isinstance(value, Exception):
            shown[name] = fields[name] = str(value)
        elif isinstance(value, int | float) and not formats.get(name):
            shown[name] = plain(value)
        elif isinstance(value, float):
            fields[name] = float(format(value, formats[name]).replace(",", ""))
    kept = {name: value for name, value in fields.items() if name in formats}
    return Sentence(template.format(**shown), code, kept)


@functools.cache
def _template(code: str) -> tuple[str, dict[str, str]]:
    """Return the English text of a code, and its places with the formats of numbers, or ""."""
    template = english("server")[code]
    parts = Formatter().parse(template)
    return template, {name: form or "" for _, name, form, _ in parts if name}


def plain(number: float) -> str:
    """Return a number as English text: 0.001, 1000, 1,000,000."""
    return f"{number:,.0f}" if number >= 1_000_000 else f"{number:g}"


def counted(n: int, what: str) -> Sentence:
    """Return a number of things that the texts with "count." have: `1 game`, `2 games`."""
    return say(f"count.{what}{'s' * (n != 1)}", n=n)


def in_turn(parts: Sequence[str]) -> str:
    """Return sentences as one: with semicolons between them."""
    first, *rest = parts
    return say("text.then", first=first, rest=in_turn(rest)) if rest else first


def one_of(names: Sequence[str]) -> str:
    """Return names as alternatives: `a1, b2 or c3`."""
    *others, last = names
    return say("text.or", list=others, last=last) if others else last


@functools.cache
def english(file: str) -> dict[str, str]:
    """Return the English texts of a file of the languages, by their codes."""
    texts: dict[str, str] = json.loads((LANGUAGES / "en" / f"{file}.json").read_text("utf-8"))
    return texts


def as_json(data: Any) -> str:
    """Return data as JSON text, fast, with the sentences of an object as its `SENTENCES`.

    Raises:
        ValueError: The data contain NaN or infinity.
    """
    said = sentences_in(data) if isinstance(data, dict) else None
    if said:
        data = {**data, SENTENCES: said}
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def from_json(text: str | bytes) -> Any:
    """Return the data of a JSON text of `as_json`."""
    return with_sentences(json.loads(text))


def sentences_in(data: Any) -> dict[str, dict[str, Any]]:
    """Return the code and fields of each sentence in JSON data, by its text."""
    return {
        one: {"code": one.code, "fields": _data_of(one.fields)}
        for one in _texts(data)
        if isinstance(one, Sentence)
    }


def with_sentences(data: Any) -> Any:
    """Return an object without its `SENTENCES`, with these in place of their texts."""
    if not isinstance(data, dict) or SENTENCES not in data:
        return data
    return _replaced(data, data.pop(SENTENCES))


def _replaced(data: Any, said: Mapping[str, Mapping[str, Any]]) -> Any:
    if isinstance(data, str) and data in said:
        return _revived({**said[data], "text": data})
    if isinstance(data, dict):
        return {key: _replaced(value, said) for key, value in data.items()}
    return [_replaced(one, said) for one in data] if isinstance(data, list) else data


def with_replaced(value: Any, old: str, new: str) -> Any:
    """Return a text or sentence with another text in place of one, also in its fields."""
    if isinstance(value, list | tuple):
        return [with_replaced(one, old, new) for one in value]
    if not isinstance(value, str):
        return value
    text = "".join(value).replace(old, new)
    if not isinstance(value, Sentence):
        return text
    fields = {name: with_replaced(one, old, new) for name, one in value.fields.items()}
    return Sentence(text, value.code, fields)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list | tuple):
        for one in data:
            yield from _texts(one)


def _data_of(value: Any) -> Any:
    """Return a field, or fields, as JSON data."""
    if isinstance(value, Sentence):
        return value.to_json()
    if isinstance(value, Mapping):
        return {name: _data_of(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_data_of(one) for one in value]
    if hasattr(value, "item"):  # a number of NumPy
        return value.item()
    return value if isinstance(value, int | float) else str(value)


def _revived(value: Any) -> Any:
    """Return a field of its JSON data."""
    if isinstance(value, list):
        return [_revived(one) for one in value]
    if isinstance(value, dict):
        fields = {name: _revived(one) for name, one in value["fields"].items()}
        return Sentence(value["text"], value["code"], fields)
    return value
