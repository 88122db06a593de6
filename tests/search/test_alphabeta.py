"""Alpha-beta agrees with plain minimax and with the exact solver."""

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.games.contract.registry import make
from meeple.kernels import KNOWN_RESULT, scramble
from meeple.kernels.table import caller
from meeple.search.exact.solver import solve
from meeple.search.machine.stack import RUNNING
from meeple.search.minimax.alphabeta import FIRST_SLOTS, AlphaBeta
from meeple.search.minimax.bounds import (
    EXACT,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    find,
    keep,
    key_of,
)
from meeple.search.minimax.deepening import ChanceMet, MinimaxSettings
from meeple.search.selective import MARGINS, margin_of, reduction_of
from tests.naive.principal_variation import LINE, SHARE, PrincipalVariationSearch
from tests.search.toys import Paper
from tests.search.wood import Wood, after, estimate, preference, worth, worths
from tests.tiers import few_quick

HEX3, HEX4 = make("hex", size=3), make("hex", size=4)


def random_position(game, plies, seed):
    """Return a position after a number of random plies; None if the game ended before."""
    position, rng = game.start(), np.random.default_rng(seed)
    for _ in range(plies):
        position.play(int(rng.choice(position.legal_actions())))
        if position.is_over:
            return None
    return position


def to_the_end(position, **options):
    """Search every line to its end."""
    search = AlphaBeta(position.game, MinimaxSettings("even"), **options)
    return search.run(position, depth=position.game.max_plies)


# ---------------------------------------------------------------- values by definition


@pytest.mark.parametrize("seed", few_quick(range(40), 8))
@pytest.mark.parametrize("slots", [2, 1 << 12])
def test_value_and_best_action_equal_minimax_at_every_depth(seed, slots):
    position = Wood(seed=seed).start()
    search = AlphaBeta(position.game, slots=slots)
    for depth in range(1, 8):
        result = search.run(position, depth)
        expected = worths(position, result.depth)  # a smaller depth if all is known by then
        np.testing.assert_allclose(result.value, worth(position, depth)[0], atol=1e-6)
        best = max(preference(found, position) for found in expected.values())
        # Also: wins come sooner and losses later.
        assert preference(expected[result.best], position) == best
        for action, value in zip(result.actions.tolist(), result.values, strict=True):
            if not np.isnan(value[0]):
                np.testing.assert_allclose(value, expected[action][0], atol=1e-6)


@pytest.mark.parametrize("seed", few_quick(range(20), 8))
def test_the_principal_variation_leads_to_the_reported_value(seed):
    position = Wood(seed=seed).start()
    result = AlphaBeta(position.game).run(position, 6)
    assert result.principal_variation[0] == result.best
    for action in result.principal_variation:
        position = after(position, action)
    assert len(result.principal_variation) == 6 or position.is_over
    np.testing.assert_allclose(worth(position, 0)[0], result.value, atol=1e-6)


@pytest.mark.slow
def test_table_from_earlier_moves_gives_no_wrong_result():
    for seed in range(15):
        position = Wood(seed=seed, length=9).start()
        search, rng = AlphaBeta(position.game), np.random.default_rng(seed)
        while not position.is_over:
            result = search.run(position, 4)
            if result.proven:
                exact = worth(position, 9)[0]
                np.testing.assert_allclose(result.value, exact, atol=1e-6)
                left = worth(after(position, result.best), 9)[0]
                np.testing.assert_allclose(left, exact, atol=1e-6)
            position.play(int(rng.choice(position.legal_actions())))


def test_game_does_not_affect_the_next_game_of_its_seed():
    game = Wood(seed=7, length=12)
    search = AlphaBeta(game, slots=64, seed=5)
    first = search.run(game.start(), 8)
    search.run(random_position(game, 3, 1), 6)
    search.begin(5)
    again = search.run(game.start(), 8)
    assert again.visits.tolist() == first.visits.tolist()
    assert again.principal_variation == first.principal_variation


# ---------------------------------------------------------------- node for node


_known_result = caller("known_result")


def result_of(position):
    """Return the proven shares of a position, or None."""
    shares = np.full(2, -1.0)
    if position.is_over:
        return position.payoffs
    if position.game.has(KNOWN_RESULT):
        address = int(position.game.addresses[KNOWN_RESULT])
        _known_result(address, position.address, shares.ctypes.data)
    return shares if shares[0] >= 0 else None


def key(position):
    """Return the key of a position in the table; games may define equal positions."""
    return int(key_of(position.game.addresses, position.row, np.zeros(2, dtype=np.uint64)))


