"""The few deals that agents try; they do not depend on cards hidden from the seat."""

import itertools
from typing import Any

import numpy as np

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.roads import is_road_site, road_ends, touched_by
from meeple.games.catan.rules.topology import EDGES, TILES, TOPOLOGY
from meeple.games.catan.strategy.prune import road_weight, robber_weight
from meeple.games.catan.words.deal_words import compose_deal
from meeple.games.contract.position import BarePosition
from meeple.kernels import kernel

Plan = tuple[int, ...]  # actions, one after the other

_TILES, _ROADS = 4, 2  # that are tried, the likeliest


def deal_plans(position: BarePosition) -> list[Plan]:
    """Return the deals that agents try, none of which depends on hidden cards.

    In the main phase these are exchanges around three players, and roads that other players pay
    for; while the robber is moved, places for it that another player pays for.
    """
    s = position.state
    partners = [i for i in range(int(s.players)) if i != s.on_turn and s.hand[i].any()]
    if s.phase == c.ROBBER:
        return _robber_deals(s, partners, _likeliest(position, c.ROBBER_TO, c.ROB, _TILES))
    if s.phase == c.MAIN:
        roads = _likeliest(position, c.ROAD_AT, c.ROBBER_TO, _ROADS)
        return _rounds(s, partners) + _road_deals(s, partners, roads)
    return []


def _likeliest(position: BarePosition, first: int, end: int, most: int) -> list[int]:
    """Return the roads or robber places of greatest weight in `prune`, regardless of who pays."""
    weights = np.zeros(end - first)
    # As an array of one state: a record by itself is slow to hand to a kernel.
    _weigh(np.frombuffer(position.row, c.State), first, weights)
    order = np.argsort(-weights, kind="stable")[:most].tolist()
    return [first + place for place in order if weights[place] > 0]


@kernel
def _weigh(states: Any, first: int, weights: Any) -> None:
    """Write the weights of tiles or edges; 0 if a place is not a legal site."""
    s = states[0]
    if first == c.ROBBER_TO:
        for tile in range(TILES):
            weights[tile] = robber_weight(s, tile) if tile != s.robber else 0.0
        return
    seat = np.int64(s.on_turn)
    ends = road_ends(s, seat, touched_by(s, seat))
    for edge in range(EDGES):
        if s.roads[seat] > 0 and is_road_site(s, edge, ends):
            weights[edge] = road_weight(s, edge)


def _deal(changes: dict[int, list[tuple[int, int]]], clause: int | None = None) -> Plan:
    """Return a deal, given each seat's gains as pairs of resource and count."""
    counts = {seat: [0] * c.KINDS for seat in changes}
    for seat, gains in changes.items():
        for resource, count in gains:
            counts[seat][resource] += count
    return tuple(compose_deal(counts, clause))


def _rounds(s: Any, partners: list[int]) -> list[Plan]:
    """Return rings of three seats, one card each; the seat gives its most frequent resource."""
    seat = int(s.on_turn)
    given = int(np.argmax(s.hand[seat]))
    if not s.hand[seat, given]:
        return []
    others = [r for r in range(c.KINDS) if r != given]
    return [
        _deal({seat: [(given, -1), (got, 1)], one: [(got, -1), (third, 1)],
               other: [(third, -1), (given, 1)]})
        for one, other in itertools.permutations(partners, 2)
        for got, third in itertools.permutations(others, 2)
    ]  # fmt: skip


def _road_deals(s: Any, partners: list[int], roads: list[int]) -> list[Plan]:
    """Return deals for a road that another seat pays in full or in part, or two others share."""
    seat = int(s.on_turn)
    wood, brick = (c.WOOD, -1), (c.BRICK, -1)
    paid = [{one: [wood, brick]} for one in partners if s.hand[one].sum() > 1]
    paid += [{one: [wood], other: [brick]} for one, other in itertools.permutations(partners, 2)]
    for mine, theirs in ((wood, brick), (brick, wood)):
        if s.hand[seat, mine[0]]:
            paid += [{seat: [mine], one: [theirs]} for one in partners]
    return [_deal(changes, road) for road in roads for changes in paid]


def _robber_deals(s: Any, partners: list[int], places: list[int]) -> list[Plan]:
    """Return deals in which a seat gives a card to send the robber where it has no building."""
    seat = int(s.on_turn)
    found: list[Plan] = []
    for place, one in itertools.product(places, partners):
        around = s.vertex[TOPOLOGY.tile_vertices[place - c.ROBBER_TO]]
        if one not in [(owner - 1) % c.MAX_SEATS for owner in around.tolist() if owner]:
            paid = [{seat: [(r, 1)], one: [(r, -1)]} for r in range(c.KINDS)]
            found += [_deal(changes, place) for changes in paid]
    return found
