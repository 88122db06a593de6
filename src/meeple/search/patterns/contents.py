"""Contents of cells: what a pattern evaluation reads of a position, a small number for each cell.

A game writes them by its kernel `contents` or, as owners, by `ownership`. Otherwise they are
derived from its observation [planes, ...cells] as seat 0 sees it: two cells whose planes have equal
values have the same content or, if these were too many, two whose values have the same signs. Only
planes that differ from cell to cell in sampled games count.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.kernels import (
    CHANCE,
    CONTENTS,
    KERNELS,
    OBSERVE,
    OVER,
    OWNERSHIP,
    inlined,
    invoke2,
    invoke3,
)
from meeple.kernels.table import caller

MAX_CONTENTS = 32  # of a cell
MAX_LEVELS = 16  # values of a plane that are told apart; of more only their signs are
MAX_CODES = 2**16  # combinations of the levels of all planes that are read
BOTH_SEATS = 2
MAX_SAMPLED_VALUES = 2**23
SAMPLED_GAMES, SAMPLED_POSITIONS = 40, 4000  # of random moves, to see which planes differ
BITS_OF_CONTENT = np.uint64(8)
LOWEST = np.uint64(0xFF)

Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Contents:
    """How contents are read from a state.

    Content 0 is an empty cell: the stage of a position depends on the number of others.

    Attributes:
        kernel: the game's kernel that is called: CONTENTS, OWNERSHIP or OBSERVE.
        cells: the number of cells.
        count: the number of contents, 2 to MAX_CONTENTS; others that a kernel writes count as 0.
        exchanged: [count] the content that each becomes when two players exchange their pieces;
            `None` if that is unknown.
        planes: of an observation, that are read.
        limits: for each plane, increasing numbers; a value's level is how many are not above it.
        codes: the content of each combination of levels, the first plane's as the lowest digit.
    """

    kernel: int
    cells: int
    count: int
    exchanged: tuple[int, ...] | None
    planes: tuple[int, ...] = ()
    limits: tuple[tuple[float, ...], ...] = ()
    codes: bytes = b"\0"

    @property
    def lowest(self) -> int:
        """What is added to the bytes of the kernel: in `ownership`, no owner is -1."""
        return int(self.kernel == OWNERSHIP)

    @classmethod
    def of(cls, game: Game, positions: Sequence[Position] = ()) -> Self:
        """Return how a game's contents are read.

        Args:
            game: the game.
            positions: of `sampled_positions`, which are drawn if they are needed and not given.

        Raises:
            UsageError: the game has no cells, or declares wrong contents.
        """
        if game.has(CONTENTS):
            return cls(CONTENTS, *_declared(game))
        if game.has(OWNERSHIP) and game.num_cells:
            exchanged = (0, 2, 1) if game.players == BOTH_SEATS else None
            return cls(OWNERSHIP, game.num_cells, game.players + 1, exchanged)
        shape = game.observation_shape
        if len(shape) < 2 or game.num_features == shape[0]:
            raise UsageError(
                f"{game.name} has no board to place patterns on: its observation is no "
                "[planes, rows, columns], and it has neither the kernel `contents` nor `ownership`"
            )
        return cls(OBSERVE, *_derived(game, positions or sampled_positions(game)))


def _declared(game: Game) -> tuple[int, int, tuple[int, ...] | None]:
    """Return the cells, contents and exchanged contents of a game with the kernel `contents`."""
    count, exchanged = game.num_contents, tuple(game.exchanged_contents)
    listed = not exchanged or sorted(exchanged) == [*range(count)]
    if game.num_cells < 1 or not 2 <= count <= MAX_CONTENTS or not listed:
        raise UsageError(
            f"{game.name}: with the kernel `contents`, set num_cells and num_contents, the number "
            f"of contents that it writes, 2 to {MAX_CONTENTS}; exchanged_contents lists each of "
            "them once, or none"
        )
    return game.num_cells, count, exchanged or None


_Derived = tuple[
    int, int, tuple[int, ...] | None, tuple[int, ...], tuple[tuple[float, ...], ...], bytes
]
SIGNS = (float(-np.finfo(np.float32).tiny), float(np.finfo(np.float32).tiny))  # limits


def _derived(game: Game, sampled: Sequence[Position]) -> _Derived:
    """Return the fields of derived contents from `cells` on, by sampled positions."""
    step = 1 + 2 * len(sampled) * game.num_features // MAX_SAMPLED_VALUES
    views = np.stack([_seen(position) for position in sampled[::step]])
    cells = views.shape[-1]  # views: [positions, seats, planes, cells]
    differ = (views[:, 0] != views[:, 0, :, :1]).any(axis=(0, 2)) & ~_marks(views[:, 0])
    chosen = np.flatnonzero(differ).tolist()
    if not chosen:
        raise UsageError(
            f"{game.name}: no plane of its observation, of {game.observation_shape[0]}, differs "
            "from cell to cell, so patterns have nothing to read"
        )
    for signs_alone in (False, True):
        limits = _limits([views[:, :, plane] for plane in chosen], signs_alone)
        planes = tuple(chosen[: len(limits)])
        codes = codes_of(views[:, :, planes], limits, axis=2)  # [positions, seats, cells]
        empty = codes_of(np.zeros(len(planes), np.float32), limits)
        often = [one for one, _ in Counter(codes[:, 0].ravel().tolist()).most_common()]
        others = [code for code in often if code != empty]
        if len(others) < MAX_CONTENTS:
            break
    table = np.zeros(combinations(limits), np.int8)
    for content, code in enumerate(others, 1):
        table[code] = min(content, MAX_CONTENTS - 1)
    count = int(table.max()) + 1
    exchanged = _exchanged(table[codes], count) if game.players == BOTH_SEATS else None
    return cells, count, exchanged, planes, limits, table.tobytes()


def _limits(planes: Sequence[Floats], signs_alone: bool) -> tuple[tuple[float, ...], ...]:
    """Return the limits of the levels of the first planes, as many as have few combinations."""
    found: list[tuple[float, ...]] = []
    for plane in planes:
        values = np.unique(plane)
        limits = SIGNS
        if len(values) <= (2 if signs_alone else MAX_LEVELS):
            limits = tuple((values[1:] / 2 + values[:-1] / 2).tolist())
        if combinations([*found, limits]) > MAX_CODES:
            break
        found.append(limits)
    return tuple(found)


def combinations(limits: Sequence[Sequence[float]]) -> int:
    """Return the number of combinations of levels."""
    return math.prod(len(one) + 1 for one in limits)


def codes_of(
    values: Floats, limits: Sequence[Sequence[float]], axis: int = 0
) -> npt.NDArray[np.int64]:
    """Return the combination of the levels of all planes, which lie along an axis of the values."""
    codes, base = np.zeros(np.delete(values.shape, axis), np.int64), 1
    for plane, one in zip(np.moveaxis(values, axis, 0), limits, strict=True):
        codes += base * np.searchsorted(np.array(one, np.float32), plane, side="right")
        base *= len(one) + 1
    return codes


def _marks(views: Floats) -> npt.NDArray[np.bool_]:
    """Return which planes of views [N, planes, cells] mark one cell, each time another one.

    They show the last move, by which equal boards would have different contents.
    """
    marked = views != 0
    stays = (marked[1:] & marked[:-1]).any(axis=(0, 2))
    marks: npt.NDArray[np.bool_] = ~stays & (marked.sum(axis=2) <= 1).all(axis=0)
    return marks


def _exchanged(contents: Bytes, count: int) -> tuple[int, ...] | None:
    """Return the contents in the other seat's view, if each has one; contents [N, 2, cells]."""
    pairs = np.unique(np.stack([contents[:, 0].ravel(), contents[:, 1].ravel()]), axis=1)
    mine, theirs = pairs.tolist()
    return tuple(theirs) if mine == [*range(count)] == sorted(theirs) else None


