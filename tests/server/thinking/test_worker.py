"""A worker ends a search over the memory limit, and forgets games over it."""

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import psutil
import pytest

from meeple.agents.spec import agent
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.server.limits import LIMITS
from meeple.server.thinking.worker import AgentWorker, _step


def orders(**more):
    """Return a task on a board of Gomoku, whose trees grow fast."""
    terms = {"key": "one", "game": "gomoku", "options": {"size": 19}, "seed": 0, "actions": []}
    given: dict[str, Any] = {
        "number": 1,
        "seconds": None,
        "whole": None,
        "spent": 0.0,
        "games": None,
        "forget": [],
        "agent_seed": 1,
    }
    return {**terms, **given, "spec": "uct:sims=500000,threads=2", **more}


class Said:
    """The connection of a worker; it records messages."""

    def __init__(self):
        self.replies = []

    def send_bytes(self, message):
        message = json.loads(message)
        if "state" not in message:
            self.replies.append(message)


def a_worker(**limits):
    """Return a worker in this process, and its recorded messages."""
    said: Any = Said()
    return AgentWorker(said, lambda number: False, limits=replace(LIMITS, **limits)), said


def a_search_over_the_memory_limit():
    """Return the replies to two searches, and the bytes that the second, over the limit, took."""
    worker, said = a_worker(max_agent_bytes=30_000_000, min_search_bytes=3_000_000)
    worker.answer(orders(actions=[180], spec="uct:sims=2"))  # warm up: compile and load
    before = psutil.Process().memory_info().rss
    worker.answer(orders(actions=[180]))
    return said.replies, psutil.Process().memory_info().rss - before


@pytest.mark.slow
def test_a_search_over_the_memory_limit_ends_with_its_current_result():
    """It once took 2.3 GB, more than the whole server may use.

    It runs in a process of its own, where no other test takes memory at the same time.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        (_, found), taken = processes.submit(a_search_over_the_memory_limit).result()
    assert found["thought"]["memory_full"]
    assert found["action"] in found["thought"]["actions"]
    assert 1 < found["thought"]["simulations"] < 400_000
    assert taken < 200_000_000


@pytest.mark.slow
def test_an_analysis_ends_at_the_memory_limit():
    worker, said = a_worker(max_agent_bytes=30_000_000, min_search_bytes=3_000_000)
    for _ in range(2000):
        worker.answer(orders(seconds=1.0, whole=600.0))
        if not said.replies[-1]["more"]:
            break
    assert said.replies[-1]["thought"]["memory_full"]


def test_a_game_over_the_memory_limit_by_itself_is_forgotten(monkeypatch):
    worker, said = a_worker(max_worker_bytes=10**12)
    worker.answer(orders(spec="uct:sims=2"))
    assert worker._sessions
    monkeypatch.setattr(worker, "_limits", replace(LIMITS, max_worker_bytes=1))
    worker.answer(orders(spec="uct:sims=2"))
    assert not worker._sessions
    assert [reply["action"] for reply in said.replies] == [said.replies[0]["action"]] * 2


def test_every_position_of_an_offer_is_analysed():
    """An agent that follows its plan of trade would report nothing within an offer."""
    worker, said = a_worker()
    options = {"players": 3, "hidden_hands": False}
    position = Catan(**options).start(3)
    player = agent("states:catan", position.game, 1)
    player.begin(1)
    while not position.is_over and position.state.phase != c.OFFER:
        if position.to_move < 0:
            position.play_chance()
        else:
            position.play(player.choose(position))
    actions = list(position.actions)
    assert actions
    for count in (len(actions) - 1, len(actions)):
        order = {"game": "catan", "options": options, "seed": 3, "actions": actions[:count]}
        worker.answer(orders(**order, spec="states:catan", seconds=0.1, whole=1.0))
    before, within = (reply["thought"] for reply in said.replies)
    begun = before["actions"].index(actions[-1])
    assert before["labels"][begun].startswith("offer ")
    assert within["value"] is not None


@pytest.mark.parametrize(
    ("compiled", "network", "step"),
    [
        ((), None, ""),
        ((), "runs/a/nets/hex7", "loading the network hex7"),
        (("a.b.start", "a.c._search_round"), "hex7", "compiling kernel 2, search round"),
    ],
)
def test_what_a_worker_prepares_is_described(compiled, network, step):
    assert _step(compiled, network) == step
