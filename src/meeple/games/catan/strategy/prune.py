"""Weighted sensible actions of a fast player, for rollouts and to limit a tree's branching."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import public_points
from meeple.games.catan.rules.legal import legal
from meeple.games.catan.rules.roads import owner_of, reaches
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.catan.strategy.heuristic import WEIGHTS, expected_cards_at, hand_value, ways
from meeple.kernels import CHANCE, kernel

_TILE_VERTICES = TOPOLOGY.tile_vertices
_EDGE_VERTICES = TOPOLOGY.edge_vertices

MAX_OFFERS_TRIED = 2  # per turn
_UNHELPFUL_TRADE_WEIGHT = 0.01  # above 0, so that a search may still find a trade useful


@kernel
def prune(s: Any, moves: Any) -> None:
    """List sensible legal actions, each with a weight; list chance outcomes unchanged.

    The list has only a few offers, of one or two cards for one that the player lacks, and no
    counter-offers. The weights depend only on what the player to move knows.
    """
    legal(s, moves)
    if s.to_move == CHANCE:
        return
    kept = 0
    for index in range(moves.count):
        action = np.int64(moves.actions[index])
        weight = _weight(s, action)
        if weight > 0.0:
            moves.actions[kept] = action
            moves.probabilities[kept] = weight
            kept += 1
    moves.count = kept
    if moves.count == 0:  # while composing an offer that has no sensible continuation
        moves.actions[0] = c.WITHDRAW
        moves.probabilities[0] = 1.0
        moves.count = 1


@kernel
def _weight(s: Any, action: int) -> float:
    """Return the weight of an action: its relative frequency in fast play."""
    phase = s.phase
    if phase >= c.DEAL or action >= c.DEAL_GIVE:
        return _deal_weight(s, action)
    if action < c.CITY_AT:
        worth = expected_cards_at(s, action - c.SETTLEMENT_AT)
        return worth**3 * 100.0 + 0.01 if phase == c.SETTLE else 40.0 + 100.0 * worth
    if action < c.ROAD_AT:
        return 60.0 + 100.0 * expected_cards_at(s, action - c.CITY_AT)
    if action < c.ROBBER_TO:
        return road_weight(s, action - c.ROAD_AT)
    if action < c.ROB:
        return robber_weight(s, action - c.ROBBER_TO)
    if action < c.ROLL_DICE:
        return 1.0
    if action == c.ROLL_DICE:
        return 4.0
    if action == c.END_TURN:
        return 2.0
    if action == c.BUY_CARD:
        return 8.0
    if action >= c.PLAY_PLENTY and action < c.PLAY_PLENTY_ONE:
        return _plenty_weight(
            s, (action - c.PLAY_PLENTY) // c.KINDS, (action - c.PLAY_PLENTY) % c.KINDS
        )
    if action < c.MARITIME:
        return 6.0 if action > c.PLAY_KNIGHT else 4.0
    if action < c.DISCARD_ONE:
        return _maritime_weight(
            s, (action - c.MARITIME) // c.KINDS, (action - c.MARITIME) % c.KINDS
        )
    if action < c.GIVE:
        return float(s.hand[s.to_move, action - c.DISCARD_ONE]) ** 2
    return _trade_weight(s, action)


@kernel
def road_weight(s: Any, edge: int) -> float:
    """Weight a road by the worth of free sites at its ends that the seat does not reach yet."""
    seat = np.int64(s.to_move)
    weight = 1.0
    for end in range(2):
        vertex = np.int64(_EDGE_VERTICES[edge, end])
        if s.crowded[vertex] == 0 and not reaches(s, vertex, seat):
            weight += 30.0 * expected_cards_at(s, vertex)
    return weight if s.phase != c.FREE_ROADS or weight > 1.0 else 0.5


@kernel
def robber_weight(s: Any, tile: int) -> float:
    """Weight a robber tile by the opponents' production there; low if the seat produces there."""
    weight = 0.02
    own = False
    for k in range(6):
        vertex = np.int64(_TILE_VERTICES[tile, k])
        owner = owner_of(s, vertex)
        if owner == s.on_turn:
            own = True
        elif owner >= 0:
            weight += ways(np.int64(s.tile_number[tile])) * (2.0 if s.vertex[vertex] > 4 else 1.0)
    return 0.02 if own else weight


@kernel
def _maritime_weight(s: Any, give: int, take: int) -> float:
    """Weight a bank trade: higher for lacking resources in exchange for plentiful ones."""
    seat = np.int64(s.on_turn)
    lacking = 3.0 if s.hand[seat, take] == 0 else 0.5
    return lacking * (0.3 + 0.4 * float(max(0, int(s.hand[seat, give]) - 4)))


