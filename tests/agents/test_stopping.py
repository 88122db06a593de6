"""A stopped agent answers at once, with a legal action and its result so far."""

import time

import numpy as np
import pytest

import meeple
from meeple.agents.kinds import AGENTS
from meeple.agents.search_agent import SearchAgent
from meeple.errors import TooLarge
from meeple.search.evaluators import NetworkEvaluator
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch

HEX = meeple.make("hex", size=5)
WAIT = 60  # seconds; far more than stopping takes


class Calls:
    """A `stop` that returns true from its n-th call on."""

    def __init__(self, first: int = 3) -> None:
        self.count, self.first = 0, first

    def __call__(self) -> bool:
        self.count += 1
        return self.count >= self.first


def equal_chances(observations, legal):
    policy = (legal / legal.sum(axis=1, keepdims=True)).astype(np.float32)
    return policy, np.full((len(legal), 2), 0.5, dtype=np.float32)


def agents():
    yield meeple.agent("uct:sims=1000000000", HEX)
    yield meeple.agent("uct:seconds=3600,threads=2", HEX)
    yield meeple.agent("minimax:depth=25,heuristic=even", HEX)
    yield meeple.agent("minimax:depth=25,heuristic=even,threads=2", HEX)
    network = TreeSearch(Puct(HEX, NetworkEvaluator(equal_chances)))
    yield SearchAgent(network, simulations=None, seconds=3600)


def visits(agent):
    assert agent.analysis is not None
    return agent.analysis.visits


@pytest.mark.parametrize("number", range(5))
def test_stopped_search_plays_its_best_action_so_far(number):
    agent, stop, began = list(agents())[number], Calls(), time.perf_counter()
    position = HEX.start()
    action = agent.choose(position, stop)
    assert stop.count >= 3
    assert time.perf_counter() - began < WAIT
    assert agent.analysis is not None
    assert agent.analysis.principal_variation[0] == action
    assert action in position.legal_actions()


def test_search_of_determinizations_stops_on_request():
    game = meeple.make("catan", players=2)
    position = game.start(seed=1)
    while position.to_move < 0:
        position.play_chance()
    agent, stop = meeple.agent("uct:seconds=3600", game), Calls()
    assert agent.choose(position, stop) in position.legal_actions()
    assert stop.count == 3


def test_stop_that_returns_false_does_not_change_a_search():
    choices = []
    for stop in (None, lambda: False):
        agent = meeple.agent("uct:sims=3000", HEX, seed=2)
        choices.append((agent.choose(HEX.start(), stop), visits(agent).tolist()))
    assert choices[0] == choices[1]


def test_interrupted_tree_is_searched_further():
    agent = SearchAgent(
        TreeSearch(Puct(HEX, NetworkEvaluator(equal_chances))), simulations=400, seconds=None
    )
    position = HEX.start()
    agent.choose(position, Calls())
    few = visits(agent).sum()
    agent.choose(position)
    assert visits(agent).sum() == few + 400


def test_interrupted_solver_has_no_result():
    with pytest.raises(TooLarge, match="time given"):
        meeple.agent("perfect", HEX).choose(HEX.start(), lambda: True)


@pytest.mark.parametrize("name", [n for n in AGENTS if n != "human" and not AGENTS[n].path])
def test_every_agent_accepts_a_stop_function(name):
    game = meeple.make("catan" if name in ("weighted", "greedy") else "nim")
    spec = {
        "uct": "uct:sims=20",
        "playouts": "playouts:sims=20",
        "minimax": "minimax:depth=2,heuristic=even",
    }.get(name, name)
    position = game.start(seed=3)
    assert meeple.agent(spec, game).choose(position, lambda: False) in position.legal_actions()
