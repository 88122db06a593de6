"""The exact solver agrees with closed forms, tables and brute force."""

import json
from functools import cache, reduce
from operator import xor
from pathlib import Path

import numpy as np
import pytest

from meeple.errors import TooLarge
from meeple.games.contract.game import Game
from meeple.games.contract.registry import load_game_file, make
from meeple.kernels import CHANCE, OVER, add, kernel, record
from meeple.options import Integer
from meeple.search.exact.solver import solve
from tests.naive import ledge as naive
from tests.tiers import few_quick

ROOT = Path(__file__).parents[2]
AT_NIGHT = pytest.mark.nightly("the exact values of Hex 5x5 after two more openings")
SOLVED = json.loads((ROOT / "tests" / "data" / "solved.json").read_text())


def winning_names(position):
    return {position.action_name(action) for action in solve(position).winning_actions}


# ---------------------------------------------------------------- Nim


@pytest.mark.parametrize("take", few_quick(range(1, 11), 4))
def test_one_heap_is_lost_exactly_at_multiples_of_the_limit_plus_one(take):
    for stones in range(1, 41):
        solution = solve(make("nim", stones=stones, take=min(take, stones)).start())
        rest = stones % (take + 1)
        assert solution.payoffs.tolist() == ([1, 0] if rest else [0, 1])
        assert solution.winning_actions == ([rest - 1] if rest else [])  # action n - 1 takes n
        if not rest:
            assert solution.best_actions == [*range(min(take, stones))], "all of a lost position"


@pytest.mark.parametrize("take", [2, 3, 4])
def test_one_misere_heap_is_lost_exactly_one_above_those_multiples(take):
    for stones in range(take, 26):
        position = make("nim", stones=stones, take=take, misere=True).start()
        lost = stones % (take + 1) == 1
        assert solve(position).payoffs.tolist() == ([0, 1] if lost else [1, 0])


@pytest.mark.parametrize(
    "heaps", [(1, 3, 5, 7), (1, 2, 4), (5, 5), (3, 4, 5), (2, 2, 2, 3, 9), (1, 1, 1), (1, 1, 1, 1)]
)
def test_heaps_are_lost_exactly_where_their_nim_sum_is_zero(heaps):
    """Bouton, "Nim, a game with a complete mathematical theory", 1901."""
    text = ",".join(map(str, heaps))
    position = make("nim", heaps=text, take=max(heaps)).start()
    total = reduce(xor, heaps)
    expected = {
        f"take {heap - (heap ^ total)} from {'abcde'[index]}"
        for index, heap in enumerate(heaps)
        if heap ^ total < heap
    }
    assert winning_names(position) == expected
    misere = make("nim", heaps=text, take=max(heaps), misere=True).start()
    # As without it, unless all heaps are of one stone.
    assert solve(misere).payoffs[0] == ((total != 0) == (max(heaps) > 1))


def test_a_thousand_stones_are_solved():
    assert winning_names(make("nim", stones=1000, take=10).start()) == {"take 10"}


# ---------------------------------------------------------------- Ledge


@pytest.mark.parametrize("length", range(1, 6))
def test_every_short_row_is_solved_as_by_brute_force(length):
    for coppers in range(length):
        for row in naive.rows(length, coppers):
            assert winning_names(make("ledge", row=row).start()) == naive.winning_moves(row)


@pytest.mark.parametrize("length", [6, 7, 8])
@pytest.mark.slow
def test_every_longer_row_has_the_value_of_brute_force(length):
    for coppers in range(length):
        for row in naive.rows(length, coppers):
            assert solve(make("ledge", row=row).start()).payoffs[0] == naive.wins(row)


@cache
def ledge_wins(row):
    return bool(solve(make("ledge", row=row).start()).payoffs[0] == 1)


@pytest.mark.slow
def test_number_of_won_rows_agrees_with_the_table():
    for length, counts in SOLVED["ledge_won_for_mover"].items():
        for coppers, won in counts.items():
            if int(length) == 7 or int(coppers) < 3:
                found = naive.rows(int(length), int(coppers))
                assert sum(map(ledge_wins, found)) == won


@pytest.mark.parametrize("length", [7, 9])
def test_one_and_two_coins_are_lost_only_in_the_known_shapes(length):
    lost = {row for coppers in (0, 1) for row in naive.rows(length, coppers) if not ledge_wins(row)}
    shapes = {"02".ljust(length, "0")}
    shapes |= {("0" * gold + "21").ljust(length, "0") for gold in range(1, length - 1)}
    shapes |= {("0" * copper + "102").ljust(length, "0") for copper in range(length - 2)}
    assert lost == shapes


@pytest.mark.slow
def test_twenty_cells_are_solved():
    position = make("ledge", row="00100010000010200101").start()
    solution = solve(position)
    for action in position.legal_actions().tolist():
        position.play(action)
        wins = solve(position).payoffs[0] == 1
        position.undo()
        assert (action in solution.winning_actions) == wins


# ---------------------------------------------------------------- Hex


