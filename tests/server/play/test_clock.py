"""Clocks run for one seat, add increments, and resume with the remaining time."""

from meeple.server.play.clock import Clock


class Hand:
    """A clock that a test advances."""

    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


def begun(kind, seconds, increment):
    hand = Hand()
    clock = Clock(kind, seconds, increment, [float(seconds)] * 2, now=hand)
    clock.run_for(0)
    return clock, hand


def test_a_game_clock_runs_down_and_gains_its_increment_after_a_move():
    clock, hand = begun("game", 60, 5)
    hand.time += 10
    assert clock.remaining(0) == 50
    clock.run_for(1, moved=True)
    assert clock.remaining(0) == 55
    hand.time += 100
    assert clock.remaining(1) == 0
    again = Clock.new(clock.terms(), 2)  # of a table that was stored
    assert (again.left, again.running) == ([55.0, 0.0], None)


def test_a_move_clock_restarts_with_each_move():
    clock, hand = begun("move", 30, 0)
    hand.time += 20
    clock.run_for(1, moved=True)
    hand.time += 5
    clock.run_for(0, moved=True)
    assert clock.remaining(0) == 30
