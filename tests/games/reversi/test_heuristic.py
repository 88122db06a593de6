"""The heuristic of Reversi values corners and stable discs, and is symmetric."""

import numpy as np
import pytest

from meeple.games.contract.registry import make
from meeple.games.reversi.bits import STRIDE, WIDE, WIDE_STRIDE, WORD_BITS
from meeple.games.reversi.explanations import stable_cells
from meeple.games.reversi.heuristic import FEATURES, KNOTS, WEIGHTS
from tests.conformance import sample, step
from tests.games.moves import owners_of, shares_of
from tests.games.reversi.boards import board, exchanged
from tests.tiers import few_quick

SIZES = (4, 6, 8, 10)


def recolour(position, cell):
    """Turn over the disc on a cell."""
    size = position.game.size
    stride = WIDE_STRIDE if size == WIDE else STRIDE
    word, bit = divmod(cell // size * stride + cell % size, WORD_BITS)
    position.state.discs[:, word] ^= np.uint64(1 << bit)


def test_every_feature_has_a_weight_in_every_phase():
    assert WEIGHTS.shape == (2, KNOTS, len(FEATURES))


@pytest.mark.parametrize("payoff", ["win", "discs"])
@pytest.mark.parametrize("size", SIZES)
def test_shares_sum_to_one_and_swap_with_the_seats(size, payoff):
    game = make("reversi", size=size, payoff=payoff)
    for seed in range(20):
        position = sample(game, seed, seed * size * size // 24)
        found = shares_of(position)
        assert sum(found) == pytest.approx(1)
        assert 0 < min(found) < max(found) < 1 or found == [0.5, 0.5]
        assert shares_of(exchanged(position)) == found[::-1]


@pytest.mark.parametrize("size", SIZES)
def test_heuristic_is_invariant_under_symmetries_of_the_board(size):
    game = make("reversi", size=size)
    for symmetry in game.symmetries():
        image = np.argsort(symmetry.action)
        position, twin = game.start(), game.start()
        twin.state.to_move = int(symmetry.player[0])
        choice = np.random.default_rng(3)
        while not position.is_over:
            expected = np.array(shares_of(position))[symmetry.player]
            assert shares_of(twin) == pytest.approx(expected, abs=1e-12)
            twin.play(int(image[step(position, choice)]))


@pytest.mark.parametrize("payoff", ["win", "discs"])
@pytest.mark.parametrize("size", SIZES)
def test_finished_game_has_the_value_of_its_payoffs(size, payoff):
    position, choice = make("reversi", size=size, payoff=payoff).start(), np.random.default_rng(2)
    while not position.is_over:
        step(position, choice)
    assert shares_of(position) == position.payoffs.tolist()


@pytest.mark.parametrize("size", SIZES)
def test_own_corner_increases_the_share(size):
    """Compare a position with an own disc and with an opponent's disc in one corner."""
    gains = []
    for seed in range(100):
        position = sample(make("reversi", size=size), seed, 2 * size * size // 3)
        held = owners_of(position)
        for corner in (0, size - 1, size * (size - 1), size * size - 1):
            if held[corner] >= 0:
                before = shares_of(position)[held[corner]]
                recolour(position, corner)
                gains.append(before - shares_of(position)[held[corner]])
                recolour(position, corner)
    assert len(gains) > 50
    assert np.mean(np.array(gains) > 0) > 0.97


def test_disc_diagonal_to_an_empty_corner_lowers_the_share():
    rows = """
        ........ ........ ..XXOO.. ..XOXO.. ..OXOX.. ..OOXX.. ........ ........"""
    cautious = board(rows.replace("........ ..XX", "..X..... ..XX", 1))
    careless = board(rows.replace("........ ..XX", ".X...... ..XX", 1))
    assert shares_of(cautious)[0] > shares_of(careless)[0]


def test_more_moves_raise_the_share_in_the_middle_of_the_game():
    few = """
        ........ ........ ..OOO... ..OXO... ..OXO... ..OOO... ........ ........"""
    many = few.replace("O", "o").replace("X", "O").replace("o", "X")
    assert shares_of(board(few))[0] > 0.5 > shares_of(board(many))[0]


@pytest.mark.parametrize("size", SIZES)
def test_stable_discs_are_never_turned_over(size):
    seen = 0
    for seed in range(15):
        position, choice = make("reversi", size=size).start(), np.random.default_rng(seed)
        stable: dict[int, int] = {}
        while not position.is_over:
            step(position, choice)
            now = owners_of(position)
            assert all(now[cell] == owner for cell, owner in stable.items())
            stable = {cell: int(now[cell]) for cell in stable_cells(position)}
            assert -1 not in stable.values()
            seen += len(stable)
    assert seen > 100


def test_only_discs_along_an_edge_from_a_corner_are_stable():
    position = board("XXXO.... XX...... X..O.... ...OX... ...XO... ........ ........ ........")
    names = {position.action_name(cell) for cell in stable_cells(position)}
    assert names == {"a1", "b1", "c1", "a2", "b2", "a3"}


def test_all_discs_of_a_full_board_are_stable():
    assert len(stable_cells(board(" ".join(["XOXOXO"] * 6)))) == 36


@pytest.mark.parametrize("size", few_quick([6, 8, 10]))
@pytest.mark.slow
def test_greedy_play_by_the_heuristic_beats_random_moves(size):
    won = 0.0
    for seed in range(60):
        position, choice = make("reversi", size=size).start(), np.random.default_rng(seed)
        seat = seed % 2
        while not position.is_over:
            if position.to_move != seat:
                step(position, choice)
                continue
            values = []
            for action in position.legal_actions().tolist():
                position.play(action)
                values.append((shares_of(position)[seat], action))
                position.undo()
            position.play(max(values)[1])
        won += position.payoffs[seat]
    assert won / 60 > 0.85
