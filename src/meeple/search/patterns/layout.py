"""Where a game's patterns lie on its board, and which entries of their tables share a weight.

A cell's digit is its content. An entry of a pattern's table is the number with the digits of its
cells, to the base of the number of contents, the first cell as the lowest digit.

A *view* is the seat to move; in games of more than two players, the seat to move and a seat that
is evaluated. Each view has weights of its own, unless two seats are alike, because the game says so
or a symmetry exchanges them. Then an entry shares the weight of its image in the other view.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import Cells, HasPatterns, Patterns
from meeple.search.patterns.contents import BOTH_SEATS, Contents

MAX_ENTRIES = 3**12  # of a table
MAX_WEIGHTS = 2**23  # of all tables, stages and views: 32 MB

Indices = npt.NDArray[np.int32]


class PatternLayout(NamedTuple):
    """All groups of cells on the board, and the weights of their tables' entries."""

    contents: Contents
    groups: list[Cells]  # one for each placement
    pattern_of: list[int]  # [placements] the number of the placement's pattern
    first_entry: Indices  # [placements] of the placement's table among all entries
    weight_of: Indices  # [views, entries] the weight of each entry
    weights: int  # number of different weights of a stage
    stage_of: Indices  # [cells + 1] the stage, by the number of cells that are not empty


class Move(NamedTuple):
    """A symmetry of the board: the cell that moves to each cell, and whether seats change."""

    cells: npt.NDArray[np.intp]  # [cells]
    exchanges: bool


class _Placed(NamedTuple):
    """The images of a pattern: groups of cells, read as they are or with contents exchanged."""

    groups: dict[frozenset[int], tuple[Cells, bool]]
    orders: set[tuple[Cells, bool]]
    """Orders of a group's cells in which entries share a weight, if True with contents and view
    exchanged."""


def views_of(players: int) -> int:
    """Return the number of views of a game."""
    return BOTH_SEATS if players == BOTH_SEATS else players * players


def layout_of(
    game: Game, declared: Patterns | None = None, contents: Contents | None = None
) -> PatternLayout:
    """Return the layout of patterns.

    Args:
        game: the game.
        declared: the patterns; by default those that the game declares.
        contents: how contents are read; by default as the game says.

    Raises:
        UsageError: there are no patterns, they do not fit the board, or they have too many weights.
    """
    if declared is None:
        if not isinstance(game, HasPatterns):
            raise UsageError(f"{game.name} declares no patterns to evaluate positions by")
        declared = game.patterns()
    contents = contents or Contents.of(game)
    if declared.seats_alike and contents.exchanged is None:
        raise UsageError(f"{game.name}: seats_alike needs two players and exchanged_contents")
    moves = moves_of(game, contents)
    groups, pattern_of = list[Cells](), list[int]()
    first_entry, tables, entries, weights = list[int](), [], 0, 0
    for pattern, placements in enumerate(declared.placements):
        length = _checked_length(game, contents, placements)
        placed = _placed(placements, moves, declared.seats_alike)
        table = _shared(length, contents, views_of(game.players), placed.orders) + np.int32(weights)
        weights = int(table.max()) + 1
        _check_weights(game, declared, weights)
        tables.append(table)
        if any(exchanged for _, exchanged in placed.groups.values()):
            tables.append(table[::-1, _images(length, contents, range(length), True)])
        for group, exchanged in placed.groups.values():
            groups.append(group)
            pattern_of.append(pattern)
            first_entry.append(entries + table.shape[1] * exchanged)
        entries = sum(table.shape[1] for table in tables)
    share = np.arange(contents.cells + 1) / (contents.cells + 1)
    return PatternLayout(
        contents=contents,
        groups=groups,
        pattern_of=pattern_of,
        first_entry=np.array(first_entry, np.int32),
        weight_of=np.concatenate(tables, axis=1),
        weights=weights,
        stage_of=(share * declared.stages).astype(np.int32),
    )


