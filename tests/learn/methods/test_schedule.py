"""Episode numbers are assigned once and counted once, in any order of finished waves."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple.agents.networks import checkpoint_files
from meeple.learn.methods.selfplay import WaveSchedule
from meeple.learn.run.schema import RunState, file_after
from meeple.nets.checkpoint import read_metadata
from tests.learn.small import config, trained


def run(episodes, games):
    return config(f"run.episodes={episodes}", f"selfplay.games={games}")


def test_waves_end_at_marks():
    waves = WaveSchedule(run(24, 7), RunState.before_all("float32")).next(10**9)
    assert waves == [range(7), range(7, 12), range(12, 19), range(19, 24)]


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 60), st.integers(1, 9), st.data())
@pytest.mark.slow
def test_a_run_resumed_at_any_time_counts_every_episode_once(episodes, games, data):
    state = RunState.before_all("float32")
    counted: list[int] = []
    while state.episodes < episodes:
        flight = WaveSchedule(run(episodes, games), state).next(10**9)
        order = data.draw(st.permutations(flight))
        for numbers in order[: data.draw(st.integers(1, len(order)))]:
            state.count(numbers)
            counted += numbers
            state.training = file_after(state.episodes)
            state = RunState.model_validate_json(state.to_json())  # the state can be read back
    assert sorted(counted) == list(range(episodes))
    assert (state.missing, state.top) == ([], episodes)


def test_an_episode_is_not_counted_twice():
    state = RunState.before_all("float32")
    state.count(range(4, 8))
    assert (state.episodes, state.missing, state.top) == (4, [0, 1, 2, 3], 8)
    for numbers in ([4], [3, 4], range(2, 12)):
        with pytest.raises(ValueError, match="twice"):
            state.count(numbers)


@pytest.mark.slow
def test_networks_are_spread_evenly_over_the_minutes_of_a_run(tmp_path, monkeypatch):
    """By episodes alone there were two networks: before the first, and at the time limit."""
    seconds = itertools.count()
    monkeypatch.setattr(
        "meeple.learn.loop.time", SimpleNamespace(perf_counter=lambda: float(next(seconds)))
    )
    changes = ("run.episodes=100000", "run.minutes=2", "run.networks=5", "matches.minutes=0")
    run = trained(tmp_path / "run", *changes)
    kept = [read_metadata(path).extra["seconds"] for _, path in checkpoint_files(run)]
    assert len(kept) == 5
    gaps = np.diff(kept)
    assert gaps == pytest.approx(30, abs=10)
