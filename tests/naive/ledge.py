"""Ledge by brute force on plain strings, without the package's code."""

from functools import cache
from itertools import combinations


def moves(row: str) -> dict[str, str | None]:
    """Return each move's name and resulting row, or None if it takes the gold."""
    found: dict[str, str | None] = {}
    if row[0] != "0":
        found["pick"] = None if row[0] == "2" else "0" + row[1:]
    for cell, coin in enumerate(row):
        target = cell - 1
        while coin != "0" and target >= 0 and row[target] == "0":
            cells = list(row)
            cells[cell], cells[target] = "0", coin
            found[f"{cell}-{target}"] = "".join(cells)
            target -= 1
    return found


@cache
def wins(row: str) -> bool:
    """Return whether the player to move wins."""
    return any(after is None or not wins(after) for after in moves(row).values())


def winning_moves(row: str) -> set[str]:
    return {name for name, after in moves(row).items() if after is None or not wins(after)}


def rows(length: int, coppers: int) -> list[str]:
    """Return every row with one gold coin and `coppers` copper coins."""
    return [
        "".join("2" if i == gold else "1" if i in cells else "0" for i in range(length))
        for cells in combinations(range(length), coppers + 1)
        for gold in cells
    ]
