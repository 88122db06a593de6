"""Deals that agents try: few, and nothing in them depends on cards that the seat does not see."""

import itertools
from typing import Any

import numpy as np

from meeple.games.catan import state as c
from meeple.games.catan.deal_words import compose_deal
from meeple.games.catan.hands import cards_of
from meeple.games.catan.prune import road_weight, robber_weight
from meeple.games.catan.roads import is_road_site, owner_of, road_ends, touched_by
from meeple.games.catan.topology import EDGES, TILES, TOPOLOGY
from meeple.games.contract.position import BarePosition

Plan = tuple[int, ...]  # actions, one after the other

_TILES, _ROADS = 4, 2  # that are tried, the likeliest


def deal_plans(position: BarePosition) -> list[Plan]:
    """On the own turn cards that three pass round, and roads that others pay for; while the robber
    is moved, a place for it that somebody pays for.
    """
    s = position.state
    partners = [i for i in range(int(s.players)) if i != s.on_turn and cards_of(s, i) > 0]
    if s.phase == c.ROBBER:
        return _robber_deals(s, partners)
    if s.phase == c.MAIN:
        return _rounds(s, partners) + _road_deals(s, partners)
    return []


def _deal(changes: dict[int, list[tuple[int, int]]], clause: int | None = None) -> Plan:
    """A deal by what each seat gains: pairs of resource and count."""
    counts = {seat: [0] * c.KINDS for seat in changes}
    for seat, gains in changes.items():
        for resource, count in gains:
            counts[seat][resource] += count
    return tuple(compose_deal(counts, clause))


def _rounds(s: Any, partners: list[int]) -> list[Plan]:
    """One card each, in a ring of three: the seat gives of what it holds most of."""
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


def _road_deals(s: Any, partners: list[int]) -> list[Plan]:
    """A road that another pays for, or helps to, or that two others share."""
    seat = int(s.on_turn)
    if not s.roads[seat]:
        return []
    ends = road_ends(s, seat, touched_by(s, seat))
    sites = [edge for edge in range(EDGES) if is_road_site(s, edge, ends)]
    sites = sorted(sites, key=lambda edge: -road_weight(s, edge))[:_ROADS]
    wood, brick = (c.WOOD, -1), (c.BRICK, -1)
    paid = [{one: [wood, brick]} for one in partners if cards_of(s, one) > 1]
    paid += [{one: [wood], other: [brick]} for one, other in itertools.permutations(partners, 2)]
    for mine, theirs in ((wood, brick), (brick, wood)):
        if s.hand[seat, mine[0]]:
            paid += [{seat: [mine], one: [theirs]} for one in partners]
    return [_deal(changes, c.ROAD_AT + edge) for edge in sites for changes in paid]


def _robber_deals(s: Any, partners: list[int]) -> list[Plan]:
    """A card of somebody for a place of the robber where that seat has nothing."""
    seat = int(s.on_turn)
    tiles = [tile for tile in range(TILES) if tile != s.robber]
    tiles = sorted(tiles, key=lambda tile: -robber_weight(s, tile))[:_TILES]
    found: list[Plan] = []
    for tile, one in itertools.product(tiles, partners):
        around = TOPOLOGY.tile_vertices[tile].tolist()
        if one not in [owner_of(s, vertex) for vertex in around]:
            paid = [{seat: [(r, 1)], one: [(r, -1)]} for r in range(c.KINDS)]
            found += [_deal(changes, c.ROBBER_TO + tile) for changes in paid]
    return found
