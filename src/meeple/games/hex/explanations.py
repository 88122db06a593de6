"""What a Hex position means: bridges, chains that reach both sides, and dead cells."""

import functools
import itertools
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from meeple.games.boards.drawing import winning_chain as joined_cells
from meeple.games.boards.grid import cell_name
from meeple.games.contract.board_game import owners
from meeple.games.contract.capabilities import AREA, LINE, Explanation
from meeple.games.contract.game import Position
from meeple.sentences import one_of, say

# The neighbours of a cell in order around it.
_AROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
_FREE = -1
_MAX_TRIES = 16  # chains that wait to be tried

Cell = tuple[int, int]
Board = npt.NDArray[np.int_]


class Bridge(NamedTuple):
    """Two stones, or a stone and a side of the board, with two free cells that each join them."""

    ends: tuple[Cell, Cell | int]  # the second is a side: the number of its row or column
    cells: tuple[Cell, Cell]


def explanations(position: Position, seat: int | None) -> list[Explanation]:
    """Return the bridges of both players, a winning chain, and the dead cells, for any `seat`."""
    board = owners(position)
    if position.is_over:
        winner = int(position.state.winner)
        spots = tuple(map(str, joined_cells(board, winner)))
        sentence = say("hex.stones_of_join_both", who=position.game.player_name(winner))
        return [Explanation("winning chain", sentence, spots, winner, LINE)]
    found = []
    for player in range(2):
        for bridge in bridges(board, player):
            stone, end = bridge.ends
            one, two = (cell_name(*cell) for cell in bridge.cells)
            whom = say("hex.side") if isinstance(end, int) else cell_name(*end)
            sentence = say(
                "hex.between_and_if_is", one=cell_name(*stone), two=whom, three=one, four=two
            )
            corners = [bridge.cells[0], stone, bridge.cells[1]]
            corners += [] if isinstance(end, int) else [end]
            found.append(Explanation("bridge", sentence, _spots(board, corners), player, AREA))
    if not _may_swap(position):
        found += _chains(position, board)
    dead = dead_cells(board)
    if dead:
        names = one_of([cell_name(*cell) for cell in dead])
        sentence = say("hex.a_stone_on_changes", cells=names)
        found.append(Explanation("dead cell", sentence, _spots(board, dead)))
    return found


def _may_swap(position: Position) -> bool:
    """Return whether sides may still be exchanged, so that no chain is safe."""
    return bool(position.state.swap) and int(position.state.moves) < 2


def _chains(position: Position, board: Board) -> Iterator[Explanation]:
    for player in range(2):
        chain = winning_chain(board, player)
        if chain:
            name = position.game.player_name(player)
            sentence = say("hex.wins_a_chain_of", who=name)
            yield Explanation("winning chain", sentence, _spots(board, chain), player, LINE)


def bridges(board: Board, player: int) -> list[Bridge]:
    """Return the bridges between a player's stones, and from them to the player's two sides."""
    found = []
    for stone in _stones(board, player):
        for turn in range(6):
            one, two = _beside(stone, turn), _beside(stone, turn + 1)
            far = (one[0] + two[0] - stone[0], one[1] + two[1] - stone[1])
            both_free = _at(board, one) == _FREE == _at(board, two)
            if both_free and far > stone and _at(board, far) == player:
                found.append(Bridge((stone, far), (one, two)))
        for end, ahead in ((0, -1), (len(board) - 1, 1)):
            cells = [
                cell
                for cell in (_beside(stone, turn) for turn in range(6))
                if cell[player] == end == stone[player] + ahead and _at(board, cell) == _FREE
            ]
            if len(cells) == 2:
                found.append(Bridge((stone, end), (cells[0], cells[1])))
    return found


