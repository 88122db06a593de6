"""The cost model names the bottleneck, uses every cost, and recovers known costs."""

from dataclasses import replace

import pytest

from bench.scale_model import (
    RunCosts,
    Setup,
    costs_of,
    non_negative,
    plan,
    predict,
    trainer_costs,
    update_seconds,
)

COSTS = RunCosts(
    network=0.02, tree=0.01, minibatch=0.002, draw=0.0005, update=0.004, game=0.0005, publish=1e-5,
    arrival=2000, minibatch_bytes=2000, weights=200_000,
)  # fmt: skip
SLOW = replace(COSTS, minibatch=0.02)  # a learner that all actors wait for
SETUPS = {
    "one player": (COSTS, Setup(1), "players"),
    "players": (COSTS, Setup(8), "players"),
    "more in lockstep": (COSTS, Setup(8, lockstep=32), "players"),
    "in batches": (COSTS, Setup(8, lockstep=8, batch=4), "players"),
    "learner": (SLOW, Setup(8), "trainer"),
    "long updates": (replace(SLOW, minibatch=0.2), Setup(8), "trainer"),
    "telling": (replace(COSTS, publish=1e-2), Setup(100), "trainer"),
    "broadcast": (COSTS, Setup(320, nodes=10, link=1e6), "trainer"),
    "link": (COSTS, Setup(64, link=1e5), "link"),
}


@pytest.mark.parametrize("name", SETUPS)
def test_model_names_the_part_that_limits(name):
    costs, setup, held_up_by = SETUPS[name]
    assert predict(costs, setup).held_up_by == held_up_by


@pytest.mark.parametrize(("name", "behind"), [("players", 8 * 8), ("learner", 8 * (2 * 8 - 7))])
def test_lag_is_one_wave_of_all_players_or_all_waves_in_flight(name, behind):
    costs, setup, _ = SETUPS[name]
    assert predict(costs, setup).behind == behind


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("players", "network"),
        ("players", "tree"),
        ("learner", "minibatch"),
        ("telling", "publish"),
        ("broadcast", "weights"),
        ("link", "arrival"),
    ],
)
def test_every_cost_counts_where_it_limits(name, part):
    costs, setup, _ = SETUPS[name]
    without = predict(replace(costs, **{part: 0.0}), setup)
    assert without.games_per_second > 1.1 * predict(costs, setup).games_per_second


def point(actors, lockstep, *, learner=COSTS.minibatch, joined=1.0):
    """Return figures of a session of 50 waves in 20 seconds, with two minibatches a game and
    `joined` waves in an update.
    """
    learning = lockstep * 2.0 * learner
    trainer = (COSTS.update + actors * COSTS.publish) / joined + lockstep * COSTS.game
    return {
        "actors": actors, "lockstep": lockstep, "network": 1.0, "games": 50 * lockstep,
        "waves": 50, "waves_per_lesson": joined, "seconds": 20.0, "network_share": 2 / 3,
        "player_seconds_per_game": COSTS.player,
        "trainer_processor_seconds_per_wave": trainer,
        "seconds_per_wave": {"learning": learning, "waiting": 0.4 - learning - trainer},
    }  # fmt: skip


def test_fit_recovers_known_costs_of_the_trainer():
    points = [point(1, 8), point(2, 8), point(2, 2, joined=2), point(2, 32), point(16, 8)]
    assert trainer_costs(points) == pytest.approx((COSTS.update, COSTS.game, COSTS.publish))


def test_costs_of_a_point_add_up_to_its_time():
    own = costs_of(point(2, 8, joined=1.5), batches=2.0)
    assert (own.network, own.tree) == pytest.approx((COSTS.network, COSTS.tree))
    assert own.minibatch == pytest.approx(COSTS.minibatch)
    setup = Setup(2, 8, batches=2.0)
    whole = update_seconds(replace(COSTS, draw=0.0), setup, 1.5)
    assert update_seconds(own, setup, 1.5) == pytest.approx(whole)


def test_least_squares_are_never_negative():
    assert non_negative([[1, 1], [1, 2], [1, 3]], [3, 2, 1]) == pytest.approx([2, 0])
    assert non_negative([[1, 1], [1, 2], [1, 3]], [3, 5, 7]) == pytest.approx([1, 2])


def test_ten_times_as_many_nodes_need_ten_times_as_much():
    ten, hundred = (plan(COSTS, Setup(1, nodes=nodes), 32, price=0.04) for nodes in (10, 100))
    assert hundred.games_per_second == pytest.approx(10 * ten.games_per_second)
    assert hundred.learners == pytest.approx(10 * ten.learners)
    assert hundred.price_per_hour == pytest.approx(10 * ten.price_per_hour)
    assert ten.price_per_million_games == pytest.approx(hundred.price_per_million_games)
    assert ten.price_per_hour == pytest.approx(320 * 0.04)
    assert hundred.tree_seconds < hundred.star_seconds
