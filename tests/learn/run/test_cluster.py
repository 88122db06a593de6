"""The state of a run on a cluster: written atomically, read even if damaged, shown as text."""

import json

import pytest

from meeple.errors import RunError
from meeple.learn.run.cluster import (
    CLUSTER,
    MAX_FILE_BYTES,
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
    read_cluster,
    summary_of,
    view_of,
    write_cluster,
)
from tests.learn.clusters import made_up


def small(**fields):
    return ClusterState(place="ray", time=1000.0, running=True, **fields)


@pytest.mark.parametrize("state", [made_up(), small()], ids=["usual", "smallest"])
def test_a_written_state_is_read_back(tmp_path, state):
    assert read_cluster(tmp_path) is None  # a run without the file is local
    write_cluster(tmp_path, state)
    assert read_cluster(tmp_path) == state
    assert [path.name for path in tmp_path.iterdir()] == [CLUSTER]


def test_only_live_self_play_counts_as_games_per_second():
    actors = [
        ActorState(name="self-play-1", role="self-play", games_per_second=1.5),
        ActorState(name="self-play-2", role="self-play", games_per_second=2.0),
        ActorState(name="self-play-3", role="self-play", games_per_second=9.0, alive=False),
        ActorState(name="learner", role="learner", games_per_second=3.0),
    ]
    assert small(actors=actors).games_per_second == 3.5


def test_a_state_is_never_newer_than_now_after_a_clock_was_set_back():
    assert (small().age(1030.0), small().age(900.0)) == (30.0, 0.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"place": 3}, "place"),
        ({"colour": "red"}, "colour"),
        ({"version": 2}, "version 2"),
        ({"account": {"begun": -1}}, "account.begun"),
        ({"actors": [{"name": "../../x", "role": "learner"}]}, "actors.0.name"),
        ({"actors": [{"name": "a", "role": "cook"}]}, "actors.0.role"),
        ({"actors": [{"name": "a", "role": "learner"}] * 2}, "no two actors"),
        ({"time": float("nan")}, "cluster.json"),
        (b'{"version": 1, "pla', "no JSON"),
        (b" " * (MAX_FILE_BYTES + 1), "bytes"),
        (None, "not a file"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else str(value),
)
def test_a_damaged_file_is_reported_to_readers(tmp_path, change, words):
    file = tmp_path / CLUSTER
    if isinstance(change, bytes):
        file.write_bytes(change)
    elif change is None:
        file.mkdir()
    else:
        whole = {"version": 1, "place": "ray", "time": 1.0, "running": True}
        file.write_text(json.dumps(whole | change))
    found = read_cluster(tmp_path)
    assert isinstance(found, str)
    assert words in found
    assert str(file) in found


def test_an_unwritable_folder_is_reported(tmp_path):
    with pytest.raises(RunError, match="cannot write"):
        write_cluster(tmp_path / "nowhere", made_up())


# ------------------------------------------------------------ text and JSON data


def test_the_summary_is_one_line():
    waiting = "self-play waits for the learner, which is 2 waves behind"
    assert summary_of(made_up()) == (
        f"3 nodes (1 dead) · 12 actors (1 dead) · 14 games/s · {waiting}"
    )
    assert summary_of(small()) == "0 nodes · 0 actors · 0 games/s"
    assert [rate(x) for x in (0.0, 0.123, 9.6, 9.96, 134.2)] == ["0", "0.12", "9.6", "10", "134"]


def test_games_are_accounted_for_in_text_and_a_gap_is_reported():
    counts = Counts(
        begun=12, finished=7, stored=7, trained=5, lost=2, dropped=1, deaths=1, in_flight=2
    )
    assert counts_in_words(counts) == [
        "12 games begun: 7 finished, 2 lost with 1 actor that died, 1 given up, 2 in flight",
        "7 stored, 5 learned from",
    ]
    assert counts_in_words(Counts(begun=12, finished=7))[-1] == (
        "the counts do not add up: 5 games are unaccounted for"
    )


DEAD = ["the node worker-2 (10.0.0.3) is dead", "the actor self-play-8 on worker-2 is dead"]
MANY = [NodeState(name=f"n-{n}", address="", processors=1, alive=False) for n in range(9)]


@pytest.mark.parametrize(
    ("state", "is_trained", "now", "problems"),
    [
        (made_up(now=1000.0), True, 1005.0, DEAD),
        (made_up(now=1000.0), True, 1090.0, ["the trainer has reported nothing for 90 s", *DEAD]),
        (made_up(), False, 0.0, ["the trainer ended unexpectedly; this is its last report"]),
        (made_up(running=False), False, 0.0, []),
        (made_up(now=0.0, running=False), True, 1000.0, []),  # it learns elsewhere by now
        (small(nodes=MANY), True, 1.0, ["the nodes n-0, n-1, n-2, n-3, n-4 and 4 more are dead"]),
    ],
    ids=["dead", "silent", "killed", "finished", "elsewhere", "many"],
)
def test_dead_actors_and_a_silent_or_killed_trainer_are_reported(state, is_trained, now, problems):
    assert problems_of(state, is_trained, now) == problems
    assert view_of(state, is_trained)["running"] == (state.running and is_trained)


def test_dead_actors_come_first_and_numbers_are_in_order():
    state = made_up()
    assert [node.name for node in nodes_in_order(state)] == ["worker-2", "head", "worker-1"]
    actors = actors_in_order(state)
    assert [actor.name for actor in actors[:2]] == ["self-play-8", "learner"]
    assert [actor.name for actor in actors[-2:]] == ["self-play-6", "self-play-7"]
    assert [actor_status(actor) for actor in actors[:2]] == ["dead", "at work"]


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
    view = view_of(small(actors=actors), True)
    assert len(view["actors"]) == MAX_LISTED
    assert view["more_actors"] == 1000 - MAX_LISTED
    assert view["actors"][0]["name"] == "self-play-900"
    assert json.loads(json.dumps(view)) == view