def winning_chain(board: Board, player: int) -> list[Cell]:
    """Return stones that join a player's sides by bridges without common cells; empty if none do.

    A chain with the fewest bridges is tried, then others without one of its bridges that share a
    cell, so that a chain may be missed.
    """
    left = [bridges(board, player)]
    while left:
        usable = left.pop()
        chain, used = _shortest_chain(board, player, usable)
        clash = next(
            (
                (one, two)
                for one, two in itertools.combinations(used, 2)
                if set(one.cells) & set(two.cells)
            ),
            (),
        )
        if chain and not clash:
            return chain
        if len(left) < _MAX_TRIES:
            left += [[one for one in usable if one != bridge] for bridge in clash]
    return []


def _shortest_chain(
    board: Board, player: int, usable: list[Bridge]
) -> tuple[list[Cell], list[Bridge]]:
    """Return the stones of a chain from side to side with the fewest bridges, and the bridges."""
    last = len(board) - 1
    by_end: dict[Cell | int, list[Bridge]] = {}
    for bridge in usable:
        for end in bridge.ends:
            by_end.setdefault(end, []).append(bridge)
    start = [(cell, ()) for cell in _stones(board, player) if cell[player] == 0]
    bridged = [(one.ends[0], (one,)) for one in by_end.get(0, [])]
    waiting: deque[tuple[Cell, tuple[Cell, ...], tuple[Bridge, ...]]]
    waiting = deque((cell, (cell,), used) for cell, used in [*start, *bridged])
    done: set[Cell] = set()
    while waiting:
        cell, chain, used = waiting.popleft()
        if cell in done:
            continue
        done.add(cell)
        if cell[player] == last:
            return list(chain), list(used)
        for turn in range(6):
            beside = _beside(cell, turn)
            if _at(board, beside) == player and beside not in done:
                waiting.appendleft((beside, (*chain, beside), used))
        for bridge in by_end.get(cell, []):
            first, second = bridge.ends
            if second == last:
                return list(chain), [*used, bridge]
            far = second if first == cell else first
            if not isinstance(far, int) and far not in done:
                waiting.append((far, (*chain, far), (*used, bridge)))
    return [], []


def dead_cells(board: Board) -> list[Cell]:
    """Return free cells whose colour cannot matter, by their six neighbours alone.

    A stone matters only if it joins two groups of neighbours that are apart around it, for one
    player or the other: then the colours around it change four times or more. A cell is dead if
    they cannot, however its free neighbours are filled. Beyond an edge is its owner's colour.
    Source of the idea: Björnsson, Hayward, Johanson and van Rijswijck, "Dead cell analysis in Hex
    and the Shannon game", 2006.
    """
    found = []
    for row, column in np.argwhere(board == _FREE).tolist():
        around = tuple(_colour(board, _beside((row, column), turn)) for turn in range(6))
        if not _can_matter(around):
            found.append((row, column))
    return found


@functools.cache
def _can_matter(around: tuple[int, ...]) -> bool:
    """Return whether the free ones of six colours around a cell can be filled to change 4 times."""
    choices = [(0, 1) if colour == _FREE else (colour,) for colour in around]
    return any(
        sum(one != two for one, two in zip(filled, (*filled[1:], filled[0]), strict=True)) >= 4
        for filled in itertools.product(*choices)
    )


def _colour(board: Board, cell: Cell) -> int:
    """Return the owner of a cell; beyond the first and last rows player 1, beside them player 2."""
    row, column = cell
    if 0 <= row < len(board):
        return int(board[cell]) if 0 <= column < len(board) else 1
    return 0 if 0 <= column < len(board) else _FREE  # beyond a corner: either


def _stones(board: Board, player: int) -> list[Cell]:
    return [(row, column) for row, column in np.argwhere(board == player).tolist()]


def _beside(cell: Cell, turn: int) -> Cell:
    down, right = _AROUND[turn % 6]
    return cell[0] + down, cell[1] + right


def _at(board: Board, cell: Cell) -> int | None:
    """Return the owner of a cell, or None off the board."""
    inside = 0 <= cell[0] < len(board) and 0 <= cell[1] < len(board)
    return int(board[cell]) if inside else None


def _spots(board: Board, cells: list[Cell]) -> tuple[str, ...]:
    return tuple(str(row * len(board) + column) for row, column in cells)
