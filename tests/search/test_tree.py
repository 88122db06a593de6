"""The tree as a data structure: layout, growth, moves of the root, and proofs."""

import sys

import numpy as np
import psutil
import pytest

from meeple.games.contract.registry import load_game_file, make
from meeple.search.mcts.reroot import reroot
from meeple.search.mcts.search import moves_since
from meeple.search.mcts.tree import ROOT, new_forest, reset
from tests.games import race
from tests.search.growing import as_dict, check, children, grow
from tests.search.toys import Paper
from tests.tiers import few_quick

GAMES = [
    make("hex", size=3),
    make("hex", size=4, swap=True),
    make("nim", heaps="3,4,2", take=4),
    make("ledge", row="0110201"),
    Paper(),
    load_game_file(race.__file__)(goal=5),
]
TWO_PLAYERS = [game for game in GAMES if game.players == 2]


def step(forest, position, action):
    """Play an action in a tree and its position."""
    position.play(action)
    scratch = np.zeros((3, forest.capacity + 1), dtype=np.int32)
    return reroot(forest.tree(0), action, position.to_move, scratch)


def most_visited(tree):
    return int(tree.action[max(children(tree, ROOT), key=lambda child: tree.visits[child])])


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("solve", few_quick([True, False]))
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_grown_tree_is_consistent(game, solve, transpositions):
    position = game.start(seed=1)
    forest = grow(position, 300, solve=solve, transpositions=transpositions)
    check(forest.tree(0), position)


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("game", TWO_PLAYERS, ids=repr)
def test_proven_results_agree_with_the_exact_solver(game, transpositions):
    position = game.start()
    while not position.is_over:
        forest = grow(position, 150, transpositions=transpositions)
        check(forest.tree(0), position, exact=len(position.legal_actions()) < 8)
        position.play(most_visited(forest.tree(0)))


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_subtree_of_a_move_is_kept_unchanged(game, transpositions):
    position = game.start(seed=1)
    forest = grow(position, 400, transpositions=transpositions)
    for _ in range(3):
        tree = forest.tree(0)
        if position.is_over or not children(tree, ROOT):
            break
        action = most_visited(tree)
        (child,) = (c for c in children(tree, ROOT) if tree.action[c] == action)
        if not children(tree, child):
            break
        before, used = as_dict(tree, child, depth=6), int(tree.used[0])
        assert step(forest, position, action)
        assert as_dict(tree, depth=6) == before
        assert tree.used[0] < used
        check(tree, position)


def test_unvisited_move_leaves_only_a_root():
    position = make("hex", size=3).start()
    forest = grow(position, 1)
    assert not step(forest, position, 4)
    assert as_dict(forest.tree(0)) == (0, [0.0, 0.0], 0, {})
    assert forest.tree(0).to_move[ROOT] == position.to_move


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_growth_by_small_steps_changes_nothing(game, transpositions):
    position = game.start(seed=1)
    roomy = grow(position, 300, transpositions=transpositions).tree(0)
    small = grow(position, 300, transpositions=transpositions, capacity=game.max_moves + 1).tree(0)
    used = int(roomy.used[0])
    assert used > 1
    assert small.used[:2].tolist() == roomy.used[:2].tolist()
    np.testing.assert_array_equal(small.nodes[:used], roomy.nodes[:used])
    blocks = slice(1, int(roomy.used[1]))
    np.testing.assert_array_equal(small.blocks[blocks], roomy.blocks[blocks])
    visited = roomy.visits[:used] > 0
    for a, b in ((small.value_sum, roomy.value_sum), (small.mean, roomy.mean)):
        np.testing.assert_array_equal(a[:used][visited], b[:used][visited])


def test_paths_to_the_same_state_share_their_children_also_after_a_move():
    # Taking a stone from two heaps leads to the same state in either order.
    position = make("nim", heaps="5,5,5", take=5).start()
    plain = grow(position, 3000, solve=False).tree(0)
    forest = grow(position, 3000, solve=False, transpositions=True)
    assert forest.tree(0).used[0] < plain.used[0] / 2
    for _ in range(2):
        tree = forest.tree(0)
        parents = tree.nodes["block"][: tree.used[0]]
        assert np.bincount(parents[parents > 0]).max() > 1
        check(tree, position)
        step(forest, position, most_visited(tree))


@pytest.mark.parametrize("transpositions", [False, True])
def test_children_are_opened_in_random_order(transpositions):
    position, orders = make("hex", size=3).start(), set()
    for seed in range(20):
        tree = grow(position, 9, seed=seed, transpositions=transpositions).tree(0)
        orders.add(tuple(tree.action[children(tree, ROOT)].tolist()))
    assert len(orders) > 15
    assert len({order[0] for order in orders}) > 4


def test_new_tree_is_only_a_root_and_allocates_no_unused_slots():
    forest = new_forest(2, 3, 1_000_000)
    for index in range(2):
        reset(forest.tree(index), 1)
    assert forest.tree(1).to_move[ROOT] == 1
    assert forest.used[:, 0].tolist() == [1, 1]
    assert forest.nbytes < 1000


@pytest.mark.skipif(sys.platform != "linux", reason="NumPy asks for huge pages on Linux only")
def test_a_write_to_the_tree_of_a_short_search_takes_a_small_page():
    forest, process = new_forest(1, 2, 2_400_000), psutil.Process()
    before = process.memory_info().rss
    for array in forest[:6]:
        array[0, 1_200_000] = 1
    assert process.memory_info().rss - before < 2_000_000


@pytest.mark.parametrize(
    ("before", "now", "moves"),
    [
        ((1, 2), (1, 2, 3), (3,)),
        ((1, 2), (1, 2), ()),
        ((1, 2), (1, 3, 3), None),
        ((1, 2), (1,), None),
        (None, (), None),
    ],
)
def test_moves_since_a_history_are_known_only_for_its_continuation(before, now, moves):
    assert moves_since(before, now) == moves
