"""An empty island of Catan in the compiled game, on which tests place pieces and cards.

Stocks, ports and lengths of roads are counted here independently of the game.
"""

import numpy as np

from meeple.games.catan.belief.events import Event, event
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
    """Return a position after player 1's dice, without pieces, with all cards in the bank."""
    position = Catan(**{"board": BOARD, **options}).start(0)
    s = position.state
    s.phase, s.rolled, s.setup = c.MAIN, True, 2 * s.players
    return position


def put(position: Position, seat: int, settlements=(), cities=(), roads=()) -> None:
    """Place a seat's pieces free of charge, without awarding the longest road."""
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
    """Move cards from the bank to a hand."""
    s = position.state
    for name, count in cards.items():
        resource = c.RESOURCES.index(name)
        s.hand[seat, resource] += count
        s.bank[resource] -= count


def draw(position: Position, seat: int, *cards: int) -> None:
    """Give a seat development cards from the deck, as if bought in an earlier turn."""
    for card in cards:
        position.state.deck[card] -= 1
        position.state.cards[seat, card] += 1


def hand(position: Position, seat: int) -> dict[str, int]:
    """Return the resource cards that a seat holds."""
    counts = position.state.hand[seat].tolist()
    return {name: count for name, count in zip(c.RESOURCES, counts, strict=True) if count}


def legal_names(position: Position, word: str = "") -> set[str]:
    """Return the names of the legal actions, or of those that begin with a word."""
    names = {position.action_name(action) for action in position.legal_actions().tolist()}
    return {name for name in names if name.startswith(word)}


def play(position: Position, *names: str) -> None:
    """Play actions and outcomes by their names."""
    for name in names:
        position.play(position.parse_action(name))


def roll(position: Position, total: int) -> None:
    """Roll this total for the player on turn, replacing an earlier roll."""
    s = position.state
    s.phase, s.rolled = c.ROLL, False
    play(position, "roll", f"rolled {total}")


def hands(position: Position) -> list[dict[str, int]]:
    """Return the resource cards of all seats."""
    return [hand(position, seat) for seat in range(position.game.players)]


def events_of(position: Position, name: str) -> list[Event]:
    """Play an action; return what each seat sees of it."""
    before = position.row.copy()
    play(position, name)
    seats = range(position.game.players)
    return [event(before, position.actions[-1], position.row, seat) for seat in seats]


def take_turn(position: Position, seat: int, *names: str) -> None:
    """Play actions of this seat in its own turn, and return to the turn before."""
    s = position.state
    back = s.on_turn, s.to_move
    s.on_turn = s.to_move = seat
    play(position, *names)
    s.on_turn, s.to_move = back


def end_of_round(position: Position) -> None:
    """Let every seat end its turn, and return to the first seat after its dice."""
    for _ in range(position.game.players):
        play(position, "end turn", "roll", "rolled 12")
