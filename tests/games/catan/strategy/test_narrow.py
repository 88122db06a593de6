"""Narrowing keeps few actions of each type and one order of actions, and loses no state."""

import numpy as np
import pytest

from meeple import kernels
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.kernels import CHANCE
from meeple.kernels.table import caller
from tests.games.catan.playing import random_game
from tests.tiers import few_quick

CALL = caller("narrow")
PLIES = 3  # plies of a turn that are enumerated in every order
QUIET = {c.END_TURN, *range(c.PLAY_KNIGHT, c.MARITIME), *range(c.GIVE, c.NUM_ACTIONS)}


def narrowed(position, actions, last=-1, weights=None):
    """Return the narrowed list of actions and its weights."""
    moves = np.zeros(1, dtype=kernels.moves_record(position.game.max_moves))
    moves["count"] = len(actions)
    moves["actions"][0, : len(actions)] = actions
    moves["probabilities"][0, : len(actions)] = actions if weights is None else weights
    CALL(position.game.address_of(kernels.NARROW), position.address, moves.ctypes.data, last)
    count = int(moves["count"][0])
    return moves["actions"][0, :count].tolist(), moves["probabilities"][0, :count].tolist()


def in_order(position, last):
    """Return the legal actions after `last` that need not precede it, checked one by one."""
    legal = position.legal_actions().tolist()
    return [action for action in legal if narrowed(position, [action], last)[0]]


def reached(position, ordered, last=None, plies=PLIES):
    """Count the ways to each state reached by building, buying and trading with the bank."""
    if position.to_move == CHANCE:
        states, ways, choices = set(), 0, position.chance_outcomes()[0].tolist()
    else:
        states, ways = {position.row.tobytes()}, 1
        if plies == 0 or position.is_over:
            return states, ways
        known = ordered and last is not None
        choices = in_order(position, last) if known else position.legal_actions().tolist()
        choices = [action for action in choices if action not in QUIET]
        plies -= 1
    for choice in choices:
        after = None if position.to_move == CHANCE else choice
        position.play(choice)
        deeper, more = reached(position, ordered, after, plies)
        position.undo()
        states |= deeper
        ways += more
    return states, ways


def position_with_many_cards(seed, **options):
    """Return a position of a random game whose player has many cards."""
    for position in random_game(seed, hidden_hands=False, domestic_trade=False, **options):
        if position.is_over:
            return None
        if position.state.phase == c.MAIN and len(position.actions) > 150:
            break
    hand, bank = position.state.hand[position.state.on_turn], position.state.bank
    for kind in range(c.KINDS):
        more = min(int(bank[kind]), 2)
        hand[kind] += more
        bank[kind] -= more
    return position


@pytest.mark.parametrize("seed", few_quick(range(8), 2))
def test_narrowing_reaches_every_state_of_a_turn_in_fewer_ways(seed):
    position = position_with_many_cards(seed, players=3)
    if position is None:
        pytest.skip("this random game was over too soon")
    every, ways = reached(position, ordered=False)
    ordered, fewer = reached(position, ordered=True)
    assert ordered == every
    assert fewer < ways


def test_card_is_bought_first_and_actions_that_end_the_turn_are_kept():
    position = position_with_many_cards(1, players=3)
    state = position.state
    seat = int(state.on_turn)
    state.hand[seat] = 4
    city = next(a for a in position.legal_actions().tolist() if c.CITY_AT <= a < c.ROAD_AT)
    assert c.BUY_CARD in position.legal_actions()
    position.play(city)
    state.hand[seat] = 4
    assert c.BUY_CARD in position.legal_actions()
    assert c.BUY_CARD not in in_order(position, city)
    assert c.END_TURN in in_order(position, city)


def test_actions_enabled_by_the_last_action_are_kept():
    position = next(
        shown
        for shown in random_game(4, players=3, domestic_trade=False)
        if shown.state.phase == c.MAIN and len(shown.actions) > 60
    )
    position.state.hand[int(position.state.on_turn)] = 3
    roads = [a for a in position.legal_actions().tolist() if c.ROAD_AT <= a < c.ROBBER_TO]
    assert roads
    for road in roads:
        before = set(position.legal_actions().tolist())
        position.play(road)
        new = set(position.legal_actions().tolist()) - before
        assert new <= set(in_order(position, road))
        position.undo()


def test_likeliest_actions_of_each_type_are_kept_with_their_weights():
    position = Catan(board="beginner").start(1)
    legal = position.legal_actions().tolist()
    weights = np.random.default_rng(1).permutation(len(legal)) + 1.0
    kept, heavy = narrowed(position, legal, weights=weights)
    likeliest = sorted(legal, key=lambda action: -weights[legal.index(action)])[:12]
    assert sorted(kept) == sorted(likeliest)
    assert heavy == [weights[legal.index(action)] for action in kept]


def test_short_lists_are_unchanged():
    position = position_with_many_cards(1, players=3)
    actions = [c.END_TURN, c.BUY_CARD, c.ROAD_AT, c.ROAD_AT + 5, c.MARITIME + 1]
    assert narrowed(position, actions)[0] == actions
