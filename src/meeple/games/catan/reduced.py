"""Catan reduced to what all can see: no robber, cards or trade between players, one fixed island.

The rules are Catan's; what a network is given is another, the 160 numbers of a published study.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from meeple.games.catan.belief import CatanBelief
from meeple.games.catan.board import BEGINNER
from meeple.games.catan.game import (
    Catan,
    heuristic,
    legal,
    narrow,
    payoffs,
    play,
    prune,
    quiet,
    seat_features,
    start,
)
from meeple.games.catan.state import KINDS, SEATS, SETTLE_ROAD
from meeple.games.catan.topology import EDGES, PORTS, TOPOLOGY, VERTICES
from meeple.kernels import kernel
from meeple.options import OptionValue

__all__ = [
    "CatanReduced",
    "heuristic",
    "legal",
    "narrow",
    "observe",
    "payoffs",
    "play",
    "prune",
    "quiet",
    "seat_features",
    "start",
]

FIXED: dict[str, OptionValue] = {
    "board": "beginner",
    "robber": False,
    "development_cards": False,
    "domestic_trade": False,
    "deals": False,
    "hidden_hands": False,
    "payoff": "points",
}
"""The options of Catan that make it this game."""

CITY = 2  # in `observe`; a settlement is 1
PER_PLAYER = 10
FIRST_VERTEX = 5
FIRST_EDGE = FIRST_VERTEX + VERTICES
FIRST_HAND = FIRST_EDGE + EDGES
FIRST_PORT = FIRST_HAND + SEATS * KINDS
LENGTH = FIRST_PORT + PORTS

MOST_PLIES_A_TURN = 98
"""A throw, its outcome, the end, and 95: each trade and building takes a card of 95 away."""

_PORT_VERTEX = TOPOLOGY.edge_vertices[np.array(BEGINNER.port_edges), 0].copy()


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """The whole state as 160 plain numbers, the same for every player: seats are not turned.

    Players are 1 to 4 here, and 0 is nobody. In order: the player on turn; the last sum of the
    dice; 1 once they are thrown this turn; who holds the longest road; 1 during the setup; of each
    of 54 vertices 10 * player + 1 with a settlement, 10 * player + 2 with a city, else 0; of each
    of 72 edges whose road it is; of each of 4 players its cards of 5 resources; of each of 9 ports
    what it trades, 1 anything or 2 + resource.
    """
    out[0] = s.on_turn + 1
    out[1] = s.dice
    out[2] = 1.0 if s.rolled else 0.0
    out[3] = s.longest_road + 1
    out[4] = 1.0 if s.phase <= SETTLE_ROAD else 0.0
    for vertex in range(VERTICES):
        building = np.int64(s.vertex[vertex])
        if building > SEATS:
            out[FIRST_VERTEX + vertex] = PER_PLAYER * (building - SEATS) + CITY
        elif building > 0:
            out[FIRST_VERTEX + vertex] = PER_PLAYER * building + 1
        else:
            out[FIRST_VERTEX + vertex] = 0.0
    for edge in range(EDGES):
        out[FIRST_EDGE + edge] = s.edge[edge]
    for seat in range(SEATS):
        for kind in range(KINDS):
            out[FIRST_HAND + seat * KINDS + kind] = s.hand[seat, kind]
    for port in range(PORTS):
        out[FIRST_PORT + port] = s.vertex_port[_PORT_VERTEX[port]]


class CatanReduced(Catan):
    """Settlements, roads, cities, ports and the longest road, with open hands; shares by points."""

    name = "catan-reduced"
    summary = "Catan with open hands, without robber, cards and trade between players"
    perfect_information = True
    declared = {name: Catan.declared[name] for name in ("players", "victory_points", "max_turns")}
    examples = (
        {},
        {"players": 2, "victory_points": 3},
        {"players": 3, "max_turns": 2},
        {"max_turns": 40},
    )

    def configure(self) -> None:
        super().configure()
        turns = int(self.options["max_turns"])
        self.max_plies = 4 * self.players + MOST_PLIES_A_TURN * turns
        self.observation_shape = (LENGTH,)

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """All options of Catan, the fixed ones too."""
        return {**Catan().options, **FIXED, **self.options}

    def encode_options(self, options: Any) -> None:
        self.whole.encode_options(options)

    @property
    def whole(self) -> Catan:
        """The same game as one of Catan's."""
        return Catan(**FIXED, **self.options)

    @property
    def hides(self) -> bool:
        """Nothing is hidden."""
        return False

    def belief(self, seat: int, seed: int = 0) -> CatanBelief:
        """Certainty, as of open hands."""
        return self.whole.belief(seat, seed)
