"""What is said of a position of Catan follows from its rules, and from nothing hidden."""

import re

import pytest

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.roads import touched_by
from meeple.games.catan.statistics import THROWS
from meeple.games.contract.capabilities import explanations
from meeple.kernels import CHANCE
from tests.games.catan.playing import random_game
from tests.tiers import few_quick

SEEDS = few_quick(range(6))


def throws(seed):
    """Yield positions of a random game in which the dice are thrown."""
    for position in random_game(seed, plies=400, players=3):
        if position.state.phase == c.DICE and position.state.to_move == CHANCE:
            yield position


def of_kind(position, kind):
    return [one for one in explanations(position, None) if one.kind == kind]


@pytest.mark.parametrize("seed", SEEDS)
def test_production_is_the_mean_of_all_throws(seed):
    for number, position in enumerate(throws(seed)):
        if number % 5:
            continue
        full = position.copy()
        full.state.bank[:] = 100
        expected = [0.0] * 3
        for total, probability in THROWS.items():
            if total != 7:
                twin = full.copy()
                twin.play(total)
                for seat in range(3):
                    came = int(twin.state.hand[seat].sum() - full.state.hand[seat].sum())
                    expected[seat] += probability * came
        said = [one.sentence for one in of_kind(position, "production")]
        numbers = [float(re.findall(r"expects ([\d.]+) cards", words)[0]) for words in said]
        assert numbers == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_a_road_opens_the_corners_that_the_rules_open(seed):
    opened = 0
    for position in random_game(seed, plies=400, players=3):
        s = position.state
        if s.phase not in (c.MAIN, c.FREE_ROADS, c.SETTLE_ROAD):
            continue
        roads = {one.at: one for one in of_kind(position, "road")}
        for action in position.legal_actions().tolist():
            if not c.ROAD_AT <= action < c.ROBBER_TO:
                continue
            one = roads[f"e{action - c.ROAD_AT}"]
            seat, before = int(s.to_move), touched_by(s, int(s.to_move))
            twin = position.copy()
            twin.play(action)
            after = touched_by(twin.state, seat)
            free = {
                v for v in range(54) if not s.crowded[v] and after >> v & 1 and not before >> v & 1
            }
            said = set(one.spots[: len(free)])
            assert said == {f"v{vertex}" for vertex in free}
            assert ("opens: " in one.sentence) == bool(free)
            opened += len(free)
            assert one.player == seat
    assert opened > 0


def test_a_corner_names_its_tiles_its_port_and_who_is_there():
    position = list(random_game(2, plies=60, players=3))[-1]
    s = position.state
    corners = {one.at: one for one in of_kind(position, "corner")}
    assert len(corners) == 54
    for vertex in range(54):
        one = corners[f"v{vertex}"]
        assert ("port" in one.sentence) == bool(s.vertex_port[vertex])
        assert ("player" in one.sentence) == bool(s.vertex[vertex])
        assert ("the robber" in one.sentence) == (f"t{s.robber}" in one.spots)
        pips = int(re.findall(r": (\d+) pips", one.sentence)[0])
        tiles = [int(spot[1:]) for spot in one.spots]
        expected = sum(
            6 - abs(int(s.tile_number[t]) - 7)
            for t in tiles
            if t != s.robber and s.tile_resource[t] != c.DESERT
        )
        assert pips == expected
