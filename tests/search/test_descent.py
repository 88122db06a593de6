"""The descent agrees node for node with UCT in plain Python that proves results."""

from typing import Any

import numpy as np
import pytest

from examples.third_party_game import Domineering
from meeple.games.contract.registry import make
from meeple.kernels import new_rng
from meeple.search.mcts.descent import has_ended, is_proven, new_scratch
from meeple.search.mcts.tree import PROVEN, ROOT, new_forest, reset
from meeple.search.mcts.uct_kernels import Uct, UctSettings
from tests.games.race import Race
from tests.naive.generator import Generator
from tests.naive.proofs import ProvingUct
from tests.search import growing
from tests.search.agreement import decision
from tests.search.prize import Prize
from tests.search.toys import Paper

C = 1.4  # the constant of `growing.grow`


def plain(node):
    """Return `growing.as_dict` of a plain tree, without unvisited children."""
    if node.visits == 0:
        return None
    below = {action: plain(child) for action, child in node.children.items()}
    return node.visits, list(node.value_sum), int(node.proof is not None), below


def visited(found):
    """Return `growing.as_dict` without unvisited nodes."""
    visits, sums, proof, below = found
    return visits, sums, proof, {a: visited(child) for a, child in below.items() if child[0]}


def assert_same(found, expected):
    """Assert equality up to rounding of sums."""
    assert (found[0], found[2], found[3].keys()) == (expected[0], expected[2], expected[3].keys())
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-5, atol=1e-5)
    for action, child in found[3].items():
        assert_same(child, expected[3][action])


@pytest.mark.parametrize(
    "game",
    [
        Paper(),
        Prize(),
        Race(goal=3),
        Domineering(size=3),
        make("nim", heaps="1,2", take=2),
    ],
    ids=repr,
)
def test_tree_with_proofs_equals_that_of_plain_python(game):
    proven = 0
    for seed in range(4):
        position = decision(game, seed)
        search = ProvingUct(position, Generator(seed), C)
        search.run(60)
        proven += search.root.proof is not None
        tree = growing.grow(position, 60, seed=seed).tree(0)
        assert_same(visited(growing.as_dict(tree)), plain(search.root))
    assert proven


@pytest.mark.parametrize("solve", [True, False])
def test_finished_game_has_its_payoffs_and_no_children(solve):
    position = Prize().start()
    tree, scratch, rng = new_forest(1, 2, 9).tree(0), new_scratch(position.game), new_rng(1)
    reset(tree, position.to_move)
    search = Uct(tree, position.game.addresses, rng, UctSettings(C, solve, False))
    scratch.state[:] = position.row
    assert not is_proven(search, scratch, 0)
    assert not has_ended(search, scratch, 0)
    position.play(position.state.prize)
    scratch.state[:] = position.row
    tree.visits[ROOT] = 1
    assert has_ended(search, scratch, 0)
    assert scratch.shares.tolist() == [1, 0]
    assert tree.proof[ROOT] != PROVEN
    scratch.shares[:] = 0
    assert is_proven(search, scratch, 0)
    assert scratch.shares.tolist() == [1, 0]
    assert (tree.proof[ROOT] == PROVEN) == solve


def test_working_memory_is_large_enough_for_a_descent():
    game: Any = Race(goal=3)
    game.max_moves, game.num_actions, game.max_plies = 6, 2, 30
    scratch = new_scratch(game)
    assert scratch.state.shape == scratch.twin.shape == (game.state_bytes,)
    assert scratch.moves.actions.shape == (6,)
    assert scratch.path.shape == (32,), "the root, every ply, and one to spare"
    assert scratch.scores.shape == (3,), "actions alone are scored, never outcomes"
    assert scratch.shares.shape == (game.players,)
    game.num_actions = 20
    assert new_scratch(game).scores.shape == (6,)
