"""The data of `meeple runs` as comma-separated values, a line for each run."""

import csv
import io
import time
import unicodedata
from collections.abc import Iterator
from typing import Any

from meeple.cli.train.runs_shown import plain

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
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for number, one in enumerate(value, start=1):
            label = f"{one['player']} {one['opponent']}" if "opponent" in one else number
            yield from _cells(f"{name} {label}", one)
    elif name.endswith("interval"):
        yield from ((f"{name} {end}", one) for end, one in zip(("low", "high"), value, strict=True))
    elif name == "changed":
        yield name, time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(value))
    elif isinstance(value, list | tuple):
        yield name, _inert("; ".join(map(str, value)))
    else:
        yield name, _inert(value) if isinstance(value, str) else value


def _inert(text: str) -> str:
    """Return printable text with an apostrophe before what a spreadsheet would compute."""
    printable = plain(text)
    begins = unicodedata.normalize("NFKC", printable).lstrip().startswith(_FORMULA)
    return f"'{printable}" if begins else printable
