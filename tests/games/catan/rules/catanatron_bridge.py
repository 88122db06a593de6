"""Translation between catanatron and this project: island, actions and state.

catanatron serves as an independent reference. This file only translates; where the two games
differ, and how they are played in lockstep, is in `catanatron_lockstep`.
"""

from typing import Any, NamedTuple

import numpy as np
from catanatron import Action, ActionType, Game
from catanatron.models.enums import CITY, ROAD, SETTLEMENT
from catanatron.models.map import PORT_DIRECTION_TO_NODEREFS, CatanMap, NodeRef
from catanatron.state_functions import get_largest_army, get_longest_road_color

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.cards import points, public_points
from meeple.games.catan.rules.layout import Layout
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract.game import Position
from tests.games.catan import oracle_words as words

RESOURCES = ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")  # in our order
CARDS = ("KNIGHT", "VICTORY_POINT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY")
CORNERS = ("NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST")  # clockwise

Word = tuple[Any, ...]
Facts = dict[str, Any]

_TILE_AT = {(int(y), int(x)): tile for tile, (y, x) in enumerate(TOPOLOGY.tile_points)}
_EDGE_OF = {(int(a), int(b)): edge for edge, (a, b) in enumerate(TOPOLOGY.edge_vertices)}


class Numbering(NamedTuple):
    """The numbers of the same tile, vertex and edge in both games."""

    tile: dict[tuple[int, int, int], int]  # from cube coordinates
    vertex: dict[int, int]
    coordinate: dict[int, tuple[int, int, int]]  # cube coordinates of our tile
    node: dict[int, int]  # their node of our vertex

    def edge(self, ends: tuple[int, int]) -> int:
        """Return our number of the edge between two of their nodes."""
        first, second = sorted(self.vertex[node] for node in ends)
        return _EDGE_OF[first, second]

    def ends(self, edge: int) -> tuple[int, int]:
        """Return their nodes at the ends of our edge, in their order."""
        first, second = sorted(self.node[int(v)] for v in TOPOLOGY.edge_vertices[edge])
        return first, second


def numbering_of(island: CatanMap) -> Numbering:
    """Match both numberings by geometry: by cube coordinates, with corners clockwise."""
    tiles: dict[tuple[int, int, int], int] = {}
    vertices: dict[int, int] = {}
    for (x, y, z), land in island.land_tiles.items():
        tile = _TILE_AT[3 * z, x - y]
        tiles[x, y, z] = tile
        for corner, name in enumerate(CORNERS):
            vertex = int(TOPOLOGY.tile_vertices[tile, corner])
            assert vertices.setdefault(land.nodes[NodeRef[name]], vertex) == vertex
    assert len(set(tiles.values())) == 19
    assert len(set(vertices.values())) == len(vertices) == 54
    return Numbering(
        tiles,
        vertices,
        {tile: at for at, tile in tiles.items()},
        {vertex: node for node, vertex in vertices.items()},
    )


def layout_of(island: CatanMap, numbering: Numbering) -> Layout:
    """Return their island as an explicit layout of ours."""
    tiles, numbers = [c.DESERT] * 19, [0] * 19
    for at, land in island.land_tiles.items():
        if land.resource is not None:
            tiles[numbering.tile[at]] = RESOURCES.index(land.resource)
            numbers[numbering.tile[at]] = land.number
    edges, ports = [], []
    for port in island.ports_by_id.values():
        first, second = PORT_DIRECTION_TO_NODEREFS[port.direction]
        edges.append(numbering.edge((port.nodes[first], port.nodes[second])))
        ports.append(c.ANY_PORT if port.resource is None else 2 + RESOURCES.index(port.resource))
    return Layout(tuple(tiles), tuple(numbers), tuple(edges), tuple(ports))


# ---------------------------------------------------------------- actions

PLAIN = {
    "roll": ActionType.ROLL,
    "end": ActionType.END_TURN,
    "buy": ActionType.BUY_DEVELOPMENT_CARD,
    "knight": ActionType.PLAY_KNIGHT_CARD,
    "roads": ActionType.PLAY_ROAD_BUILDING,
    "discard": ActionType.DISCARD,
}
BUILDING = {"settlement": ActionType.BUILD_SETTLEMENT, "city": ActionType.BUILD_CITY}
_PLAIN_WORD = {kind: word for word, kind in PLAIN.items()}
_BUILDING_WORD = {kind: word for word, kind in BUILDING.items()}


def word_of(game: Game, numbering: Numbering, action: Action) -> Word:
    """Return their action in common words: ours, with the robber and his victim in one.

    ("robber", tile, victim or None), and ("discard",) for a whole discard.
    """
    kind, value = action.action_type, action.value
    if kind in _PLAIN_WORD:
        return (_PLAIN_WORD[kind],)
    if kind in _BUILDING_WORD:
        return _BUILDING_WORD[kind], numbering.vertex[value]
    if kind == ActionType.BUILD_ROAD:
        return "road", numbering.edge(value)
    if kind == ActionType.MOVE_ROBBER:
        victim = None if value[1] is None else game.state.color_to_index[value[1]]
        return "robber", numbering.tile[value[0]], victim
    if kind == ActionType.PLAY_YEAR_OF_PLENTY:
        return "plenty", *(RESOURCES.index(name) for name in value)
    if kind == ActionType.PLAY_MONOPOLY:
        return "monopoly", RESOURCES.index(value)
    assert kind == ActionType.MARITIME_TRADE
    return "maritime", RESOURCES.index(value[0]), RESOURCES.index(value[-1])


