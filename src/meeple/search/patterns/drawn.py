"""Patterns that are drawn for a game that declares none: lines and walks over its board.

All straight lines of five cells are patterns, or shorter ones if these had too many weights. A walk
begins at a random cell and goes on to one of the eight neighbours of its last cell or, in three of
ten steps, of an earlier one (like the n-tuples of Thill, Koch and Konen, "Reinforcement learning
with n-tuples on the game Connect-4", 2012). Cells that never change are left out.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from meeple.errors import CheckpointError, UsageError
from meeple.games.boards.shape import Shape, grid
from meeple.games.contract.game import Game, Position
from meeple.games.contract.patterns import Cells, Patterns
from meeple.kernels import CONTENTS, OBSERVE, OWNERSHIP
from meeple.search.patterns.contents import (
    MAX_CODES,
    MAX_CONTENTS,
    SIGNS,
    Contents,
    combinations,
    contents_of,
    sampled_positions,
)
from meeple.search.patterns.layout import Move, moves_of, views_of

LINE_CELLS = 5
LINE_WEIGHTS = 400_000  # of all lines and views
WALK_CELLS = 8  # of a walk, fewer where a table would have more entries than:
WALK_ENTRIES = 20_000
MIN_CHANGES = 10  # of each cell, on average, to take cells without any for dead
MIN_USES = 4  # walks that a cell should be part of, on average; longer walks would be too few
BRANCHING = 0.3  # probability that a step begins at an earlier cell of the walk
MAX_WEIGHTS = 2_000_000  # of all patterns and views
PLACEMENTS, PLACEMENTS_PER_CELL = 100, 1  # of walks, at least, images by symmetries included
LARGEST = float(np.finfo(np.float32).max)
MAX_GROUPS, MAX_CELLS = 20_000, 100_000  # of all patterns, and of a board

_KERNELS = {"contents": CONTENTS, "ownership": OWNERSHIP, "observe": OBSERVE}


@dataclass(frozen=True)
class Drawn:
    """Patterns that were drawn, with the contents that they are made of."""

    patterns: Patterns
    contents: Contents

    @classmethod
    def for_game(cls, game: Game, seed: int, stages: int = 1) -> Self:
        """Draw patterns for a game.

        Args:
            game: a game with a board.
            seed: of the walks.
            stages: as in `Patterns`.

        Raises:
            UsageError: the game has no board that patterns can read.
        """
        sampled = sampled_positions(game)
        contents = Contents.of(game, sampled)
        if contents.cells > MAX_CELLS:
            raise UsageError(
                f"{game.name} has more than {MAX_CELLS:,} cells, too many for patterns"
            )
        live, moves = _live(game, contents, sampled), moves_of(game, contents)
        shape = _shape(game, contents.cells)
        groups, left = dict[frozenset[int], Cells](), MAX_WEIGHTS
        for length in range(LINE_CELLS, 1, -1):
            lines = _lines(shape, live, length, moves)
            weights = len(lines) * _entries(game, contents, length)
            if 0 < weights <= LINE_WEIGHTS and len(lines) <= MAX_GROUPS // 2:
                groups |= {frozenset(line): line for line in lines}
                left -= weights
                break
        length, walks = _walk_size(game, contents, len(live), len(moves), left)
        most = min(len(groups) + walks, MAX_GROUPS)
        for walk in itertools.islice(_walks(shape, live, length, seed), 2 * walks):
            if len(groups) < most:
                groups.setdefault(frozenset(walk), walk)
        return cls(Patterns([[group] for group in groups.values()], stages), contents)

    def to_json(self) -> dict[str, Any]:
        """Return the patterns as JSON data, for a file of weights."""
        contents = self.contents
        names = {index: name for name, index in _KERNELS.items()}
        return {
            "groups": [list(group) for (group,) in self.patterns.placements],
            "stages": self.patterns.stages,
            "kernel": names[contents.kernel],
            "cells": contents.cells,
            "count": contents.count,
            "exchanged": contents.exchanged,
            "planes": list(contents.planes),
            "limits": list(map(list, contents.limits)),
            "codes": contents.codes.hex(),
        }

    @classmethod
    def from_json(cls, data: Any, game: Game) -> Self:
        """Return the patterns of a file for a game.

        Raises:
            CheckpointError: the data are damaged, or of another board.
        """
        try:
            planes, codes = tuple(map(int, data["planes"])), bytes.fromhex(data["codes"])
            if "limits" in data:
                limits = tuple(tuple(map(float, one)) for one in data["limits"])
            else:  # an older file: digits 0, 1 and 2 are zero, positive and negative
                limits, order = len(planes) * (SIGNS,), np.ix_(*len(planes) * ([2, 0, 1],))
                codes = np.frombuffer(codes, np.int8).reshape(len(planes) * (3,))[order].tobytes()
            contents = Contents(
                kernel=_KERNELS[data["kernel"]],
                cells=int(data["cells"]),
                count=int(data["count"]),
                exchanged=None if data["exchanged"] is None else tuple(map(int, data["exchanged"])),
                planes=planes,
                limits=limits,
                codes=codes,
            )
            groups = [tuple(map(int, group)) for group in data["groups"]]
            stages = int(data["stages"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise CheckpointError(f"its drawn patterns are damaged: {error!r}") from None
        if not _fits(game, contents, groups, stages):
            raise CheckpointError("its drawn patterns do not fit the board of this game")
        return cls(Patterns([[group] for group in groups], stages), contents)


def _fits(game: Game, contents: Contents, groups: list[Cells], stages: int) -> bool:
    """Return whether the patterns of a file can be laid out and read without harm."""
    planes, limits = contents.planes, contents.limits
    codes = np.frombuffer(contents.codes, np.int8)
    read = contents.kernel == OBSERVE
    shape = game.observation_shape
    cells = game.num_features // shape[0] if read and len(shape) > 1 else game.num_cells
    sizes = (
        contents.cells == cells > 0
        and cells <= MAX_CELLS
        and 2 <= contents.count <= MAX_CONTENTS
        and 1 <= len(groups) <= MAX_GROUPS
        and 1 <= stages <= cells + 1
        and read == bool(planes)
        and len(planes) == len(limits)
        and len(codes) == combinations(limits) <= MAX_CODES
    )
    return bool(
        sizes
        and (read or game.has(contents.kernel))
        and all(0 <= plane < shape[0] for plane in planes)
        and all((np.abs(one) <= LARGEST).all() and (np.diff(one) >= 0).all() for one in limits)
        and codes.min() >= 0
        and codes.max() < contents.count
        and (contents.exchanged is None or sorted(contents.exchanged) == [*range(contents.count)])
    )


def _shape(game: Game, cells: int) -> Shape:
    """Return the shape of the board: the game's, or squares as in its observation, or a row."""
    if game.shape is not None and game.shape.size == cells:
        return game.shape
    planes = game.observation_shape
    fits = len(planes) > 2 and game.num_features == planes[0] * cells
    return grid(cells // planes[-1], planes[-1]) if fits else grid(1, cells)


def _live(game: Game, contents: Contents, sampled: Sequence[Position]) -> set[int]:
    """Return the cells that change in sampled positions; all, if these were too few.

    Raises:
        UsageError: no cell changes.
    """
    seen = contents_of(game, contents, sampled)
    changes = np.count_nonzero(seen[1:] != seen[:-1], axis=0)
    if not changes.any():
        raise UsageError(f"{game.name}: no cell of its board ever changes")
    if changes.sum() < MIN_CHANGES * contents.cells:
        return {*range(contents.cells)}
    return {*np.flatnonzero(changes).tolist()}


def _entries(game: Game, contents: Contents, length: int) -> int:
    """Return the entries of a pattern's tables for all views."""
    return int(views_of(game.players) * contents.count**length)


def _walk_size(
    game: Game, contents: Contents, cells: int, images: int, weights: int
) -> tuple[int, int]:
    """Return the length and the number of walks over a number of cells.

    Args:
        game: the game.
        contents: of the cells.
        cells: their number.
        images: of each walk, by symmetries.
        weights: most weights of all walks.
    """
    wanted = max(1, max(PLACEMENTS, PLACEMENTS_PER_CELL * cells) // images)
    for length in range(min(WALK_CELLS, cells), 0, -1):
        walks = min(wanted, weights // _entries(game, contents, length))
        covered = walks * images * length >= MIN_USES * cells
        if covered and contents.count**length <= WALK_ENTRIES:
            break
    return length, max(walks, 1)


def _lines(shape: Shape, live: set[int], length: int, moves: Sequence[Move]) -> list[Cells]:
    """Return the straight lines of `length` cells that no symmetry moves onto an earlier one."""
    lines, known = list[Cells](), set[frozenset[int]]()
    for line in map(tuple, shape.rows_of(length).tolist()):
        if live.issuperset(line) and frozenset(line) not in known:
            lines.append(line)
            known |= {frozenset(int(move.cells[cell]) for cell in line) for move in moves}
    return lines


def _walks(shape: Shape, live: set[int], length: int, seed: int) -> Iterator[Cells]:
    """Yield random walks without end, of `length` live cells, fewer where none is left around."""
    rng, cells = np.random.default_rng(seed), sorted(live.intersection(shape.cells))
    while True:
        walk = [int(rng.choice(cells))]
        while len(walk) < length:
            free = [
                [cell for cell in shape.around[start] if cell in live and cell not in walk]
                for start in walk
            ]
            branches = [place for place, cells in enumerate(free) if cells]
            if not branches:
                break
            last = free[-1] and (len(walk) == 1 or rng.random() >= BRANCHING)
            walk.append(int(rng.choice(free[-1] if last else free[rng.choice(branches)])))
        yield tuple(walk)