def opening_map(size, swap=False):
    winning = set(solve(make("hex", size=size, swap=swap).start()).winning_actions)
    cells = ["B" if cell in winning else "." for cell in range(size * size)]
    return "|".join("".join(cells[row * size : (row + 1) * size]) for row in range(size))


@pytest.mark.parametrize("size", [3, 4])
def test_hex_is_won_by_the_known_openings(size):
    assert opening_map(size) == SOLVED["hex_winning_openings"][str(size)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "opening", ["a3", "e1", *(pytest.param(name, marks=AT_NIGHT) for name in ("c1", "c2"))]
)
def test_hex_5x5_is_won_after_the_known_openings(opening):
    position = make("hex", size=5).start()
    cell = position.parse_action(opening)
    position.play(cell)
    known = SOLVED["hex_winning_openings"]["5"].replace("|", "")
    assert solve(position).payoffs[0] == (known[cell] == "B")


def test_under_the_swap_rule_the_second_player_wins_after_every_opening():
    position = make("hex", size=4, swap=True).start()
    assert solve(position).payoffs.tolist() == [0, 1]
    position.play(position.parse_action("b2"))
    assert winning_names(position) != {"swap"}
    position.undo()
    position.play(position.parse_action("d1"))
    assert winning_names(position) == {"swap"}


@pytest.mark.parametrize("name", ["hex_openings.json", "ledge_counts.json"])
def test_small_tables_are_those_of_the_reference(name):
    path = ROOT.parent / "shared" / "reference" / name
    if not path.exists():
        pytest.skip("the reference tables are not beside this checkout")
    reference = json.loads(path.read_text())
    if name == "hex_openings.json":
        for size, cells in SOLVED["hex_winning_openings"].items():
            assert reference[size] == cells
    else:
        assert reference["won_for_mover"] == SOLVED["ledge_won_for_mover"]


# ---------------------------------------------------------------- shares, and refusals

# A tree of two plies with known shares for player 1; optionally with a chance node in place
# of a leaf (1), or of player 2's second choice (2).
SHARES = ((0.25, 0.5, 1.0), (0.75, 0.375, 0.5), (0.0, 1.0, 1.0), (0.375, 0.5, 0.5))
State = record(to_move=np.int8, with_chance=np.int8, first=np.int8, second=np.int8)
Options = record(with_chance=np.int8)


@kernel
def start(s, options, rng):
    s.to_move = 0
    s.with_chance = options.with_chance


@kernel
def legal(s, moves):
    for action in range(4 if s.to_move == 0 else 3):
        add(moves, action)


@kernel
def play(s, action):
    if s.to_move == 0:
        s.first = action
        s.to_move = CHANCE if action == 3 and s.with_chance == 1 else 1
    else:
        s.second = action
        s.to_move = CHANCE if action == 2 and s.with_chance == 2 else OVER


@kernel
def payoffs(s, out):
    out[0] = SHARES[s.first][s.second]
    out[1] = 1.0 - out[0]


@kernel
def observe(s, player, out):
    out[0] = 0.0


class Shares(Game):
    name = "shares"
    declared = {"with_chance": Integer(0, 0, 2, "where a chance node is")}
    State = State
    Options = Options
    max_moves = 4

    def configure(self):
        self.num_actions, self.max_plies, self.observation_shape = 4, 2, (1,)


class Hidden(Shares):
    name = "hidden"

    def has(self, kernel):
        return True


def test_shares_between_losing_and_winning_are_exact():
    """Max-min of the tree: 0.375, by the second action and the last."""
    position = Shares().start()
    before = position.row.tobytes()
    solution = solve(position)
    assert solution.payoffs.tolist() == [0.375, 0.625]
    assert solution.winning_actions == []
    assert solution.best_actions == [1, 3]
    assert (position.row.tobytes(), position.actions) == (before, ())


def test_finished_game_has_the_value_of_its_payoffs():
    position = make("nim", stones=1).start()
    position.play(0)
    assert solve(position).payoffs.tolist() == [1, 0]


@pytest.mark.slow
def test_growing_table_gives_the_same_result():
    position = make("ledge", row="00101010200010010001").start()
    solution = solve(position)
    assert solution.nodes > 50_000
    assert len(solution.winning_actions) == solution.payoffs[0] * len(solution.best_actions)


@pytest.mark.slow
def test_positions_that_cannot_be_solved_are_refused_with_the_reason():
    race = load_game_file(ROOT / "tests" / "games" / "race.py")
    for position, reason in [
        (race().start(), "2 players"),
        (Hidden().start(), "hidden information"),
        (Shares(with_chance=1).start(), "chance moves"),
        (Shares(with_chance=2).start(), "chance moves"),
        (make("hex", size=11).start(), "too large"),
    ]:
        with pytest.raises(TooLarge, match=reason):
            solve(position, limit=1000)


@pytest.mark.slow
def test_progress_counts_positions_and_may_interrupt():
    counts = []

    def interrupt(count):
        counts.append(count)
        if len(counts) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(make("hex", size=9).start(), progress=interrupt)
    assert 0 < counts[0] < counts[1]