def action_of(game: Game, numbering: Numbering, seat: int, word: Word, rate: int = 0) -> Action:
    """Return their action for words of ours; `rate` is the price of a maritime trade.

    The words include outcomes of chance: ("dice", sum), ("drawn", card), ("robber", tile,
    victim, resource), ("discard", resources).
    """
    name, *rest = word
    kind: Any = PLAIN.get(name)
    value: Any = None
    if name == "dice":
        first = max(1, rest[0] - 6)
        kind, value = ActionType.ROLL, (first, rest[0] - first)
    elif name == "drawn":
        kind, value = ActionType.BUY_DEVELOPMENT_CARD, CARDS[rest[0]]
    elif name == "discard":
        value = [RESOURCES[r] for r in rest[0]]
    elif name in BUILDING:
        kind, value = BUILDING[name], numbering.node[rest[0]]
    elif name == "road":
        kind, value = ActionType.BUILD_ROAD, numbering.ends(rest[0])
    elif name == "robber":
        tile, victim, resource = rest
        colour = None if victim is None else game.state.colors[victim]
        stolen = None if resource is None else RESOURCES[resource]
        kind, value = ActionType.MOVE_ROBBER, (numbering.coordinate[tile], colour, stolen)
    elif name == "plenty":
        kind, value = ActionType.PLAY_YEAR_OF_PLENTY, tuple(RESOURCES[r] for r in rest)
    elif name == "monopoly":
        kind, value = ActionType.PLAY_MONOPOLY, RESOURCES[rest[0]]
    elif name == "maritime":
        paid = [RESOURCES[rest[0]]] * rate + [None] * (4 - rate)
        kind, value = ActionType.MARITIME_TRADE, (*paid, RESOURCES[rest[1]])
    assert kind is not None, word
    return Action(game.state.colors[seat], kind, value)


# ---------------------------------------------------------------- states


SHARED = (  # the oracle's facts that catanatron has too
    *("hands", "bank", "deck", "cards", "played", "settlements", "cities", "roads", "robber"),
    *("longest_road", "largest_army", "road_length", "on_turn", "rolled"),
)


def our_facts(position: Position) -> Facts:
    """Return what both games must agree on, read from our game."""
    s = position.state
    seats = range(int(s.players))
    known = words.facts(position)
    return {name: known[name] for name in SHARED} | {
        "pieces": np.stack([s.roads, s.settlements, s.cities], axis=1)[: s.players].tolist(),
        "card_played": bool(s.card_played),
        "public_points": [public_points(s, seat) for seat in seats],
        "points": [points(s, seat) for seat in seats],
    }


def their_facts(game: Game, numbering: Numbering) -> Facts:
    """Return the same, read from their game."""
    state = game.state
    seats = range(len(state.colors))

    def of(seat: int, names: Any) -> list[int]:
        return [state.player_state[f"P{seat}_{name}"] for name in names]

    def sites(kind: Any, number: Any) -> list[set[int]]:
        return [{number(x) for x in state.buildings_by_color[who][kind]} for who in state.colors]

    def seat_of(colour: Any) -> int | None:
        return None if colour is None else state.color_to_index[colour]

    held, played = [f"{name}_IN_HAND" for name in CARDS], [f"PLAYED_{name}" for name in CARDS]
    hand = [f"{name}_IN_HAND" for name in RESOURCES]
    pieces = ("ROADS_AVAILABLE", "SETTLEMENTS_AVAILABLE", "CITIES_AVAILABLE")
    on_turn = state.current_turn_index
    return {
        "hands": [of(seat, hand) for seat in seats],
        "bank": list(state.resource_freqdeck),
        "deck": [state.development_listdeck.count(name) for name in CARDS],
        "cards": [of(seat, held) for seat in seats],
        "played": [of(seat, played) for seat in seats],
        "settlements": sites(SETTLEMENT, numbering.vertex.__getitem__),
        "cities": sites(CITY, numbering.vertex.__getitem__),
        "roads": sites(ROAD, numbering.edge),
        "robber": numbering.tile[state.board.robber_coordinate],
        "longest_road": seat_of(get_longest_road_color(state)),
        "largest_army": seat_of(get_largest_army(state)[0]),
        "road_length": [state.board.road_lengths[colour] for colour in state.colors],
        "on_turn": on_turn,
        "rolled": of(on_turn, ["HAS_ROLLED"])[0],
        "pieces": [of(seat, pieces) for seat in seats],
        "card_played": of(on_turn, ["HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"])[0],
        "public_points": [of(seat, ["VICTORY_POINTS"])[0] for seat in seats],
        "points": [of(seat, ["ACTUAL_VICTORY_POINTS"])[0] for seat in seats],
    }


def put_hands(game: Game, hands: list[list[int]], bank: list[int]) -> None:
    """Set the cards of their players and their bank."""
    for seat, hand in enumerate(hands):
        for name, count in zip(RESOURCES, hand, strict=True):
            game.state.player_state[f"P{seat}_{name}_IN_HAND"] = count
    game.state.resource_freqdeck = list(bank)


def put_longest_road(game: Game, lengths: list[int], holder: int | None) -> None:
    """Award their longest road and its points to this seat, and set the lengths."""
    state, board = game.state, game.state.board
    for seat, (colour, length) in enumerate(zip(state.colors, lengths, strict=True)):
        board.road_lengths[colour] = length
        table, key = state.player_state, f"P{seat}_"
        gained = 2 * ((seat == holder) - table[key + "HAS_ROAD"])
        table[key + "LONGEST_ROAD_LENGTH"] = length
        table[key + "HAS_ROAD"] = seat == holder
        table[key + "VICTORY_POINTS"] += gained
        table[key + "ACTUAL_VICTORY_POINTS"] += gained
    board.road_color = None if holder is None else state.colors[holder]
    board.road_length = max(lengths)