def _seen(position: Position) -> Floats:
    """Return [seats, planes, cells] what at most two seats observe."""
    seats = range(min(position.game.players, BOTH_SEATS))
    seen = np.stack([position.observation(seat) for seat in seats])
    return np.nan_to_num(seen).astype(np.float32).reshape(len(seats), seen.shape[1], -1)


def sampled_positions(game: Game) -> list[Position]:
    """Return the positions of a few games of random moves, chance nodes left out."""
    rng, found = np.random.default_rng(0), list[Position]()
    for seed in range(SAMPLED_GAMES):
        position = game.start(seed)
        while position.to_move != OVER and len(found) < SAMPLED_POSITIONS:
            if position.to_move == CHANCE:
                position.play_chance()
                continue
            found.append(position.copy())
            position.play(int(rng.choice(position.legal_actions())))
    return found


def contents_of(game: Game, contents: Contents, positions: Sequence[Position]) -> Bytes:
    """Return [N, cells] the contents of N positions."""
    if contents.kernel == OBSERVE:
        table = np.frombuffer(contents.codes, np.int8)
        seen = np.stack([_seen(position)[0][list(contents.planes)] for position in positions])
        return table[codes_of(seen, contents.limits, axis=1)]
    found = np.zeros((len(positions), contents.cells), np.int8)
    write = caller(KERNELS[contents.kernel])
    for position, row in zip(positions, found, strict=True):
        write(game.address_of(contents.kernel), position.address, row.ctypes.data)
    found += contents.lowest
    found[(found < 0) | (found >= contents.count)] = 0
    return found


@inlined
def write_contents(tables: Any, state: int) -> None:
    """Write the contents of a state at an address into `tables.cells`, a byte a cell."""
    if tables.planes_read == 0:
        invoke2(tables.kernel, state, tables.cells.ctypes.data)
        return
    invoke3(tables.kernel, state, np.int64(0), tables.observation.ctypes.data)
    cells = tables.uses.shape[0]
    for word in range(tables.cells.shape[0]):
        tables.cells[word] = np.uint64(0)
    for cell in range(cells):
        code = 0
        for plane in range(tables.planes_read):
            value = tables.observation[tables.planes[plane] * cells + cell]
            for level in range(tables.limits.shape[1]):
                code += tables.bases[plane] * (value >= tables.limits[plane, level])
        content = np.uint64(tables.codes[code])
        tables.cells[cell >> 3] |= content << (np.uint64(cell & 7) * BITS_OF_CONTENT)


@inlined
def content_at(tables: Any, word: Any, at: Any) -> Any:
    """The content in the byte at bit `at` of a word: 0 if a kernel wrote none of the contents."""
    content = np.int64(np.int8((word >> at) & LOWEST)) + tables.lowest
    return content if 0 <= content < tables.contents else np.int64(0)
