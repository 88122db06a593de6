"""Features of Catan are invariant under symmetries of the island and numberings of the seats."""

import numpy as np
import pytest

from meeple import kernels
from meeple.agents.spec import agent
from meeple.games.catan.features import Features
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.kernels.table import caller
from meeple.search.values.network import ValueNetwork, Widths, untrained

FEATURES, JUDGE, QUIET = caller("seat_features"), caller("evaluate_features"), caller("quiet")
GAMES = {players: Catan(players=players) for players in (2, 3, 4)}
BY_SEAT = (
    "hand", "cards", "played", "roads", "settlements", "cities", "ports", "road_length",
    "discards", "give", "want", "answers",
)  # fmt: skip


def features_of(game, state):
    parts = np.zeros(1, dtype=Features)
    states = np.array([state])
    FEATURES(game.address_of(kernels.SEAT_FEATURES), states.ctypes.data, parts.ctypes.data)
    return parts[0]


def shares_of(game, network, parts):
    shares, parts = np.zeros(game.players), np.array([parts])
    JUDGE(network.kernel, network.address, parts.ctypes.data, shares.ctypes.data)
    return shares


def is_quiet(game, state):
    flag, states = np.zeros(1, np.int8), np.array([state])
    QUIET(game.address_of(kernels.QUIET), states.ctypes.data, flag.ctypes.data)
    return bool(flag[0])


def quiet_states(game, seed, count):
    """Return quiet states of a game among `weighted` players."""
    position, player = game.start(seed), agent("weighted", game, seed)
    found = []
    while not position.is_over:
        if position.to_move == kernels.CHANCE:
            position.play_chance()
            continue
        if is_quiet(game, position.state):
            found.append(position.state.copy())
        position.play(player.choose(position))
    return found[:6] + found[:: max(1, len(found) // count)]


# ---------------------------------------------------------------- symmetries of the island


def turned(points, sixths, mirrored):
    """Rotate and reflect points [N, 2] (down, across); return them with their permutation."""
    at = points[:, 1] * (3**0.5 / 2) + 1j * points[:, 0] * 0.5
    moved = (at.conj() if mirrored else at) * np.exp(1j * np.pi / 3 * sixths)
    return np.abs(moved[:, None] - at[None]).argmin(axis=1)


def island(state, sixths, mirrored):
    """Return the state on the transformed island."""
    other = state.copy()
    tiles = turned(TOPOLOGY.tile_points, sixths, mirrored)
    vertices = turned(TOPOLOGY.vertex_points, sixths, mirrored)
    edges = turned(TOPOLOGY.vertex_points[TOPOLOGY.edge_vertices].sum(axis=1) / 2, sixths, mirrored)
    for name, places in (
        ("tile_resource", tiles), ("tile_number", tiles), ("vertex_port", vertices),
        ("vertex", vertices), ("crowded", vertices), ("edge", edges),
    ):  # fmt: skip
        getattr(other, name)[places] = getattr(state, name)
    other.robber = tiles[state.robber] if state.robber >= 0 else state.robber
    other.settled = vertices[state.settled]
    return other


def rotated(state, players):
    """Return the state with each seat's number one higher, modulo the number of seats."""
    other = state.copy()

    def seat(number):
        return (number + 1) % players if number >= 0 else number

    for name in BY_SEAT:
        getattr(other, name)[:players] = np.roll(getattr(state, name)[:players], 1, axis=0)
    for name in ("to_move", "on_turn", "longest_road", "largest_army", "victim"):
        setattr(other, name, seat(int(getattr(state, name))))
    for vertex, building in enumerate(state.vertex):
        if building > 0:
            other.vertex[vertex] = (4 if building > 4 else 0) + 1 + seat((int(building) - 1) & 3)
    for edge, road in enumerate(state.edge):
        other.edge[edge] = 1 + seat(int(road) - 1) if road > 0 else 0
    return other


@pytest.mark.parametrize("players", [2, 3, 4])
def test_features_are_invariant_under_symmetries_of_the_island(players):
    game = GAMES[players]
    network = ValueNetwork(untrained(Features, Widths(), 1), Features, players)
    for state in quiet_states(game, 3, 6):
        parts = features_of(game, state)
        for sixths in range(6):
            for mirrored in (False, True):
                other = features_of(game, island(state, sixths, mirrored))
                np.testing.assert_allclose(other.own, parts.own, atol=1e-5)
                np.testing.assert_allclose(other.table, parts.table, atol=1e-5)
                for seat in range(players):
                    one, two = (
                        sorted(parts.sites[seat].tolist()),
                        sorted(other.sites[seat].tolist()),
                    )
                    np.testing.assert_allclose(two, one, atol=1e-5)
                shares = shares_of(game, network, other)
                np.testing.assert_allclose(shares, shares_of(game, network, parts), atol=1e-5)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_renumbered_seats_permute_features_and_shares(players):
    game = GAMES[players]
    network = ValueNetwork(untrained(Features, Widths(), 2), Features, players)
    for state in quiet_states(game, 4, 10):
        if state.setup < 2 * players:
            continue
        parts, other = features_of(game, state), features_of(game, rotated(state, players))
        np.testing.assert_array_equal(other.own[:players], np.roll(parts.own[:players], 1, axis=0))
        np.testing.assert_array_equal(other.table, parts.table)
        shares = np.roll(shares_of(game, network, parts), 1)
        np.testing.assert_allclose(shares_of(game, network, other), shares, atol=1e-5)


@pytest.mark.slow
def test_every_feature_is_used_and_bounded():
    game = GAMES[4]
    states = [state for seed in range(6) for state in quiet_states(game, seed, 60)]
    parts = np.array([features_of(game, state) for state in states])
    assert np.abs(parts["own"]).max() < 5
    assert np.abs(parts["sites"]).max() < 5
    used = (parts["own"] != 0).any(axis=(0, 1))
    assert np.flatnonzero(~used).tolist() == []
    assert (parts["sites"] != 0).any(axis=(0, 1, 2)).all()
    assert (parts["sites"][:, :, :-1, 0] > 0)[parts["sites"][:, :, 1:, 0] > 0].all()


def test_positions_during_an_unfinished_action_are_not_quiet():
    game = GAMES[4]
    position, player = game.start(5), agent("weighted", game, 5)
    quiet = set()
    while not position.is_over:
        if is_quiet(game, position.state):
            quiet.add(int(position.state.phase))
        if position.to_move == kernels.CHANCE:
            position.play_chance()
        else:
            position.play(player.choose(position))
    assert quiet == {c.SETTLE, c.ROLL, c.MAIN}
