"""The data of `meeple runs` as comma-separated values, a line for each run."""

import csv
import io
import time
import unicodedata
from collections.abc import Iterator
from typing import Any

from meeple.cli.train.runs_shown import plain

_SIDES = ("player", "opponent")  # of a match, which name its columns
_FORMULA = tuple("=+-@")  # a spreadsheet computes a cell that begins so


def csv_of(found: dict[str, Any]) -> str:
    """Return runs, or one run, as a line of column names and a line for each run.

    Args:
        found: what `meeple runs --json` prints. A value in a table has a column with the names on
            its way, such as "matches alone random share".
    """
    rows = [dict(_cells("", run)) for run in found.get("runs", [found])]
    heads = list(dict.fromkeys(head for row in rows for head in row))
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, heads, restval="", lineterminator="\n")
    writer.writerow({head: _inert(head) for head in heads})
    writer.writerows(rows)
    return text.getvalue()


def _cells(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the columns of a value and of all that is in it, each with its cell."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _cells(f"{name} {key}".strip(), inner)
    elif isinstance(value, list | tuple) and name.endswith(" interval"):
        yield from zip((f"{name} low", f"{name} high"), value, strict=True)
    elif isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value):
        for number, one in enumerate(value, start=1):
            sides = [one[side] for side in _SIDES if side in one]
            rest = {key: inner for key, inner in one.items() if key not in _SIDES}
            yield from _cells(" ".join([name, *(sides or [str(number)])]), rest)
    elif isinstance(value, list | tuple):
        if value:
            yield name, _inert("; ".join(map(str, value)))
    elif name == "changed":
        yield name, time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(value))
    else:
        yield name, _inert(value) if isinstance(value, str) else value


def _inert(text: str) -> str:
    """Return printable text with an apostrophe before what a spreadsheet would compute."""
    printable = plain(text)
    begins = unicodedata.normalize("NFKC", printable).lstrip().startswith(_FORMULA)
    return f"'{printable}" if begins else printable
