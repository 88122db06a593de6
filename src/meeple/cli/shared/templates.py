"""Files that `meeple new-game` and `meeple new-plugin` write, from templates with @fields@."""

import keyword
from collections.abc import Mapping
from pathlib import Path

from meeple.errors import UsageError
from meeple.games.contract.registry import ensure_name, game_names

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


def name_fields(name: str) -> dict[str, str]:
    """Return the fields of templates that follow from the name of a new game.

    Raises:
        UsageError: the name is invalid or belongs to another game.
    """
    ensure_name(name)
    if name in game_names():
        raise UsageError(f"there is a game called {name} already")
    file = name.replace("-", "_")
    if keyword.iskeyword(file):
        raise UsageError(f"'{name}' is a keyword of Python: choose another name")
    return {
        "name": name,
        "file": file,
        "Title": name.replace("-", " ").capitalize(),
        "Class": "".join(part.capitalize() for part in name.split("-")),
    }


def write_templates(templates: Mapping[Path, Path], fields: Mapping[str, str]) -> None:
    """Write a file from each template.

    Raises:
        UsageError: one of the files exists; then nothing is written.
    """
    for target in templates:
        if target.exists():
            raise UsageError(f"{target} exists already: nothing was written")
    for target, template in templates.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filled(template.read_text(encoding="utf-8"), fields), encoding="utf-8")


def filled(text: str, fields: Mapping[str, str]) -> str:
    """Return a template's text with the values of its fields."""
    for word, value in fields.items():
        text = text.replace(f"@{word}@", value)
    return text
