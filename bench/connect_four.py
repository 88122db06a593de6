"""How often a player of Connect Four finds a best move: python -m bench.connect_four SPEC...

The judge solves positions exactly, by alpha-beta on bitboards with a table of what was proven. A
move is best if it keeps the result that perfect play has (won, drawn or lost); positions where all
moves do are left out. Positions come from games between weak searches, after 10 to 34 discs.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np

from meeple.agents.spec import agent
from meeple.arena.figures.statistics import wilson_interval
from meeple.games.contract.game import Game
from meeple.games.contract.registry import load_game_file

FILE = Path(__file__).resolve().parent.parent / "examples" / "connect_four.py"
COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1  # bits of a column: the top one stays free
TABLE = 1 << 22  # entries: some 70 MB
FEWEST, MOST = 10, 34  # discs of a position
PLAYERS = ("uct:sims=30", "uct:sims=10")

U = np.uint64
_BOTTOM = U(sum(1 << (HEIGHT * column) for column in range(COLUMNS)))
_BOARD = U(int(_BOTTOM) * ((1 << ROWS) - 1))
_ORDER = np.array([3, 2, 4, 1, 5, 0, 6])
_ONE, _ZERO = U(1), U(0)
_STEPS = (U(1), U(HEIGHT - 1), U(HEIGHT), U(HEIGHT + 1))  # up, down-right, right, up-right
_MULTIPLIER = U(0x9E3779B97F4A7C15)
_SHIFT = U(64 - 22)
LOST, DRAWN, WON = -1, 0, 1


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def has_four(discs: Any) -> bool:
    """Whether four of these discs stand in a row."""
    for step in _STEPS:
        pairs = discs & (discs >> step)
        if pairs & (pairs >> (step + step)):
            return True
    return False


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def column_bits(column: int) -> Any:
    """All cells of a column."""
    return ((_ONE << U(ROWS)) - _ONE) << U(HEIGHT * column)


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def solve(mine: Any, all_discs: Any, alpha: Any, beta: Any, keys: Any, values: Any) -> Any:
    """The result for the player to move, who has not won yet, within (alpha, beta) or beyond.

    `mine` are the mover's discs. A table's value holds a bound below (low two bits) and above.
    """
    free = (all_discs + _BOTTOM) & _BOARD  # the lowest free cell of each column
    if free == _ZERO:
        return DRAWN
    theirs = mine ^ all_discs
    for column in range(COLUMNS):
        cell = free & column_bits(column)
        if cell and has_four(mine | cell):
            return WON
    key = mine + all_discs + _BOTTOM
    slot = (key * _MULTIPLIER) >> _SHIFT
    low, high = LOST, DRAWN + 1
    if keys[slot] == key:
        low, high = values[slot, 0], values[slot, 1]
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
    forced = _ZERO
    for column in range(COLUMNS):
        cell = free & column_bits(column)
        if cell and has_four(theirs | cell):
            if forced:
                return LOST
            forced = cell
    best, first = LOST, alpha
    for index in range(COLUMNS):
        cell = free & column_bits(_ORDER[index])
        if not cell or (forced and cell != forced):
            continue
        above = (cell << _ONE) & _BOARD
        if above and has_four(theirs | above):
            continue  # they would win on top of it
        value = -solve(theirs, all_discs | cell, -beta, -max(alpha, best), keys, values)
        if value > best:
            best = value
            if best >= beta:
                break
    if best >= beta:
        low = max(low, best)
    elif best <= first:
        high = min(high, best)
    else:
        low, high = best, best
    keys[slot], values[slot, 0], values[slot, 1] = key, low, high
    return best


class Solver:
    """Exact results of positions."""

    def __init__(self) -> None:
        self._keys = np.zeros(TABLE, dtype=np.uint64)
        self._values = np.zeros((TABLE, 2), dtype=np.int8)

    def result(self, mine: int, all_discs: int) -> int:
        """WON, DRAWN or LOST for the player to move."""
        return int(solve(U(mine), U(all_discs), LOST, WON, self._keys, self._values))

    def of_moves(self, actions: Sequence[int]) -> dict[int, int]:
        """By legal column, the result for the player to move after these actions."""
        mine, theirs, heights = discs(actions)
        both = mine | theirs
        found = {}
        for column in range(COLUMNS):
            if heights[column] == ROWS:
                continue
            cell = 1 << (HEIGHT * column + heights[column])
            if has_four(U(mine | cell)):
                found[column] = WON
            else:
                found[column] = -self.result(theirs, both | cell)
        return found


def discs(actions: Sequence[int]) -> tuple[int, int, list[int]]:
    """The discs of the player to move and of the other after these actions, and the heights."""
    mine, theirs, heights = 0, 0, [0] * COLUMNS
    for column in actions:
        mine |= 1 << (HEIGHT * column + heights[column])
        heights[column] += 1
        mine, theirs = theirs, mine
    return mine, theirs, heights


def positions(game: Game, count: int, seed: int) -> list[tuple[int, ...]]:
    """Positions as lists of actions, all different and not over, from games of weak searches."""
    rng = np.random.default_rng(seed)
    players = [agent(spec, game) for spec in PLAYERS]
    found: dict[tuple[int, ...], None] = {}
    while len(found) < count:
        position = game.start(0)
        for player in players:
            player.begin(int(rng.integers(2**32)))
        wanted = int(rng.integers(FEWEST, MOST + 1))
        while not position.is_over and len(position.actions) < wanted:
            position.play(players[int(rng.integers(2))].choose(position))
        if not position.is_over:
            found[tuple(position.actions)] = None
    return list(found)


def main() -> None:
    """Judge players on the same positions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    game = load_game_file(FILE)()
    solver, players = Solver(), [agent(spec, game) for spec in chosen.specs]
    counts, judged, began = [0] * len(players), 0, time.perf_counter()
    opens = []
    for player in players:
        player.begin(chosen.seed)
        opens.append(game.start(0).action_name(player.choose(game.start(0))))
    for actions in positions(game, 4 * chosen.positions, chosen.seed):
        results = solver.of_moves(actions)
        if len(set(results.values())) == 1:
            continue
        best, position = max(results.values()), game.start(0)
        for action in actions:
            position.play(action)
        for index, player in enumerate(players):
            player.begin(chosen.seed)
            counts[index] += results[player.choose(position)] == best
        judged += 1
        if judged % 100 == 0:
            print(f"{judged} positions, {time.perf_counter() - began:.0f} s", file=sys.stderr)
        if judged == chosen.positions:
            break
    rows = []
    for spec, count, opening in zip(chosen.specs, counts, opens, strict=True):
        low, high = wilson_interval(count, judged)
        print(
            f"{spec}: best in {100 * count / judged:.1f} % of {judged} positions "
            f"(95 %: {100 * low:.1f} to {100 * high:.1f}); opens in column {opening}"
        )
        rows.append({"spec": spec, "best": count, "positions": judged, "opens": opening})
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
