"""Exact evaluators: Pig by value iteration, Coins by max^n, Connect Four by a solver."""

import functools
import itertools

import numpy as np
import pytest

from bench import coins, connect_four, pig
from meeple.agents.spec import agent
from meeple.games.contract.registry import load_game_file

# ------------------------------------------------------------ Pig


@pytest.mark.slow
def test_first_player_of_pig_wins_with_the_known_probability():
    """Neller and Presser (2004): 53.06 % to 100 points."""
    chances, holds = pig.best(100)
    assert chances[0, 0] == pytest.approx(0.5306, abs=5e-5)
    first, second = pig.against_best(holds, holds)
    assert first == pytest.approx(chances[0, 0], abs=1e-8)
    assert first + second == pytest.approx(1, abs=1e-8)


def test_value_of_a_pig_policy_agrees_with_simulated_games():
    """Simulate holding at 7 against the best policy in a race to 15."""
    goal, rng = 15, np.random.default_rng(3)
    _, best = pig.best(goal)
    at = np.arange(goal)
    holds = np.broadcast_to(at[None, None, :] >= 7, best.shape)
    first, second = pig.against_best(holds, best)
    assert first < pig.best(goal)[0][0, 0]

    def won(policies):
        points, mover = [0, 0], 0
        while True:
            total = 0
            while True:
                eyes = int(rng.integers(1, 7))
                if eyes == 1:
                    break
                total += eyes
                if points[mover] + total >= goal:
                    return mover
                if policies[mover][points[mover], points[1 - mover], total]:
                    points[mover] += total
                    break
            mover = 1 - mover

    games = 4000
    assert sum(won((holds, best)) == 0 for _ in range(games)) / games == pytest.approx(
        first, abs=0.03
    )
    assert sum(won((best, holds)) == 1 for _ in range(games)) / games == pytest.approx(
        second, abs=0.03
    )


def test_choices_of_a_pig_network_are_read_from_its_observations():
    game = load_game_file(pig.FILE)(goal=30)
    steps = (game.observation_shape[0] - 1) // 3

    def holds_at_ten(observations, legal):
        """Decode `observe`: each sum of points is in steps that add up to its share."""
        turn = observations[:, 2 * steps : 3 * steps].sum(axis=1) / steps * 30
        policy = np.zeros((len(observations), game.num_actions), dtype=np.float32)
        policy[:, 0] = turn >= 9.99
        policy[:, 1] = 1 - policy[:, 0]
        return policy, None

    holds = pig.holds_of(holds_at_ten, game)
    for own, other, at in itertools.product(range(30), range(30), range(2, 30)):
        if own + at < 30:
            assert holds[own, other, at] == (at >= 10)


# ------------------------------------------------------------ Coins


@pytest.mark.parametrize("seed", range(5))
def test_exact_play_of_coins_agrees_with_plain_recursion(seed):
    worth = (np.random.default_rng(seed).permutation(8) + 1).tolist()

    @functools.cache
    def best(row, mover):
        """Return the future points of seats 0, 1, 2."""
        if not row:
            return (0, 0, 0)
        ways = []
        for taken, rest in ((row[0], row[1:]), (row[-1], row[:-1])):
            points = list(best(rest, (mover + 1) % 3))
            points[mover] += taken
            ways.append(tuple(points))
        return max(ways, key=lambda points: points[mover])

    exact = coins.Exact(worth)
    assert exact.ahead(0, 8) == best(tuple(worth), 0)


def test_no_player_gains_by_deviating_from_exact_play():
    game = load_game_file(coins.FILE)(coins=7)
    player = agent("random", game)
    player.begin(1)
    gains = []
    for deal, seat in itertools.product(range(40), range(3)):
        exact, _, _ = coins.play(game, deal, None, seat)
        share, choices, right_ones = coins.play(game, deal, player, seat)
        gains.append(share - exact)
        assert right_ones <= choices
    assert max(gains) <= 1e-9
    assert min(gains) < 0


# ------------------------------------------------------------ Connect Four


def plain(actions):
    """Return the result for the player to move, by exhaustive search in the game itself."""
    position = connect_four_game().start(0)
    for action in actions:
        position.play(action)

    def value():
        if position.is_over:
            return 0 if position.payoffs[0] == 0.5 else -1
        found = []
        for action in position.legal_actions().tolist():
            position.play(action)
            found.append(-value())
            position.undo()
            if found[-1] == 1:
                break
        return max(found)

    return value()


@functools.cache
def connect_four_game():
    return load_game_file(connect_four.FILE)()


@pytest.mark.slow
def test_solver_is_right_in_late_positions():
    solver, seen = connect_four.Solver(), set()
    rng = np.random.default_rng(4)
    looked = 0
    while looked < 60:
        position = connect_four_game().start(0)
        while not position.is_over and len(position.actions) < 34:
            position.play(int(rng.choice(position.legal_actions())))
        if position.is_over:
            continue
        looked += 1
        for column, result in solver.of_moves(position.actions).items():
            position.play(column)
            if position.is_over:
                expected = 0 if position.payoffs[0] == 0.5 else 1
            else:
                expected = -plain(position.actions)
            position.undo()
            assert result == expected
            seen.add(result)
    assert seen == {-1, 0, 1}


def test_evaluated_positions_are_different_and_not_over():
    found = connect_four.positions(connect_four_game(), 20, seed=1)
    assert len(set(found)) == 20
    assert all(connect_four.FEWEST <= len(actions) <= connect_four.MOST for actions in found)
