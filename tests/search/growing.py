"""Trees grown by UCT for tests, and the invariants of any tree."""

import functools

import numpy as np

from meeple import kernels
from meeple.kernels import CHANCE, OVER
from meeple.search.exact.solver import solve
from meeple.search.mcts.descent import new_scratch
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.transpositions import table_is_full, with_larger_table
from meeple.search.mcts.tree import PROVEN, ROOT, grown, new_forest, reset
from meeple.search.mcts.uct import OpenUct
from meeple.search.mcts.uct_kernels import Job, UctSettings, uct_kernel
from meeple.search.qtable.collect import Collector
from meeple.search.qtable.table import QTable


def grow(position, simulations, *, seed=0, transpositions=False, solve=True, capacity=None):
    """Return a forest of one tree of the position; with a capacity, it grows by small steps."""
    game = position.game
    room = capacity or simulations * (game.max_moves + 1) + 2
    forest = new_forest(1, game.players, room, transpositions)
    reset(forest.tree(0), position.to_move)
    scratch, settings = new_scratch(game), UctSettings(1.4, solve, transpositions)
    run = uct_kernel(game, settings, evaluated=False)
    rng, row, done = kernels.new_rng(seed), position.row.copy(), 0
    while done < simulations and forest.tree(0).proof[ROOT] != PROVEN:
        done += run(Job(forest, game.addresses, row, rng, settings, scratch), simulations - done)
        if table_is_full(forest.tree(0)):
            forest = with_larger_table(forest)
        elif forest.tree(0).proof[ROOT] != PROVEN:
            forest = grown(forest, forest.capacity + game.max_moves)
    return forest


def children(tree, node):
    """Return the slots of a node's children."""
    return tree.children(node).tolist()


def sums_of(tree, node):
    """Return a node's sums of shares by player; zeros before its first visit."""
    return (tree.value_sum[node] * (tree.visits[node] > 0)).tolist()


def as_dict(tree, node=ROOT, depth=50, known=None):
    """Return the statistics below a node by action, independently of the tree's layout."""
    known = {} if known is None else known
    if (node, depth) not in known:
        slots = children(tree, node) if depth else []
        below = {int(tree.action[c]): as_dict(tree, c, depth - 1, known) for c in slots}
        facts = int(tree.visits[node]), sums_of(tree, node), int(tree.proof[node])
        known[node, depth] = (*facts, below)
    return known[node, depth]


def assert_layout(tree):
    """Assert that blocks lie in the used slots, are disjoint, and hold every node but the root."""
    used = int(tree.used[0])
    assert 0 < used <= len(tree.visits)
    assert not any(tree.nodes[used:].tobytes()), "unused nodes are zeros"
    assert not tree.prior[used:].any()
    blocks = sorted({int(number) for number in tree.nodes["block"][:used] if number > 0})
    assert blocks == list(range(1, int(tree.used[1])))
    slots: list[int] = []
    for number in blocks:
        block = tree.blocks[number]
        slots += range(int(block["first"]), int(block["first"] + block["size"]))
    assert sorted(slots) == list(range(1, used))
    if len(tree.table):
        entered = tree.table[tree.table > 0].tolist()
        assert sorted(entered) == blocks
        assert tree.used[2] == len(blocks)
        keys = [int(tree.blocks["key"][number]) for number in blocks]
        assert len(set(keys)) == len(keys), "equal states share one block"


def assert_statistics(tree):
    """Assert that values sum to 1 and, without transpositions, that all visits are counted."""
    used = int(tree.used[0])
    visited = np.flatnonzero(tree.visits[:used] > 0)
    np.testing.assert_allclose(tree.value_sum[visited].sum(axis=1), tree.visits[visited])
    assert (tree.value_sum[visited] >= -1e-9).all()
    if len(tree.table):
        return
    for node in visited.tolist():
        below = sum(int(tree.visits[child]) for child in children(tree, node))
        if len(children(tree, node)) == 0:
            continue
        stopped = int(tree.visits[node]) - below  # descents that ended here
        # At most the first visit, before there were children; more once proven.
        assert stopped >= 0
        assert stopped <= 1 or tree.proof[node] == PROVEN


@functools.cache
def solved(game, state):
    """Return the exact payoffs of a state, given as bytes."""
    position = game.start()
    position.row[:] = np.frombuffer(state, dtype=np.uint8)
    return solve(position).payoffs


def check_against_rules(tree, position, *, exact, node=ROOT, seen=None):
    """Assert that every node has its position's legal actions; with `exact`, check proofs.

    A node below several parents is checked once, because it represents one state.
    """
    seen = set() if seen is None else seen
    if node in seen:
        return
    seen.add(node)
    if tree.visits[node] == 0:
        return
    assert tree.to_move[node] == position.to_move
    if exact and tree.proof[node] == PROVEN:
        value = tree.value_sum[node] / tree.visits[node]
        np.testing.assert_allclose(value, solved(position.game, position.row.tobytes()))
    slots = children(tree, node)
    if not slots:
        return
    assert tree.to_move[node] != OVER
    assert sorted(tree.action[slots].tolist()) == sorted(position.legal_actions().tolist())
    odds = 1.0 if position.to_move == CHANCE else 0.0  # UCT's actions have no priors
    np.testing.assert_allclose(tree.prior[slots].sum(), odds, rtol=1e-5)
    for child in slots:
        after = position.copy()
        after.play(int(tree.action[child]))
        check_against_rules(tree, after, exact=exact, node=child, seen=seen)


def check(tree, position, *, exact=False):
    """Check layout, statistics and rules."""
    assert_layout(tree)
    assert_statistics(tree)
    check_against_rules(tree, position, exact=exact)


def learned(game, simulations=500, position=None, **options):
    """Return a Q-table of what a search collected, of three games, and the search's result."""
    position = position or game.start()
    search = TreeSearch(OpenUct(game, UctSettings(**options)), phases=[Collector()], seed=1)
    result = search.run(position, simulations)
    table = QTable(game, capacity=10_000)
    table.add(collected(search, position), 3)
    return table, result


def collected(search, position):
    """Return what the last search of a position added to its trees, by its `Collector`."""
    return search.phases[-1].collected(position)


def equal_tables(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one.edges, other.edges, strict=True))
