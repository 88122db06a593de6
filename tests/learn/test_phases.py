"""The phases of the training loop, by a method that stops in one of them."""

from types import SimpleNamespace
from typing import Any

import pytest

from meeple.errors import Stopped
from meeple.learn import loop
from meeple.learn.loop import start_run, train
from tests.learn.small import config

pytestmark = pytest.mark.slow


class Phases:
    """A method of the loop that stops in one phase and records the phases that were called."""

    is_over = False

    def __init__(self, stops_in):
        self._stops_in = stops_in
        self.called: list[str] = []
        saved: list[int] = []
        state = SimpleNamespace(seconds=0.0, name="current")
        folder = SimpleNamespace(newest_state=lambda: (SimpleNamespace(name="saved"), ""))
        self.saved = saved
        self.run = SimpleNamespace(state=state, folder=folder, save=lambda: saved.append(1))

    def __getattr__(self, phase):
        def call(*arguments):
            self.called.append(phase)
            if phase == self._stops_in:
                raise Stopped
            return {}

        return call


@pytest.mark.parametrize(
    ("phase", "called", "returned"),
    [
        ("open", ["open", "close"], "current"),
        ("collect", ["open", "collect", "end", "close"], "current"),
        ("fit", ["open", "collect", "fit", "close"], "saved"),
        ("gate", ["open", "collect", "fit", "count", "gate", "close"], "saved"),
    ],
)
def test_a_stop_in_a_phase_ends_the_loop_without_saving_a_half_learned_batch(
    tmp_path, monkeypatch, phase, called, returned
):
    start_run(config(), tmp_path)
    phases = Phases(phase)
    monkeypatch.setattr(loop, "_method_of", lambda *_: phases)
    state: Any = train(tmp_path)
    assert state.name == returned
    assert phases.called == called
    assert phases.saved == []


def test_the_clock_of_a_run_advances_with_each_phase(tmp_path, monkeypatch):
    start_run(config(), tmp_path)
    phases = Phases("report")
    monkeypatch.setattr(loop, "_method_of", lambda *_: phases)
    clock = iter(range(100))
    monkeypatch.setattr("meeple.learn.loop.time.perf_counter", lambda: float(next(clock)))
    train(tmp_path)
    # After the second reading, which begins the session: the update, the gate, the matches.
    assert phases.run.state.seconds == 3.0
