"""Results as tables: HTML for notebooks, and data frames of pandas."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from meeple.extras import need


def html_table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Return a table as HTML; all texts are escaped.

    Args:
        heads: of the columns.
        rows: the cells of each row.
        caption: a line above the table.
    """

    def cells(kind: str, texts: Iterable[str]) -> str:
        inner = "".join(f"<{kind}>{html.escape(text)}</{kind}>" for text in texts)
        return f"<tr>{inner}</tr>"

    above = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    body = "".join(cells("td", row) for row in rows)
    head = cells("th", heads)
    return f"<table>{above}<thead>{head}</thead><tbody>{body}</tbody></table>"


def data_frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return rows as a `pandas.DataFrame`, with a column for each key.

    Raises:
        UsageError: pandas is not installed.
    """
    need("pandas", "to_pandas")
    import pandas

    return pandas.DataFrame(list(rows))
