"""Hex agrees with a naive connection search and OpenSpiel, and rollouts with plain moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meeple
from meeple import kernels
from meeple.games.check.rules import a_swap_gives_the_share_of_the_opponent
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract.registry import make
from meeple.games.contract.symmetry import SwapRule
from meeple.games.hex.game import Hex
from meeple.kernels.table import caller
from meeple.search.exact import proof_number as pn
from tests.conformance import step
from tests.games.moves import after, key_of, play_with_openspiel
from tests.naive.hex import NaiveHex
from tests.tiers import repeats

rollout, guided_rollout = caller("rollout"), caller("guided_rollout")
known_result = caller("known_result")


def known_winner(position):
    """Return the player with a win by bridges, or None."""
    shares = np.full(2, -1.0)
    known_result(
        position.game.address_of(kernels.KNOWN_RESULT), position.address, shares.ctypes.data
    )
    return int(shares.argmax()) if shares[0] >= 0 else None


def dealt_rows(state, size):
    """Return player 1's cells after a rollout, as a bit mask for each row."""
    if size > 11:
        return state.stones[0].tolist()
    board = int(state.mine[0]) | int(state.mine[1]) << 64
    rows = [board >> row * size & (1 << size) - 1 for row in range(size)]
    return rows + [0] * (len(state.stones[0]) - size)


@given(st.integers(3, 9), st.booleans(), st.booleans(), st.integers(1, 2), st.integers(0, 2**32))
def test_random_games_agree_with_the_naive_rules(size, swap, take_the_swap, first, seed):
    position = make("hex", size=size, swap=swap, first=first).start()
    naive = NaiveHex(size, swap, first - 1)
    choice = np.random.default_rng(seed)
    while not position.is_over:
        assert set(position.legal_actions().tolist()) == naive.legal()
        swapping = swap and take_the_swap and naive.plies == 1
        action = size * size if swapping else int(choice.choice(position.legal_actions()))
        position.play(action)
        naive.play(action)
        assert position.is_over == (naive.winner() is not None)
        assert position.is_over or position.to_move == naive.to_move
    assert position.payoffs[naive.winner()] == 1


@pytest.mark.parametrize("size", [3, 5, 11])
def test_random_games_agree_with_openspiel(size):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs = pyspiel.load_game("hex", {"board_size": size})
    for seed in range(20):
        play_with_openspiel(make("hex", size=size), theirs, seed)


@given(st.integers(3, 19), st.integers(0, 2**32))
def test_rollout_winner_agrees_with_the_filled_board(size, seed):
    position, choice = make("hex", size=size).start(), np.random.default_rng(seed)
    for _ in range(size):
        step(position, choice)
        if position.is_over:
            return
    before = [position.state.stones[player].copy() for player in (0, 1)]
    rng = kernels.new_rng(seed)
    rollout(position.game.address_of(kernels.ROLLOUT), position.address, rng.ctypes.data)
    naive = NaiveHex(size, swap=False)
    mine = dealt_rows(position.state, size)
    assert [new & old for new, old in zip(mine, before[0].tolist())] == before[0].tolist()
    for row in range(size):
        for column in range(size):
            naive.owner[row, column] = 0 if mine[row] >> column & 1 else 1
            if before[1][column] >> row & 1:
                assert naive.owner[row, column] == 1
    assert 0 <= 2 * sum(map(int.bit_count, mine)) - size * size <= 1
    assert position.payoffs[naive.winner()] == 1


