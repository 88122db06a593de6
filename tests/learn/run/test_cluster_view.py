"""The text about a run on a cluster, shared by the page, commands and progress line."""

import json

import pytest

from meeple.learn.run.cluster import (
    MAX_LISTED,
    ActorState,
    ClusterState,
    Counts,
    NodeState,
    accelerators_of,
    actor_status,
    actors_in_order,
    counts_in_words,
    nodes_in_order,
    problems_of,
    rate,
    summary_of,
    view_of,
)
from tests.learn.clusters import made_up


def test_the_summary_is_one_line():
    assert summary_of(made_up()) == (
        "3 nodes (1 dead) · 12 actors (1 dead) · 14 games/s · "
        "self-play waits for the learner, which is 2 waves behind"
    )
    assert summary_of(ClusterState(place="ray", time=1.0, running=True)) == (
        "0 nodes · 0 actors · 0 games/s"
    )


def test_speeds_have_at_least_two_digits():
    assert [rate(x) for x in (0.0, 0.123, 9.6, 9.96, 134.2)] == ["0", "0.12", "9.6", "10", "134"]


def test_games_are_accounted_for_in_text_and_a_gap_is_reported():
    counts = Counts(
        begun=12, finished=7, stored=7, trained=5, lost=2, dropped=1, deaths=1, in_flight=2
    )
    assert counts_in_words(counts) == [
        "12 games begun: 7 finished, 2 lost with 1 actor that died, 1 given up, 2 in flight",
        "7 stored, 5 learned from",
    ]
    assert counts_in_words(Counts(begun=3, finished=1))[-1] == (
        "the counts do not add up: 2 games are unaccounted for"
    )


def test_dead_actors_are_named_and_a_silent_trainer_is_reported():
    state = made_up(now=1000.0)
    dead = [
        "the node worker-2 (10.0.0.3) is dead",
        "the actor self-play-8 on worker-2 is dead",
    ]
    assert problems_of(state, is_trained=True, now=1005.0) == dead
    assert problems_of(state, is_trained=True, now=1090.0) == [
        "the trainer has reported nothing for 90 s",
        *dead,
    ]


def test_a_killed_trainer_is_reported_and_a_finished_one_is_not():
    assert problems_of(made_up(), is_trained=False) == [
        "the trainer ended unexpectedly; this is its last report"
    ]
    assert problems_of(made_up(running=False), is_trained=False) == []
    elsewhere = made_up(now=0.0, running=False)
    assert problems_of(elsewhere, is_trained=True, now=1000.0) == []  # it learns elsewhere by now
    assert not view_of(made_up(), is_trained=False)["running"]


def test_a_few_of_many_dead_actors_are_named():
    nodes = [NodeState(name=f"n-{n}", address="", processors=1, alive=False) for n in range(9)]
    state = ClusterState(place="ray", time=1.0, running=True, nodes=nodes)
    assert problems_of(state, is_trained=True, now=1.0) == [
        "the nodes n-0, n-1, n-2, n-3, n-4 and 4 more are dead"
    ]


def test_dead_actors_come_first_and_numbers_are_in_order():
    state = made_up()
    assert [node.name for node in nodes_in_order(state)] == ["worker-2", "head", "worker-1"]
    names = [actor.name for actor in actors_in_order(state)]
    assert names[:2] == ["self-play-8", "learner"]
    assert names[-2:] == ["self-play-6", "self-play-7"]
    assert [actor_status(actor) for actor in actors_in_order(state)[:2]] == ["dead", "at work"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "none"),
        (["H100"], "H100"),
        (["H100"] * 8, "8 H100"),
        (["H100", "L4", "H100"], "2 H100, 1 L4"),
    ],
)
def test_accelerators_are_counted_by_their_names(names, words):
    node = NodeState(name="a", address="", processors=1, accelerators=names)
    assert accelerators_of(node) == words


def test_part_of_a_cluster_of_a_thousand_nodes_is_shown():
    actors = [
        ActorState(name=f"self-play-{n}", role="self-play", alive=n != 900) for n in range(1000)
    ]
    view = view_of(ClusterState(place="ray", time=1.0, running=True, actors=actors), True)
    assert len(view["actors"]) == MAX_LISTED
    assert view["more_actors"] == 1000 - MAX_LISTED
    assert view["actors"][0]["name"] == "self-play-900"
    assert json.loads(json.dumps(view)) == view
