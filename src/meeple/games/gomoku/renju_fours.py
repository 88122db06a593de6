"""Wins of Black by fours under Renju's rule: each four is a legal move, and each reply is forced.

White can answer a four only on the cell that completes it, so a line of fours that ends with a
stone on one of two such cells is a proof. Wins by threes are not searched: which of them are
forbidden depends on stones that either side adds.
"""

from meeple.games.contract.game import Position
from meeple.games.gomoku.board import board_lines, owners
from meeple.games.gomoku.renju import IN_A_ROW

MAX_FOURS = 120  # fours that are tried


def fours_of_black(position: Position) -> list[int]:
    """Return the actions of a win of Black, who is to move, by fours; empty if none is found."""
    seen: set[tuple[int, ...]] = set()
    return _win(position.copy(), seen)


def _win(position: Position, seen: set[tuple[int, ...]]) -> list[int]:
    black = int(position.state.black)
    board = owners(position).ravel().tolist()
    fives = _lacking(board, black, 1, exact=True)
    if fives:
        return fives[:1]
    must = _lacking(board, 1 - black, 1, exact=False)
    key = tuple(board)
    if key in seen or len(must) > 1:
        return []
    seen.add(key)
    legal = set(position.legal_actions().tolist())
    for cell in _lacking(board, black, 2, exact=True):
        if len(seen) > MAX_FOURS:
            return []
        if cell not in legal or must not in ([], [cell]):
            continue
        board[cell] = black
        fives = _lacking(board, black, 1, exact=True)
        board[cell] = -1
        if len(fives) > 1:
            return [cell, *fives[:2]]
        if fives:
            position.play(cell)
            position.play(fives[0])
            rest = _win(position, seen) if position.to_move == black else []
            position.undo()
            position.undo()
            if rest:
                return [cell, fives[0], *rest]
    return []


def _lacking(board: list[int], player: int, lacking: int, *, exact: bool) -> list[int]:
    """Return the empty cells of five in a row that need `lacking` more stones of a player.

    Args:
        board: the owner of each cell, -1 for an empty one.
        player: the seat whose stones count.
        lacking: how many of the five cells are empty; the player owns the others.
        exact: leave out rows that would become longer than five.
    """
    found: set[int] = set()
    for line in board_lines(round(len(board) ** 0.5)):
        own = [board[cell] for cell in line]
        for first in range(len(line) - IN_A_ROW + 1):
            part = own[first : first + IN_A_ROW]
            if part.count(player) != IN_A_ROW - lacking or part.count(-1) != lacking:
                continue
            ends = own[max(0, first - 1) : first] + own[first + IN_A_ROW : first + IN_A_ROW + 1]
            if not (exact and player in ends):
                found.update(line[first + at] for at in range(IN_A_ROW) if part[at] == -1)
    return sorted(found)
