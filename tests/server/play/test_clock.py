"""Clocks run for one seat, add increments, and resume with the remaining time."""

from meeple.server.play.clock import Clock


class Hand:
    """A clock that a test advances."""

    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


def test_a_game_clock_runs_down_and_gains_its_increment_after_a_move():
    hand = Hand()
    clock = Clock("game", 60, 5, [60.0, 60.0], now=hand)
    clock.run_for(0)
    hand.time += 10
    assert clock.remaining(0) == 50
    clock.run_for(1, moved=True)
    assert clock.remaining(0) == 55
    hand.time += 100
    assert clock.remaining(1) == 0


def test_a_move_clock_restarts_with_each_move():
    hand = Hand()
    clock = Clock("move", 30, 0, [30.0, 30.0], now=hand)
    clock.run_for(0)
    hand.time += 20
    clock.run_for(1, moved=True)
    hand.time += 5
    clock.run_for(0, moved=True)
    assert clock.remaining(0) == 30


def test_a_stored_clock_resumes_with_its_remaining_time():
    hand = Hand()
    clock = Clock("game", 60, 5, [60.0, 60.0], now=hand)
    clock.run_for(0)
    hand.time += 12
    again = Clock.new(clock.terms(), 2)
    assert (again.left, again.running) == ([48.0, 60.0], None)
