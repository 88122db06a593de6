"""The effects of actions and chance outcomes, and the payoffs."""

from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import cards_of, move_card, pay, pay_for, points, rate_of
from meeple.games.catan.rules.legal import may_rob
from meeple.games.catan.rules.roads import (
    award_longest_road,
    has_road_site,
    longest_trail,
    longest_trail_with,
    roads_at,
)
from meeple.games.catan.rules.topology import TILES, TOPOLOGY
from meeple.games.catan.trade.deals import deal
from meeple.games.catan.trade.offers import set_next_decision, trade
from meeple.kernels import CHANCE, OVER, kernel

_TILE_VERTICES = TOPOLOGY.tile_vertices
_VERTEX_TILES = TOPOLOGY.vertex_tiles
_VERTEX_VERTICES = TOPOLOGY.vertex_vertices
_EDGE_VERTICES = TOPOLOGY.edge_vertices


@kernel
def play(s: Any, action: int) -> None:
    """Apply an action or an outcome; a player wins by reaching the points on their own turn."""
    phase = s.phase
    if phase == c.DICE:
        _resolve_dice(s, action)
    elif phase == c.STEAL:
        move_card(s, np.int64(s.victim), np.int64(s.on_turn), action, 1)
        _resume_turn(s)
    elif phase == c.DRAW:
        _draw_card(s, action)
    elif phase == c.SETTLE:
        _settle(s, action - c.SETTLEMENT_AT)
    elif phase == c.SETTLE_ROAD:
        _settle_road(s, action - c.ROAD_AT)
    elif phase >= c.DEAL or action >= c.DEAL_GIVE:
        clause = deal(s, action)
        if clause != c.NO_CLAUSE:
            _place(s, clause)
    elif action < c.ROB:
        _place(s, action)
    elif action < c.ROLL_DICE:
        _rob(s, action - c.ROB)
    elif action == c.ROLL_DICE:
        _await_chance(s, c.DICE)
    elif action == c.END_TURN:
        _end_turn(s)
    elif action == c.BUY_CARD:
        _buy_card(s)
    elif action < c.MARITIME:
        _play_card(s, action)
    elif action < c.DISCARD_ONE:
        _trade_with_bank(s, (action - c.MARITIME) // c.KINDS, (action - c.MARITIME) % c.KINDS)
    elif action < c.GIVE:
        _discard(s, action - c.DISCARD_ONE)
    else:
        trade(s, action)
    if s.to_move != OVER and phase > c.SETTLE_ROAD and _has_won(s):
        s.to_move = OVER


@kernel
def _has_won(s: Any) -> bool:
    """Return whether the seat on turn has the points to win."""
    return bool(points(s, np.int64(s.on_turn)) >= s.victory_points)


@kernel
def payoffs(s: Any, out: Any) -> None:
    """Give the winner everything; divide by points if the option says so or no seat has won."""
    won = _has_won(s)
    total = 0
    for seat in range(s.players):
        total += points(s, seat)
    for seat in range(s.players):
        if won and not s.by_points:
            out[seat] = 1.0 if seat == s.on_turn else 0.0
        else:
            out[seat] = points(s, seat) / total


# ---------------------------------------------------------------- steps


@kernel
def _await_chance(s: Any, phase: int) -> None:
    s.phase = phase
    s.to_move = CHANCE


@kernel
def _buy_card(s: Any) -> None:
    pay_for(s, np.int64(s.on_turn), c.CARD)
    _await_chance(s, c.DRAW)


@kernel
def _draw_card(s: Any, card: int) -> None:
    s.deck[card] -= 1
    s.cards[s.on_turn, card] += 1
    s.fresh[card] += 1
    _resume_turn(s)


@kernel
def _resume_turn(s: Any) -> None:
    """Return to the turn of the player on turn, before or after the dice."""
    set_next_decision(s, c.MAIN if s.rolled else c.ROLL, np.int64(s.on_turn))


@kernel
def _end_turn(s: Any) -> None:
    s.turns += 1
    s.on_turn = (s.on_turn + 1) % s.players
    s.rolled = False
    s.card_played = False
    s.offers = 0
    for card in range(c.KINDS):
        s.fresh[card] = 0
    set_next_decision(s, c.ROLL, np.int64(s.on_turn))
    if s.turns >= s.max_turns:
        s.to_move = OVER


@kernel
def _place(s: Any, action: int) -> None:
    """Build, or move the robber."""
    if action < c.ROAD_AT:
        _build_settlement_or_city(s, action)
    elif action < c.ROBBER_TO:
        _build_road(s, action - c.ROAD_AT)
    else:
        s.robber = action - c.ROBBER_TO
        _find_victim(s)


# ---------------------------------------------------------------- setup


@kernel
def _settle(s: Any, vertex: int) -> None:
    seat = np.int64(s.to_move)
    _place_settlement(s, vertex, seat)
    s.settled = vertex
    s.setup += 1
    if s.setup > s.players:
        for k in range(3):
            tile = _VERTEX_TILES[vertex, k]
            if tile >= 0 and s.tile_number[tile] > 0:
                pay(s, seat, np.int64(s.tile_resource[tile]), -1)
    set_next_decision(s, c.SETTLE_ROAD, seat)


@kernel
def _settle_road(s: Any, edge: int) -> None:
    """Place a road; seats settle in order, then in reverse order."""
    _place_road(s, edge, np.int64(s.to_move))
    placed = np.int64(s.setup)
    players = np.int64(s.players)
    if placed < players:
        s.on_turn = placed
    elif placed < 2 * players:
        s.on_turn = 2 * players - 1 - placed
    else:
        s.on_turn = 0
    set_next_decision(s, c.SETTLE if placed < 2 * players else c.ROLL, np.int64(s.on_turn))


# ---------------------------------------------------------------- building


@kernel
def _place_settlement(s: Any, vertex: int, seat: int) -> None:
    s.vertex[vertex] = 1 + seat
    s.settlements[seat] -= 1
    s.crowded[vertex] = 1
    for k in range(3):
        other = _VERTEX_VERTICES[vertex, k]
        if other >= 0:
            s.crowded[other] = 1
    if s.vertex_port[vertex] > 0:
        s.ports[seat] |= 1 << s.vertex_port[vertex]
    for other_seat in range(s.players):
        if other_seat != seat and roads_at(s, vertex, other_seat) > 1:  # the trail may be cut
            s.road_length[other_seat] = longest_trail(s, other_seat)
    award_longest_road(s)


@kernel
def _place_road(s: Any, edge: int, seat: int) -> None:
    s.edge[edge] = 1 + seat
    s.roads[seat] -= 1
    s.road_length[seat] = longest_trail_with(s, seat, edge)
    award_longest_road(s)


@kernel
def _build_settlement_or_city(s: Any, action: int) -> None:
    """Pay for and place a settlement or a city of the player on turn."""
    seat = np.int64(s.on_turn)
    if action < c.CITY_AT:
        pay_for(s, seat, c.SETTLEMENT)
        _place_settlement(s, action - c.SETTLEMENT_AT, seat)
    else:
        pay_for(s, seat, c.CITY)
        s.vertex[action - c.CITY_AT] = 5 + seat
        s.cities[seat] -= 1
        s.settlements[seat] += 1


@kernel
def _build_road(s: Any, edge: int) -> None:
    seat = np.int64(s.on_turn)
    if s.phase == c.FREE_ROADS:
        _place_road(s, edge, seat)
        s.free_roads -= 1
        if s.free_roads == 0 or s.roads[seat] == 0 or not has_road_site(s, seat):
            s.free_roads = 0
            _resume_turn(s)
        return
    pay_for(s, seat, c.ROAD)
    _place_road(s, edge, seat)


# ---------------------------------------------------------------- dice and robber


@kernel
def _resolve_dice(s: Any, total: int) -> None:
    s.dice = total
    s.rolled = True
    if total != 7:
        for tile in range(TILES):
            if s.tile_number[tile] == total and not _repeats_earlier_tile(s, tile):
                _produce(s, total, np.int64(s.tile_resource[tile]))
        _resume_turn(s)
        return
    if not s.with_robber:
        _resume_turn(s)
        return
    for seat in range(s.players):
        held = cards_of(s, seat)
        s.discards[seat] = held // 2 if held > s.discard_limit else 0
    _next_discard(s)


@kernel
def _repeats_earlier_tile(s: Any, tile: int) -> bool:
    """Return whether an earlier tile has the same number and resource: they produce together."""
    for before in range(tile):
        same = s.tile_number[before] == s.tile_number[tile]
        if same and s.tile_resource[before] == s.tile_resource[tile]:
            return True
    return False


@kernel
def _produce(s: Any, total: int, resource: int) -> None:
    """Pay a resource for a roll.

    If the bank holds too few cards, no player gets any, unless only one player is due: that one
    gets what is left.
    """
    due = 0
    only = -1
    for tile in range(TILES):
        if s.tile_number[tile] == total and s.tile_resource[tile] == resource and tile != s.robber:
            for k in range(6):
                building = s.vertex[_TILE_VERTICES[tile, k]]
                if building > 0:
                    due += 2 if building > 4 else 1
                    seat = (building - 1) & 3
                    only = seat if only == -1 or only == seat else -2
    if due == 0:
        return
    if due > s.bank[resource]:
        if only >= 0:
            pay(s, only, resource, -np.int64(s.bank[resource]))
        return
    for tile in range(TILES):
        if s.tile_number[tile] == total and s.tile_resource[tile] == resource and tile != s.robber:
            for k in range(6):
                building = s.vertex[_TILE_VERTICES[tile, k]]
                if building > 0:
                    pay(s, (building - 1) & 3, resource, -2 if building > 4 else -1)


@kernel
def _next_discard(s: Any) -> None:
    """Let the next seat discard, starting with the one on turn; after all, move the robber."""
    for offset in range(s.players):
        seat = (s.on_turn + offset) % s.players
        if s.discards[seat] > 0:
            s.last = 0
            set_next_decision(s, c.DISCARD, seat)
            return
    s.last = 0
    set_next_decision(s, c.ROBBER, np.int64(s.on_turn))


@kernel
def _discard(s: Any, resource: int) -> None:
    seat = np.int64(s.to_move)
    pay(s, seat, resource, 1)
    s.discards[seat] -= 1
    s.last = resource
    if s.discards[seat] == 0:
        _next_discard(s)


@kernel
def _find_victim(s: Any) -> None:
    found = 0
    for seat in range(s.players):
        if may_rob(s, seat):
            s.victim = seat
            found += 1
    if found == 0:
        _resume_turn(s)
    elif found == 1:
        _await_chance(s, c.STEAL)
    else:
        s.victim = c.NO_SEAT
        set_next_decision(s, c.VICTIM, np.int64(s.on_turn))


@kernel
def _rob(s: Any, seat: int) -> None:
    s.victim = seat
    _await_chance(s, c.STEAL)


# ---------------------------------------------------------------- cards


@kernel
def _play_card(s: Any, action: int) -> None:
    seat = np.int64(s.on_turn)
    s.card_played = True
    if action == c.PLAY_KNIGHT:
        _use_card(s, c.KNIGHT)
        if s.played[seat, c.KNIGHT] >= c.MIN_LARGEST_ARMY and (
            s.largest_army < 0 or s.played[seat, c.KNIGHT] > s.played[s.largest_army, c.KNIGHT]
        ):
            s.largest_army = seat
        set_next_decision(s, c.ROBBER, seat)
    elif action == c.PLAY_ROADS:
        _use_card(s, c.ROAD_BUILDING)
        s.free_roads = 2
        set_next_decision(s, c.FREE_ROADS, seat)
    elif action < c.PLAY_PLENTY_ONE:
        _use_card(s, c.YEAR_OF_PLENTY)
        pay(s, seat, (action - c.PLAY_PLENTY) // c.KINDS, -1)
        pay(s, seat, (action - c.PLAY_PLENTY) % c.KINDS, -1)
    elif action < c.PLAY_MONOPOLY:
        _use_card(s, c.YEAR_OF_PLENTY)
        pay(s, seat, action - c.PLAY_PLENTY_ONE, -1)
    else:
        _use_card(s, c.MONOPOLY)
        resource = action - c.PLAY_MONOPOLY
        for other in range(s.players):
            if other != seat:
                move_card(s, other, seat, resource, np.int64(s.hand[other, resource]))


@kernel
def _use_card(s: Any, card: int) -> None:
    s.cards[s.on_turn, card] -= 1
    s.played[s.on_turn, card] += 1


# ---------------------------------------------------------------- the bank's trade


@kernel
def _trade_with_bank(s: Any, give: int, take: int) -> None:
    seat = np.int64(s.on_turn)
    pay(s, seat, give, rate_of(s, seat, give))
    pay(s, seat, take, -1)
