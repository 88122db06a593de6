"""UCT with random rollouts: it finds forced wins, reuses its tree, and stops on request.

That it visits the textbook's nodes is shown by `test_textbook_uct.py` and `test_descent.py`, that
what it proves is exact by `test_tree.py` and `test_proofs.py`.
"""

import numpy as np
import pytest

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import load_game_file, make
from meeple.search.exact.solver import solve
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from tests.games import race
from tests.search import prize, thumb, toys

HEX3, HEX4 = make("hex", size=3), make("hex", size=4)
NIM = make("nim", heaps="3,4,5", take=5)
REVERSI = make("reversi", size=6)
OPEN = {"solve": False}  # no proof ends the search


def after(game, moves):
    """Return the position after moves by name."""
    position = game.start()
    for move in moves.split():
        position.play(position.parse_action(move))
    return position


def searching(game, seed=0, threads=1, **settings):
    return TreeSearch(OpenUct(game, UctSettings(**settings), threads=threads), seed=seed)


def same(first, second):
    """Return whether two searches have the same result."""
    return (
        first.visits.tolist() == second.visits.tolist()
        and np.array_equal(first.values, second.values, equal_nan=True)
        and first.principal_variation == second.principal_variation
        and first.nodes == second.nodes
    )


def all_count(result, simulations, trees=1):
    """Return whether all simulations but the first of each tree are counted at an action."""
    return 0 <= simulations - result.visits.sum() <= trees


# ---------------------------------------------------------------- forced results


@pytest.mark.parametrize(
    ("moves", "threads", "most"),
    [
        ("b1 d1 b2 d2 b3 d3", 1, 1000),  # player 1 has b1, b2, b3; b4 or a4 joins the sides
        ("b1 d1 b2 d2 b3 d3", 2, 5000),
        ("c2 a1 b4 a2", 1, 200_000),  # two bridges: from c2 to b4, and from c2 to the edge
    ],
)
def test_a_forced_win_is_proven_and_ends_the_search(moves, threads, most):
    position = after(HEX4, moves)
    result = searching(HEX4, threads=threads).run(position, 200_000)
    assert result.proven
    assert result.value.tolist() == [1, 0]
    assert result.best in solve(position).winning_actions
    assert result.simulations < most


@pytest.mark.parametrize("take", [1, 2, 3])
def test_nim_is_played_by_the_closed_form(take):
    for stones in range(take, 13):
        game = make("nim", stones=stones, take=take)
        result = searching(game, seed=stones).run(game.start(), 50_000)
        assert result.proven
        remainder = stones % (take + 1)
        assert result.value.tolist() == ([1, 0] if remainder else [0, 1])
        if remainder:
            assert result.best == remainder - 1  # action n - 1 takes n


@pytest.mark.parametrize("transpositions", [False, True])
def test_values_of_three_players_and_a_die_agree_with_hand_calculation(transpositions):
    game = toys.Paper()
    result = searching(game, transpositions=transpositions).run(game.start(), 5000)
    assert result.proven
    assert result.best == toys.B
    np.testing.assert_allclose(result.value, toys.VALUE, atol=1e-6)


def test_values_without_proofs_converge_and_each_player_maximises_its_own():
    game = toys.Paper()
    result = searching(game, solve=False, c=0.5).run(game.start(), 30_000)
    assert not result.proven
    assert result.best == toys.B
    np.testing.assert_allclose(result.values[toys.B], toys.VALUE, atol=0.05)
    np.testing.assert_allclose(result.values[toys.A], toys.ACTION_VALUES[toys.A], atol=0.15)


def test_outcomes_are_drawn_by_their_probabilities():
    position = toys.Paper().start()
    position.play(toys.B)
    result = searching(position.game, **OPEN).run(position, 20_000)
    np.testing.assert_allclose(result.policy, [0.25, 0.75], atol=0.02)


def test_values_of_three_players_sum_to_one():
    position = load_game_file(race.__file__)(goal=8).start(seed=2)
    position.play_chance()
    result = searching(position.game).run(position, 3000)
    np.testing.assert_allclose(result.value.sum(), 1)
    np.testing.assert_allclose(result.values.sum(axis=1), 1)
    assert result.value.min() > 0


