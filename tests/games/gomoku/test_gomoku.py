"""Gomoku agrees with a naive board, OpenSpiel and known numbers of tic-tac-toe."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import meeple
from meeple import kernels
from meeple.games.contract.board_game import owners
from meeple.games.gomoku.board import winning_cells
from meeple.games.gomoku.game import Gomoku
from meeple.kernels.table import caller
from meeple.search.moves import new_moves
from meeple.search.perft import perft
from meeple.search.rollouts import uniform_rollout
from tests.conformance import step
from tests.games.gomoku.boards import after, play_beside
from tests.games.moves import key_of, play_with_openspiel, shares_of
from tests.naive.gomoku import NaiveGomoku
from tests.tiers import few_quick, repeats

rollout = caller("rollout")

# A game in which player 1 builds X XXXX and finally fills the gap.
OVERLINE = "a1 a5 b1 c7 d1 e9 e1 g5 f1 i7 c1"
FULL = "a1 b2 c1 b1 b3 a3 a2 c2"  # of tic-tac-toe, but for one cell


@st.composite
def options(draw, largest=19):
    size = draw(st.integers(3, largest))
    rule = draw(st.sampled_from(["freestyle", "standard"]))
    return {"size": size, "in_a_row": draw(st.integers(3, min(6, size))), "rule": rule}


# ---------------------------------------------------------------- the rules


@given(options(), st.integers(0, 2**32))
def test_random_games_agree_with_the_naive_rules(chosen, seed):
    play_beside(Gomoku(**chosen).start(), np.random.default_rng(seed))


@given(options(largest=9), st.integers(0, 2**32))
def test_games_with_adjacent_stones_agree_with_the_naive_rules(chosen, seed):
    """Adjacent stones give longer rows, and several rows at once."""
    choice = np.random.default_rng(seed)
    columns = choice.permutation(chosen["size"])

    def wanted(position, legal):
        near = columns[legal % chosen["size"]] + choice.integers(0, 3, len(legal))
        return -near if position.to_move else near

    play_beside(Gomoku(**chosen).start(), choice, wanted)


@pytest.mark.parametrize(("rule", "over"), [("freestyle", True), ("standard", False)])
def test_longer_row_wins_according_to_the_option(rule, over):
    assert after(OVERLINE, size=9, rule=rule).is_over == over


@pytest.mark.parametrize(
    ("name", "options", "games"),
    [
        ("gomoku", {"size": 6}, 1500),
        ("gomoku", {"size": 9}, 500),
        ("gomoku", {"size": 15}, 100),
        ("tic_tac_toe", {"size": 3, "in_a_row": 3}, 2000),
    ],
)
def test_random_games_agree_with_openspiel(name, options, games):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    words = {"size": options["size"], "connect": 5} if name == "gomoku" else {}
    for seed in range(repeats(games, games // 10)):
        play_with_openspiel(Gomoku(**options), pyspiel.load_game(name, words), seed)


def test_tic_tac_toe_has_the_known_number_of_games():
    """255,168 complete games, of which 1,440 end at ply 5 and 127,872 at ply 9."""
    start = Gomoku(size=3, in_a_row=3).start()
    ended, going_on = 0, 1
    for ply, ends in enumerate([0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]):
        assert perft(start, ply + 1) == going_on * (9 - ply) + ended
        ended += ends
        going_on = going_on * (9 - ply) - ends
    assert ended == 255_168


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "in_a_row", "payoffs"),
    [(3, 3, [0.5, 0.5]), (4, 4, [0.5, 0.5]), (4, 3, [1, 0]), (4, 5, [0.5, 0.5])],
)
def test_small_boards_have_their_known_results(size, in_a_row, payoffs):
    """On the last board no row fits, so that the result is known without a search."""
    assert meeple.solve(Gomoku(size=size, in_a_row=in_a_row).start()).payoffs.tolist() == payoffs


@pytest.mark.parametrize("seed", few_quick(range(5)))
def test_every_position_is_a_draw_if_no_row_fits_the_board(seed):
    position, rng = Gomoku(size=4).start(), np.random.default_rng(seed)
    while not position.is_over:
        assert meeple.solve(position).payoffs.tolist() == [0.5, 0.5]
        step(position, rng)
    assert position.payoffs.tolist() == [0.5, 0.5]


# ---------------------------------------------------------------- observations and drawings


def test_observation_has_stones_the_last_stone_and_the_mover():
    position = after("a1 b2 d3", size=4, in_a_row=4)
    mine, theirs, last, first_moves = position.observation(1)
    assert np.argwhere(mine).tolist() == [[1, 1]]
    assert np.argwhere(theirs).tolist() == [[0, 0], [2, 3]]
    assert np.argwhere(last).tolist() == [[2, 3]]
    assert not first_moves.any()
    position.play("c4")
    assert all(position.observation(seat)[3].all() for seat in (0, 1))


def test_drawing_marks_the_winning_row():
    assert str(after("a1 b1 b2 c1 c3", size=5, in_a_row=3)) == (
        "   a b c d e\n"
        "1 [X]O O . .  1\n"
        "2  .[X]. . .  2\n"
        "3  . .(X). .  3\n"
        "4  . . . . .  4\n"
        "5  . . . . .  5\n"
        "   a b c d e\n"
        "Black (X) and White (O): 3 or more in a row win"
    )


@given(options(largest=7), st.integers(0, 2**32))
def test_winning_cells_are_rows_through_the_last_stone(chosen, seed):
    game = Gomoku(**chosen)
    position, choice = game.start(), np.random.default_rng(seed)
    while not position.is_over:
        step(position, choice)
    assume(position.state.winner >= 0)
    cells = winning_cells(position)
    assert position.actions[-1] in cells
    assert {int(owners(position).flat[cell]) for cell in cells} == {int(position.state.winner)}
    only = NaiveGomoku(game.size, game.in_a_row, game.exact)
    only.owner = {divmod(cell, game.size): 0 for cell in cells}
    assert only.winner() == 0


# ---------------------------------------------------------------- rollouts


def ends(game, plies, seed, by_moves):
    """Return the ends of rollouts from a random position: [share of player 1, length]."""
    position, choice = game.start(), np.random.default_rng(seed)
    for _ in range(plies):
        step(position, choice)
    moves, found = new_moves(game), []
    rng, twin = kernels.new_rng(seed, int(by_moves)), position.copy()
    for _ in range(repeats(20_000, 4000)):
        twin.row[:] = position.row
        if by_moves:
            uniform_rollout(game.addresses, twin.row, moves, rng[0])
        else:
            rollout(game.address_of(kernels.ROLLOUT), twin.address, rng.ctypes.data)
        winner = int(twin.state.winner)
        found.append((0.5 if winner < 0 else float(winner == 0), int(twin.state.moves)))
    return np.array(found)


@pytest.mark.parametrize(
    ("size", "in_a_row", "rule", "plies"),
    [
        (3, 3, "freestyle", 0),
        (5, 4, "standard", 1),
        (6, 6, "freestyle", 0),
        (9, 5, "standard", 20),
        (15, 5, "freestyle", 60),
    ],
)
def test_rollouts_have_the_distribution_of_random_games(size, in_a_row, rule, plies):
    """Results and lengths, as means and as histograms (chi-square), within 4.5 standard errors."""
    game = Gomoku(size=size, in_a_row=in_a_row, rule=rule)
    fast, slow = (ends(game, plies, 1, by_moves) for by_moves in (False, True))
    error = np.sqrt((fast.var(0) + slow.var(0)) / len(fast)) + 1e-12
    assert (np.abs(fast.mean(0) - slow.mean(0)) / error).max() < 4.5
    for column in (0, 1):
        values = np.unique(np.concatenate([fast[:, column], slow[:, column]]))
        a, b = ((rows[:, column, None] == values).sum(0) for rows in (fast, slow))
        freedom = len(values) - 1
        assert ((a - b) ** 2 / (a + b)).sum() <= freedom + 4.5 * np.sqrt(2 * freedom) + 4.5**2


def test_rollouts_of_tic_tac_toe_end_with_the_known_probabilities():
    """Random play gives player 1 737 wins in 1260 games, player 2 363, and 160 draws."""
    game = Gomoku(size=3, in_a_row=3)
    found = np.concatenate([ends(game, 0, seed, by_moves=False)[:, 0] for seed in range(5)])
    for share, known in ((1.0, 737 / 1260), (0.0, 363 / 1260), (0.5, 160 / 1260)):
        error = np.sqrt(known * (1 - known) / len(found))
        assert abs((found == share).mean() - known) < 4.5 * error


def test_rollout_from_the_last_free_cell_fills_it():
    position = after(FULL, size=3, in_a_row=3)
    rng = kernels.new_rng(0)
    rollout(position.game.address_of(kernels.ROLLOUT), position.address, rng.ctypes.data)
    assert (position.payoffs.tolist(), position.state.moves) == ([0.5, 0.5], 9)


# ---------------------------------------------------------------- worth: heuristic and identity


@pytest.mark.parametrize(
    ("moves", "rule", "winner"),
    [
        ("e5 e4 e6 a2 e7 a3 e8", "freestyle", None),  # a four that can be blocked at e9
        ("e4 a1 e5 a3 e6 b1 e7 i9", "freestyle", 0),  # the mover completes four in a row
        ("e4 a1 e5 a3 e6 b1 e7", "freestyle", 0),  # a four open at both ends cannot be blocked
        ("e4 a1 e5 a3 e6 i9", "freestyle", 0),  # one more stone opens a four at both ends
        ("e4 e3 e5 a3 e6 i9", "freestyle", None),  # unless one end is closed
        (OVERLINE[:-3], "freestyle", 0),
        (OVERLINE[:-3], "standard", None),  # six in a row are no win
    ],
)
def test_heuristic_recognises_decisive_threats(moves, rule, winner):
    found = shares_of(after(moves, size=9, rule=rule))
    assert sum(found) == pytest.approx(1)
    assert found[winner] >= 0.95 if winner is not None else 0.05 < found[0] < 0.95


def test_heuristic_ignores_rows_that_cannot_be_completed():
    assert shares_of(Gomoku(size=9).start()) == [0.5, 0.5]
    assert shares_of(after(FULL, size=3, in_a_row=3)) == [0.5, 0.5]


@given(options(largest=12), st.integers(0, 2**32))
def test_heuristic_and_identity_are_invariant_under_symmetries_and_exchanged_seats(chosen, seed):
    game = Gomoku(**chosen)
    choice = np.random.default_rng(seed)
    position = game.start()
    for _ in range(int(choice.integers(1, game.size**2))):
        step(position, choice)
        if position.is_over:
            return
    for symmetry in game.symmetries():
        image = np.argsort(symmetry.action)
        twin = game.start()
        for action in position.actions:
            twin.play(int(image[action]))
        assert shares_of(twin) == pytest.approx(shares_of(position))
        assert key_of(twin) == key_of(position) or game.size > 8
    twin = position.copy()
    twin.state.lines[:] = position.state.lines[::-1]
    twin.state.to_move = 1 - position.to_move
    assert shares_of(twin) == shares_of(position)[::-1]
    assert key_of(twin) == key_of(position)


@given(options(largest=12), st.integers(0, 2**32))
@pytest.mark.slow
def test_heuristic_is_certain_only_if_a_stone_completes_a_row(chosen, seed):
    """Shares of 0.99 and 0.01 against trying every cell for both players."""
    game = Gomoku(**chosen)
    position, choice = game.start(), np.random.default_rng(seed)
    while not position.is_over:
        mover, fours = position.to_move, [0, 0]
        for player in (0, 1):
            for action in position.legal_actions().tolist():
                twin = position.copy()
                twin.state.to_move = player
                twin.play(action)
                fours[player] += int(twin.state.winner) == player
        decided = 0.99 if fours[mover] else 0.01 if fours[1 - mover] > 1 else None
        found = shares_of(position)[mover]
        assert found == pytest.approx(decided) if decided else 0.05 <= found <= 0.95
        for _ in range(1 + game.size // 4):
            if not position.is_over:
                step(position, choice)


@given(options(), st.integers(0, 2**32))
def test_identity_depends_on_the_stones_and_not_on_their_order(chosen, seed):
    game = Gomoku(**chosen)
    position, choice, keys = game.start(), np.random.default_rng(seed), set()
    for _ in range(3 * game.size // 2):
        keys.add(key_of(position))
        step(position, choice)
        if position.is_over:
            return
        assert key_of(position) not in keys
    first, second = position.actions[0::2], position.actions[1::2]
    twin = game.start()
    for pair in zip(first[::-1], second[::-1]):
        for action in pair:
            if twin.is_over:
                return
            twin.play(action)
    if len(twin.actions) == len(position.actions):
        assert key_of(twin) == key_of(position)
