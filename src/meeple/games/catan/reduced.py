"""Catan reduced to what all can see: no robber, cards or trade between players, one fixed island.

The rules are Catan's; what a network is given is another, the 160 numbers of a published study.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.game import (
    Catan,
    heuristic,
    legal,
    narrow,
    payoffs,
    prune,
    quiet,
    seat_features,
    start,
)
from meeple.games.catan.rules.layout import BEGINNER
from meeple.games.catan.rules.play import play as play_catan
from meeple.games.catan.rules.state import KINDS, SEATS, SETTLE_ROAD
from meeple.games.catan.rules.topology import EDGES, PORTS, TOPOLOGY, VERTICES
from meeple.kernels import OVER, inlined, kernel
from meeple.options import Integer, OptionValue

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

PER_PLAYER = 10  # in `observe`
SETTLEMENT, CITY = 1, 2
FIRST_VERTEX = 4
FIRST_EDGE = FIRST_VERTEX + VERTICES
FIRST_HAND = FIRST_EDGE + EDGES
FIRST_PORT = FIRST_HAND + SEATS * KINDS
THROWN = FIRST_PORT + PORTS
LENGTH = THROWN + 1

MAX_PLIES_PER_TURN = 98
"""A throw, its outcome, the end, and 95: each trade and building takes a card of 95 away."""

_PORT_VERTICES = TOPOLOGY.edge_vertices[np.array(BEGINNER.port_edges)].copy()  # [9, 2]


@kernel
def play(s: Any, action: int) -> None:
    """Catan's, until so many actions of players have been played."""
    chosen = s.to_move >= 0
    play_catan(s, action)
    if s.max_actions > 0 and chosen:
        s.actions += 1
        if s.actions >= s.max_actions:
            s.to_move = OVER


@inlined
def _building(s: Any, vertex: int) -> Any:
    """10 * player + 1 for a settlement or + 2 for a city, else 0."""
    stands = np.int64(s.vertex[vertex])
    if stands == 0:
        return 0
    if stands > SEATS:
        return PER_PLAYER * (stands - SEATS - 1) + CITY
    return PER_PLAYER * (stands - 1) + SETTLEMENT


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """The whole state as 160 plain numbers, the same for every player: seats are not turned.

    In order: the player on turn, from 0; the last sum of the dice, 0 before the first throw; the
    holder of the longest road, player + 1, or 0; 1 during the setup; of each of 54 vertices 10 *
    player + 1 with a settlement, 10 * player + 2 with a city, else 0; of each of 72 edges player +
    1 with a road, else 0; of each of 4 players its cards of 5 resources; of each of 9 harbours what
    stands at it, as of a vertex. Beside those of the study, the last: 1 once the dice of this turn
    are thrown.
    """
    out[0] = s.on_turn
    out[1] = s.dice
    out[2] = s.longest_road + 1
    out[3] = 1.0 if s.phase <= SETTLE_ROAD else 0.0
    for vertex in range(VERTICES):
        out[FIRST_VERTEX + vertex] = _building(s, vertex)
    for edge in range(EDGES):
        out[FIRST_EDGE + edge] = s.edge[edge]
    for seat in range(SEATS):
        for kind in range(KINDS):
            out[FIRST_HAND + seat * KINDS + kind] = s.hand[seat, kind]
    for port in range(PORTS):  # at one of the two vertices of a harbour at most
        first, second = _PORT_VERTICES[port, 0], _PORT_VERTICES[port, 1]
        out[FIRST_PORT + port] = _building(s, first) + _building(s, second)
    out[THROWN] = 1.0 if s.rolled else 0.0


class CatanReduced(Catan):
    """Settlements, roads, cities, ports and the longest road, with open hands; shares by points."""

    name = "catan-reduced"
    summary = "Catan with open hands, without robber, cards and trade between players"
    perfect_information = True
    declared = {
        **{name: Catan.declared[name] for name in ("players", "victory_points", "max_turns")},
        "max_actions": Integer(
            0, 0, 100_000, "actions of players, after which points share the win; 0: no limit"
        ),
    }
    examples = (
        {},
        {"players": 2, "victory_points": 3},
        {"players": 3, "max_turns": 2},
        {"max_turns": 40},
        {"max_actions": 30},
    )

    def configure(self) -> None:
        super().configure()
        turns = int(self.options["max_turns"])
        self.max_plies = 4 * self.players + MAX_PLIES_PER_TURN * turns
        self.observation_shape = (LENGTH,)

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """All options of Catan, the fixed ones too."""
        return {**Catan().options, **FIXED, **self.options}

    def encode_options(self, options: Any) -> None:
        self.whole.encode_options(options)
        options.max_actions = self.options["max_actions"]

    @property
    def whole(self) -> Catan:
        """The same game as one of Catan's."""
        shared = {name: self.options[name] for name in self.declared.keys() & Catan.declared}
        return Catan(**FIXED, **shared)

    @property
    def hides(self) -> bool:
        """Nothing is hidden."""
        return False

    def belief(self, seat: int, seed: int = 0) -> CatanBelief:
        """Certainty, as of open hands."""
        return self.whole.belief(seat, seed)
