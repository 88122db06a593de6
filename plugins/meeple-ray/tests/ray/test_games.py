"""Games on a Ray cluster equal local games even if workers are killed; errors are sentences.

The tests use the cluster of `conftest.py`.
"""

import os
import signal
import socket

import psutil
import pytest

import meeple
from meeple.arena.games import wire
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.workers import Worker
from meeple.arena.match import match
from meeple.arena.plan.schedule import schedule
from meeple.arena.tournament import play_tournament
from meeple.errors import MeepleError, RunError, UsageError
from meeple.executors.backend import Place
from meeple_ray import cluster as ray_cluster
from meeple_ray import games
from meeple_ray.cluster import Cluster
from meeple_ray.remote import NOTHING, Remote, identity

NIM = meeple.make("nim")
SPECS = ["random", "uct:sims=20", "uct:sims=50"]


def workers_of_ray():
    """Return the worker processes that this process has started."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if "RayActor" in "".join(process.cmdline()):
                found.append(process)
        except psutil.Error:
            pass
    return found


@pytest.mark.usefixtures("cluster")
def test_tournament_result_does_not_depend_on_a_killed_worker(tmp_path, capfd):
    said: list[str] = []
    killed: list[int] = []

    def kill(done, of):
        if done >= 60 and not killed:
            killed.append(workers_of_ray()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    place = Place("ray", say=said.append)
    conditions = Conditions(NIM, run=tmp_path, workers=2, on=place, progress=kill)
    there = play_tournament(conditions, SPECS, 200)
    here = play_tournament(Conditions(NIM), SPECS, 200)
    assert killed
    assert there.standings.entries == here.standings.entries
    assert there.standings.to_json() == here.standings.to_json()
    assert any(sentence.startswith("A worker was lost") for sentence in said)
    assert capfd.readouterr().out == ""  # stdout is for the result of a command
    assert "finished 600, stored 600" in said[-1]
    # A local run resumes from the folder and has no games left to play.
    again = play_tournament(Conditions(NIM, run=tmp_path), SPECS, 200)
    assert again.outcomes == there.outcomes


@pytest.mark.usefixtures("cluster")
def test_ctrl_c_keeps_finished_games(tmp_path):
    def interrupt(done, of):
        if done == 5:
            raise KeyboardInterrupt

    found = match(NIM, SPECS[:2], 2000, on="ray", workers=2, run=tmp_path, progress=interrupt)
    assert found.interrupted
    assert 5 <= found.games < 2000
    again = match(NIM, SPECS[:2], found.games + 10, run=tmp_path)
    assert again.games == found.games + 10


@pytest.mark.usefixtures("cluster")
def test_worker_with_other_sources_ends_a_match_with_a_message(monkeypatch, tmp_path):
    real = identity()
    monkeypatch.setattr(ray_cluster, "identity", lambda: {**real, "stamp": "other"})
    with pytest.raises(RunError, match="other sources"):
        match(NIM, SPECS[:2], 2, on="ray", workers=1, run=tmp_path)


@pytest.mark.usefixtures("cluster")
def test_cluster_without_a_token_is_refused_unless_allowed(monkeypatch, tmp_path):
    monkeypatch.setattr(Cluster, "_first_word", lambda self, reference: False)
    with pytest.raises(RunError, match="has no token"):
        match(NIM, SPECS[:2], 2, on="ray", workers=1, run=tmp_path)
    place = Place("ray", without_token=True)
    assert match(NIM, SPECS[:2], 2, on=place, workers=1, run=tmp_path).games == 2


@pytest.mark.usefixtures("cluster")
def test_more_workers_than_processors_are_refused(tmp_path):
    with pytest.raises(UsageError, match="processors, and 900 workers were asked for"):
        match(NIM, SPECS[:2], 2, on="ray", workers=900, run=tmp_path)
    assert match(NIM, SPECS[:2], 2, run=tmp_path).games == 2


@pytest.mark.slow
def test_address_without_a_listener_is_refused_at_once(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(RunError, match="no Ray cluster at ray://"):
            match(NIM, SPECS[:2], 2, on=f"ray://127.0.0.1:{taken.getsockname()[1]}", run=tmp_path)


@pytest.mark.parametrize("openings", [False, True])
def test_fixtures_and_outcomes_are_transferred_unchanged(openings):
    hex3 = meeple.make("hex", size=3)
    worker = Worker(Conditions(hex3), SPECS[:2])
    for fixture in schedule(hex3, [0, 1], 6, 7, opened=openings):
        assert wire.fixture_of(wire.fixture_to_json(fixture)) == fixture
        outcome = worker.play(fixture)
        assert wire.outcome_of(wire.outcome_to_json(outcome)) == outcome


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("version", "0.0.0", "has version .* of Meeple"), ("stamp", "other", "other sources")],
)
def test_worker_with_other_versions_is_refused(name, value, said):
    order = {"identity": {**identity(), name: value}, "folder": ".", "target": NOTHING}
    answer = Remote().begin({**order, "arguments": {}})
    with pytest.raises(RunError, match=said):
        answer.result()


def test_worker_with_different_files_is_refused():
    arguments = games.arguments_of(Conditions(meeple.make("hex", size=7)), ["policy:hex7"])
    with pytest.raises(MeepleError, match="does not have the files of policy:hex7"):
        games.make_remote({**arguments, "digests": ["another"]})
    with pytest.raises(MeepleError, match=r"does not have the file /nowhere/game\.py"):
        games.make_remote({**arguments, "files": {"/nowhere/game.py": "0"}})
