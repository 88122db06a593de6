"""UCT with random rollouts: it finds forced wins, reuses its tree, and stops on request."""

import numpy as np
import pytest

from meeple import kernels
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import load_game_file, make
from meeple.search.exact.solver import solve
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from tests.games import race
from tests.search import prize, thumb, toys

HEX3, HEX4 = make("hex", size=3), make("hex", size=4)
NIM = make("nim", heaps="3,4,5", take=5)


def after(game, moves):
    """Return the position after moves by name."""
    position = game.start()
    for move in moves.split():
        position.play(position.parse_action(move))
    return position


def random_positions(game, count, seed=3):
    """Return unfinished positions in the middle of random games."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        position = game.start()
        for _ in range(rng.integers(1, game.max_plies)):
            position.play(int(rng.choice(position.legal_actions())))
            if position.is_over:
                break
        else:
            found.append(position)
    return found


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


def test_a_win_in_one_is_proven_and_ends_the_search():
    # Player 1 (rows) has b1, b2, b3; b4 or a4 joins the sides.
    position = after(HEX4, "b1 d1 b2 d2 b3 d3")
    result = TreeSearch(OpenUct(HEX4)).run(position, 10_000)
    assert result.best in solve(position).winning_actions
    assert result.proven
    assert result.value.tolist() == [1, 0]
    assert result.simulations < 1000


def test_a_win_in_two_across_a_bridge_is_found():
    # c2 and b4 are joined by two free cells, b3 and c3; c1 or d1 joins c2 to the edge.
    position = after(HEX4, "c2 a1 b4 a2")
    result = TreeSearch(OpenUct(HEX4)).run(position, 200_000)
    assert result.proven
    assert result.value.tolist() == [1, 0]
    assert result.best in solve(position).winning_actions


@pytest.mark.parametrize("take", [1, 2, 3])
def test_nim_is_played_by_the_closed_form(take):
    for stones in range(1, 13):
        if take > stones:
            continue
        game = make("nim", stones=stones, take=take)
        result = TreeSearch(OpenUct(game), seed=stones).run(game.start(), 50_000)
        assert result.proven
        remainder = stones % (take + 1)
        assert result.value.tolist() == ([1, 0] if remainder else [0, 1])
        if remainder:
            assert result.best == remainder - 1  # action n - 1 takes n


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("game", [HEX3, NIM, make("ledge")], ids=repr)
def test_proven_values_are_those_of_the_exact_solver(game, transpositions):
    proven = 0
    for seed, position in enumerate(random_positions(game, 12)):
        search = TreeSearch(OpenUct(game, UctSettings(transpositions=transpositions)), seed=seed)
        result = search.run(position, 20_000)
        if result.proven:
            solution = solve(position)
            np.testing.assert_allclose(result.value, solution.payoffs)
            assert result.best in solution.best_actions
            proven += 1
    assert proven > 4


def test_a_proven_loss_is_never_preferred():
    # Player 2 threatens to join at once; every move except the block loses.
    for position in random_positions(HEX3, 20, seed=9):
        solution = solve(position)
        result = TreeSearch(OpenUct(HEX3)).run(position, 3000)
        if solution.winning_actions:
            assert result.best in solution.winning_actions


# ---------------------------------------------------------------- chance, and three players


@pytest.mark.parametrize("transpositions", [False, True])
def test_values_of_three_players_and_a_die_agree_with_hand_calculation(transpositions):
    game = toys.Paper()
    result = TreeSearch(OpenUct(game, UctSettings(transpositions=transpositions))).run(
        game.start(), 5000
    )
    assert result.proven
    assert result.best == toys.B
    np.testing.assert_allclose(result.value, toys.VALUE, atol=1e-6)


def test_values_without_proofs_converge_and_each_player_maximises_its_own():
    game = toys.Paper()
    result = TreeSearch(OpenUct(game, UctSettings(solve=False, c=0.5))).run(game.start(), 30_000)
    assert not result.proven
    assert result.best == toys.B
    np.testing.assert_allclose(result.values[toys.B], toys.VALUE, atol=0.05)
    np.testing.assert_allclose(result.values[toys.A], toys.ACTION_VALUES[toys.A], atol=0.15)


def test_outcomes_are_drawn_by_their_probabilities():
    game = toys.Paper()
    search = TreeSearch(OpenUct(game, UctSettings(solve=False)))
    position = game.start()
    position.play(toys.B)
    result = search.run(position, 20_000)
    np.testing.assert_allclose(result.policy, [0.25, 0.75], atol=0.02)


def test_values_of_three_players_sum_to_one():
    game = load_game_file(race.__file__)(goal=8)
    position = game.start(seed=2)
    position.play_chance()
    result = TreeSearch(OpenUct(game)).run(position, 3000)
    np.testing.assert_allclose(result.value.sum(), 1)
    np.testing.assert_allclose(result.values.sum(axis=1), 1)
    assert result.value.min() > 0


# ---------------------------------------------------------------- equal seeds, equal results


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("game", [HEX4, NIM], ids=repr)
def test_seed_determines_the_result_for_any_growth_of_the_tree(game, transpositions, monkeypatch):
    def search():
        found = TreeSearch(
            OpenUct(game, UctSettings(transpositions=transpositions, solve=False)), seed=5
        )
        return found.run(game.start(), 4000)

    roomy = search()
    monkeypatch.setattr(OpenUct, "_likely_nodes", lambda *_: game.max_moves + 1)
    assert same(search(), roomy)


def test_different_seeds_give_different_searches():
    first, second = (TreeSearch(OpenUct(HEX4), seed=seed).run(HEX4.start(), 500) for seed in (1, 2))
    assert not same(first, second)


def test_new_game_does_not_depend_on_the_last_one():
    search = TreeSearch(OpenUct(HEX4), seed=7)
    first = search.run(HEX4.start(), 2000)
    search.run(after(HEX4, "a1 b2"), 3000)
    search.begin(7)
    assert same(search.run(HEX4.start(), 2000), first)


def test_two_threads_give_reproducible_results_and_share_the_work():
    def run():
        return TreeSearch(OpenUct(HEX4, UctSettings(solve=False), threads=2), seed=3).run(
            HEX4.start(), 5001
        )

    first = run()
    assert first.simulations == 5001
    assert all_count(first, 5001, trees=2)
    assert same(run(), first)


def test_threads_agree_on_a_forced_win():
    position = after(HEX4, "b1 d1 b2 d2 b3 d3")
    result = TreeSearch(OpenUct(HEX4, threads=2)).run(position, 5000)
    assert result.proven
    assert result.best in solve(position).winning_actions


# ---------------------------------------------------------------- reuse of the tree


def test_the_tree_is_kept_after_moves():
    search = TreeSearch(OpenUct(HEX4, UctSettings(solve=False)))
    position = HEX4.start()
    first = search.run(position, 5000)
    position.play(first.best)
    kept = int(first.visits.max())
    second = search.run(position, 100)
    assert second.simulations == 100
    assert all_count(second, kept + 100)


def test_same_position_is_searched_further():
    search = TreeSearch(OpenUct(HEX4, UctSettings(solve=False)))
    search.run(HEX4.start(), 1000)
    assert all_count(search.run(HEX4.start(), 500), 1500)


def test_other_line_of_play_starts_a_new_tree():
    search = TreeSearch(OpenUct(HEX4, UctSettings(solve=False)))
    search.run(after(HEX4, "a1"), 1000)
    assert all_count(search.run(after(HEX4, "b1"), 200), 200)


@pytest.mark.parametrize("transpositions", [True, False])
def test_different_random_opening_is_a_new_game(transpositions):
    game = prize.Prize()
    search = TreeSearch(OpenUct(game, UctSettings(transpositions=transpositions)))
    openings = [game.start(seed) for seed in range(6)]
    assert len({int(opening.state.prize) for opening in openings}) > 1
    for opening in openings:
        assert search.run(opening, 100).best == opening.state.prize


def test_game_with_one_tree_is_won_from_the_winning_side():
    search, position = TreeSearch(OpenUct(NIM)), NIM.start()
    assert solve(position).winning_actions
    while not position.is_over:
        if position.to_move == 0:
            position.play(search.run(position, 5000).best)
        else:
            position.play(int(position.legal_actions()[-1]))
    assert position.payoffs.tolist() == [1, 0]


# ---------------------------------------------------------------- limits


def test_a_missing_limit_or_a_finished_position_is_refused():
    with pytest.raises(UsageError, match="simulations"):
        TreeSearch(OpenUct(HEX3)).run(HEX3.start())
    over = after(HEX3, "a1 b1 a2 b2 a3")
    assert over.is_over
    with pytest.raises(UsageError, match="over"):
        TreeSearch(OpenUct(HEX3)).run(over, 100)


def test_a_position_of_another_game_is_refused():
    with pytest.raises(UsageError, match=r"size=3.* cannot search .*size=4"):
        TreeSearch(OpenUct(HEX3)).run(HEX4.start(), 100)


def test_the_given_number_of_simulations_is_run():
    for simulations in (2, 3, 100, 1234):
        result = TreeSearch(OpenUct(HEX4, UctSettings(solve=False))).run(HEX4.start(), simulations)
        assert result.simulations == simulations
        assert all_count(result, simulations)


def test_single_simulation_gives_a_legal_move():
    result = TreeSearch(OpenUct(HEX4)).run(HEX4.start(), 1)
    assert result.best in HEX4.start().legal_actions()
    assert np.isclose(result.policy.sum(), 1)


@pytest.mark.slow
def test_search_stops_at_the_time_limit():
    result = TreeSearch(OpenUct(make("hex", size=9))).run(make("hex", size=9).start(), seconds=0.2)
    assert result.seconds > 0.19
    assert result.simulations >= 1


def test_search_stops_when_stop_returns_true():
    answers = iter([False, False, True])
    result = TreeSearch(OpenUct(HEX4, UctSettings(solve=False))).run(
        HEX4.start(), 10_000_000, stop=lambda: next(answers)
    )
    assert next(answers, None) is None
    assert 2 <= result.simulations < 10_000_000


def test_clock_starts_after_loading(monkeypatch):
    loaded: list[Game] = []
    monkeypatch.setattr(OpenUct, "_load_kernels", lambda self: loaded.append(self.game))
    TreeSearch(OpenUct(HEX3))
    assert loaded == [HEX3]


@pytest.mark.parametrize("transpositions", [False, True])
def test_full_tree_is_searched_further_without_growing(transpositions):
    search = TreeSearch(
        OpenUct(HEX4, UctSettings(max_nodes=1000, solve=False, transpositions=transpositions))
    )
    result = search.run(HEX4.start(), 20_000)
    assert result.nodes <= 1000
    assert result.simulations == 20_000
    assert all_count(result, 20_000)


def test_nbytes_is_the_memory_of_the_trees():
    search = TreeSearch(OpenUct(HEX4, UctSettings(solve=False)))
    assert search.rule.nbytes == 0
    nodes = search.run(HEX4.start(), 3000).nodes
    assert 30 * nodes < search.rule.nbytes < 150 * nodes
    more = search.run(HEX4.start(), 3000).nodes
    assert more > nodes
    assert 30 * more < search.rule.nbytes < 150 * more


# ---------------------------------------------------------------- rollouts by a rule of thumb


@pytest.mark.parametrize("guided", [0.0, 0.25, 1.0])
def test_a_rollout_follows_the_rule_of_thumb_with_the_given_probability(guided):
    game = thumb.Thumb()
    search = TreeSearch(OpenUct(game, UctSettings(guided=guided, transpositions=False)))
    result = search.run(game.start(), 20)
    # The rule scores every point, a random move half; 20 rollouts of 1000 moves, sd 0.004.
    np.testing.assert_allclose(result.value[0], guided + (1 - guided) / 2, atol=0.02)


def test_without_guidance_the_rule_of_thumb_is_not_used():
    game = make("reversi", size=6)
    assert game.has(kernels.GUIDED_ROLLOUT)
    found = [
        TreeSearch(OpenUct(game, UctSettings(guided=g)), seed=4).run(game.start(), 500)
        for g in (0.0, 1e-12, 0.5)
    ]
    assert same(found[0], found[1])
    assert not same(found[0], found[2])


@pytest.mark.parametrize(
    ("game", "guided", "said"),
    [
        (make("nim"), 0.5, "nim has no rule of thumb to guide rollouts by: guided must be 0"),
        (make("reversi"), 1.5, "guided must be a chance from 0 to 1, not 1.5"),
        (make("reversi"), float("nan"), "not nan"),
    ],
)
def test_unsupported_guidance_is_refused(game, guided, said):
    with pytest.raises(UsageError, match=said):
        TreeSearch(OpenUct(game, UctSettings(guided=guided)))


# ---------------------------------------------------------------- equal positions


def test_equal_positions_are_shared_for_small_states_with_transpositions():
    assert OpenUct(NIM).transpositions
    assert not OpenUct(make("reversi")).transpositions
    assert not OpenUct(make("hex", size=19)).transpositions
    assert OpenUct(make("reversi"), UctSettings(transpositions=True)).transpositions


# ---------------------------------------------------------------- reports


def test_the_principal_variation_can_be_played():
    position = HEX4.start()
    result = TreeSearch(OpenUct(HEX4)).run(position, 3000)
    assert result.principal_variation[0] == result.best
    for action in result.principal_variation:
        position.play(action)


def test_actions_are_ascending_with_their_own_figures():
    position = after(HEX4, "b2")
    result = TreeSearch(OpenUct(HEX4, UctSettings(solve=False))).run(position, 3000)
    assert result.actions.tolist() == position.legal_actions().tolist()
    assert result.best == result.actions[result.visits.argmax()]
    weighted = (result.values * result.visits[:, None]).sum(axis=0) / result.visits.sum()
    np.testing.assert_allclose(weighted, result.value, atol=1e-3)


@pytest.mark.parametrize("plies", [1, 3])
def test_after_the_given_plies_the_heuristic_evaluates_a_rollout(plies):
    game = make("reversi", size=6)
    position = game.start()
    search = TreeSearch(OpenUct(game, UctSettings(plies=plies)), seed=1)
    judged = search.run(position, 2).value[0]  # values of the opening and one move, or of rollouts
    assert judged != pytest.approx(TreeSearch(OpenUct(game), seed=1).run(position, 2).value[0])
    assert not {0.0, 0.5, 1.0} & {round(float(judged), 6)}  # not payoffs


def test_limited_rollouts_without_a_heuristic_are_refused():
    with pytest.raises(UsageError, match="hex has no heuristic to evaluate rollouts by"):
        TreeSearch(OpenUct(HEX3, UctSettings(plies=5)))
    with pytest.raises(UsageError, match="plies must be at least 0, not -1"):
        TreeSearch(OpenUct(HEX3, UctSettings(plies=-1)))
    with pytest.raises(UsageError, match="guided rollouts of reversi go to the end"):
        TreeSearch(OpenUct(make("reversi"), UctSettings(plies=5, guided=1)))
