"""Candidates of Gomoku: what they leave out loses, checked by the exact solver."""

import numpy as np
import pytest

from meeple import make, solve
from meeple.games.check.walk import call_kernel
from meeple.games.contract.game import Position
from meeple.games.gomoku.cell_scores import score_cells
from meeple.kernels import CANDIDATES, QUIET, moves_record
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import MinimaxSettings
from tests.games.gomoku import boards
from tests.games.gomoku.boards import after
from tests.naive.gomoku import NaiveGomoku
from tests.tiers import few_quick, repeats

BOARDS = [(4, 3, "freestyle"), (5, 3, "standard"), (5, 4, "freestyle"), (5, 4, "standard")]
FIVES = [(6, 5, "standard"), (6, 5, "renju")]


def random_position(size: int, in_a_row: int, rule: str, free: int, seed: int) -> Position:
    """Return an unfinished position of a random game with this number of free cells."""
    rng = np.random.default_rng(seed)
    return boards.random_position(size, in_a_row, rule, rng, plies=size * size - free)


def candidates_of(position: Position) -> tuple[list[int], bool]:
    """Return the candidates in their order, and whether all other moves lose."""
    moves, complete = call_kernel(position, CANDIDATES)
    return moves.actions[: moves.count].tolist(), bool(complete[0])


def names_of(position: Position) -> list[str]:
    return [position.action_name(action) for action in candidates_of(position)[0]]


def share_after(position: Position, action: int) -> float:
    """Return the exact share of the player to move after an action."""
    mover, twin = position.to_move, position.copy()
    twin.play(action)
    return float(twin.payoffs[mover] if twin.is_over else solve(twin).payoffs[mover])


@pytest.mark.parametrize(("size", "in_a_row", "rule"), [*BOARDS, *FIVES])
@pytest.mark.slow
def test_complete_candidates_win_or_leave_out_what_loses(size, in_a_row, rule):
    complete_lists = 0
    for seed in range(60):  # both players are to move in turns
        position = random_position(size, in_a_row, rule, free=8 + seed % 2, seed=seed)
        listed, complete = candidates_of(position)
        if not complete:
            continue
        complete_lists += 1
        left_out = set(position.legal_actions().tolist()) - set(listed)
        if any(share_after(position, action) for action in left_out):
            assert [share_after(position, action) for action in listed] == [1]
    assert complete_lists > 10


@pytest.mark.parametrize(
    ("moves", "listed", "complete"),
    [
        ("a1 a5 b1 b5 c1 c5 d1 d5", {"e1"}, True),  # a winning stone comes before a block
        ("a1 a5 b1 b5 c1 c5 o15 d5", {"e5"}, True),
        ("g8 a1 h8 b1 i8", {"f8", "j8"}, True),  # the blocks of an open three
        ("g8 a1 h8 b1 o15 c1 i8", {"f8", "j8", "d1", "e1"}, True),  # and own fours at the edge
    ],
)
def test_a_threat_leaves_only_what_meets_it(moves, listed, complete):
    position = after(moves)
    assert set(names_of(position)) == listed
    assert candidates_of(position)[1] == complete


def test_a_row_that_can_only_become_longer_threatens_nothing():
    moves = "c8 o1 d8 o15 e8 a1 g8 a15"  # a stone on f8 completes five, unless b8 or h8 is black
    longer = moves + " h8 h1"
    assert names_of(after(moves, rule="standard")) == ["f8"]
    assert names_of(after(longer)) == ["f8"]
    for rule in ("standard", "renju"):
        assert len(names_of(after(longer, rule=rule))) > 5


def test_an_open_three_of_the_mover_becomes_a_straight_four():
    (name,) = names_of(after("g8 a1 h8 c3 i8 e5"))
    assert name in {"f8", "j8"}


def test_the_first_stone_is_placed_in_the_centre_and_the_next_beside_it():
    assert names_of(make("gomoku").start()) == ["h8"]
    for action in candidates_of(after("h8"))[0]:
        assert max(abs(place - 7) for place in divmod(action, 15)) <= 4


@pytest.mark.parametrize(("size", "in_a_row", "rule"), BOARDS)
@pytest.mark.slow
def test_a_position_is_restless_if_the_last_stone_threatens_to_win(size, in_a_row, rule):
    found = set()
    for seed in range(repeats(80, 20)):
        position = random_position(size, in_a_row, rule, free=size, seed=seed)
        naive, *earlier = NaiveGomoku(size, in_a_row, rule != "freestyle"), *position.actions[:-1]
        for action in earlier:
            naive.play(action)
        player = naive.to_move
        threatened = can_win(naive, player, naive.legal())
        naive.play(position.actions[-1])
        threatens = can_win(naive, player, naive.legal())
        if threatens != threatened or not threatens:
            assert bool(call_kernel(position, QUIET)[0][0]) == (not threatens)
        found.add(threatens)
    assert True in found


def can_win(naive: NaiveGomoku, player: int, cells: list[int]) -> bool:
    """Whether a stone of a player on one of the cells wins."""
    wins = False
    for cell in cells:
        place = divmod(cell, naive.size)
        naive.owner[place] = player
        wins |= naive.winner() == player
        del naive.owner[place]
    return wins


@pytest.mark.parametrize("depth", few_quick([2, 4, 6]))
@pytest.mark.parametrize(("size", "in_a_row", "rule"), [*BOARDS, *FIVES])
def test_what_a_selective_search_proves_is_true(size, in_a_row, rule, depth):
    proven = 0
    for seed in range(40):
        position = random_position(size, in_a_row, rule, free=9 + seed % 2, seed=seed)
        result = AlphaBeta(position.game, MinimaxSettings(selective=True)).run(position, depth)
        if result.proven:
            proven += 1
            exact = solve(position)
            np.testing.assert_allclose(result.value, exact.payoffs, atol=1e-6)
            assert result.best in exact.best_actions
    assert proven > 10


def test_a_win_by_fours_is_seen_at_the_leaves():
    position = after("f8 a1 g8 o1 h8 e8 h9 a15 h10 o15")  # i8 and h11 make fours and meet nothing
    assert AlphaBeta(position.game, MinimaxSettings(selective=True)).run(position, 2).value[0] == 1


def test_candidates_of_renju_are_a_few_allowed_cells():
    position = after("h8 i9 h10 g9 j8 f9 j10", rule="renju")  # White is to move, then Black
    for action in ("e9", "o15"):
        listed, _ = candidates_of(position)
        assert 0 < len(listed) < 25
        assert set(listed) <= set(position.legal_actions().tolist())
        position.play(action)


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize(
    ("moves", "best"),
    [("h8 i9 h10", True), ("h8 i9 h10 g9 j8 f9", False)],  # the best; defences
)
def test_candidates_are_listed_by_the_scores_of_cells(moves, best, rule):
    position = after(moves, rule=rule)
    scores = np.zeros(1, moves_record(position.game.max_moves))
    state = position.row.copy().view(position.game.State)[0]
    score_cells(state, scores[0], position.to_move, 0)  # no four may count besides the order
    listed = candidates_of(position)[0]
    found = scores["actions"][0, listed].tolist()
    assert len(set(found)) > 2
    assert found == sorted(found, reverse=True)
    if best:
        assert found == sorted(scores["actions"][0].tolist(), reverse=True)[: len(found)]