@kernel
def _plenty_weight(s: Any, one: int, other: int) -> float:
    """Weight a year of plenty by the value of the hand with the two cards."""
    seat = np.int64(s.on_turn)
    before = hand_value(s, seat, WEIGHTS)
    s.hand[seat, one] += 1
    s.hand[seat, other] += 1
    gain = hand_value(s, seat, WEIGHTS) - before
    s.hand[seat, one] -= 1
    s.hand[seat, other] -= 1
    return max(gain, 0.0) * 10.0 + 1.0


# ---------------------------------------------------------------- trade between players


@kernel
def _trade_weight(s: Any, action: int) -> float:
    """Weight offers of one card, or two of one kind, for one card; accept helpful offers."""
    seat = np.int64(s.to_move)
    phase = s.phase
    if phase == c.MAIN:
        return (
            2.0
            if s.offers < MAX_OFFERS_TRIED and _best_for(s, seat, action - c.GIVE) > 0.0
            else 0.0
        )
    if phase == c.OFFER and action < c.PROPOSE:
        return _compose_weight(s, seat, action)
    if action < c.PROPOSE:
        return 0.0  # no counter-offers
    if action == c.ACCEPT:
        helps = gain_of(s, seat, np.int64(s.on_turn), -1) > 0.0
        return 10.0 if helps and not nearly_won(s, np.int64(s.on_turn)) else 0.0
    if action >= c.TRADE_WITH and action < c.WITHDRAW:
        other = action - c.TRADE_WITH
        countered = s.answers[other] == c.COUNTERED
        gain = gain_of(s, seat, other, -1) if countered else gain_of(s, seat, seat, 1)
        return (10.0 if gain > 0.0 else _UNHELPFUL_TRADE_WEIGHT) / (1 + public_points(s, other))
    if action == c.WITHDRAW:
        return 0.1 if phase == c.CHOOSE else 0.0
    return 1.0  # propose, refuse


@kernel
def _compose_weight(s: Any, seat: int, action: int) -> float:
    """Weight a second card of the same kind if the hand has four; then the most helpful card."""
    if action < c.WANT:
        resource = action - c.GIVE
        given = int(s.give[seat, resource])
        return 0.5 if given == 1 and s.hand[seat, resource] >= 4 else 0.0
    if s.wanting:
        return 0.0
    s.want[seat, action - c.WANT] += 1
    gain = gain_of(s, seat, seat, 1)
    s.want[seat, action - c.WANT] -= 1
    return gain * 10.0 if gain > 0.0 else 0.0


@kernel
def _deal_weight(s: Any, action: int) -> float:
    """Begin no deal; agree to a helpful deal with a seat that has not nearly won."""
    if s.phase == c.CONSENT and action == c.ACCEPT:
        seat = np.int64(s.to_move)
        helps = gain_of(s, seat, seat, 1) > 0.0
        return 10.0 if helps and not nearly_won(s, np.int64(s.on_turn)) else 0.0
    return 1.0 if action in (c.PROPOSE, c.REFUSE) else 0.0


@kernel
def _best_for(s: Any, seat: int, resource: int) -> float:
    """Return the greatest gain of a seat's hand by a trade of one card for one of another kind."""
    before = hand_value(s, seat, WEIGHTS)
    best = 0.0
    s.hand[seat, resource] -= 1
    for other in range(c.KINDS):
        if other != resource:
            s.hand[seat, other] += 1
            best = max(best, hand_value(s, seat, WEIGHTS) - before)
            s.hand[seat, other] -= 1
    s.hand[seat, resource] += 1
    return best


@kernel
def gain_of(s: Any, seat: int, proposer: int, way: int) -> float:
    """Return the gain of a seat's hand by an offer: way 1 as the proposer, -1 as the partner."""
    before = hand_value(s, seat, WEIGHTS)
    for r in range(c.KINDS):
        s.hand[seat, r] += way * (np.int64(s.want[proposer, r]) - np.int64(s.give[proposer, r]))
    after = hand_value(s, seat, WEIGHTS)
    for r in range(c.KINDS):
        s.hand[seat, r] -= way * (np.int64(s.want[proposer, r]) - np.int64(s.give[proposer, r]))
    return after - before


@kernel
def nearly_won(s: Any, seat: int) -> bool:
    """Return whether a seat needs at most two more public points to win."""
    return bool(public_points(s, seat) + 2 >= s.victory_points)
