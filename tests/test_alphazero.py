"""The example `alphazero.py` learns perfect play of tic-tac-toe from the rules alone."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import meeple
from examples import alphazero
from meeple.games.contract.registry import make
from meeple.search.batch import StateBatch, start_states

pytestmark = pytest.mark.slow
AT_NIGHT = pytest.mark.nightly("the textbook example learns perfect play of tic-tac-toe")

TICTACTOE = make("gomoku", size=3, in_a_row=3)
SETTINGS = alphazero.Settings(
    episodes=1_200,
    games=64,
    simulations=25,
    drawn_plies=9,
    channels=16,
    blocks=1,
    batch=128,
    reuse=6,
)
AT_THE_BOARD = replace(SETTINGS, simulations=200)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def given_away(network, seat):
    """Return the positions in which a seat worsens its value, over all replies of its opponent."""
    positions, wrong = [TICTACTOE.start()], []
    seen: set[str] = set()
    while positions:
        fresh = {str(position): position for position in positions if not position.is_over}
        positions = [position for board, position in fresh.items() if board not in seen]
        seen |= fresh.keys()
        own = [position for position in positions if position.to_move == seat]
        moves = [(p, a) for p in positions if p.to_move != seat for a in p.legal_actions().tolist()]
        if own:
            states = np.stack([position.row for position in own])
            chosen = alphazero.search(TICTACTOE, states, network, AT_THE_BOARD).argmax(axis=1)
            moves += zip(own, chosen.tolist(), strict=True)
            wrong += [p for p, a in moves[-len(own) :] if a not in meeple.solve(p).best_actions]
        positions = [played(position, action) for position, action in moves]
    return wrong


def played(position, action):
    after = position.copy()
    after.play(action)
    return after


@AT_NIGHT
def test_trained_network_gives_away_no_win_or_draw():
    network = alphazero.train(TICTACTOE, SETTINGS)
    assert [str(position) for seat in (0, 1) for position in given_away(network, seat)] == []


@AT_NIGHT
def test_untrained_network_with_the_same_search_makes_mistakes():
    torch.manual_seed(1)
    network = alphazero.Network(TICTACTOE, SETTINGS)
    assert given_away(network, 0) + given_away(network, 1)


def test_search_counts_every_simulation_and_games_are_independent():
    torch.manual_seed(3)
    network, states = alphazero.Network(TICTACTOE, SETTINGS), start_states(TICTACTOE, [0, 0, 0])
    moved = np.array([1, 2], dtype=np.int32)
    StateBatch(TICTACTOE, states).step(np.array([4, 0], dtype=np.int32), moved)
    visits = alphazero.search(TICTACTOE, states, network, SETTINGS)
    assert visits.sum(axis=1).tolist() == [SETTINGS.simulations] * 3
    assert visits[1, 4] == visits[2, 0] == 0
    for row in range(3):
        (alone,) = alphazero.search(TICTACTOE, states[[row]], network, SETTINGS)
        assert np.abs(alone - visits[row]).max() <= 1  # rounding in the network
