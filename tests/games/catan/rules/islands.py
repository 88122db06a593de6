"""A bare island of Catan in the compiled game, and pieces and cards put on it by hand.

What the game derives of pieces (stocks, ports, lengths of roads) is counted here independently.
"""

import numpy as np

from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import Layout, layout_text
from meeple.games.contract.game import Position
from tests.naive.catan_island import EDGE_VERTICES, VERTEX_VERTICES, longest_trail
from tests.naive.catan_positions import LAYOUT

BOARD = layout_text(
    Layout(
        tiles=tuple(c.DESERT if tile is None else tile for tile in LAYOUT.tiles),
        numbers=tuple(number or 0 for number in LAYOUT.numbers),
        port_edges=tuple(LAYOUT.ports),
        ports=tuple(
            c.ANY_PORT if kind is None else c.ANY_PORT + 1 + kind for kind in LAYOUT.ports.values()
        ),
    )
)


def in_turn(**options) -> Position:
    """After the dice of player 1, on an island with no pieces, all cards with the bank."""
    position = Catan(**{"board": BOARD, **options}).start(0)
    s = position.state
    s.phase, s.rolled, s.setup = c.MAIN, True, 2 * s.players
    return position


def put(position: Position, seat: int, settlements=(), cities=(), roads=()) -> None:
    """Place a seat's pieces, free of charge; nobody is awarded a road for them."""
    s = position.state
    s.vertex[list(settlements)] = 1 + seat
    s.vertex[list(cities)] = 5 + seat
    s.edge[list(roads)] = 1 + seat
    for vertex in (*settlements, *cities):
        s.crowded[[vertex, *VERTEX_VERTICES[vertex]]] = 1
    for edge, kind in LAYOUT.ports.items():
        if {*settlements, *cities} & set(EDGE_VERTICES[edge]):
            s.ports[seat] |= 1 << (c.ANY_PORT if kind is None else c.ANY_PORT + 1 + kind)
    s.settlements[seat] = c.SETTLEMENTS_PER_SEAT - int((s.vertex == 1 + seat).sum())
    s.cities[seat] = c.CITIES_PER_SEAT - int((s.vertex == 5 + seat).sum())
    s.roads[seat] = c.ROADS_PER_SEAT - int((s.edge == 1 + seat).sum())
    for who in range(s.players):
        own = {int(edge) for edge in np.flatnonzero(s.edge == 1 + who)}
        owners = {vertex: (int(s.vertex[vertex]) - 1) % c.MAX_SEATS for vertex in range(54)}
        theirs = {vertex for vertex, owner in owners.items() if s.vertex[vertex] and owner != who}
        s.road_length[who] = longest_trail(own, theirs)


def deal(position: Position, seat: int, **cards: int) -> None:
    """Cards of the bank's for a hand."""
    s = position.state
    for name, count in cards.items():
        resource = c.RESOURCES.index(name)
        s.hand[seat, resource] += count
        s.bank[resource] -= count


def draw(position: Position, seat: int, *cards: int) -> None:
    """Development cards from the deck, bought in an earlier turn."""
    for card in cards:
        position.state.deck[card] -= 1
        position.state.cards[seat, card] += 1


def hand(position: Position, seat: int) -> dict[str, int]:
    """The resource cards that a seat holds."""
    counts = position.state.hand[seat].tolist()
    return {name: count for name, count in zip(c.RESOURCES, counts, strict=True) if count}


def able(position: Position, word: str = "") -> set[str]:
    """The names of the legal actions, or of those that begin with a word."""
    names = {position.action_name(action) for action in position.legal_actions().tolist()}
    return {name for name in names if name.startswith(word)}


def play(position: Position, *names: str) -> None:
    """Play actions and outcomes by their names."""
    for name in names:
        position.play(position.parse_action(name))


def roll(position: Position, total: int) -> None:
    """Let the dice of the player on turn fall so, whatever has been rolled before."""
    s = position.state
    s.phase, s.rolled = c.ROLL, False
    play(position, "roll", f"rolled {total}")
