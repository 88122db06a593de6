"""What a Gomoku position means: threats of both players, and a win that threats force."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from meeple.games.boards.grid import cell_name
from meeple.games.contract.board_game import owners
from meeple.games.contract.capabilities import NUMBERS, Explanation
from meeple.games.contract.game import Position
from meeple.games.gomoku.board import Cells, board_lines
from meeple.games.gomoku.opening import PLAY
from meeple.games.gomoku.solver import MIN_STONES, ThreatSolver
from meeple.kernels import COMPILED
from meeple.sentences import one_of, say

NODES = 50_000 if COMPILED else 200  # of a search for a forced win; most wins need fewer
SLOTS = 1 << 15  # of its table

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def explanations(position: Position, seat: int | None) -> list[Explanation]:
    """Return the threats on the board, and the line of a win that is forced by threats.

    In Renju a threat of Black counts if it completes a row next: whether Black may make a four
    of a three depends on what is forbidden then. All of it is public, for every `seat`.
    """
    state = position.state
    if state.stage != PLAY or position.is_over:
        return []
    found: list[Explanation] = []
    board = owners(position)
    length = int(state.in_a_row)
    for player in range(2):
        exact = bool(state.exact or (state.renju and player == state.black))
        rows = dict(_rows(board, player, length, exact))
        found += [_row_words(position, player, stones, at) for stones, at in rows.items()]
        if length < 4 or (state.renju and player == state.black):
            continue
        for stones, makers in _open_rows(board, player, length, exact).items():
            if not any(set(stones) <= set(row) for row in rows):
                found.append(_open_row_words(position, player, stones, makers))
    return found + _forced_win(position)


def _rows(
    board: npt.NDArray[np.int_], player: int, length: int, exact: bool
) -> Iterator[tuple[Cells, Cells]]:
    """Yield the rows that lack one stone: on each line the stones, and the cells that complete one.

    Rows of one line that share a stone are one threat.
    """
    for line in board_lines(len(board)):
        own = [int(board.flat[cell]) for cell in line]
        stones: set[int] = set()
        completing: list[int] = []
        for first in range(len(line) - length + 1):
            part = own[first : first + length]
            around = [*own[max(0, first - 1) : first], *own[first + length : first + length + 1]]
            if part.count(player) != length - 1 or part.count(-1) != 1:
                continue
            if exact and player in around:
                continue
            here = set(range(first, first + length))
            cell = first + part.index(-1)
            if stones and not stones & here:
                yield _numbers(line, stones), _numbers(line, completing)
                stones, completing = set(), []
            stones |= here - {cell}
            completing.append(cell)
        if stones:
            yield _numbers(line, stones), _numbers(line, completing)


def _open_rows(
    board: npt.NDArray[np.int_], player: int, length: int, exact: bool
) -> dict[Cells, Cells]:
    """Return the stones of which one more makes a row that can be completed at both ends.

    Returns:
        By the stones, the cells where one more does so.
    """
    found: dict[Cells, set[int]] = {}
    for line in board_lines(len(board)):
        own = [int(board.flat[cell]) for cell in line]
        for first in range(len(line) - length):
            inside = own[first + 1 : first + length]
            around = [
                *own[max(0, first - 1) : first],
                *own[first + length + 1 : first + length + 2],
            ]
            if own[first] != -1 or own[first + length] != -1 or (exact and player in around):
                continue
            if inside.count(player) != length - 2 or inside.count(-1) != 1:
                continue
            places = range(first + 1, first + length)
            stones = _numbers(line, {place for place in places if own[place] == player})
            found.setdefault(stones, set()).add(line[first + 1 + inside.index(-1)])
    return {stones: tuple(sorted(cells)) for stones, cells in found.items()}


def _numbers(line: Cells, places: set[int] | list[int]) -> Cells:
    return tuple(line[place] for place in sorted(set(places)))


def _row_words(position: Position, player: int, stones: Cells, completing: Cells) -> Explanation:
    name, length = position.game.player_name(player), int(position.state.in_a_row)
    number = _NUMBERS[length - 1]
    kind = f"open {number}" if len(completing) > 1 else number
    cells = _or(position, completing)
    threat = say(f"gomoku.{'an_open' if len(completing) > 1 else 'a'}_{number}")
    row = say(f"gomoku.row_of_{_NUMBERS[length]}")
    sentence = say("gomoku.completes", who=name, threat=threat, cells=cells, row=row)
    return Explanation(kind, sentence, _spots(stones), player)


def _open_row_words(position: Position, player: int, stones: Cells, makers: Cells) -> Explanation:
    name, length = position.game.player_name(player), int(position.state.in_a_row)
    kind, cells = f"open {_NUMBERS[length - 2]}", _or(position, makers)
    threat, row = (say(f"gomoku.an_open_{_NUMBERS[length - less]}") for less in (2, 1))
    sentence = say("gomoku.makes", who=name, threat=threat, cells=cells, row=row)
    return Explanation(kind, sentence, _spots(stones), player)


def _forced_win(position: Position) -> list[Explanation]:
    """Return the win that either player forces by threats, with its line; empty if none is found.

    The player not to move wins by force if no move of the other one stops all threats.
    """
    if len(position.actions) < MIN_STONES:
        return []
    solver = ThreatSolver(position.game, slots=SLOTS)
    for attacker in (position.to_move, 1 - position.to_move):
        solver.open(position, attacker)
        if solver.advance(NODES) and solver.plies:
            line, plies = solver.line, solver.plies
            name = position.game.player_name(attacker)
            moves = " ".join(cell_name(*divmod(cell, len(owners(position)))) for cell in line)
            fields = {"who": name, "moves": moves or say("gomoku.no_stone_stops")}
            if plies == 1:
                sentence = say("gomoku.wins_at_once", **fields)
            else:
                sentence = say("gomoku.wins_by_force", n=plies, **fields)
            return [Explanation("forced win", sentence, _spots(tuple(line)), attacker, NUMBERS)]
    return []


def _spots(cells: Cells) -> tuple[str, ...]:
    return tuple(map(str, cells))


def _or(position: Position, cells: Cells) -> str:
    """Return the names of cells: `c4, d5 or e6`."""
    return one_of([cell_name(*divmod(cell, int(position.state.size))) for cell in cells])
