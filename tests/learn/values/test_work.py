"""Labels and decisions do not depend on the workers or the order of results."""

import json

import numpy as np
import pytest

import meeple
from meeple.errors import UsageError
from meeple.executors.threads import InThisThread
from meeple.files import write_atomically
from meeple.learn.loop import start_run, train
from meeple.learn.methods.gate import DifferenceTest, GateMatch
from meeple.learn.values.jobs import Job, JobNetworks, Result, games_of, read_shard
from meeple.learn.workers.labels import GATE, LABELLING, LabelWorker, LocalLabelWorkers
from meeple.learn.workers.local import LocalBackend
from meeple.search.values.features import features_of
from meeple.search.values.file import network_of
from meeple.search.values.labels import NETWORK, OTHER, WEIGHTED, Labeller
from meeple.search.values.network import Widths, untrained
from meeple.tensor_file import SavedWeights
from tests.learn.small import Heard, Remembering
from tests.learn.values.test_loop import config, saved_state, values_run, weights

pytestmark = pytest.mark.slow

SEED = 5
GAMES = (meeple.make("hex", size=4),) * 2  # a game and a variant of it
SMALL = ('game.name="catan-reduced"', "game.options={}", "game.variants=[{players=2}]")
NEVER = lambda: False  # noqa: E731  # as a caller has it


class Backwards(InThisThread[LabelWorker, Job, Result]):
    """Runs four jobs at a time and returns the last result first."""

    def __init__(self, worker):
        super().__init__(worker, LabelWorker.do, games_of)

    @property
    def wanted(self):
        return max(0, 4 - len(self._jobs))

    def gather(self):
        self._jobs.rotate(1)
        return super().gather()


def work_backwards(pairs):
    work = LocalLabelWorkers(GAMES, SEED, NEVER)
    work.pairs_per_job, work._executor = pairs, Backwards(work._workers[0])
    return work


def saved(seed):
    weights = untrained(features_of(GAMES[0]), Widths(4, 8, 8, 4), seed)
    return SavedWeights(weights, "hex", {})


KNOWN = {"new": saved(1), "old": saved(2)}
NETWORKS = JobNetworks("new", "old")


def play_sequentially(policy, seed, games, test):
    """Play the match sequentially, pair by pair, until the test decides."""
    labellers = [
        Labeller(game, *[network_of(KNOWN[name], game, name) for name in ("new", "old")])
        for game in GAMES
    ]
    shares = []
    for pair in range(games):
        labeller = labellers[pair % len(GAMES)]
        players = labeller.game.players
        round_, seat = divmod(pair // len(GAMES), players)
        board = int(np.random.default_rng((seed, round_)).integers(2**62))
        got = []
        for mine in (NETWORK, OTHER):
            seats = np.full(players, policy, dtype=np.int8)
            seats[seat] = mine
            alone = policy == mine == OTHER
            got.append(1 / players if alone else float(labeller.play_game(board, seats)[seat]))
        shares.append(got[0])
        decided = test.add(got[0] - got[1])
        if decided is not None:
            return decided, len(shares), float(np.sum(shares) / len(shares)), test.mean
    return None, len(shares), float(np.sum(shares) / len(shares)), test.mean


@pytest.mark.parametrize(
    ("policy", "gain", "error", "games"), [(WEIGHTED, 0.4, 0.3, 200), (OTHER, 0.001, 0.001, 90)]
)
def test_a_decision_equals_that_of_sequential_pairs(policy, gain, error, games):
    decided, count, share, mean = play_sequentially(policy, 9, games, DifferenceTest(gain, error))
    assert (decided is None) == (games == 90)
    here = LocalLabelWorkers(GAMES, SEED, NEVER), LocalLabelWorkers(GAMES, SEED, NEVER, threads=2)
    for work in (*here, work_backwards(1), work_backwards(7), work_backwards(1000)):
        work.publish(KNOWN)
        test = DifferenceTest(gain, error)
        found = GateMatch(("them", policy), NETWORKS, 9, games, test).play(work)
        assert (found.accepted, found.games, found.difference) == (decided, count, mean)
        assert found.share == pytest.approx(share, abs=1e-12)
        tally = work.tally(GATE)
        assert tally.used == count * (1 if policy == OTHER else 2)
        assert tally.begun == tally.finished >= tally.used
        work.close()


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    run = tmp_path_factory.mktemp("work") / "run"
    start_run(config(*SMALL), run)
    train(run)
    return run


def contents(run):
    """Return everything that a run has learned, without durations."""
    files = values_run(run)
    history = [{**entry, "seconds": None} for entry in saved_state(run).history]
    shards = [path for round_ in (0, 1) for path in files.shards(round_)]
    arrays = {path.name: [a.tobytes() for a in read_shard(path)] for path in shards}
    fitted = {name: value.tobytes() for name, value in weights(run, 1).items()}
    return history, arrays, fitted


@pytest.mark.parametrize("workers", [2, 3])
def test_a_run_learns_the_same_with_several_workers(unbroken, tmp_path, workers):
    run, heard, settings = tmp_path / "run", Heard(), config(*SMALL)
    start_run(settings, run)
    backend = Remembering(LocalBackend(workers))
    train(run, heard, backend=backend)
    work = backend.workers
    assert contents(run) == contents(unbroken)
    assert work.tally(LABELLING).used == work.tally(LABELLING).begun == 8  # games, two per shard
    assert any(text.endswith(f"a second by {workers} workers") for text in heard.messages)


def test_existing_shards_are_not_recomputed_whatever_their_order(unbroken, tmp_path):
    run, settings = tmp_path / "run", config(*SMALL)
    start_run(settings, run)
    (run / "labels").mkdir()
    there = values_run(run).shard(0, 1)
    write_atomically(there, values_run(unbroken).shard(0, 1).read_bytes())
    before = there.stat().st_mtime_ns
    backend = Remembering()
    train(run, backend=backend)
    work = backend.workers
    assert there.stat().st_mtime_ns == before
    assert work.tally(LABELLING).begun == 6
    assert contents(run) == contents(unbroken)


def test_a_line_reports_the_result_of_each_shard(unbroken):
    lines = [json.loads(line) for line in (unbroken / "labels.jsonl").read_text().splitlines()]
    assert [(line["round"], line["shard"]) for line in lines] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [line["network"] for line in lines] == [None, None, *["checkpoints/00000000"] * 2]
    for line in lines:
        shard = read_shard(values_run(unbroken).shard(line["round"], line["shard"]))
        assert (line["games"], line["labels"]) == (2, shard.size)
        assert line["worker"]
        assert line["time"] > 1e9


def test_a_stop_in_the_middle_leaves_no_job_in_flight(tmp_path):
    run, settings, left = tmp_path / "run", config(*SMALL), [5]

    def stop():
        left[0] -= 1
        return left[0] < 0

    start_run(settings, run)
    for workers in (1, 2):
        left[0] = 5
        backend = Remembering(LocalBackend(workers))
        train(run, stop=stop, backend=backend)
        work = backend.workers
        assert work.tally(LABELLING).in_flight == 0
        assert work.tally(LABELLING).used == work.tally(LABELLING).finished


@pytest.mark.parametrize("threads", [0, 65])
def test_an_impossible_number_of_threads_is_refused(threads):
    with pytest.raises(UsageError, match=f"workers must be from 1 to 64, not {threads}"):
        LocalBackend(threads)
