"""What is said of a Hex position is true: bridges, chains that win, dead cells."""

import numpy as np
import pytest

import meeple
from meeple.games.contract.board_game import owners
from meeple.games.contract.capabilities import AREA, LINE, explanations
from meeple.games.contract.registry import make
from meeple.games.hex.explanations import bridges, dead_cells, winning_chain
from tests.games.moves import after
from tests.naive.hex import NaiveHex
from tests.tiers import repeats


def random_positions(size, seed, count, least=0):
    """Yield unfinished random positions, each with the same on the naive board."""
    rng = np.random.default_rng(seed)
    while count:
        position, naive = make("hex", size=size).start(), NaiveHex(size, False)
        for _ in range(int(rng.integers(least, size * size - 2))):
            action = int(rng.choice(position.legal_actions()))
            position.play(action)
            naive.play(action)
            if position.is_over:
                break
        if not position.is_over:
            count -= 1
            yield position, naive


@pytest.mark.parametrize("size", [3, 5, 8])
def test_the_bridges_are_those_of_the_definition(size):
    for position, naive in random_positions(size, 1, repeats(60, 20)):
        for player in range(2):
            found = {frozenset(bridge.cells) for bridge in bridges(owners(position), player)}
            assert found == naive.bridges(player)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_chain_of_bridges_wins_against_every_play(size):
    chains = 0
    for position, _ in random_positions(size, 2, repeats(600, 150), least=2):
        for player in range(2):
            if winning_chain(owners(position), player):
                chains += 1
                assert meeple.solve(position).payoffs[player] == 1.0
    assert chains > 10


def test_a_chain_survives_every_attack_when_each_bridge_is_completed():
    rng, attacked = np.random.default_rng(3), 0
    for position, naive in random_positions(9, 4, repeats(200, 60), least=30):
        for player in range(2):
            chain = winning_chain(owners(position), player)
            if not chain:
                continue
            attacked += 1
            pairs = [tuple(bridge.cells) for bridge in bridges(owners(position), player)]
            for cell in rng.permutation(81).tolist():
                place = divmod(cell, 9)
                if place in naive.owner:
                    continue
                naive.owner[place] = 1 - player
                for one, two in pairs:
                    other = two if place == one else one if place == two else None
                    if other is not None and other not in naive.owner:
                        naive.owner[other] = player
            assert naive.winner() == player
            break
    assert attacked > 5


@pytest.mark.slow
def test_a_dead_cell_never_changes_the_winner():
    rng, dead_seen = np.random.default_rng(5), 0
    for position, naive in random_positions(5, 6, repeats(300, 80), least=6):
        for dead in dead_cells(owners(position)):
            dead_seen += 1
            for _ in range(20):
                filled = NaiveHex(5, False)
                filled.owner = {
                    (row, column): naive.owner.get((row, column), int(rng.integers(2)))
                    for row in range(5)
                    for column in range(5)
                }
                winners = set()
                for colour in range(2):
                    filled.owner[dead] = colour
                    winners.add(filled.winner())
                assert len(winners) == 1
    assert dead_seen > 50


def test_a_cell_that_may_join_two_groups_is_not_dead():
    assert (2, 2) not in dead_cells(owners(after("hex", "c2 b3 c4 d3", size=5)))
    assert dead_cells(owners(make("hex", size=5).start())) == []


def test_a_chain_is_drawn_as_a_line_and_its_bridges_as_areas():
    found = {one.kind: one for one in explanations(after("hex", "b2", size=3), None)}
    assert set(found) == {"bridge", "winning chain"}
    chain, bridge = found["winning chain"], found["bridge"]
    assert (chain.shape, chain.player, chain.spots) == (LINE, 0, ("4",))
    assert chain.sentence.startswith("player 1 wins")
    assert bridge.shape == AREA
    assert sorted(bridge.spots) in (["1", "2", "4"], ["4", "6", "7"])
    assert bridge.spots[1] == "4"


@pytest.mark.parametrize(
    ("moves", "swap", "found"),
    [
        ("b2", True, {("bridge", 0)}),  # no chain wins while the sides may be exchanged
        ("b1 a1 b2 a2 b3", False, {("winning chain", 0)}),  # that of a finished game
    ],
)
def test_only_a_chain_that_stays_is_called_winning(moves, swap, found):
    said = explanations(after("hex", moves, size=3, swap=swap), None)
    assert {(one.kind, one.player) for one in said} == found
    assert all(one.spots == ("1", "4", "7") for one in said if one.kind == "winning chain")
