"""Sensible actions are legal, weighted, and stronger than random play."""

import numpy as np
import pytest

import meeple
from meeple import kernels
from meeple.agents.spec import agent
from meeple.errors import SpecError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.catan.strategy.prune import MAX_OFFERS_TRIED
from meeple.kernels.table import caller
from tests.games.catan.playing import random_game

PRUNE = caller("prune")


def sensible(position):
    """Return the sensible actions and their weights."""
    moves = np.zeros(1, dtype=kernels.moves_record(position.game.max_moves))
    PRUNE(position.game.address_of(kernels.PRUNE), position.address, moves.ctypes.data)
    count = int(moves["count"][0])
    return moves["actions"][0, :count].tolist(), moves["probabilities"][0, :count]


@pytest.mark.parametrize("options", [{}, {"players": 2, "robber": False}], ids=str)
def test_sensible_actions_are_legal_and_have_weights(options):
    for position in random_game(3, plies=1500, **options):
        if position.is_over:
            break
        actions, weights = sensible(position)
        legal = position.legal_actions().tolist()
        assert actions
        assert len(set(actions)) == len(actions)
        assert set(actions) <= set(legal)
        assert (weights > 0).all()
        if position.to_move < 0:
            assert actions == legal
        elif position.state.phase == c.MAIN:
            offers = [a for a in actions if c.GIVE <= a < c.WANT]
            assert not offers or position.state.offers < MAX_OFFERS_TRIED
            assert c.END_TURN in actions


def test_first_settlements_prefer_frequent_numbers():
    position = Catan(board="beginner").start(1)
    actions, weights = sensible(position)
    ways = [ways_at(position, action - c.SETTLEMENT_AT) for action in actions]
    assert ways[int(weights.argmax())] == max(ways)
    assert ways[int(weights.argmin())] == min(ways)


def ways_at(position, vertex):
    """Return the number of throws out of 36 that produce at this vertex."""
    tiles = [t for t in TOPOLOGY.vertex_tiles[vertex].tolist() if t >= 0]
    numbers = [int(position.state.tile_number[tile]) for tile in tiles]
    return sum(6 - abs(number - 7) for number in numbers if number)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "other", "wins"), [("weighted", "random", 30), ("greedy", "weighted", 16)]
)
def test_weighted_agent_beats_random_play_and_greedy_agent_weighted_ones(spec, other, wins):
    game = Catan(domestic_trade=False)
    result = meeple.match(game, [spec, other, other, other], games=40, seed=1, workers=1)
    assert result.agents[0].wins >= wins
    assert result.agents[0].spec == spec


def test_game_without_weights_has_no_weighted_agent():
    with pytest.raises(SpecError, match="weighted: nim does not say"):
        agent("weighted", meeple.make("nim"))


def with_hands(*hands, **options):
    """Return a position after the dice in which the seats hold these cards; seat 0 is on turn."""
    for position in random_game(6, plies=400, players=len(hands), **options):
        if position.state.phase == c.MAIN and position.to_move == 0:
            break
    state = position.state
    for seat, hand in enumerate(hands):
        state.bank[:] += state.hand[seat]
        state.hand[seat] = hand
        state.bank[:] -= state.hand[seat]
    state.offers = 0
    return position


ONE_SHORT = (3, 1, 1, 0, 0)  # a settlement's cost without the grain


def test_offers_ask_for_the_missing_resource():
    position = with_hands(ONE_SHORT, (0, 0, 0, 4, 0))
    assert c.GIVE + c.WOOD in sensible(position)[0]
    position.play(c.GIVE + c.WOOD)
    actions, weights = sensible(position)
    assert actions[int(weights.argmax())] == c.WANT + c.GRAIN
    position.play(c.WANT + c.GRAIN)
    assert sensible(position)[0] == [c.PROPOSE]


def test_offers_are_answered_by_their_effect_on_the_hand():
    for hand, accepted in (((0, 1, 1, 4, 0), True), ((1, 1, 1, 1, 0), False)):
        position = with_hands(ONE_SHORT, hand)
        for action in (c.GIVE + c.WOOD, c.WANT + c.GRAIN, c.PROPOSE):
            position.play(action)
        actions, _ = sensible(position)
        assert (c.ACCEPT in actions) == accepted
        assert c.REFUSE in actions


def test_offers_of_a_player_close_to_winning_are_refused():
    position = with_hands(ONE_SHORT, (0, 1, 1, 4, 0), victory_points=4)
    for action in (c.GIVE + c.WOOD, c.WANT + c.GRAIN, c.PROPOSE):
        position.play(action)
    assert sensible(position)[0] == [c.REFUSE]


def test_senseless_offer_is_withdrawn():
    position = with_hands((4, 0, 0, 0, 0), (0, 0, 0, 0, 4))
    for action in (c.GIVE + c.WOOD, c.GIVE + c.WOOD, c.GIVE + c.WOOD, c.GIVE + c.WOOD):
        position.play(action)
    actions, _ = sensible(position)
    assert all(c.WANT <= a < c.PROPOSE for a in actions) or actions == [c.WITHDRAW]


@pytest.mark.parametrize("seed", range(3))
def test_sensible_actions_do_not_depend_on_hidden_information(seed):
    rng = np.random.default_rng(seed)
    for position in random_game(seed, plies=1200):
        if position.is_over or position.to_move < 0:
            continue
        state = position.state
        found = sensible(position)
        hands, deck = state.hand.copy(), state.cards.copy()
        others = [seat for seat in range(4) if seat != position.to_move]
        for seat in others:
            total = int(hands[seat].sum())
            state.hand[seat] = np.bincount(rng.integers(0, 5, total), minlength=5)
        again = sensible(position)
        state.hand[:], state.cards[:] = hands, deck
        if position.state.phase == c.CHOOSE:
            continue  # the ability to pay for a counter-offer is public
        assert again[0] == found[0]
        assert np.array_equal(again[1], found[1])


@pytest.mark.slow
def test_players_trade_with_each_other():
    game = Catan()
    trades = 0
    for seed in range(3):
        result = meeple.match(game, ["greedy"] * 4, games=1, seed=seed, workers=1)
        trades += sum(action.startswith("trade with ") for action in result.records[0].actions)
    assert trades >= 5
