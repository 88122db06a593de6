"""What a position of Catan means: what places produce, and what a road opens.

All of it is public: the island, the pieces and the robber.
"""

from typing import Any

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.roads import road_sites, touched_by
from meeple.games.catan.rules.topology import TOPOLOGY, VERTICES
from meeple.games.catan.words.names import RESOURCES, player
from meeple.games.catan.words.sentences import tile_words
from meeple.games.contract.capabilities import Explanation
from meeple.games.contract.game import Position
from meeple.sentences import in_turn, say

THROWS = 36  # of two dice


def explanations(position: Position, seat: int | None) -> list[Explanation]:
    """Return the production of each seat, of each vertex, and what each road would open.

    Production is counted in pips: of 36 throws, how many bring a card. A tile with the robber has
    none. Cards that the bank lacks are not considered. All of it is public, for every `seat`.
    """
    s = position.state
    if position.is_over:
        return []
    built = {(owner - 1) % c.MAX_SEATS for owner in s.vertex.tolist() if owner}
    found = [_production(s, seat) for seat in sorted(built)]
    found += [_vertex(s, vertex) for vertex in range(VERTICES)]
    turn = int(s.on_turn)
    touched = touched_by(s, turn)
    found += [_road(s, edge, turn, touched) for edge in road_sites(s, turn, touched)]
    return found


def pips(s: Any, vertex: int) -> dict[int, int]:
    """Return the production of a settlement at a vertex: by resource, throws of 36."""
    found: dict[int, int] = {}
    for tile in TOPOLOGY.vertex_tiles[vertex].tolist():
        if tile < 0 or tile == s.robber or s.tile_resource[tile] == c.DESERT:
            continue
        resource = int(s.tile_resource[tile])
        found[resource] = found.get(resource, 0) + 6 - abs(int(s.tile_number[tile]) - 7)
    return found


def _production(s: Any, seat: int) -> Explanation:
    total: dict[int, int] = {}
    sites = []
    for vertex, owner in enumerate(s.vertex.tolist()):
        if not owner or (owner - 1) % c.MAX_SEATS != seat:
            continue
        sites.append(f"v{vertex}")
        for resource, ways in pips(s, vertex).items():
            total[resource] = total.get(resource, 0) + ways * _cards(owner)
    cards = sum(total.values())
    each = _by_resource(total)
    who, n = player(seat), cards / THROWS
    if each:
        sentence = say("catan.expects_pips", who=who, n=n, tiles=each)
    else:
        sentence = say("catan.expects_cards_a_throw", who=who, n=n)
    return Explanation("production", sentence, tuple(sites), seat)


def _vertex(s: Any, vertex: int) -> Explanation:
    tiles = [tile for tile in TOPOLOGY.vertex_tiles[vertex].tolist() if tile >= 0]
    total, owner = pips(s, vertex), int(s.vertex[vertex])
    words, n = [tile_words(s, tile) for tile in tiles], sum(total.values())
    parts: list[str]
    if total:
        parts = [say("catan.corner_pips", tiles=words, n=n, tiles2=_by_resource(total))]
    else:
        parts = [say("catan.corner_no_pips", tiles=words, n=n)]
    if s.robber in tiles:
        parts.append(say("catan.blocked"))
    if owner:
        code = "catan.has_city" if _cards(owner) == 2 else "catan.has_settlement"
        parts.append(say(code, who=player((owner - 1) % c.MAX_SEATS)))
    elif s.crowded[vertex]:
        parts.append(say("catan.too_near"))
    if s.vertex_port[vertex]:
        parts.append(_port_words(int(s.vertex_port[vertex])))
    spots = tuple(f"t{tile}" for tile in tiles)
    holder = (owner - 1) % c.MAX_SEATS if owner else None
    return Explanation("corner", in_turn(parts), spots, holder, at=f"v{vertex}")


def _road(s: Any, edge: int, seat: int, touched: int) -> Explanation:
    """Return which free vertices a road would reach at once, and with one road more."""
    reached = {v for v in TOPOLOGY.edge_vertices[edge].tolist() if not (touched >> v) & 1}
    beyond = {
        int(vertex)
        for near in reached
        if not s.vertex[near] or (s.vertex[near] - 1) % c.MAX_SEATS == seat
        for vertex, way in zip(
            TOPOLOGY.vertex_vertices[near], TOPOLOGY.vertex_edges[near], strict=True
        )
        if vertex >= 0 and way != edge and s.edge[way] == 0
    }
    now = sorted(v for v in reached if not s.crowded[v])
    later = sorted(v for v in beyond - reached if not s.crowded[v] and not (touched >> v) & 1)
    places = {"sites": now, "more": later}
    fields = {
        name: in_turn([_site_words(s, vertex) for vertex in vertices])
        for name, vertices in places.items()
        if vertices
    }
    code = f"catan.road_opens_{'_'.join(fields)}" if fields else "catan.road_opens"
    sentence = say(code, who=player(seat), **fields)
    return Explanation("road", sentence, tuple(f"v{v}" for v in now + later), seat, at=f"e{edge}")


def _site_words(s: Any, vertex: int) -> str:
    """Return a vertex by its tiles, with its pips: `ore 8, wood 5 (9 pips)`."""
    tiles = [tile for tile in TOPOLOGY.vertex_tiles[vertex].tolist() if tile >= 0]
    words = [tile_words(s, tile) for tile in tiles]
    return say("catan.pips", tiles=words, n=sum(pips(s, vertex).values()))


def _cards(owner: int) -> int:
    """Return the cards that a building takes of each of its tiles."""
    return 2 if owner > c.MAX_SEATS else 1


def _by_resource(total: dict[int, int]) -> str:
    all_ways = sorted(total.items())
    ways = [say("catan.land", resource=RESOURCES[resource], n=n) for resource, n in all_ways]
    return say("text.list", all=ways)


def _port_words(kind: int) -> str:
    if kind == c.ANY_PORT:
        return say("catan.port_any")
    return say("catan.port_2_1_for", card=RESOURCES[kind - c.ANY_PORT - 1])