# ---------------------------------------------------------------- equal seeds, equal results


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("game", [HEX4, NIM], ids=repr)
def test_seed_determines_the_result_for_any_growth_of_the_tree(game, transpositions, monkeypatch):
    def search(seed=5):
        found = searching(game, seed, transpositions=transpositions, **OPEN)
        return found.run(game.start(), 4000)

    roomy = search()
    assert not same(search(seed=6), roomy)
    monkeypatch.setattr(OpenUct, "_likely_nodes", lambda *_: game.max_moves + 1)
    assert same(search(), roomy)


def test_new_game_does_not_depend_on_the_last_one():
    search = searching(HEX4, seed=7)
    first = search.run(HEX4.start(), 2000)
    search.run(after(HEX4, "a1 b2"), 3000)
    search.begin(7)
    assert same(search.run(HEX4.start(), 2000), first)


def test_two_threads_give_reproducible_results_and_share_the_work():
    first, again = (searching(HEX4, 3, 2, **OPEN).run(HEX4.start(), 5001) for _ in range(2))
    assert first.simulations == 5001
    assert all_count(first, 5001, trees=2)
    assert same(again, first)


# ---------------------------------------------------------------- reuse of the tree


def test_the_tree_is_kept_in_a_position_and_after_a_move_and_not_in_another_line():
    search, position = searching(HEX4, **OPEN), HEX4.start()
    assert search.rule.nbytes == 0
    search.run(position, 5000)
    first = search.run(position, 500)
    assert first.simulations == 500
    assert all_count(first, 5500)
    assert 30 * first.nodes < search.rule.nbytes < 150 * first.nodes
    position.play(first.best)
    assert all_count(search.run(position, 100), int(first.visits.max()) + 100)
    other = after(HEX4, "a1" if first.best else "b1")
    assert all_count(search.run(other, 200), 200)


@pytest.mark.parametrize("transpositions", [True, False])
def test_different_random_opening_is_a_new_game(transpositions):
    game = prize.Prize()
    search = searching(game, transpositions=transpositions)
    openings = [game.start(seed) for seed in range(6)]
    assert len({int(opening.state.prize) for opening in openings}) > 1
    for opening in openings:
        assert search.run(opening, 100).best == opening.state.prize


def test_game_with_one_tree_is_won_from_the_winning_side():
    search, position = searching(NIM), NIM.start()
    assert solve(position).winning_actions
    while not position.is_over:
        if position.to_move == 0:
            position.play(search.run(position, 5000).best)
        else:
            position.play(int(position.legal_actions()[-1]))
    assert position.payoffs.tolist() == [1, 0]


# ---------------------------------------------------------------- limits


def test_a_finished_position_and_one_of_another_game_are_refused():
    with pytest.raises(UsageError, match="over"):
        searching(HEX3).run(after(HEX3, "a1 b1 a2 b2 a3"), 100)
    with pytest.raises(UsageError, match=r"size=3.* cannot search .*size=4"):
        searching(HEX3).run(HEX4.start(), 100)


@pytest.mark.parametrize("simulations", [1, 2, 3, 100, 1234])
def test_the_given_number_of_simulations_is_run(simulations):
    result = searching(HEX4, **OPEN).run(HEX4.start(), simulations)
    assert result.simulations == simulations
    assert all_count(result, simulations)
    assert result.best in HEX4.start().legal_actions()
    assert result.policy.sum() == pytest.approx(1)


@pytest.mark.slow
def test_search_stops_at_the_time_limit():
    position = make("hex", size=9).start()
    result = searching(position.game).run(position, seconds=0.2)
    assert result.seconds > 0.19
    assert result.simulations >= 1


def test_search_stops_when_stop_returns_true():
    answers = iter([False, False, True])
    result = searching(HEX4, **OPEN).run(HEX4.start(), 10_000_000, stop=lambda: next(answers))
    assert next(answers, None) is None
    assert 2 <= result.simulations < 10_000_000


