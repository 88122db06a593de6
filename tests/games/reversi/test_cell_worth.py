"""The values of cells in Reversi, compared with boards of characters."""

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.errors import SpecError
from meeple.games.check.walk import call_kernel
from meeple.games.contract.board_game import owners
from meeple.games.reversi.cell_worth import WEIGHT_SCALE, cell_weight
from meeple.kernels.table import caller

PRUNE, NARROW = caller("prune"), caller("narrow")
BOOK = """
 100 -20  10   5   5  10 -20 100
 -20 -50  -2  -2  -2  -2 -50 -20
  10  -2  -1  -1  -1  -1  -2  10
   5  -2  -1  -1  -1  -1  -2   5
   5  -2  -1  -1  -1  -1  -2   5
  10  -2  -1  -1  -1  -1  -2  10
 -20 -50  -2  -2  -2  -2 -50 -20
 100 -20  10   5   5  10 -20 100
"""


def positions(size, games=20):
    """Yield positions of random games, including passes and final positions."""
    game, rng = meeple.make("reversi", size=size), np.random.default_rng(size)
    for _ in range(games):
        position = game.start()
        while not position.is_over:
            yield position
            position.play(int(rng.choice(position.legal_actions())))
        yield position


def actions_of_tree(position, narrowed):
    """Return the actions of a tree with their weights."""
    moves = np.zeros(1, dtype=kernels.moves_record(position.game.max_moves))
    rules = position.game.pruning_addresses()
    PRUNE(int(rules[kernels.PRUNE]), position.address, moves.ctypes.data)
    if narrowed:
        NARROW(int(rules[kernels.NARROW]), position.address, moves.ctypes.data, -1)
    count = moves["count"][0]
    assert np.all(moves["probabilities"][0, :count] == 1)
    return moves["actions"][0, :count].tolist()


def actions_by_the_rule(position, narrowed):
    """Return the same, computed by the rule."""
    size, board = position.game.options["size"], owners(position)
    ends = (0, size - 1)
    corners = [(row, column) for row in ends for column in ends]
    legal = position.legal_actions().tolist()
    if legal == [size * size]:
        return legal
    taken = [action for action in legal if divmod(action, size) in corners]
    if taken:
        return taken

    def gives_away(action):
        row, column = divmod(action, size)
        return any(
            board[corner] < 0 and max(abs(row - corner[0]), abs(column - corner[1])) == 1
            for corner in corners
        )

    kept = [action for action in legal if not gives_away(action)]
    return kept if narrowed and kept else legal


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_corners_come_first_and_actions_that_concede_them_last(size):
    differ = {True: 0, False: 0}
    for position in positions(size):
        if not position.is_over:
            for narrowed in (True, False):
                expected = actions_by_the_rule(position, narrowed)
                assert actions_of_tree(position, narrowed) == expected
                differ[narrowed] += expected != position.legal_actions().tolist()
    assert min(differ.values()) > 10


def test_table_of_cell_values_on_8x8_is_the_published_one():
    table = [[int(word) for word in line.split()] for line in BOOK.strip().splitlines()]
    assert [[cell_weight(8, row, column) for column in range(8)] for row in range(8)] == table


@pytest.mark.parametrize("size", [4, 8, 10])
def test_simple_heuristic_sums_the_values_of_cells(size):
    worths = np.array(
        [[cell_weight(size, row, column) for column in range(size)] for row in range(size)]
    )
    for position in positions(size, 5):
        (found,), board = call_kernel(position, kernels.SIMPLE_HEURISTIC), owners(position)
        if position.is_over:
            assert found.tolist() == position.payoffs.tolist()
        else:
            score = worths[board == 0].sum() - worths[board == 1].sum()
            share = 1 / (1 + np.exp(-score / WEIGHT_SCALE))
            np.testing.assert_allclose(found, [share, 1 - share], rtol=1e-12)


def test_minimax_can_use_the_simple_heuristic():
    game = meeple.make("reversi")
    for simple, full in zip(positions(8, 1), positions(8, 1), strict=True):
        if simple.is_over or len(simple.actions) < 20:
            continue
        agents = [
            meeple.agent(f"minimax:depth=1,heuristic={one},margin=0", game)
            for one in ("simple", "game")
        ]
        if agents[0].choose(simple) != agents[1].choose(full):
            return
    pytest.fail("both judge alike")


def test_searches_use_cell_values_only_on_request():
    game = meeple.make("reversi")
    assert game.can_prune
    for kernel in (kernels.PRUNE, kernels.NARROW):
        assert not game.has(kernel)
        assert game.addresses[kernel] == 0 == game.address_of(kernel)


def test_game_without_a_simple_heuristic_raises_an_error():
    with pytest.raises(SpecError, match="hex has no simple heuristic of its own"):
        meeple.agent("minimax:depth=2,heuristic=simple", meeple.make("hex"))
