"""The bench of a tournament's answers, for a moment."""

import argparse
import asyncio

import meeple
from bench.oht import measure
from meeple.oht.rules import TournamentRules
from tests.oht.hosts import PATIENCE, hosting, token_of


def test_round_trips_are_measured_with_others_connected(tmp_path):
    names = [str(number) for number in range(6)]
    rules = TournamentRules(games=1000, seconds=PATIENCE, series_at_once=1)
    args = argparse.Namespace(playing=2, size=5, think=1.0, seconds=0.5, unfinished=0)
    with hosting(tmp_path, names, rules, game=meeple.make("hex", size=5)) as host:
        found = asyncio.run(measure(args, host.port, [token_of(name) for name in names]))
    assert found["connected"] == 6
    assert found["moves"] > 0
    assert found["logins"] > 0
    assert found["login_most_ms"] > 0
    assert 0 < found["p50_ms"] <= found["p95_ms"] <= found["most_ms"]
