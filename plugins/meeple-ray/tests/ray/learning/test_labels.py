"""Learning values on a Ray cluster: killed workers do not change labels, networks and decisions.

The tests use the cluster of `conftest.py`.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from meeple.errors import RunError
from meeple.executors.backend import Place
from meeple.learn.loop import start_run, train
from meeple.learn.run.cluster import ClusterState, read_cluster
from meeple.learn.run.logs import log_names
from meeple.learn.values.jobs import JobNetworks, LabelledShard, Pairs, Shard
from meeple.learn.workers.labels import GATE, LABELLING, LabelWorker
from meeple.search.values.file import load_network
from meeple.search.values.labels import NETWORK, OTHER, Settings
from meeple_ray.cluster import Cluster
from meeple_ray.learning import labels, report, wire
from meeple_ray.learning.backend import ClusterBackend
from tests.learn.small import Heard, Remembering
from tests.learn.values.test_loop import config, saved_state, values_run
from tests.learn.values.test_work import contents

HEX = (
    'game.name="hex"', "game.options={size=4}", "labels.results=120", "labels.games=120",
    "labels.shard=10", "labels.share=0.5", "labels.playouts=20", "gate.games=90",
    "gate.gain=0.2", "matches.minutes=0",
)  # fmt: skip


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """The same run in this process only."""
    run = tmp_path_factory.mktemp("here") / "run"
    start_run(config(*HEX), run)
    train(run)
    return run


def kill_a_worker():
    """Kill one of the busy workers, as by `kill -9`."""
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "RayActor" in "".join(process.cmdline()):
                os.kill(process.pid, signal.SIGKILL)
                return


class Killer:
    """A `stop` that kills a worker during the labels, and one during the games."""

    def __init__(self, run):
        self.files, self.killed = values_run(run), 0

    def __call__(self):
        stages = len(self.files.shards(1)) >= 2, self.files.candidate(1).exists()
        if self.killed < 2 and stages[self.killed]:
            kill_a_worker()
            self.killed += 1
        return False


@pytest.mark.usefixtures("cluster")
def test_a_run_on_ray_with_killed_workers_learns_the_same(here, tmp_path, monkeypatch):
    monkeypatch.setattr(labels, "PAIRS_PER_JOB", 4)
    monkeypatch.setattr(report, "REPORT_INTERVAL_SECONDS", 0.0)
    run, settings = tmp_path / "run", config(*HEX)
    start_run(settings, run)
    killer, heard = Killer(run), Heard()
    with contextlib.closing(Cluster(Place("ray"))) as joined:
        backend = Remembering(ClusterBackend(joined, workers=2))
        train(run, heard, killer, backend)
    said, told, work = heard.messages, heard.clusters, backend.workers
    assert contents(run) == contents(here)
    labelling, matches = work.tally(LABELLING), work.tally(GATE)
    assert (labelling.used, labelling.finished) == (240, 240)
    assert matches.finished >= matches.used >= 2
    assert labelling.in_flight == matches.in_flight == 0
    assert (killer.killed, labelling.deaths + matches.deaths) == (2, 2)
    assert labelling.lost > 0
    begun = labelling.begun
    assert begun == 240 + labelling.lost + labelling.dropped
    assert f"games to label begun {begun}, finished 240, stored 240, " in said[-1]
    assert any(sentence.startswith("A worker was lost; ") for sentence in said)
    lines = [json.loads(line) for line in (run / "labels.jsonl").read_text().splitlines()]
    assert sorted((line["round"], line["shard"]) for line in lines) == [
        (round_, shard) for round_ in (0, 1) for shard in range(12)
    ]
    assert len({line["worker"] for line in lines}) >= 2
    assert {line["network"] for line in lines} == {None, "checkpoints/00000000"}
    check_reported(run, told, labelling.used)


def check_reported(run, told, games):
    """Check that observers saw the run as it was."""
    last = read_cluster(run)
    assert isinstance(last, ClusterState)
    assert last == told[-1]
    account = last.account
    assert (last.running, account.in_flight, account.deaths) == (False, 0, 2)
    assert account.stored == account.trained == games
    assert account.finished > games  # including the games of the acceptance test
    assert [state.account.unaccounted for state in told] == [0] * len(told)
    assert {state.waiting for state in told} >= {"", "fitting the network"}
    for state in told[:-1]:
        alive = [node for node in state.nodes if node.alive]
        assert (state.running, len(alive), len(state.actors)) == (True, 1, 2)
        assert state.account.trained <= state.account.stored <= state.account.finished
    assert {actor.role for actor in last.actors} == {"self-play"}
    begun = {actor.name for state in told for actor in state.actors if actor.pid}
    assert begun <= set(log_names(run))
    assert max(state.games_per_second for state in told) > 0
    assert {actor.generation for state in told for actor in state.actors} >= {0}


def test_a_killed_trainer_resumes_from_its_folder_without_ray(cluster, here, tmp_path):
    run = tmp_path / "run"
    start_run(config(*HEX), run)
    words = ["train", "--resume", "--run", str(run), "--on", cluster.name, "--workers", "1"]
    driver = subprocess.Popen([sys.executable, "-m", "meeple", *words], stderr=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 600  # generous for a busy machine
        while not (there := values_run(run).shards(1)):
            assert driver.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.01)
    finally:
        driver.kill()
        driver.wait()
    killed = read_cluster(run)
    assert isinstance(killed, ClusterState)
    assert killed.running  # the state last written
    there = values_run(run).shards(1)
    written = [path.stat().st_mtime_ns for path in there]
    assert saved_state(run).episodes == 1
    train(run)
    assert [path.stat().st_mtime_ns for path in there] == written
    assert contents(run) == contents(here)
    left = read_cluster(run)
    assert isinstance(left, ClusterState)
    assert (left.running, left.games_per_second) == (False, 0)


@pytest.mark.slow
def test_jobs_and_results_survive_encoding(here):
    files = values_run(here)
    settings = Settings(0.5, 3, 2, 10, NETWORK, 0.1, lookahead=True)
    networks = JobNetworks("new", "old", None)
    shard = Shard(1, 2, 20, 3, 0, networks, settings, (NETWORK, OTHER), (0.25, 0.75))
    pairs = Pairs(3, 12, 4, networks, OTHER, 2**61 + 1)
    saved = {"new": load_network(files.candidate(1)), "old": load_network(files.checkpoint(0))}
    made = labels.RemoteLabelWorker(labels.arguments_of(config(*HEX)))
    made.receive({"number": 2, "networks": wire.to_plain(saved)})
    made.receive({"number": 1, "networks": {}})  # which arrived late
    worker = LabelWorker(config(*HEX).make_games(), config(*HEX).run.seed)
    worker.receive(saved)
    for job in (shard, pairs):
        plain = wire.to_plain(job)
        assert wire.of_plain(plain) == job
        found, expected = wire.of_plain(made.do(plain)), worker.do(job)
        assert found[0] == expected[0] == job
        if isinstance(found, LabelledShard) and isinstance(expected, LabelledShard):
            assert [a.tobytes() for a in found.examples] == [a.tobytes() for a in expected.examples]
            assert found.worker == expected.worker
        else:
            assert found == expected


def test_a_job_with_missing_networks_is_refused_with_a_message(monkeypatch):
    monkeypatch.setattr(labels, "NETWORK_TIMEOUT_SECONDS", 0.01)
    made = labels.RemoteLabelWorker(labels.arguments_of(config(*HEX)))
    pairs = Pairs(0, 0, 1, JobNetworks("new", "old"), OTHER, 0)
    with pytest.raises(RunError, match="networks of a job did not come: new, old"):
        made.do(wire.to_plain(pairs))