def test_clock_starts_after_loading(monkeypatch):
    loaded: list[Game] = []
    monkeypatch.setattr(OpenUct, "_load_kernels", lambda self: loaded.append(self.game))
    searching(HEX3)
    assert loaded == [HEX3]


@pytest.mark.parametrize("transpositions", [False, True])
def test_full_tree_is_searched_further_without_growing(transpositions):
    search = searching(HEX4, max_nodes=1000, transpositions=transpositions, **OPEN)
    result = search.run(HEX4.start(), 20_000)
    assert result.nodes <= 1000
    assert result.simulations == 20_000
    assert all_count(result, 20_000)


# ---------------------------------------------------------------- rollouts


@pytest.mark.parametrize("guided", [0.0, 0.25, 1.0])
def test_a_rollout_follows_the_rule_of_thumb_with_the_given_probability(guided):
    game = thumb.Thumb()
    result = searching(game, guided=guided, transpositions=False).run(game.start(), 20)
    # The rule scores every point, a random move half; 20 rollouts of 1000 moves, sd 0.004.
    np.testing.assert_allclose(result.value[0], guided + (1 - guided) / 2, atol=0.02)


def test_without_guidance_the_rule_of_thumb_is_not_used():
    assert REVERSI.has(kernels.GUIDED_ROLLOUT)
    none, hardly, half = (
        searching(REVERSI, seed=4, guided=guided).run(REVERSI.start(), 500)
        for guided in (0.0, 1e-12, 0.5)
    )
    assert same(none, hardly)
    assert not same(none, half)


@pytest.mark.parametrize("plies", [1, 3])
def test_after_the_given_plies_the_heuristic_evaluates_a_rollout(plies):
    position = REVERSI.start()
    # Values of the opening and one move, or of rollouts.
    judged = searching(REVERSI, seed=1, plies=plies).run(position, 2).value[0]
    assert judged != pytest.approx(searching(REVERSI, seed=1).run(position, 2).value[0])
    assert not {0.0, 0.5, 1.0} & {round(float(judged), 6)}  # not payoffs


@pytest.mark.parametrize(
    ("game", "settings", "said"),
    [
        ("nim", {"guided": 0.5}, "nim has no rule of thumb to guide rollouts by: guided must be 0"),
        ("reversi", {"guided": 1.5}, "guided must be a chance from 0 to 1, not 1.5"),
        ("reversi", {"guided": float("nan")}, "not nan"),
        ("reversi", {"plies": 5, "guided": 1}, "guided rollouts of reversi go to the end"),
        ("reversi", {"plies": 4, "discount": 0.9}, "plies must be 0"),
        ("reversi", {"discount": 0.0}, "above 0 and at most 1"),
        ("hex", {"plies": 5}, "hex has no heuristic to evaluate rollouts by"),
        ("hex", {"plies": -1}, "plies must be at least 0, not -1"),
        ("hex", {"prune": True}, "hex does not say which moves are sensible"),
    ],
)
def test_settings_that_a_game_or_each_other_do_not_allow_are_refused(game, settings, said):
    with pytest.raises(UsageError, match=said):
        searching(make(game), **settings)


# ---------------------------------------------------------------- equal positions, and reports


def test_equal_positions_are_shared_for_small_states_with_transpositions():
    assert OpenUct(NIM).transpositions
    assert not OpenUct(make("reversi")).transpositions
    assert not OpenUct(make("hex", size=19)).transpositions
    assert OpenUct(make("reversi"), UctSettings(transpositions=True)).transpositions


def test_the_principal_variation_can_be_played():
    position = HEX4.start()
    result = searching(HEX4).run(position, 3000)
    assert result.principal_variation[0] == result.best
    for action in result.principal_variation:
        position.play(action)


def test_actions_are_ascending_with_their_own_figures():
    position = after(HEX4, "b2")
    result = searching(HEX4, **OPEN).run(position, 3000)
    assert result.actions.tolist() == position.legal_actions().tolist()
    assert result.best == result.actions[result.visits.argmax()]
    weighted = (result.values * result.visits[:, None]).sum(axis=0) / result.visits.sum()
    np.testing.assert_allclose(weighted, result.value, atol=1e-3)
