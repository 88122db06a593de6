"""Where a game's patterns lie on its board, and which entries of their tables share a weight.

A cell has a digit: 0 without an owner, 1 for the player to move, 2 for the opponent. An entry of a
pattern's table is the number with these digits, the group's first cell as the lowest digit.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.patterns import Cells, HasPatterns, Patterns

MAX_CELLS = 12  # of a pattern: its table has 3**12 entries

Indices = npt.NDArray[np.int32]


class PatternLayout(NamedTuple):
    """All groups of cells on the board, and the weights of their tables' entries.

    Mirrored entries of a group that a symmetry maps onto itself share a weight.
    """

    groups: list[Cells]  # one for each placement
    first_entry: Indices  # [placements] of the placement's table among all entries
    weight_of: Indices  # [entries] the weight of each entry
    weights: int  # number of different weights of a stage
    stage_of: Indices  # [cells + 1] the stage, by the number of cells with an owner


def layout_of(game: Game) -> PatternLayout:
    """Return the layout of a game's patterns.

    Raises:
        UsageError: the game declares no patterns, declares them wrongly, or its seats differ.
    """
    if not isinstance(game, HasPatterns):
        raise UsageError(f"{game.name} declares no patterns to evaluate positions by")
    declared = game.patterns()
    permutations = _cell_permutations(game)
    _check_seats(game, declared)
    groups: list[Cells] = []
    first_entry: list[int] = []
    tables: list[Indices] = []
    entries = weights = 0
    for placements in declared.placements:
        _check(game, placements)
        length = len(placements[0])
        images = (
            tuple(int(permutation[cell]) for cell in placement)
            for placement in placements
            for permutation in permutations
        )
        placed, orders = _placed(images)
        table, count = _shared(length, orders)
        groups += placed
        first_entry += [entries] * len(placed)
        tables.append(table + np.int32(weights))
        entries += 3**length
        weights += count
    share = np.arange(game.num_cells + 1) / (game.num_cells + 1)
    return PatternLayout(
        groups=groups,
        first_entry=np.array(first_entry, np.int32),
        weight_of=np.concatenate(tables),
        weights=weights,
        stage_of=(share * declared.stages).astype(np.int32),
    )


def _cell_permutations(game: Game) -> list[npt.NDArray[np.intp]]:
    """Return [cells] the cell that moves to each cell, by every symmetry and the identity."""
    cells = np.arange(game.num_cells)
    found = [cells, *(symmetry.observation[: game.num_cells] for symmetry in game.symmetries())]
    if any(not np.array_equal(np.sort(permutation), cells) for permutation in found):
        raise UsageError(
            f"{game.name}: the first {game.num_cells} numbers of the observation must be those of "
            "the cells, for the symmetries to place patterns"
        )
    return found


def _check_seats(game: Game, declared: Patterns) -> None:
    seats = list(range(game.players))
    exchanged = any(symmetry.player.tolist() != seats for symmetry in game.symmetries())
    if exchanged and not declared.seats_alike:
        raise UsageError(
            f"{game.name}: its symmetries exchange the seats, and patterns rate a board for both "
            "by the same weights; set `seats_alike` if a board with all owners exchanged is worth "
            "as much to the other seat, and do not evaluate by patterns otherwise"
        )


def _check(game: Game, placements: Sequence[Cells]) -> None:
    lengths = {len(placement) for placement in placements}
    if len(lengths) != 1 or not 1 <= min(lengths) <= MAX_CELLS:
        raise UsageError(
            f"{game.name}: the placements of a pattern have one length, from 1 to {MAX_CELLS} cells"
        )
    for placement in placements:
        if len(set(placement)) < len(placement) or not set(placement) <= set(range(game.num_cells)):
            raise UsageError(
                f"{game.name}: a placement has different cells from 0 to {game.num_cells - 1}, "
                f"not {placement}"
            )


def _placed(images: Iterable[Cells]) -> tuple[list[Cells], set[Cells]]:
    """Return the first image on each set of cells, and the orders of all other images.

    An order says which place of the first image each cell of the other image has.
    """
    first: dict[frozenset[int], Cells] = {}
    orders: set[Cells] = set()
    for image in images:
        known = first.setdefault(frozenset(image), image)
        orders.add(tuple(known.index(cell) for cell in image))
    return list(first.values()), orders


def _shared(length: int, orders: set[Cells]) -> tuple[Indices, int]:
    """Return the weight of each entry of a table, and the number of weights.

    Args:
        length: the number of cells of the pattern.
        orders: the orders in which symmetries list the cells of a group; entries that differ by
            one of them share a weight.
    """
    entries = np.arange(3**length)
    digits = entries[:, None] // 3 ** np.arange(length) % 3  # [entries, length]
    lowest = entries.copy()
    while True:
        before = lowest.copy()
        for order in orders:
            image = digits[:, list(order)] @ 3 ** np.arange(length)
            lowest = np.minimum(lowest, lowest[image])
            np.minimum.at(lowest, image, lowest.copy())
        if (lowest == before).all():
            break
    kept, weight_of = np.unique(lowest, return_inverse=True)
    return weight_of.astype(np.int32), len(kept)


def exchanged(layout: PatternLayout) -> Indices:
    """Return [entries] the entry that each becomes when the players exchange their cells."""
    found = np.zeros(len(layout.weight_of), np.int32)
    lengths = dict(zip(layout.first_entry.tolist(), map(len, layout.groups), strict=True))
    for first, length in lengths.items():
        entries = np.arange(3**length)
        digits = entries[:, None] // 3 ** np.arange(length) % 3
        found[first + entries] = first + np.array([0, 2, 1])[digits] @ 3 ** np.arange(length)
    return found