def moves_of(game: Game, contents: Contents) -> list[Move]:
    """Return the identity, and every symmetry that moves the cells of all planes it reads alike.

    A symmetry that exchanges seats is left out if it is unknown how it exchanges contents.
    """
    cells = np.arange(contents.cells)
    found = [Move(cells, False)]
    for symmetry in game.symmetries() if game.num_features >= contents.cells else ():
        whole = symmetry.observation[: game.num_features // contents.cells * contents.cells]
        moved = whole.reshape(-1, contents.cells)[list(contents.planes or (0,))] % contents.cells
        exchanges = symmetry.player.tolist() != [*range(game.players)]
        known = not exchanges or (contents.exchanged is not None and game.players == BOTH_SEATS)
        if known and (moved == moved[0]).all() and np.array_equal(np.sort(moved[0]), cells):
            found.append(Move(moved[0], exchanges))
    return found


def _checked_length(game: Game, contents: Contents, placements: Sequence[Cells]) -> int:
    lengths = {len(placement) for placement in placements}
    most = int(np.log(MAX_ENTRIES + 0.5) / np.log(contents.count))
    if len(lengths) != 1 or not 1 <= min(lengths) <= most:
        raise UsageError(
            f"{game.name}: the placements of a pattern have one length, from 1 to {most} cells "
            f"with {contents.count} contents"
        )
    for placement in placements:
        if len(set(placement)) < len(placement) or not set(placement) <= {*range(contents.cells)}:
            raise UsageError(
                f"{game.name}: a placement has different cells from 0 to {contents.cells - 1}, "
                f"not {placement}"
            )
    return int(min(lengths))


def _check_weights(game: Game, declared: Patterns, weights: int) -> None:
    if weights * declared.stages > MAX_WEIGHTS:
        raise UsageError(
            f"{game.name}: its patterns have more than {MAX_WEIGHTS:,} weights in "
            f"{declared.stages} stages: declare fewer patterns, shorter ones or fewer stages"
        )


def _placed(placements: Sequence[Cells], moves: Sequence[Move], alike: bool) -> _Placed:
    """Place a pattern by every symmetry.

    Args:
        placements: as declared.
        moves: the symmetries.
        alike: whether exchanged contents are worth the same to the other seat on the same cells.
    """
    groups: dict[frozenset[int], tuple[Cells, bool]] = {}
    orders: set[tuple[Cells, bool]] = set()
    for placement in placements:
        for move in moves:
            image = tuple(int(move.cells[cell]) for cell in placement)
            exchanged = move.exchanges and not alike
            group, read = groups.setdefault(frozenset(image), (image, exchanged))
            orders.add((tuple(group.index(cell) for cell in image), read != exchanged))
    if alike:
        orders.add((tuple(range(len(placements[0]))), True))
    return _Placed(groups, orders)


def _shared(
    length: int, contents: Contents, views: int, orders: set[tuple[Cells, bool]]
) -> Indices:
    """Return [views, entries] the weight of each entry of a table, numbered from 0.

    Args:
        length: the number of cells of the pattern.
        contents: of the cells.
        views: number of views.
        orders: see `_Placed`.
    """
    entries = contents.count**length
    lowest = np.arange(views * entries).reshape(views, entries)
    while True:
        before = lowest.copy()
        for order, exchanges in orders:
            image = _images(length, contents, order, exchanges)
            flat = np.arange(views)[:: -1 if exchanges else 1, None] * entries + image
            lowest = np.minimum(lowest, lowest.ravel()[flat])
            np.minimum.at(lowest.reshape(-1), flat, lowest.copy())
        if (lowest == before).all():
            break
    _, weight_of = np.unique(lowest, return_inverse=True)
    return weight_of.reshape(views, entries).astype(np.int32)


def _images(
    length: int, contents: Contents, order: Sequence[int], exchanges: bool
) -> npt.NDArray[np.intp]:
    """Return [entries] the entry with the cells of each in an order, or contents exchanged too."""
    powers = contents.count ** np.arange(length)
    digits = np.arange(contents.count**length)[:, None] // powers % contents.count
    if exchanges:
        digits = np.array(contents.exchanged)[digits]
    image: npt.NDArray[np.intp] = digits[:, list(order)] @ powers
    return image
