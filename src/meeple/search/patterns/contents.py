"""Contents of cells: what a pattern evaluation reads of a position, a small number for each cell.

A game writes them by its kernel `contents` or, as owners, by `ownership`. Otherwise they are
derived from its observation [planes, ...cells] as seat 0 sees it: two cells whose planes have the
same signs have the same content. Only planes that differ from cell to cell in sampled games count.
"""

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

MAX_CONTENTS = 8  # of a cell
MAX_PLANES = 10  # whose signs are read: 3**10 combinations
BOTH_SEATS = 2
MAX_SAMPLED_SIGNS = 2**25
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
        planes: of an observation, whose signs are digits to the base of 3.
        codes: [3**planes] the content of each number with these digits.
    """

    kernel: int
    cells: int
    count: int
    exchanged: tuple[int, ...] | None
    planes: tuple[int, ...] = ()
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


def _derived(
    game: Game, sampled: Sequence[Position]
) -> tuple[int, int, tuple[int, ...] | None, tuple[int, ...], bytes]:
    """Return cells, contents, exchanged contents, planes and codes, by sampled positions."""
    planes = game.observation_shape[0]
    step = 1 + 2 * len(sampled) * game.num_features // MAX_SAMPLED_SIGNS
    views = np.stack([_signs(position) for position in sampled[::step]])
    cells = views.shape[-1]  # views: [positions, seats, planes, cells]
    differ = (views[:, 0] != views[:, 0, :, :1]).any(axis=(0, 2)) & ~_marks(views[:, 0])
    chosen = tuple(np.flatnonzero(differ)[:MAX_PLANES].tolist())
    if not chosen:
        raise UsageError(
            f"{game.name}: no plane of its observation, of {planes}, differs from cell to cell, so "
            "patterns have nothing to read"
        )
    digits = 3 ** np.arange(len(chosen))
    codes = np.tensordot(digits, views[:, :, chosen], (0, 2))  # [positions, seats, cells]
    often = [code for code, _ in Counter(codes[:, 0].ravel().tolist()).most_common() if code]
    table = np.zeros(3 ** len(chosen), np.int8)
    for content, code in enumerate(often, 1):
        table[code] = min(content, MAX_CONTENTS - 1)
    count = int(table.max()) + 1
    exchanged = _exchanged(table[codes], count) if game.players == BOTH_SEATS else None
    return cells, count, exchanged, chosen, table.tobytes()


def _marks(views: Bytes) -> npt.NDArray[np.bool_]:
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


def _signs(position: Position) -> Bytes:
    """Return [seats, planes, cells] 0, 1 or 2: zero, positive or negative; of at most two seats."""
    seats = range(min(position.game.players, BOTH_SEATS))
    seen = np.stack([position.observation(seat) for seat in seats])
    signs: Bytes = np.where(seen < 0, np.int8(2), (seen > 0).astype(np.int8))
    return signs.reshape(len(seats), seen.shape[1], -1)


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
        digits, table = 3 ** np.arange(len(contents.planes)), np.frombuffer(contents.codes, np.int8)
        signs = np.stack([_signs(position)[0][list(contents.planes)] for position in positions])
        return table[np.tensordot(digits, signs, (0, 1))]
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
        code, digit = 0, 1
        for plane in range(tables.planes_read):
            value = tables.observation[tables.planes[plane] * cells + cell]
            if value > 0.0:
                code += digit
            elif value < 0.0:
                code += 2 * digit
            digit *= 3
        content = np.uint64(tables.codes[code])
        tables.cells[cell >> 3] |= content << (np.uint64(cell & 7) * BITS_OF_CONTENT)


@inlined
def content_at(tables: Any, word: Any, at: Any) -> Any:
    """The content in the byte at bit `at` of a word: 0 if a kernel wrote none of the contents."""
    content = np.int64(np.int8((word >> at) & LOWEST)) + tables.lowest
    return content if 0 <= content < tables.contents else np.int64(0)
