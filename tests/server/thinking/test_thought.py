"""A search result has finite numbers, and names only visible actions."""

import dataclasses
import json
import math

import numpy as np

import meeple
from meeple.agents.agent import Analysis
from meeple.agents.search_agent import SearchAgent
from meeple.search.evaluators import NetworkEvaluator
from meeple.search.mcts.puct import Puct
from meeple.search.mcts.search import TreeSearch
from meeple.server.thinking.thought import Totals, seen_line, thought_of
from tests.search.coin import Coin

HEX = meeple.make("hex", size=3)


def analysis(actions, visits, values, value, line=None):
    visits = np.array(visits, dtype=np.int64)
    return Analysis(
        actions=np.array(actions, dtype=np.int32),
        visits=visits,
        policy=(visits / visits.sum()).astype(np.float32),
        value=np.array(value),
        principal_variation=tuple(line or (actions[int(visits.argmax())],)),
        simulations=int(visits.sum()),
        seconds=0.5,
        action_values=np.array(values),
    )


def test_numbers_are_rounded_and_never_nan():
    found = analysis([0, 4], [3, 0], [[2 / 3, 1 / 3], [math.nan, math.nan]], [2 / 3, 1 / 3])
    thought = thought_of("uct:sims=3", HEX.start(), found)
    assert thought["action_values"] == [[0.6667, 0.3333], [None, None]]
    assert thought["names"] == ["a1", "b2"]
    assert json.loads(json.dumps(thought, allow_nan=False)) == thought


def test_a_network_search_reports_the_output_of_the_network():
    def first_cell(observations, legal):
        policy = np.where(np.arange(9) == 0, 0.5, 0.0625).astype(np.float32)
        return policy * legal, np.full((len(legal), 2), 0.5, dtype=np.float32)

    search = TreeSearch(Puct(HEX, NetworkEvaluator(first_cell)))
    agent, position = SearchAgent(search, simulations=20, seconds=None), HEX.start()
    agent.choose(position)
    assert agent.analysis is not None
    assert thought_of("puct:hex7", position, agent.analysis)["raw"] == [0.5] + [0.0625] * 8


def test_a_line_is_named_while_its_actions_are_legal():
    position = HEX.start()
    assert [name for _, name in seen_line(position, (4, 0, 0, 1))] == ["b2", "a1"]
    assert position.actions == ()


def test_a_line_ends_at_chance_or_at_hidden_information_of_another_seat():
    game = Coin()
    position = game.start(seed=1)
    while position.to_move < 0:
        position.play_chance()
    legal = position.legal_actions().tolist()
    mover, after = position.to_move, position.copy()
    after.play(legal[0])
    assert after.to_move != mover
    assert len(seen_line(position, (legal[0], 0, 0))) == 1


def test_results_of_restarted_searches_are_added_up():
    totals = Totals()
    totals.add(analysis([1, 2], [3, 1], [[0.5, 0.5], [1.0, 0.0]], [0.625, 0.375]), True)
    nan = [math.nan, math.nan]
    both = totals.add(analysis([2, 5], [6, 2], [[0.5, 0.5], nan], [0.5, 0.5], [2, 7]), True)
    assert both.actions.tolist() == [1, 2, 5]
    assert both.visits.tolist() == [3, 7, 2]
    assert both.action_values is not None
    assert both.action_values[1].tolist() == [4 / 7, 3 / 7]
    assert both.value is not None
    assert np.allclose(both.value, [(4 * 0.625 + 8 * 0.5) / 12, (4 * 0.375 + 8 * 0.5) / 12])
    assert both.principal_variation == (2, 7)
    assert (both.simulations, both.seconds) == (12, 1.0)


def test_a_proven_result_is_not_averaged_with_earlier_ones():
    totals = Totals()
    totals.add(analysis([1, 2], [3, 1], [[0.5, 0.5], [1.0, 0.0]], [0.625, 0.375]), True)
    found = analysis([1, 2], [9, 1], [[0.0, 1.0], [0.0, 1.0]], [0.0, 1.0])
    proven = totals.add(dataclasses.replace(found, proven=True), True)
    assert proven.proven
    assert proven.value is not None
    assert proven.value.tolist() == [0.0, 1.0]


def test_the_last_result_of_a_continued_search_is_complete():
    totals = Totals()
    totals.add(analysis([1], [3], [[0.5, 0.5]], [0.5, 0.5]), False)
    both = totals.add(analysis([1], [9], [[0.25, 0.75]], [0.25, 0.75]), False)
    assert both.visits.tolist() == [9]
    assert both.simulations == 12
