"""What a Reversi position means: stable discs, and what each move turns over."""

from typing import Any

import numpy as np

from meeple.games.boards.grid import cell_name
from meeple.games.contract.board_game import owners
from meeple.games.contract.capabilities import Explanation
from meeple.games.contract.game import Position
from meeple.games.reversi.bits import STRIDE, WIDE, WIDE_STRIDE, WORD_BITS
from meeple.games.reversi.heuristic import stable_discs
from meeple.kernels import kernel
from meeple.sentences import say


@kernel
def write_stable(s: Any, out: Any) -> None:
    """Write the discs that can never be turned over, [2] uint64."""
    first, second = (s.discs[0, 0], s.discs[0, 1]), (s.discs[1, 0], s.discs[1, 1])
    low, high = stable_discs(first, second, np.int64(s.size))
    out[0] = low
    out[1] = high


def explanations(position: Position, seat: int | None) -> list[Explanation]:
    """Return the stable discs of both players, and what each move turns over, for any `seat`."""
    if position.is_over:
        return []
    size, before = int(position.state.size), owners(position).ravel()
    stable, found = stable_cells(position), []
    for player in range(2):
        own = [cell for cell in stable if before[cell] == player]
        if own:
            sentence = _stable_words(position, player, len(own))
            spots = tuple(map(str, own))
            found.append(Explanation("stable disc", sentence, spots, player))
    after = position.copy()
    for action in position.legal_actions().tolist():
        if action == size * size:
            continue
        after.play(action)
        turned = np.flatnonzero((before != owners(after).ravel()) & (before >= 0)).tolist()
        after.undo()
        cells = [cell_name(*divmod(cell, size)) for cell in turned]
        sentence = say(
            "reversi.a_disc_on_turns",
            cell=cell_name(*divmod(action, size)),
            n=len(turned),
            cells=cells,
        )
        spots = tuple(map(str, turned))
        found.append(Explanation("turned over", sentence, spots, position.to_move, at=str(action)))
    return found


def stable_cells(position: Position) -> list[int]:
    """Return the cells of discs that no play can turn over; there may be more such discs."""
    size, words = int(position.state.size), np.zeros(2, np.uint64)
    write_stable(position.state, words)
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    board = int(words[0]) | int(words[1]) << WORD_BITS
    return [c for c in range(size * size) if board >> (c // size * stride + c % size) & 1]


def _stable_words(position: Position, player: int, n: int) -> str:
    who = position.game.player_name(player)
    return say("reversi.stable_one", who=who) if n == 1 else say("reversi.stable", who=who, n=n)
