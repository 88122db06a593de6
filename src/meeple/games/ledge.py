"""Ledge, or Old Gold: slide coins towards the ledge and pick them up there; the gold one wins.

The row is a word of 64 bits, cell 0 (the ledge) the lowest. A coin slides any distance to the left
but never over another, so each empty cell left of the rightmost coin stands for exactly one slide:
that of the next coin to its right.
"""

from pathlib import Path
from typing import Any

import numpy as np

from meeple.games.boards.drawing import dim
from meeple.games.boards.scene import Scene, rows
from meeple.games.contract.game import Game, Position
from meeple.games.contract.lessons import Lesson, read_lesson
from meeple.kernels import OVER, add, below, kernel, record
from meeple.options import Text
from meeple.sentences import say

MAX_CELLS = 64
PLANES = 3
EMPTY, COPPER, GOLD = "0", "1", "2"

State = record(
    to_move=np.int8,
    winner=np.int8,
    length=np.int8,  # cells of the row
    gold=np.int8,  # the gold coin's cell
    coins=np.uint64,  # bit i: a coin, copper or gold, on cell i
)
Options = record(length=np.int8, gold=np.int8, coins=np.uint64)

_ONE = np.uint64(1)


@kernel
def start(s: Any, options: Any, rng: Any) -> None:
    """Place the coins of the options; player 1 moves first."""
    s.to_move = 0
    s.winner = -1
    s.length = options.length
    s.gold = options.gold
    s.coins = options.coins


@kernel
def _has(coins: Any, cell: int) -> Any:
    """Return whether a coin is on a cell."""
    return (coins >> np.uint64(cell)) & _ONE != np.uint64(0)


