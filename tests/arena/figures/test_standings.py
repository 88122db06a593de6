"""Standings count points between agents for two and for more seats."""

import numpy as np
import pytest

from meeple.arena.figures.standings import Entry, Standings
from meeple.games.contract.records import GameRecord
from tests.naive.elo import expected_share


def entry(lineup, payoffs, actions=()):
    record = GameRecord("toy", {}, ("?",) * len(lineup), 0, actions, payoffs)
    return Entry(lineup, record)


def test_points_of_two_agents_follow_the_seats():
    standings = Standings(
        "abc",
        [entry((0, 1), (1.0, 0.0)), entry((1, 0), (1.0, 0.0)), entry((2, 0), (0.5, 0.5))],
    )
    np.testing.assert_array_equal(standings.points, [[0, 1, 0.5], [1, 0, 0], [0.5, 0, 0]])
    assert standings.matrix_json() == [[None, 0.5, 0.5], [0.5, None, None], [0.5, None, None]]
    assert standings.distinct == 3
    repeated = [entry((0, 1), (1.0, 0.0), moves) for moves in (("x",), ("x",), ("y",))]
    assert Standings("ab", repeated).distinct == 2
    assert standings.games.tolist() == [3, 2, 1]
    assert [standings.share(agent) for agent in range(3)] == [0.5, 0.5, 0.5]


def test_agent_in_several_seats_has_the_sum_of_their_shares():
    standings = Standings("ab", [entry((0, 1, 0, 1), (0.25, 0.0, 0.5, 0.25))])
    np.testing.assert_array_equal(standings.points, [[0, 0.75], [0.25, 0]])


def test_wins_and_draws_are_counted_by_the_greatest_share():
    entries = [
        entry((0, 1), (1.0, 0.0)),
        entry((1, 0), (0.5, 0.5)),
        entry((0, 1, 2, 2), (0.25, 0.3, 0.2, 0.25)),  # the third has the shares of both its seats
        entry((0, 1, 2), (0.4, 0.4, 0.2)),
    ]
    standings = Standings("abc", entries[:2])
    assert (standings.wins.tolist(), standings.draws.tolist()) == ([1, 0, 0], [1, 1, 0])
    assert Standings("abc", entries[2:3]).wins.tolist() == [0, 0, 1]
    tied = Standings("abc", entries[3:])
    assert (tied.wins.tolist(), tied.draws.tolist()) == ([0, 0, 0], [1, 1, 0])
    assert [agent["draws"] for agent in tied.to_json()] == [1, 1, 0]


def test_ratings_of_games_of_four_recover_a_luce_choice_model():
    """Winners are drawn in proportion to strength; the ratings must recover it."""
    rng = np.random.default_rng(8)
    elo = np.array([-150.0, -50.0, 50.0, 150.0])
    strength = 10 ** (elo / 400)
    winners = rng.choice(4, size=8000, p=strength / strength.sum())
    entries = [entry((0, 1, 2, 3), tuple(np.eye(4)[winner])) for winner in winners]
    standings = Standings("abcd", entries)
    np.testing.assert_allclose(standings.ratings.elo, elo, atol=20)


@pytest.mark.slow
def test_intervals_of_games_of_four_have_their_nominal_coverage():
    rng = np.random.default_rng(9)
    held, repeats = 0, 200
    wins = np.eye(4)
    for _ in range(repeats):
        winners = rng.integers(4, size=120)
        standings = Standings("abcd", [entry((0, 1, 2, 3), tuple(wins[w])) for w in winners])
        ratings = standings.ratings
        held += int(((ratings.low <= 0) & (ratings.high >= 0)).sum())
    assert 0.92 <= held / (4 * repeats) <= 0.98


def test_ranking_is_by_rating_and_json_is_in_the_order_of_names():
    entries = [entry((0, 1), (0.0, 1.0))] * 9 + [entry((0, 1), (1.0, 0.0))]
    standings = Standings(["weak", "strong"], entries)
    assert standings.ranking() == [1, 0]
    weak, strong = standings.to_json()
    assert (weak["name"], weak["share"], weak["games"]) == ("weak", 0.1, 10)
    assert expected_share(strong["rating"] - weak["rating"]) == pytest.approx(0.9, abs=0.05)
    assert strong["interval"][0] < strong["rating"] < strong["interval"][1]
