"""Players that are told of networks late play by the right ones; shares are read off rightly."""

import numpy as np
import pytest

from bench.stale import DelayedWorkers, pairs_of, share_of, trained
from meeple.agents.networks import checkpoint_files
from meeple.learn.loop import start_run, train
from meeple.nets.checkpoint import load
from tests.learn.small import Remembering, config


def weights_after(folder, delay, played_by=None):
    """The network of a small run, as players were so many waves behind; None: as any run."""
    start_run(config(), folder)
    last = []

    def make(run, reporter, stop):
        last.append(run.network)
        return DelayedWorkers(run, reporter, stop, delay)

    backend = Remembering(selfplay=make)
    train(folder, backend=backend)
    if played_by is not None:
        played_by += backend.workers.played_by
    return {name: array.copy() for name, array in last[-1].weights.tensors.items()}


def test_without_a_delay_it_equals_local_workers(tmp_path):
    ours = weights_after(tmp_path / "ours", 0)
    start_run(config(), tmp_path / "theirs")
    train(tmp_path / "theirs")
    theirs = load(checkpoint_files(tmp_path / "theirs")[-1][1], game="hex").weights.tensors
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_waves_are_played_by_the_network_of_so_many_waves_ago(tmp_path):
    played_by: list[int] = []
    weights_after(tmp_path / "run", 2, played_by)
    assert played_by == [0, 0, 0, 4, 8, 12]  # six waves of four games


def test_a_finished_run_is_not_trained_again(tmp_path):
    trained(tmp_path / "run", config(), 1)
    before = checkpoint_files(tmp_path / "run")[-1][1].stat().st_mtime_ns
    trained(tmp_path / "run", config(), 1)
    assert checkpoint_files(tmp_path / "run")[-1][1].stat().st_mtime_ns == before


def test_a_network_wins_half_of_itself(tmp_path):
    trained(tmp_path / "run", config(), 0)
    file = checkpoint_files(tmp_path / "run")[-1][1]
    found = share_of([*pairs_of(config().make_game(), (file, file), "alone", 10), 0.25, 0.75])
    assert found.share == pytest.approx(0.5)
    assert found.low < 0.5 < found.high
