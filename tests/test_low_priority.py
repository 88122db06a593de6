"""A low-priority thread pauses regularly during long work; other threads never do."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import meeple
from meeple import low_priority
from meeple.server.work import Work

PLIES = 40


class Clock:
    """A clock that passes WORK_SECONDS after four and a half calls and records every pause."""

    def __init__(self):
        self.now, self.pauses = 0.0, []

    def perf_counter(self):
        self.now += low_priority.WORK_SECONDS / 4.5
        return self.now

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(low_priority, "time", clock)
    return clock


def play():
    position = meeple.make("nim", stones=4 * PLIES).start()
    for _ in range(PLIES // 2):
        position.play(0)
    for _ in range(PLIES // 2):
        position.undo()


def test_a_low_priority_thread_pauses_after_its_seconds_of_work(clock):
    with ThreadPoolExecutor(1, initializer=low_priority.make_thread_low_priority) as executor:
        executor.submit(play).result()
    # The clock is read once a ply, and once after each pause.
    assert clock.pauses == [low_priority.PAUSE_SECONDS] * (PLIES // 5)


def test_no_other_thread_pauses(clock):
    play()
    with ThreadPoolExecutor(1) as executor:
        executor.submit(play).result()
    assert clock.pauses == []


def test_only_the_lane_of_long_work_of_a_server_has_low_priority(clock):
    work = Work()
    try:
        for lane in (work.short, work.files, work.games, work.runs):
            lane._executor.submit(play).result()
        assert clock.pauses == []
        work.long._executor.submit(play).result()
        assert clock.pauses
    finally:
        work.close()
