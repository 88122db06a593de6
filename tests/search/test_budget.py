"""Every search refuses an impossible limit in a sentence."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.games.contract.registry import make
from meeple.search.budget import Budget
from meeple.search.checks import MAX_SECONDS, check_seconds, check_simulations
from meeple.search.evaluators import UniformEvaluator
from meeple.search.machine import slices
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct

NIM = make("nim", stones=9)
NO_TIME = [0, 0.0, -1, -0.001, math.nan, math.inf, -math.inf, 1e300, MAX_SECONDS * 1.01]
NO_COUNT = [0, -5, 10**12, 2.5, math.nan]


def searches():
    return TreeSearch(OpenUct(NIM)), TreeSearch(Puct(NIM, UniformEvaluator()))


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({}, "needs a limit"),
        *(({"seconds": one}, "seconds must be above 0 and at most 86400") for one in NO_TIME),
        *(({"simulations": one}, "simulations must be a whole number") for one in NO_COUNT),
    ],
    ids=str,
)
def test_a_search_refuses_an_impossible_limit(limit, said):
    for search in searches():
        with pytest.raises(UsageError, match=said):
            search.run(NIM.start(), **limit)


def test_valid_limits_are_accepted():
    of_time: list[Any] = [0.001, 1, MAX_SECONDS, np.float32(0.5), None]
    for seconds in of_time:
        check_seconds(seconds)
    of_count: list[Any] = [1, np.int64(7), 10**9, None]
    for simulations in of_count:
        check_simulations(simulations)


def test_expired_time_limit_still_gives_an_action():
    for search in searches():
        assert search.run(NIM.start(), seconds=1e-9).best in NIM.start().legal_actions()


@pytest.mark.parametrize("until", [0.0002, 0.001, 0.002, 0.004, 0.006, 0.008, 0.0099])
def test_a_short_search_keeps_its_time_though_simulations_become_seven_times_slower(
    monkeypatch, until
):
    now = 0.0

    def run(count):
        nonlocal now
        now += count * (3e-7 if now < until else 21e-7)
        return count

    monkeypatch.setattr(slices, "time", SimpleNamespace(perf_counter=lambda: now))
    Budget(seconds=0.01, began=0.0).spend(run)
    assert 0.01 <= now <= 1.2 * 0.01 + 0.003
