"""Reversi agrees with a naive board, OpenSpiel and known values.

Games of tournaments: `tests/protocols/records/test_wthor.py`.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meeple import kernels
from meeple.errors import OptionError
from meeple.games.contract.registry import make
from meeple.kernels import OVER
from meeple.kernels.table import caller
from meeple.search.exact.solver import solve
from tests.conformance import sample, step
from tests.games.moves import after, key_of, names_of, owners_of, play_with_openspiel
from tests.games.reversi.boards import exchanged, naive_game, random_middle
from tests.naive.reversi import NaiveReversi, best_score
from tests.tiers import few_quick, repeats

SIZES = (4, 6, 8, 10)
SURE = 1 << 32  # guidance followed with probability 1

guided_rollout, rollout = caller("guided_rollout"), caller("rollout")


# ---------------------------------------------------------------- the rules


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
def test_random_games_agree_with_the_naive_rules(size, seed):
    position, naive = make("reversi", size=size).start(), NaiveReversi(size)
    counted = make("reversi", size=size, payoff="discs").start()
    choice = np.random.default_rng(seed)
    while not position.is_over:
        assert position.to_move == naive.to_move
        assert position.legal_actions().tolist() == naive.legal()
        action = step(position, choice)
        counted.play(action)
        naive.play(action)
        expected = [naive.owner.get(divmod(cell, size), -1) for cell in range(size * size)]
        assert owners_of(position) == expected
    assert naive.to_move is None
    first, second = naive.score()
    assert counted.payoffs.tolist() == [first / size**2, second / size**2]
    assert position.payoffs[0] == (0.5 if first == second else first > second)


@pytest.mark.slow
def test_random_games_agree_with_openspiel():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs = pyspiel.load_game("othello")
    for seed in range(repeats(500, 100)):
        play_with_openspiel(make("reversi"), theirs, seed)


def test_shortest_game_takes_all_discs_of_the_opponent():
    for payoff in ("win", "discs"):
        position = after("reversi", "e6 f4 e3 f6 g5 d6 e7 f5 c5", payoff=payoff)
        assert 1 not in owners_of(position)
        assert position.payoffs.tolist() == [1, 0]


def test_start_has_white_on_d4_and_e5():
    position = make("reversi").start()
    assert names_of(position) == ["d3", "c4", "f5", "e6"]
    assert position.game.player_name(position.to_move) == "Black"
    lines = str(position).splitlines()
    assert lines[4].split() == ["4", ".", ".", ".", "O", "X", ".", ".", ".", "4"]
    assert lines[5].split() == ["5", ".", ".", ".", "X", "O", ".", ".", ".", "5"]


@pytest.mark.parametrize("size", [5, 7, 9])
def test_odd_board_is_refused(size):
    with pytest.raises(OptionError, match="size must be 4, 6, 8 or 10"):
        make("reversi", size=size)


# ---------------------------------------------------------------- known values


@pytest.mark.slow
def test_second_player_wins_on_4x4_with_the_score_of_brute_force():
    by_wins, by_discs = (
        solve(make("reversi", size=4, payoff=payoff).start()).payoffs for payoff in ("win", "discs")
    )
    assert by_wins.tolist() == [0, 1]
    assert by_discs[0] * 16 == pytest.approx(best_score(NaiveReversi(4)))


@pytest.mark.parametrize("seed", range(6))
def test_endgames_on_6x6_have_the_values_of_brute_force(seed):
    game = make("reversi", size=6, payoff="discs")
    position = sample(game, seed, 25)
    assert solve(position).payoffs[0] * 36 == pytest.approx(best_score(naive_game(position)))


# ---------------------------------------------------------------- rollouts


def rolled_out(position, seed, guidance):
    twin, rng = position.copy(), kernels.new_rng(seed)
    guided_rollout(address(kernels.GUIDED_ROLLOUT), twin.address, rng.ctypes.data, guidance)
    assert twin.to_move == OVER
    return twin


def address(kernel):
    return make("reversi").address_of(kernel)


@pytest.mark.parametrize("size", SIZES)
def test_rollout_ends_if_neither_player_can_move(size):
    for seed in range(30):
        position = random_middle(size, seed)
        before = owners_of(position)
        end = rolled_out(position, seed, 0)
        naive = NaiveReversi(size)
        owners = owners_of(end)
        naive.owner = {divmod(c, size): owner for c, owner in enumerate(owners) if owner >= 0}
        assert naive.cells(0) == naive.cells(1) == []
        assert all(now >= 0 for now, was in zip(owners, before, strict=True) if was >= 0)


@pytest.mark.parametrize("size", few_quick([4, 8, 10]))
@pytest.mark.slow
def test_rollouts_without_guidance_have_the_distribution_of_random_moves(size):
    games = 400
    game = make("reversi", size=size, payoff="discs")
    position, choice = sample(game, 3, 6), np.random.default_rng(1)
    slow = np.zeros(games)
    for index in range(games):
        twin = position.copy()
        while not twin.is_over:
            step(twin, choice)
        slow[index] = twin.payoffs[0]
    fast = np.array([rolled_out(position, seed, 0).payoffs[0] for seed in range(4000)])
    assert fast.mean() == pytest.approx(slow.mean(), abs=4 * slow.std() / np.sqrt(games))
    assert fast.std() == pytest.approx(slow.std(), rel=0.2)


def test_both_rollout_kernels_agree_without_guidance():
    position = random_middle(8, 1)
    twin, rng = position.copy(), kernels.new_rng(5)
    rollout(address(kernels.ROLLOUT), twin.address, rng.ctypes.data)
    assert twin.row.tobytes() == rolled_out(position, 5, 0).row.tobytes()


@pytest.mark.parametrize("size", few_quick([6, 8, 10]))
@pytest.mark.slow
def test_guided_rollouts_take_a_corner_with_the_given_probability(size):
    """A disc in a corner is never turned over, so its final owner has taken it."""
    corners = {0, size - 1, size * (size - 1), size * size - 1}
    means = []
    for seed in range(60):
        position = random_middle(size, seed)
        legal = corners & set(position.legal_actions().tolist())
        if len(legal) != 1 or len(position.legal_actions()) < 5:
            continue
        (corner,) = legal
        held = []
        for guidance in (0, SURE // 2, SURE):
            ends = [rolled_out(position, number, guidance) for number in range(300)]
            held.append(np.mean([owners_of(end)[corner] == position.to_move for end in ends]))
        means.append(held)
    never, half, always = np.mean(means, axis=0)
    assert never + 0.02 < half < always == 1


# ---------------------------------------------------------------- observations and identities


@pytest.mark.parametrize("size", SIZES)
def test_observation_shows_discs_of_both_players_and_the_movers_moves(size):
    for seed in range(20):
        position = random_middle(size, seed)
        owners = np.array(owners_of(position)).reshape(size, size)
        moves = position.legal_mask()[:-1].reshape(size, size)
        for player in range(2):
            own, other, legal = position.observation(player)
            assert (own == (owners == player)).all()
            assert (other == (owners == 1 - player)).all()
            assert (legal == moves).all()


@pytest.mark.parametrize("size", SIZES)
def test_identity_does_not_depend_on_the_path_to_a_position(size):
    keys: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for seed in range(200):
        position, choice = make("reversi", size=size).start(), np.random.default_rng(seed)
        for _ in range(7):
            step(position, choice)
            keys.setdefault(key_of(position), set()).add(
                (position.to_move, *owners_of(position)),
            )
    assert all(len(found) == 1 for found in keys.values())
    assert len(keys) < 7 * 200


@pytest.mark.parametrize("size", SIZES)
def test_identity_is_invariant_under_exchange_of_the_players(size):
    position = random_middle(size, 4)
    twin = exchanged(position)
    assert key_of(twin) == key_of(position)
    twin.state.to_move = position.to_move
    assert key_of(twin) != key_of(position)
