"""The number of threads of training follows measured times."""

import torch

from meeple.learn.fit.learner import WAVES_BETWEEN_TRIALS, LearningThreads
from tests.learn.small import config

TOWER = ("network.kind=conv", "network.channels=4", "network.blocks=1")


def chosen(threads, seconds, waves):
    """Return the numbers chosen over some waves, where a minibatch takes `seconds[number]`."""
    found = []
    for _ in range(waves):
        found.append(threads.choose())
        threads.note(found[-1], seconds[found[-1]])
    return found


def test_both_numbers_are_measured_and_the_faster_one_is_used(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 4)
    assert chosen(LearningThreads(config(*TOWER)), {1: 3.0, 4: 1.0}, 6) == [1, 4, 4, 4, 4, 4]
    assert chosen(LearningThreads(config(*TOWER)), {1: 1.0, 4: 9.0}, 6) == [1, 4, 1, 1, 1, 1]


def test_the_slower_number_is_measured_periodically_and_may_win(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 4)
    threads, seconds = LearningThreads(config(*TOWER)), {1: 1.0, 4: 9.0}
    before = chosen(threads, seconds, 2 + WAVES_BETWEEN_TRIALS)
    assert before.count(4) == 1
    seconds[4] = 0.5  # the machine is idle again
    assert chosen(threads, seconds, 4) == [4, 4, 4, 4]


def test_an_mlp_and_a_fixed_number_are_not_measured(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 4)
    assert chosen(LearningThreads(config()), {1: 1.0}, 3) == [1, 1, 1]
    fixed = LearningThreads(config(*TOWER, "training.threads=3"))
    assert chosen(fixed, {3: 1.0}, 3) == [3, 3, 3]
