"""Random games under various options conserve cards and pieces after every ply.

Everything is recounted from the board and the hands, independently of how the rules keep their own
counts.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple import kernels
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import TILE_COUNTS
from meeple.games.catan.rules.topology import NONE, TOPOLOGY
from meeple.games.contract.game import Game
from meeple.kernels import CHANCE, OVER, kernel
from meeple.search.moves import (
    copy_state,
    draw_legal,
    draw_outcome,
    new_moves,
    play,
    seat_to_move,
)
from tests.games.catan.rules.islands import BOARD, in_turn, put
from tests.naive.catan_island import longest_trail
from tests.naive.catan_positions import RING, SHORE

EXAMPLES, GAMES = (100, 5) if kernels.COMPILED else (2, 1)
MAX_PLIES = 30_000

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


@kernel
def play_game(rules: Any, states: Any, moves: Any, tries: int, rng: Any) -> int:
    """Play a random game from the first of `states`, and store all others; return their number.

    An action is the lowest of `tries` random ones, which builds more.
    """
    for ply in range(states.shape[0] - 1):
        copy_state(states[ply], states[ply + 1])
        state = states[ply + 1]
        mover = seat_to_move(state)
        if mover == OVER:
            return ply + 1
        if mover == CHANCE:
            action = np.int64(draw_outcome(rules, state, moves, rng))
        else:
            action = np.int64(draw_legal(rules, state, moves, rng))
            for _ in range(tries - 1):
                action = min(action, np.int64(draw_legal(rules, state, moves, rng)))
        play(rules, state, action)
    return 0


SEATS = np.arange(c.MAX_SEATS)


def laws(s: Any, deck: Any) -> dict[str, Any]:
    """Return for each law which of the states keep it; `deck` [5] is the whole deck."""
    states, present = np.arange(len(s)), s["players"][:, None] > SEATS
    stocks = np.stack([s["roads"], s["settlements"], s["cities"]])
    roads, settlements, cities = own = (
        s["edge"][:, None] == 1 + SEATS[:, None],
        s["vertex"][:, None] == 1 + SEATS[:, None],
        s["vertex"][:, None] == 5 + SEATS[:, None],
    )
    pieces = np.stack([kind.sum(axis=-1) for kind in own])
    least = np.array([c.ROADS_PER_SEAT, c.SETTLEMENTS_PER_SEAT, c.CITIES_PER_SEAT])[:, None, None]
    points = pieces[1] + 2 * pieces[2] + s["cards"][:, :, c.VICTORY_POINT]
    for award in ("longest_road", "largest_army"):
        points = points + 2 * (s[award][:, None] == SEATS)
    wins = points[states, s["on_turn"]] >= s["victory_points"]
    fresh = s["fresh"]
    drawn = s["deck"] + (s["cards"] + s["played"]).sum(axis=1)
    built = s["vertex"] > 0
    neighbours = TOPOLOGY.vertex_vertices
    beside = (built[:, neighbours] & (neighbours != NONE)).any(axis=-1)
    joined = roads[:, :, TOPOLOGY.vertex_edges] & (TOPOLOGY.vertex_edges != NONE)
    reached = settlements | cities | (joined.sum(axis=-1) > 1)  # vertices, by seat
    connected = reached[:, :, TOPOLOGY.edge_vertices].any(axis=-1)
    rightful = (s["vertex"] >= 0) & (s["vertex"] <= 2 * c.MAX_SEATS)
    rightful &= ~built | ((s["vertex"] - 1) % c.MAX_SEATS < s["players"][:, None])
    return {
        "hands": ((s["bank"] + s["hand"].sum(axis=1) == c.BANK_CARDS) & (s["bank"] >= 0)).all(1)
        & (s["hand"] >= 0).all((1, 2)),
        "deck": ((drawn == deck) & (s["deck"] >= 0)).all(axis=1)
        & ((s["cards"] >= 0) & (s["played"] >= 0)).all((1, 2)),
        "fresh": ((fresh >= 0) & (fresh <= s["cards"][states, s["on_turn"]])).all(axis=1),
        "stocks": ((stocks + pieces == least) & (stocks >= 0) | ~present).all((0, 2)),
        "distance": ~(built & beside).any(1) & ((s["crowded"] > 0) == (built | beside)).all(1),
        "road": rightly_held(s["road_length"], s["longest_road"], c.MIN_LONGEST_ROAD, ties=True),
        "army": rightly_held(s["played"][:, :, c.KNIGHT], s["largest_army"], c.MIN_LARGEST_ARMY),
        "wins": ~wins | (s["phase"] <= c.SETTLE_ROAD) | (s["to_move"] == OVER),
        "reach": (~roads | connected).all((1, 2)),
        "owners": rightful.all(1)
        & ((s["edge"] >= 0) & (s["edge"] <= s["players"][:, None])).all(axis=1),
    }


def rightly_held(sizes: Any, holder: Any, least: int, ties: bool = False) -> Any:
    """Return whether an award's holder is right; with `ties`, no player may hold a tied award."""
    best = sizes.max(axis=1)
    shared = ties & ((sizes == best[:, None]).sum(axis=1) > 1)
    held = sizes[np.arange(len(sizes)), holder] == best
    return np.where(holder == c.NO_SEAT, (best < least) | shared, (best >= least) & held)