@kernel
def legal(s: Any, moves: Any) -> None:
    """List the pick of the coin on the ledge, and the slides of each coin up to the next one."""
    if _has(s.coins, 0):
        add(moves, 0)
    target = 0
    for cell in range(np.int64(s.length)):
        if _has(s.coins, cell):
            while target < cell:
                add(moves, 1 + cell * (cell - 1) // 2 + target)
                target += 1
            target = cell + 1


@kernel
def play(s: Any, action: int) -> None:
    """Action 0 picks; action `1 + i * (i - 1) / 2 + j` slides the coin of cell i to cell j < i."""
    if action == 0:
        s.coins &= ~_ONE
        if s.gold == 0:
            s.winner = s.to_move
            s.to_move = OVER
            return
    else:
        cell = np.int64((1.0 + np.sqrt(8.0 * action - 7.0)) * 0.5)
        target = action - 1 - cell * (cell - 1) // 2
        _slide(s, cell, target)
    s.to_move = 1 - s.to_move


@kernel
def _slide(s: Any, cell: int, target: int) -> None:
    s.coins = (s.coins & ~(_ONE << np.uint64(cell))) | (_ONE << np.uint64(target))
    if s.gold == cell:
        s.gold = target


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Give the whole share to the winner."""
    out[s.winner] = 1.0
    out[1 - s.winner] = 0.0


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Write planes [3, 1, length]: copper coins, the gold coin, whether it is the player's turn."""
    length = np.int64(s.length)
    turn = 1.0 if s.to_move == player else 0.0
    for cell in range(length):
        coin = _has(s.coins, cell)
        out[cell] = 1.0 if coin and cell != s.gold else 0.0
        out[length + cell] = 1.0 if coin and cell == s.gold else 0.0
        out[2 * length + cell] = turn


@kernel
def rollout(s: Any, rng: Any) -> None:
    """Play uniformly random moves to the end.

    There is one slide per empty cell before the rightmost coin, so one random number chooses a
    move, found by counting empty cells, without a list of moves.
    """
    last = np.int64(s.length) - 1
    count = 0
    for cell in range(last + 1):
        if _has(s.coins, cell):
            count += 1
    while s.to_move != OVER:
        while not _has(s.coins, last):
            last -= 1
        slides = last + 1 - count
        on_ledge = 1 if _has(s.coins, 0) else 0
        choice = below(rng, slides + on_ledge)
        if choice == slides:
            play(s, 0)
            count -= 1
            continue
        target = 0
        while choice > 0 or _has(s.coins, target):
            if not _has(s.coins, target):
                choice -= 1
            target += 1
        cell = target + 1
        while not _has(s.coins, cell):
            cell += 1
        _slide(s, cell, target)
        s.to_move = 1 - s.to_move


@kernel
def identity(s: Any, key: Any) -> None:
    """Write the coins and the gold; both players have the same moves."""
    key[0] = s.coins
    key[1] = np.uint64(s.gold)


@kernel
def known_result(s: Any, out: Any) -> None:
    """Report the win of the player to move if the gold is on the ledge."""
    if s.gold == 0:
        out[s.to_move] = 1.0
        out[1 - s.to_move] = 0.0


def parse_row(text: str) -> str:
    """Return the row of an option's text.

    Raises:
        ValueError: the text does not follow the notation.
    """
    if not 1 <= len(text) <= MAX_CELLS or set(text) - {EMPTY, COPPER, GOLD}:
        raise ValueError
    if text.count(GOLD) != 1:
        raise ValueError
    return text


def _spots(action: int) -> tuple[str, ...]:
    """Return the cell of a pick, or the cells that a coin slides from and to."""
    if action == 0:
        return ("0",)
    cell = int((1 + (8 * action - 7) ** 0.5) / 2)
    return str(cell), str(action - 1 - cell * (cell - 1) // 2)


class Ledge(Game):
    """Ledge on a row of cells, counted from 0. Actions are named `pick` and, from-to, `5-3`."""

    name = "ledge"
    summary = "slide coins to the ledge and pick them up there; the player who takes the gold wins"
    can_be_drawn = False
    declared = {
        "row": Text(
            "0110010201",
            f"a row like 0110010201 of up to {MAX_CELLS} cells: 0 empty, 1 copper, "
            "and 2 gold exactly once",
            parse_row,
            "the cells from the ledge on: 0 empty, 1 copper, 2 gold",
        ),
    }
    examples = ({}, {"row": "2"}, {"row": "0002"}, {"row": "12"}, {"row": "0" * 57 + "1101021"})
    max_moves = MAX_CELLS
    State = State
    Options = Options

    def configure(self) -> None:
        self.row = str(self.options["row"])
        length = len(self.row)
        coins = [cell for cell, coin in enumerate(self.row) if coin != EMPTY]
        self.num_actions = 1 + length * (length - 1) // 2
        # Every move advances one coin by at least one step.
        self.max_plies = sum(coins) + len(coins)
        self.observation_shape = (PLANES, 1, length)

    def encode_options(self, options: Any) -> None:
        options.length = len(self.row)
        options.gold = self.row.index(GOLD)
        options.coins = sum(1 << cell for cell, coin in enumerate(self.row) if coin != EMPTY)

    def action_name(self, position: Position, action: int) -> str:
        if action == 0:
            return "pick"
        return "-".join(_spots(action))

    def lesson(self) -> Lesson:
        return read_lesson(Path(__file__).with_suffix(".toml"))

    def draw(self, position: Position, colour: bool = False) -> str:
        """Return the row between the ledge and the wall, with the numbers of the cells below.

        `c` is a copper coin and `G` the gold one; with colours they are discs.
        """
        cells = [self._coin(coin, colour) for coin in self.coins(position)]
        numbers = "".join(f"{cell:>3}" for cell in range(len(self.row)))
        return f"|{''.join('  ' + cell for cell in cells)} |\n {numbers}"

    def scene(self, position: Position, seat: int | None = None) -> Scene:
        """Return the row: click a coin, then its target; a click on the ledge's coin picks it."""
        names = {EMPTY: "", COPPER: "copper", GOLD: "gold"}
        row = [names[coin] for coin in self.coins(position)]
        clicks = {action: _spots(action) for action in position.legal_actions().tolist()}
        last = [spot for action in position.actions[-1:] for spot in _spots(action)]
        how = say("ledge.how")
        return rows({"": row}, clicks, last=last, how=how, numbered=True, ledge=True)

    def coins(self, position: Position) -> list[str]:
        """Return the content of each cell, in the notation of the option `row`."""
        state = position.state
        gold = -1 if position.is_over else int(state.gold)
        return [
            EMPTY if not (int(state.coins) >> cell) & 1 else GOLD if cell == gold else COPPER
            for cell in range(len(self.row))
        ]

    def _coin(self, coin: str, colour: bool) -> str:
        if coin == EMPTY:
            return dim("·") if colour else "."
        if coin == GOLD:
            return "\x1b[1;93m●\x1b[0m" if colour else "G"
        return "\x1b[33m●\x1b[0m" if colour else "c"
