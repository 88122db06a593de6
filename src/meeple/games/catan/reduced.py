"""Catan reduced to what all can see: no robber, cards or trade between players, one fixed island.

The rules are Catan's; what a network is given is another, the 160 numbers of a published study.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from meeple.games.catan import game
from meeple.games.catan.belief import resample
from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.game import Catan
from meeple.games.catan.rules.layout import BEGINNER
from meeple.games.catan.rules.play import play as play_catan
from meeple.games.catan.rules.state import KINDS, MAX_SEATS, SETTLE_ROAD
from meeple.games.catan.rules.topology import EDGES, PORTS, TOPOLOGY, VERTICES
from meeple.games.contract.lessons import Lesson
from meeple.kernels import OVER, inlined, kernel
from meeple.options import Integer, OptionValue

FIXED_OPTIONS: dict[str, OptionValue] = {
    "board": "beginner",
    "robber": False,
    "development_cards": False,
    "domestic_trade": False,
    "deals": False,
    "hidden_hands": False,
    "payoff": "points",
}
"""The options of Catan that this game fixes."""

# The observation: codes of buildings, and the index of the first feature of each group.
PER_PLAYER = 10
SETTLEMENT, CITY = 1, 2
FIRST_VERTEX = 4
FIRST_EDGE = FIRST_VERTEX + VERTICES
FIRST_HAND = FIRST_EDGE + EDGES
FIRST_PORT = FIRST_HAND + MAX_SEATS * KINDS
ROLLED = FIRST_PORT + PORTS
OBSERVATION_LENGTH = ROLLED + 1

MAX_PLIES_PER_TURN = 98
"""A roll, its outcome, the turn's end, and at most 95 trades and buildings, since each costs at
least one of the 95 resource cards."""

_PORT_VERTICES = TOPOLOGY.edge_vertices[np.array(BEGINNER.port_edges)].copy()  # [9, 2]


@kernel
def play(s: Any, action: int) -> None:
    """Apply an action or outcome as in Catan; end the game after `max_actions` players' actions."""
    by_player = s.to_move >= 0
    play_catan(s, action)
    if s.max_actions > 0 and by_player:
        s.actions += 1
        if s.actions >= s.max_actions:
            s.to_move = OVER


@inlined
def _building(s: Any, vertex: int) -> Any:
    """Return 10 * player + 1 for a settlement, 10 * player + 2 for a city, and 0 otherwise."""
    stands = np.int64(s.vertex[vertex])
    if stands == 0:
        return 0
    if stands > MAX_SEATS:
        return PER_PLAYER * (stands - MAX_SEATS - 1) + CITY
    return PER_PLAYER * (stands - 1) + SETTLEMENT


@kernel
def observe(s: Any, player: int, out: Any) -> None:
    """Fill the whole state as 160 numbers, the same for every player: seats are not rotated.

    In order:
    - the player on turn, from 0;
    - the sum of the last roll, 0 before the first roll;
    - the holder of the longest road: player + 1, or 0;
    - 1 during the setup;
    - for each of 54 vertices: 10 * player + 1 with a settlement, 10 * player + 2 with a city, or 0;
    - for each of 72 edges: player + 1 with a road, or 0;
    - for each of 4 players: its cards of 5 resources;
    - for each of 9 ports: the building at it, coded as for a vertex;
    - 1 if the dice of this turn have been rolled, which the study's encoding lacks.
    """
    out[0] = s.on_turn
    out[1] = s.dice
    out[2] = s.longest_road + 1
    out[3] = 1.0 if s.phase <= SETTLE_ROAD else 0.0
    for vertex in range(VERTICES):
        out[FIRST_VERTEX + vertex] = _building(s, vertex)
    for edge in range(EDGES):
        out[FIRST_EDGE + edge] = s.edge[edge]
    for seat in range(MAX_SEATS):
        for kind in range(KINDS):
            out[FIRST_HAND + seat * KINDS + kind] = s.hand[seat, kind]
    for port in range(PORTS):  # at most one of the two vertices of a port has a building
        first, second = _PORT_VERTICES[port, 0], _PORT_VERTICES[port, 1]
        out[FIRST_PORT + port] = _building(s, first) + _building(s, second)
    out[ROLLED] = 1.0 if s.rolled else 0.0


class CatanReduced(Catan):
    """Settlements, roads, cities, ports and the longest road, with open hands; shares by points."""

    name = "catan-reduced"
    summary = "Catan with open hands, without robber, cards and trade between players"
    perfect_information = True
    kernel_modules = (game, *(one for one in Catan.kernel_modules if one is not resample))
    declared = {
        **{name: Catan.declared[name] for name in ("players", "victory_points", "max_turns")},
        "max_actions": Integer(
            0, 0, 100_000, "players' actions after which the win is shared by points; 0: no limit"
        ),
    }
    examples = (
        {},
        {"players": 2, "victory_points": 3},
        {"players": 3, "max_turns": 2},
        {"max_turns": 40},
        {"max_actions": 30},
    )

    def lesson(self) -> Lesson:
        whole = super().lesson()
        rules = (
            "Players settle a fixed island, without robber, development cards and trade between "
            "players. The shares of the win go by points.",
            whole.rules[1],
            "A road costs wood and brick; a settlement wood, brick, wool and grain, two sides away "
            "from all others; a city two grain and three ore.",
        )
        steps = (whole.steps[number] for number in (0, 1, 2, 4, 5))
        return Lesson(rules, tuple(replace(step, options={"players": 2}) for step in steps))

    def configure(self) -> None:
        super().configure()
        turns = int(self.options["max_turns"])
        self.max_plies = 4 * self.players + MAX_PLIES_PER_TURN * turns
        self.observation_shape = (OBSERVATION_LENGTH,)

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """Return all options of Catan, including the fixed ones."""
        return {**Catan().options, **FIXED_OPTIONS, **self.options}

    def encode_options(self, options: Any) -> None:
        self.whole.encode_options(options)
        options.max_actions = self.options["max_actions"]

    @property
    def whole(self) -> Catan:
        """Return the same game as an instance of `Catan`."""
        shared = {name: self.options[name] for name in self.declared.keys() & Catan.declared}
        return Catan(**FIXED_OPTIONS, **shared)

    @property
    def hides(self) -> bool:
        """Return False: hands are open."""
        return False

    def belief(self, seat: int, seed: int = 0) -> CatanBelief:
        """Return the belief of a Catan game; with open hands it is certain."""
        return self.whole.belief(seat, seed)