def plain_search(rng, search, position, depth, bonus_of=None):
    """Run a plain search; `rng` draws the word of the margin's parts, then the root's order."""
    word = int(rng.integers(1 << 62))
    order = rng.permutation(position.legal_actions()).tolist()
    return search.run(position, order, depth, *([bonus_of(word)] if bonus_of else []))


def assert_same(result, root):
    """Assert that the compiled search has the node count and result of the plain one."""
    assert result.visits.tolist() == [root.nodes[action] for action in result.actions.tolist()]
    assert result.principal_variation == root.line
    found = dict(zip(result.actions.tolist(), result.values.tolist(), strict=True))
    assert {action for action, shares in found.items() if shares[0] >= 0} == root.scores.keys()


@pytest.mark.parametrize("slots", [2, 16, 1 << 20])
@pytest.mark.parametrize("seed", [0, 2, 4, 6, 8, 10])
def test_alpha_beta_visits_the_nodes_of_a_plain_search(seed, slots):
    """This includes later plies of a game, when the table holds earlier results."""
    position = Wood(seed=seed, length=12).start()
    search, rng = AlphaBeta(position.game, seed=seed, slots=slots), np.random.default_rng(seed)
    plain = PrincipalVariationSearch(estimate, result_of, key, slots)
    for depth in (6, 4, 5):
        result = search.run(position, depth)
        assert_same(result, plain_search(rng, plain, position, result.depth))
        position = after(position, result.best)
        if position.is_over:
            break


@pytest.mark.parametrize(
    ("game", "plies", "depth"),
    [
        (make("gomoku", size=3, in_a_row=3), 1, 6),
        (make("nim", heaps="2,3,3", take=3), 0, 7),
        (make("reversi", size=4), 0, 5),
        (make("ledge"), 0, 5),
        (HEX3, 2, 5),
    ],
    ids=repr,
)
def test_alpha_beta_with_equal_estimates_visits_the_nodes_of_a_plain_search(game, plies, depth):
    position = random_position(game, plies, 1)
    result = AlphaBeta(game, MinimaxSettings("even"), seed=2).run(position, depth)
    plain = PrincipalVariationSearch(lambda _: [0.5, 0.5], result_of, key)
    rng = np.random.default_rng(2)
    assert_same(result, plain_search(rng, plain, position, result.depth))


@pytest.mark.parametrize("margin", [0.05, 0.5])
def test_every_action_of_the_root_gets_a_random_part_of_the_margin(margin):
    def bonus(word):
        """Return the function of an action's part of the margin, in units of 2**-20."""
        most = round(2 * margin * SHARE)
        return lambda action: (int(scramble(np.uint64(word + action))) >> 44) * most >> 20

    for seed in range(8):
        position, rng = Wood(seed=seed, length=12).start(), np.random.default_rng(seed)
        search = AlphaBeta(position.game, MinimaxSettings(margin=margin), seed=seed)
        result = search.run(position, 5)
        plain = PrincipalVariationSearch(estimate, result_of, key)
        assert_same(result, plain_search(rng, plain, position, result.depth, bonus))


def test_the_principal_variation_has_at_most_sixteen_plies():
    position = make("nim", stones=40, take=1).start()
    for depth in (15, 16, 17, 30):
        result = AlphaBeta(position.game, MinimaxSettings("even")).run(position, depth)
        assert result.principal_variation == [0] * min(depth, LINE)


# ---------------------------------------------------------------- exact results


@pytest.mark.parametrize(
    "game",
    [HEX3, make("nim", heaps="3,4,5", take=5), make("ledge"), make("reversi", size=4)],
    ids=repr,
)
def test_a_search_to_the_end_agrees_with_the_exact_solver(game):
    found = 0
    for seed in range(12):
        position = random_position(game, 2 + seed % 3, seed)
        if position is None:
            continue
        result, solution = to_the_end(position), solve(position)
        assert result.proven
        np.testing.assert_allclose(result.value, solution.payoffs, atol=1e-6)
        assert result.best in solution.best_actions
        found += 1
    assert found > 5


@pytest.mark.parametrize("seed", range(6))
def test_threads_agree_with_minimax_to_the_end(seed):
    game = Wood(seed=seed, length=9)
    search = AlphaBeta(game, MinimaxSettings(threads=4), slots=1 << 12)
    for plies in range(4):
        position = random_position(game, plies, seed)
        if position is not None:
            result = search.run(position, game.max_plies)
            np.testing.assert_allclose(result.value, worth(position, 9)[0], atol=1e-6)
            left = worth(after(position, result.best), 9)[0]
            np.testing.assert_allclose(left, result.value, atol=1e-6)
            assert result.nodes >= result.visits.sum()