def broken(states: Any, game: Game) -> list[str]:
    """Return the laws that some of the states of a game break."""
    deck = np.array(c.DECK_CARDS if game.options["development_cards"] else [0] * c.KINDS)
    deck[c.KNIGHT] *= bool(game.options["robber"])
    return [law for law, kept in laws(states, deck).items() if not kept.all()]


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(
    options=ALL_OPTIONS.filter(are_compatible),
    seed=st.integers(0, 2**32),
    tries=st.integers(1, 4),
)
def test_cards_pieces_and_points_are_conserved_after_every_ply(options, seed, tries):
    game = Catan(**options)
    states = np.zeros((MAX_PLIES, game.state_bytes), np.uint8)
    rng, moves = kernels.new_rng(seed), new_moves(game)
    for number in range(GAMES):
        states[0] = game.start(seed + number).row
        plies = play_game(game.addresses, states, moves, tries, rng[0])
        assert plies
        assert broken(states[:plies].view(c.State)[:, 0], game) == []
    check_roads(states[plies - 1].view(c.State).view(np.recarray)[0])


def check_roads(s: Any) -> None:
    """Compare the lengths of all roads with a plain search."""
    for seat in range(s.players):
        roads = {int(edge) for edge in np.flatnonzero(s.edge == 1 + seat)}
        built = np.flatnonzero(s.vertex)
        theirs = {int(v) for v in built if (s.vertex[v] - 1) % c.MAX_SEATS != seat}
        assert s.road_length[seat] == longest_trail(roads, theirs)
    assert not s.trail.any()
    assert sorted(s.tile_resource) == [r for r, n in enumerate(TILE_COUNTS) for _ in range(n)]


BREAKS: list[tuple[str, Any, int, str]] = [
    ("hand", (0, c.WOOD), 1, "hands"),
    ("bank", c.ORE, 18, "hands"),
    ("deck", c.KNIGHT, 13, "deck"),
    ("played", (1, c.MONOPOLY), 1, "deck"),
    ("fresh", c.YEAR_OF_PLENTY, 1, "fresh"),
    ("roads", 0, 9, "stocks"),
    ("settlements", 1, 5, "stocks"),
    ("cities", 1, 3, "stocks"),
    ("edge", RING[20], 1, "reach"),
    ("edge", RING[20], 6, "owners"),
    ("vertex", SHORE[20], 4, "distance"),
    ("crowded", SHORE[20], 1, "distance"),
    ("crowded", SHORE[0], 0, "distance"),
    ("road_length", 0, 4, "road"),
    ("road_length", 1, 6, "road"),
    ("longest_road", (), c.NO_SEAT, "road"),
    ("longest_road", (), 1, "road"),
    ("largest_army", (), 1, "army"),
    ("victory_points", (), 4, "wins"),
]


@pytest.mark.parametrize(("field", "place", "value", "law"), BREAKS)
def test_each_broken_law_is_detected(field, place, value, law):
    position = in_turn(players=3)
    put(position, 0, settlements=[SHORE[0], SHORE[6]], roads=RING[:5])
    put(position, 1, settlements=[SHORE[12]], roads=RING[12:14])
    position.state.longest_road = 0
    states = position.row.view(c.State)
    assert broken(states, position.game) == []
    states[field][(0, *np.atleast_1d(place).astype(int))] = value
    assert law in broken(states, position.game)
