"""The reduced game: Catan's rules with fixed options, and the study's 160 numbers."""

import numpy as np
import pytest

import meeple
from meeple.errors import OptionError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.rules.layout import BEGINNER
from meeple.games.catan.rules.topology import TOPOLOGY
from meeple.kernels import CHANCE

GAME = meeple.make("catan-reduced")


def random_game(seed, **options):
    """Yield every position of a game of players that build, always the same object."""
    position = meeple.make("catan-reduced", **options).start(seed)
    player = meeple.agent("weighted", position.game, seed)
    yield position
    while not position.is_over:
        if position.to_move == CHANCE:
            position.play_chance()
        else:
            position.play(player.choose(position))
        yield position


def plain(position):
    """Return the 160 numbers, computed from buildings, roads and hands."""
    s = position.state

    def building(vertex):
        stands = int(s.vertex[vertex])
        return 0 if stands == 0 else 10 * ((stands - 1) % 4) + (1 if stands <= 4 else 2)

    setup = c.PHASES[s.phase] in ("settlement", "first road")
    numbers = [s.on_turn, s.dice, s.longest_road + 1, int(setup)]
    numbers += [building(vertex) for vertex in range(54)]
    numbers += s.edge.tolist()
    for hand in s.hand.tolist():
        numbers += hand
    for edge in BEGINNER.port_edges:
        ends = TOPOLOGY.edge_vertices[edge].tolist()
        numbers.append(next((building(end) for end in ends if building(end)), 0))
    return [*numbers, int(s.rolled)]


@pytest.mark.parametrize("options", [{}, {"players": 2}, {"players": 3, "victory_points": 6}])
def test_features_equal_those_computed_from_the_state(options):
    seen, harbours = set(), set()
    for position in random_game(5, **options):
        expected = plain(position)
        assert len(expected) == 160
        for player in range(position.game.players):
            assert position.observation(player).tolist() == expected
        seen.update(expected[4:58])
        harbours.update(expected[150:159])
    settlements = {10 * player + 1 for player in range(position.game.players)}
    assert {0} | settlements < seen  # and a city
    assert len(harbours) > 1


def test_harbour_feature_is_the_number_of_its_city():
    position = GAME.start()
    for edge, port in zip(BEGINNER.port_edges, range(9), strict=True):
        for vertex in TOPOLOGY.edge_vertices[edge].tolist():
            position.state.vertex[:] = 0
            position.state.vertex[vertex] = 5 + 2  # the third player's city
            numbers = position.observation(0)
            assert np.flatnonzero(numbers[150:159]).tolist() == [port]
            assert numbers[150 + port] == numbers[4 + vertex] == 22


def test_features_include_the_longest_road_and_the_roll():
    first = [position.observation(0)[[0, 1, 2, 159]].tolist() for position in random_game(8)]
    assert first[0] == [0, 0, 0, 0]
    assert len({holder for _, _, holder, _ in first}) > 1
    assert {dice for _, dice, _, thrown in first if thrown} == set(range(2, 13))


@pytest.mark.parametrize("limit", [1, 9, 60, 100_000])
def test_payoffs_are_shares_of_all_points_also_at_the_limit_of_actions(limit):
    *_, last = random_game(3, max_actions=limit)
    position, chosen = GAME.start(3), 0
    for action in last.actions:
        chosen += position.to_move >= 0
        position.play(action)
    assert position.is_over or chosen == limit
    points = 5 - last.state.settlements + 2 * (4 - last.state.cities)
    if last.state.longest_road >= 0:
        points[last.state.longest_road] += 2
    np.testing.assert_allclose(last.payoffs, points / points.sum())


def test_reduced_game_equals_catan_with_its_options_ply_by_ply():
    options = dict.fromkeys(
        ("robber", "development_cards", "domestic_trade", "hidden_hands"), False
    )
    twin = Catan(board="beginner", payoff="points", **options).start(4)
    for position in random_game(4):
        if position.actions:
            twin.play(position.actions[-1])
        assert twin.legal_actions().tolist() == position.legal_actions().tolist()
        assert twin.row.tobytes() == position.row.tobytes()
    assert twin.payoffs.tolist() == position.payoffs.tolist()


def test_belief_is_certain_with_open_hands():
    position = GAME.start(2)
    belief = GAME.belief(1)
    belief.follow(position)
    assert not GAME.hides
    assert meeple.agent("uct:sims=20", GAME, seed=1).choose(position) in position.legal_actions()


def test_options_that_change_the_game_are_refused():
    for option, value in (("robber", True), ("board", "random")):
        with pytest.raises(OptionError, match=option):
            meeple.make("catan-reduced", **{option: value})
