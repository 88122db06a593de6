"""The state of a run on a cluster: written atomically, and read even if damaged."""

import json

import pytest

from meeple.errors import RunError
from meeple.learn.run.cluster import (
    CLUSTER,
    MAX_FILE_BYTES,
    ActorState,
    ClusterState,
    Counts,
    NodeState,
    read_cluster,
    write_cluster,
)
from meeple.learn.workers.cluster_report import counts_before
from tests.learn.clusters import made_up


def test_a_run_without_the_file_is_local(tmp_path):
    assert read_cluster(tmp_path) is None
    assert read_cluster(tmp_path / "nowhere") is None


def test_a_written_state_is_read_back(tmp_path):
    state = made_up()
    write_cluster(tmp_path, state)
    assert read_cluster(tmp_path) == state
    assert [path.name for path in tmp_path.iterdir()] == [CLUSTER]


def test_the_smallest_state_has_an_address_and_a_time(tmp_path):
    write_cluster(tmp_path, ClusterState(place="ray", time=1.0, running=True))
    found = read_cluster(tmp_path)
    assert isinstance(found, ClusterState)
    assert found.account == Counts()
    assert found.games_per_second == 0


def test_only_live_self_play_counts_as_games_per_second():
    state = ClusterState(
        place="ray",
        time=1.0,
        running=True,
        nodes=[NodeState(name="a", address="10.0.0.1", processors=2)],
        actors=[
            ActorState(name="self-play-1", role="self-play", games_per_second=1.5),
            ActorState(name="self-play-2", role="self-play", games_per_second=2.0),
            ActorState(name="self-play-3", role="self-play", games_per_second=9.0, alive=False),
            ActorState(name="learner", role="learner", games_per_second=3.0),
        ],
    )
    assert state.games_per_second == 3.5


def test_consistent_counts_leave_no_game_unaccounted():
    assert Counts(begun=12, finished=7, dropped=1, lost=2, in_flight=2).unaccounted == 0
    assert Counts(begun=12, finished=7).unaccounted == 5


def test_a_state_is_never_newer_than_now_after_a_clock_was_set_back():
    state = ClusterState(place="ray", time=1000.0, running=True)
    assert state.age(1030.0) == 30.0
    assert state.age(900.0) == 0.0


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
    ],
)
def test_a_damaged_file_is_reported_to_readers(tmp_path, change, words):
    whole = {"version": 1, "place": "ray", "time": 1.0, "running": True}
    (tmp_path / CLUSTER).write_text(json.dumps(whole | change))
    found = read_cluster(tmp_path)
    assert isinstance(found, str)
    assert words in found
    assert str(tmp_path / CLUSTER) in found


def test_partial_files_folders_and_files_over_the_limit_are_reported(tmp_path):
    file = tmp_path / CLUSTER
    file.write_text('{"version": 1, "pla')
    assert "no JSON" in str(read_cluster(tmp_path))
    file.write_bytes(b" " * (MAX_FILE_BYTES + 1))
    assert "bytes" in str(read_cluster(tmp_path))
    file.unlink()
    file.mkdir()
    assert "not a file" in str(read_cluster(tmp_path))


def test_an_unwritable_folder_is_reported(tmp_path):
    with pytest.raises(RunError, match="cannot write"):
        write_cluster(tmp_path / "nowhere", made_up())


@pytest.mark.parametrize("stores_all", [True, False])
def test_games_of_a_killed_trainer_are_lost_unless_stored_in_the_folder(tmp_path, stores_all):
    write_cluster(tmp_path, made_up())
    found = counts_before(tmp_path, 5400, 5200, stores_all=stores_all)
    assert (found.begun, found.finished, found.lost) == (5460, 5400, 60)
    assert (found.stored, found.trained, found.in_flight, found.unaccounted) == (5400, 5200, 0, 0)


def test_games_that_need_no_storage_remain_finished(tmp_path):
    write_cluster(tmp_path, made_up())
    assert counts_before(tmp_path, 5000, 5000).finished == 5000
    found = counts_before(tmp_path, 5000, 5000, stores_all=False)
    assert (found.finished, found.lost, found.unaccounted) == (5312, 5460 - 5312, 0)
    assert counts_before(tmp_path / "none", 7, 5) == Counts(
        begun=7, finished=7, stored=7, trained=5
    )