def test_the_table_grows_with_the_search_and_keeps_its_entries():
    position = random_position(make("reversi"), 10, seed=1)
    search = AlphaBeta(position.game)
    search.run(position, 2)
    assert len(search._search.table) == FIRST_SLOTS
    search.run(position, 7)
    slots = len(search._search.table)
    assert slots > FIRST_SLOTS
    before = search._search.table.copy()
    search._enlarge_table(2 * slots)
    assert len(search._search.table) == 2 * slots
    keys = {mixed ^ score ^ meta for mixed, score, meta in before.tolist()}
    stored = {key: found for key in keys if (found := find(before, key)) != (0, 0)}
    assert len(stored) > 1000
    assert stored == {key: find(search._search.table, key) for key in stored}
    search.begin(1)
    assert len(search._search.table) == FIRST_SLOTS


def test_an_entry_of_which_two_threads_wrote_parts_is_not_found():
    table, key = np.zeros((4, 3), np.int64), 11
    keep(table, key, 700, 5, 3, EXACT, 1)
    meta, score = find(table, key)
    assert (action_of(meta), depth_of(meta), bound_of(meta), score) == (5, 3, EXACT, 700)
    other = np.zeros((4, 3), np.int64)
    keep(other, key ^ 4, -9, 2, 4, UPPER, 1)  # the same slot
    slot = key & 3
    for column in range(3):
        mixed = table.copy()
        mixed[slot, column] = other[slot, column]
        assert find(mixed, key) == find(mixed, key ^ 4) == (0, 0)


@pytest.mark.parametrize("stones", range(1, 13))
def test_nim_is_played_by_the_closed_form(stones):
    result = to_the_end(make("nim", stones=stones, take=min(3, stones)).start())
    assert result.proven
    assert result.value.tolist() == ([1, 0] if stones % 4 else [0, 1])
    if stones % 4:
        assert result.best == stones % 4 - 1  # action n - 1 takes n


def test_search_stops_after_a_proven_win():
    position = HEX4.start()
    for move in ["b1", "d1", "b2", "d2", "b3", "d3"]:  # player 1 joins the sides at once
        position.play(position.parse_action(move))
    result = AlphaBeta(HEX4, MinimaxSettings("even")).run(position, 9)
    assert result.proven
    assert result.depth == 1
    assert result.value.tolist() == [1, 0]


def test_seed_decides_among_equal_actions():
    first, again = (
        [AlphaBeta(HEX4, MinimaxSettings("even"), seed=s).run(HEX4.start(), 1).best for s in seeds]
        for seeds in (range(20), range(5))
    )
    assert len(set(first)) > 5
    assert first[:5] == again


# ---------------------------------------------------------------- refused positions


@pytest.mark.parametrize(
    ("game", "heuristic", "said"),
    [
        (Paper(), "even", "2 players"),
        (HEX3, "game", r"hex has no heuristic .* heuristic=even"),
        (HEX3, "best", "one of game, simple, even, not 'best'"),
    ],
)
def test_a_game_that_cannot_be_searched_is_refused_with_what_can_be_done(game, heuristic, said):
    with pytest.raises(UsageError, match=said):
        AlphaBeta(game, MinimaxSettings(heuristic))


def test_chance_is_reported():
    position = Wood(luck=True).start()
    with pytest.raises(ChanceMet, match="wood has chance moves"):
        AlphaBeta(position.game).run(position, 6)


def test_a_reduction_grows_with_the_number_of_the_child_and_leaves_a_ply():
    for remaining in range(1, 40):
        reductions = [reduction_of(remaining, child) for child in range(60)]
        assert reductions == sorted(reductions)
        assert reductions[0] == 0
        assert reduction_of(remaining, 59) <= max(remaining - 2, 0)


def test_a_margin_is_smaller_where_the_bound_is_nearly_decided():
    assert margin_of(1, 0.0) == MARGINS[0]
    assert margin_of(2, -0.5) == margin_of(2, 0.5) == pytest.approx(0.825 * MARGINS[1])
    assert margin_of(3, 0.0) == 0.0


def test_a_reducing_search_searches_a_node_that_is_new_to_the_table_a_ply_less_deep():
    position, depths = random_position(make("gomoku"), 2, seed=1), []
    for reducing in (False, True):
        search = AlphaBeta(position.game, MinimaxSettings(selective=True))
        search.prepare(position, to_depth=True)
        order, settings = search.root_actions(position), search._search.settings[0]
        settings.reducing = reducing
        search.enter(position, order, 5)
        while search.advance(10_000) == RUNNING:
            pass
        first = position.copy()
        first.play(int(order[0]))
        depths.append(depth_of(find(search._search.table, key(first) ^ int(settings.salt))[0]))
    assert depths == [4, 3]
