"""Long work in a thread rests now and then, where it was told to; other threads never do."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import meeple
from meeple import low_priority
from meeple.server.work import Work

PLIES = 40


class Clock:
    """A clock that is at WORK after four and a half looks, and notes every rest."""

    def __init__(self):
        self.now, self.rests = 0.0, []

    def perf_counter(self):
        self.now += low_priority.WORK / 4.5
        return self.now

    def sleep(self, seconds):
        self.rests.append(seconds)
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


def test_who_gives_way_rests_after_so_much_work(clock):
    with ThreadPoolExecutor(1, initializer=low_priority.make_thread_low_priority) as executor:
        executor.submit(play).result()
    # A look a ply, and one after each rest.
    assert clock.rests == [low_priority.REST] * (PLIES // 5)


def test_no_other_thread_rests(clock):
    play()
    with ThreadPoolExecutor(1) as executor:
        executor.submit(play).result()
    assert clock.rests == []


def test_a_server_lets_long_work_give_way_and_nothing_else(clock):
    work = Work()
    try:
        for lane in (work.short, work.files, work.games, work.runs):
            lane._executor.submit(play).result()
        assert clock.rests == []
        work.long._executor.submit(play).result()
        assert clock.rests
    finally:
        work.close()
