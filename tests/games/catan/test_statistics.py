"""Statistics of a game, recounted from its states by simple loops."""

import numpy as np
import pytest

from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.games.contract.capabilities import statistics
from meeple.games.contract.registry import make
from tests.games.catan.playing import random_game


def last_of(seed, **options):
    *_, position = random_game(seed, plies=2500, **options)
    return position


def tables_of(position):
    return {table.title: table.rows for table in statistics(position)}


def due(state, total, robber):
    """What a throw gives each seat, as cards by resource, if the bank never runs short."""
    found = np.zeros((int(state["players"]), c.KINDS), dtype=int)
    for tile in range(len(TOPOLOGY.tile_vertices)):
        if state["tile_number"][tile] == total and tile != robber:
            for vertex in TOPOLOGY.tile_vertices[tile]:
                building = int(state["vertex"][vertex])
                if building:
                    resource = state["tile_resource"][tile]
                    found[(building - 1) % 4, resource] += 1 + (building > 4)
    return found


def paid(state, total, robber):
    """The same, with what the rules say about a bank that holds too few cards."""
    found = due(state, total, robber)
    for resource in range(c.KINDS):
        short = found[:, resource].sum() > state["bank"][resource]
        if short and (found[:, resource] > 0).sum() == 1:
            found[:, resource] = np.minimum(found[:, resource], state["bank"][resource])
        elif short:
            found[:, resource] = 0
    return found.sum(axis=1)


@pytest.fixture(scope="module", params=[(1, {}), (2, {"players": 3}), (5, {"deals": True})])
def played(request):
    seed, options = request.param
    return last_of(seed, **options)


@pytest.mark.slow
def test_expected_cards_luck_and_blocked_cards_are_those_of_the_dice(played):
    rows = tables_of(played)["Throws"]
    seats = played.game.players
    came, expected, blocked = np.zeros(seats), np.zeros(seats), np.zeros(seats)
    for step in played.steps():
        (state,) = np.frombuffer(step.before, c.State)
        if state["phase"] == c.DICE:
            for first in range(1, 7):
                for second in range(1, 7):
                    if first + second != 7:
                        expected += paid(state, first + second, state["robber"]) / 36
            if step.action != 7:
                actual = paid(state, step.action, state["robber"])
                came += actual
                blocked += np.maximum(paid(state, step.action, -1) - actual, 0)
    assert rows["cards from throws"] == came.tolist()
    assert rows["expected"] == np.round(expected, 1).tolist()
    assert rows["luck"] == np.round(came - expected, 1).tolist()
    assert rows["blocked by the robber"] == blocked.tolist()
    assert sum(rows["cards from throws"]) > 20


def test_every_card_came_from_somewhere_and_went_somewhere(played):
    tables = tables_of(played)
    robber, trade, cards = tables["Robber"], tables["Trade"], tables["Development cards"]
    states = [np.frombuffer(step.before, c.State)[0] for step in played.steps()]
    costs = np.zeros(played.game.players, dtype=int)
    start = np.zeros(played.game.players, dtype=int)
    from_bank = np.zeros(played.game.players, dtype=int)
    after = [*states[1:], played.state]
    for state, later, step in zip(states, after, played.steps(), strict=True):
        seat, action = int(state["to_move"]), step.action
        change = later["hand"].astype(int).sum(axis=1) - state["hand"].astype(int).sum(axis=1)
        if state["phase"] in (c.SETTLE, c.SETTLE_ROAD):
            start += change[: played.game.players]
        elif seat >= 0 and state["phase"] == c.MAIN:
            costs[seat] += 4 * (c.SETTLEMENT_AT <= action < c.CITY_AT)
            costs[seat] += 5 * (c.CITY_AT <= action < c.ROAD_AT)
            costs[seat] += 2 * (c.ROAD_AT <= action < c.ROBBER_TO) + 3 * (action == c.BUY_CARD)
            from_bank[seat] += c.MARITIME <= action < c.DISCARD_ONE
    rows = tables["Throws"]
    for seat in range(played.game.players):
        held = start[seat] + rows["cards from throws"][seat] - costs[seat] + from_bank[seat]
        held += robber["cards stolen"][seat] - robber["cards lost to thieves"][seat]
        held -= robber["cards discarded"][seat] + trade["cards given to the bank"][seat]
        held += trade["cards received from players"][seat] - trade["cards given to players"][seat]
        held += cards["cards by year of plenty"][seat] + cards["cards by monopoly"][seat]
        held -= cards["cards lost to monopolies"][seat]
        assert held == played.state.hand[seat].sum()


def test_races_and_counts_agree_with_the_last_state_and_the_habits(played):
    tables, habits = tables_of(played), played.game.habits(played)
    state = played.state
    for title, holder in (
        ("Longest road", state.longest_road),
        ("Largest army", state.largest_army),
    ):
        held = [seat == holder for seat in range(played.game.players)]
        rows = tables.get(title)
        assert (rows is None) <= (holder < 0)
        if rows is not None:
            assert [bool(word) for word in rows["held at the end"]] == held
    assert tables["Development cards"]["bought"] == habits["development cards bought"]
    assert tables["Trade"]["trades with the bank"] == habits["trades with the bank"]
    assert tables["Robber"]["cards discarded"] == habits["cards discarded"]
    knights = state.played[: played.game.players, c.KNIGHT].tolist()
    assert tables["Development cards"]["knights played"] == knights


def test_the_opening_names_the_tiles_of_both_settlements():
    position = make("catan", board="beginner").start(seed=0)
    first = position.legal_actions()[0]
    while position.state.setup < 8 or position.state.phase == c.SETTLE_ROAD:
        position.play(position.legal_actions()[0])
    rows = tables_of(position)["Opening"]
    tiles = [t for t in TOPOLOGY.vertex_tiles[first] if t >= 0]
    numbers = [int(position.state.tile_number[t]) for t in tiles]
    words = [f"{c.RESOURCES[position.state.tile_resource[t]]} {n}" for t, n in zip(tiles, numbers)]
    assert rows["first settlement"][0] == ", ".join(words)
    assert all(rows["second settlement"])
    assert all(0 < ways <= 30 for ways in rows["ways of 36 to produce"])


def test_a_game_without_statistics_has_none():
    assert statistics(make("hex", size=3).start()) == ()
