"""Set-up stones of a game in SGF: AB, AW, AE and PL before the first move.

Stones that players could have placed in turn are moves; all others are a board from which the game
begins (the option `board`). Points may be rectangles, `aa:cc`.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from meeple.errors import MeepleError
from meeple.games.contract.set_up import board_text, four_discs
from meeple.protocols.records.sgf_dialect import cells_of
from meeple.sentences import say

COLOURS = ("B", "W")
MAX_SET_UP_NODES = 100  # of a game; each may set up the whole board
_KEYS = {"AE": -1, "AB": 0, "AW": 1}  # the seat whose stones a property sets up

Node = Mapping[str, list[bytes]]


class SetUp(NamedTuple):
    """The set-up of a game."""

    first: str = "B"  # the colour that moves first, stones in turn included
    stones: tuple[int, ...] = ()  # cells in an order in which players can place them
    board: str = ""  # the option `board`; "" for the usual board


def has_stones(node: Node) -> bool:
    """Return whether a node sets up or removes stones."""
    return any(key in node for key in _KEYS)


def set_up(nodes: Sequence[Node], game: str, size: int, mover: str) -> SetUp:
    """Return the set-up of the nodes before the first move and of the first move's node.

    Args:
        nodes: in order.
        game: its name.
        size: cells along a side.
        mover: the colour of the first move; "" without one.

    Raises:
        MeepleError: a point is not on the board or set up twice, or there are too many nodes.
    """
    said = [
        node["PL"][0].strip()[:1].upper().decode("ascii", "replace")
        for node in nodes
        if "PL" in node
    ]
    player = next((word for word in reversed(said) if word in COLOURS), "")
    changing = [node for node in nodes if has_stones(node)]
    if len(changing) > MAX_SET_UP_NODES:
        raise MeepleError(say("record.more_than_nodes_set", n=MAX_SET_UP_NODES))
    owners: dict[int, int] = {}  # in the order of the file
    if game == "reversi" and not any(key in node for node in changing for key in ("AB", "AW")):
        owners = _four_discs(size)
    for node in changing:
        for cell, owner in _changes(node, game, size):
            owners.pop(cell, None)
            if owner >= 0:
                owners[cell] = owner
    if game == "reversi":
        return _discs(owners, size, mover, player)
    return _in_turn(owners, size, mover or player)


def _changes(node: Node, game: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the cells that a node changes, in the order of the file, each with its new owner."""
    before = 0
    for key, owner in _KEYS.items():
        found = 0
        for value in node.get(key, ()):
            cells = cells_of(game, value.decode("utf-8", "replace"), size)
            shown = f"set-up {key}[{value[:20].decode('utf-8', 'replace')}]"
            if not cells:
                no_cell = say("record.there_is_no_such", n=size, n2=size)
                raise MeepleError(say("record.at", where=shown, reason=no_cell))
            if cells & before:
                raise MeepleError(say("record.at", where=shown, reason=say("record.set_up_twice")))
            yield from ((cell, owner) for cell in bits(cells & ~found))
            found |= cells
        before |= found


def bits(cells: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, in ascending order."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def _four_discs(size: int) -> dict[int, int]:
    return {cell: owner for cell, owner in enumerate(four_discs(size).owners) if owner >= 0}


def _discs(owners: dict[int, int], size: int, mover: str, player: str) -> SetUp:
    """Return the set-up of Reversi; files may set up one colour of the first four discs, or both.

    `mover` is the colour of the first move, `player` that of PL.
    """
    four = _four_discs(size)
    usual = all(
        not (mine := _cells(owners, seat)) or set(mine) == set(_cells(four, seat))
        for seat in (0, 1)
    )
    if usual and player in ("", "B"):
        return SetUp()
    return SetUp("B", (), _text(four if usual else owners, size, mover or player or "B"))


def _cells(owners: Mapping[int, int], seat: int) -> list[int]:
    return [cell for cell, owner in owners.items() if owner == seat]


def _in_turn(owners: dict[int, int], size: int, mover: str) -> SetUp:
    """Return stones as moves if players could place them in turn; and the board of them."""
    if not owners:
        return SetUp(mover or "B")
    black, white = _cells(owners, 0), _cells(owners, 1)
    more = (len(black) > len(white)) - (len(black) < len(white))
    first = {1: "B", -1: "W", 0: mover or "B"}[more]
    usual_mover = first if not more else "W" if first == "B" else "B"
    fewer = "W" if len(black) > len(white) else "B"
    board = _text(owners, size, mover or fewer)
    if abs(len(black) - len(white)) > 1 or mover not in ("", usual_mover):
        return SetUp("B", (), board)
    pairs = itertools.zip_longest(*((black, white) if first == "B" else (white, black)))
    return SetUp(first, tuple(cell for pair in pairs for cell in pair if cell is not None), board)


def _text(owners: Mapping[int, int], size: int, mover: str) -> str:
    cells = tuple(owners.get(cell, -1) for cell in range(size * size))
    return board_text(cells, COLOURS.index(mover))
