"""Five thousand random games under various options conserve cards and pieces after every ply."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple import kernels
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import TILE_COUNTS
from tests.games.catan.rules import laws
from tests.games.catan.rules.islands import BOARD, in_turn, put
from tests.naive.catan_island import longest_trail
from tests.naive.catan_positions import RING, SHORE

EXAMPLES, GAMES = (100, 50) if kernels.COMPILED else (2, 1)

ALL_OPTIONS: Any = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "board": st.sampled_from(["random", "beginner", "balanced", BOARD]),
        "victory_points": st.integers(3, 20),
        "discard_limit": st.integers(5, 20),
        "robber": st.booleans(),
        "development_cards": st.booleans(),
        "domestic_trade": st.booleans(),
        "hidden_hands": st.booleans(),
        "friendly_robber": st.booleans(),
        "payoff": st.sampled_from(["win", "points"]),
        "max_turns": st.integers(1, 200) | st.just(1000),
    }
)


def are_compatible(options):
    """Return whether these options are compatible."""
    return (options["robber"] or not options["friendly_robber"]) and (
        options["development_cards"] or options["victory_points"] <= 15
    )


OPTIONS = ALL_OPTIONS.filter(are_compatible)


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(options=OPTIONS, seed=st.integers(0, 2**32), tries=st.integers(1, 4))
def test_cards_pieces_and_points_are_conserved_after_every_ply(options, seed, tries):
    _, ends = laws.Batch(Catan(**options), seed).play(GAMES, tries)
    for s in ends[:: max(1, GAMES // 2)]:
        check_roads(s)
        assert sorted(s.tile_resource) == [r for r, n in enumerate(TILE_COUNTS) for _ in range(n)]


def check_roads(s: Any) -> None:
    """Compare the lengths of all roads with a plain search."""
    for seat in range(s.players):
        roads = {int(edge) for edge in np.flatnonzero(s.edge == 1 + seat)}
        built = np.flatnonzero(s.vertex)
        theirs = {int(v) for v in built if (s.vertex[v] - 1) % c.MAX_SEATS != seat}
        assert s.road_length[seat] == longest_trail(roads, theirs)
    assert not s.trail.any()


# ---------------------------------------------------------------- each law detects its violation


def set_to(name: str, place: Any, value: int) -> Any:
    def change(s: Any) -> None:
        s[name][place] = value

    return change


def hold(award: str, seat: int) -> Any:
    return lambda s: s.__setattr__(award, seat)


BREAKS = [
    (set_to("hand", (0, c.WOOD), 1), laws.HANDS),
    (set_to("bank", c.ORE, 18), laws.HANDS),
    (set_to("deck", c.KNIGHT, 13), laws.DECK),
    (set_to("played", (1, c.MONOPOLY), 1), laws.DECK),
    (set_to("fresh", c.YEAR_OF_PLENTY, 1), laws.FRESH),
    (set_to("roads", 0, 9), laws.STOCKS),
    (set_to("settlements", 1, 5), laws.STOCKS),
    (set_to("cities", 1, 3), laws.STOCKS),
    (set_to("edge", RING[20], 1), laws.REACH),
    (set_to("edge", RING[20], 6), laws.OWNERS),
    (set_to("vertex", SHORE[20], 4), laws.DISTANCE),
    (set_to("crowded", SHORE[20], 1), laws.DISTANCE),
    (set_to("crowded", SHORE[0], 0), laws.DISTANCE),
    (set_to("road_length", 0, 4), laws.ROAD),
    (set_to("road_length", 1, 6), laws.ROAD),
    (hold("longest_road", c.NO_SEAT), laws.ROAD),
    (hold("longest_road", 1), laws.ROAD),
    (hold("largest_army", 1), laws.ARMY),
    (hold("victory_points", 4), laws.WINS),
]


@pytest.mark.parametrize(("change", "law"), BREAKS, ids=range(len(BREAKS)))
def test_each_broken_law_is_detected(change, law):
    position = in_turn(players=3)
    put(position, 0, settlements=[SHORE[0], SHORE[6]], roads=RING[:5])
    put(position, 1, settlements=[SHORE[12]], roads=RING[12:14])
    position.state.longest_road = 0
    deck = laws.whole_deck(Catan())
    assert laws.broken(position.state, deck) == laws.HOLDS
    change(position.state)
    assert laws.broken(position.state, deck) == law, laws.LAWS[law]