@given(st.sampled_from([3, 5, 7, 11, 13]), st.integers(0, 2**32))
def test_guided_rollout_loses_no_bridge(size, seed):
    position, choice = make("hex", size=size).start(), np.random.default_rng(seed)
    naive = NaiveHex(size, swap=False)
    for _ in range(choice.integers(size * size // 2)):
        naive.play(step(position, choice))
        if position.is_over:
            return
    bridges = [naive.bridges(player) for player in (0, 1)]
    free = [divmod(action, size) for action in naive.legal()]
    rng = kernels.new_rng(seed)
    address = position.game.address_of(kernels.GUIDED_ROLLOUT)
    guided_rollout(address, position.address, rng.ctypes.data, 2**32)
    for row, column in free:
        naive.owner[row, column] = 0 if position.state.stones[0, row] >> column & 1 else 1
    assert position.payoffs[naive.winner()] == 1
    for player in (0, 1):
        contested = set().union(*bridges[1 - player])
        for cells in bridges[player]:
            assert cells & contested or any(naive.owner[cell] == player for cell in cells)


@given(st.sampled_from([3, 5, 7, 8, 19]), st.integers(0, 2**32))
def test_identity_is_invariant_under_a_half_turn_and_depends_on_stones(size, seed):
    game = make("hex", size=size)
    position, turned = game.start(), game.start()
    choice, keys = np.random.default_rng(seed), {key_of(position)}
    for _ in range(size):
        if position.is_over:
            return
        turned.play(size * size - 1 - step(position, choice))
        assert key_of(turned) == key_of(position)
        assert key_of(position) not in keys
        keys.add(key_of(position))


def test_identity_depends_on_the_swap_and_not_on_the_order_of_moves():
    one, other = (after("hex", moves, size=5) for moves in ("a1 b2 c4 d4", "c4 d4 a1 b2"))
    assert key_of(one) == key_of(other)
    one, other = (after("hex", moves, size=5, swap=True) for moves in ("b3", "b3 swap"))
    assert key_of(one) != key_of(other)


@pytest.mark.parametrize("size", [3, 4])
def test_first_player_wins_with_either_pair_of_sides(size):
    """Check the mirror that exchanges the players, and the exact values of all openings."""
    found = []
    for first in (1, 2):
        game = make("hex", size=size, first=first)
        solved = meeple.solve(game.start())
        assert solved.payoffs[first - 1] == 1
        openings = {divmod(action, size) for action in solved.winning_actions}
        found.append(openings if first == 1 else {(column, row) for row, column in openings})
    assert found[0] == found[1]


def test_files_without_the_first_option_use_its_original_value():
    game, other = make("hex", size=7), make("hex", size=7, first=2)
    assert {**game.unsaid, "size": 7, "swap": False} == dict(game.options)
    assert meeple.agent("policy:hex7", game).choose(game.start()) in range(49)
    assert meeple.agent("policy:hex7", other).choose(other.start()) in range(49)


@pytest.mark.parametrize(
    ("name", "replacement", "said"),
    [
        ("symmetries", lambda game: (), "the players' sides"),
        ("swap_rule", lambda game: SwapRule({"swap": False, "first": 2}, 9), "the player to move"),
        ("swap_rule", lambda game: SwapRule({}, 9), "all actions but the swap"),
    ],
)
def test_a_swap_rule_that_does_not_exchange_the_players_is_reported(
    monkeypatch, name, replacement, said
):
    walk = GameWalk(make("hex", size=3, swap=True))
    a_swap_gives_the_share_of_the_opponent(walk)
    monkeypatch.setattr(Hex, name, replacement)
    with pytest.raises(CheckFailure, match=said):
        a_swap_gives_the_share_of_the_opponent(walk)


@pytest.mark.parametrize(("size", "plies"), [(4, 1), (5, 9), (6, 22), (7, 34)])
@pytest.mark.slow
def test_wins_by_bridges_agree_with_exact_values(size, plies):
    """Compare with exact values of positions of random games, computed without bridges."""
    promises = 0
    for seed in range(repeats(250, 60)):
        position, choice = make("hex", size=size).start(), np.random.default_rng(seed)
        while not position.is_over:
            winner = known_winner(position)
            if winner is not None and len(position.actions) >= plies:
                promises += 1
                assert winner_without_bridges(position) == winner
            step(position, choice)
    assert promises > 50


def winner_without_bridges(position):
    rules = position.game.addresses.copy()
    rules[kernels.KNOWN_RESULT] = 0
    mover = position.to_move
    search = pn.new_search(position.game, position.game.max_plies, 1 << 20)
    pn.enter(search, position.row)
    while (result := pn.run_proof_number(rules, search, mover, 1.0, 100_000)) == pn.RUNNING:
        pass
    assert result == pn.DONE
    return mover if pn.root_number(search) == 0 else 1 - mover


@pytest.mark.parametrize(
    ("moves", "swap", "winner"), [("b2", False, 0), ("a1 b2", False, 1), ("b2", True, None)]
)
def test_centre_stone_on_3x3_wins_by_bridges(moves, swap, winner):
    assert known_winner(after("hex", moves, size=3, swap=swap)) == winner
