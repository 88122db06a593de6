"""Iterative deepening keeps its limits and uses the results of an interrupted iteration."""

import json
from typing import Any

import numpy as np
import pytest

from meeple.errors import UsageError
from meeple.games.contract.registry import make
from meeple.search.machine import slices
from meeple.search.minimax import deepening
from meeple.search.minimax.alphabeta import AlphaBeta
from meeple.search.minimax.deepening import MinimaxSettings
from meeple.search.minimax.expectimax import Expectimax
from tests.modes import MODES, traces_in
from tests.search import odd
from tests.search.wood import Wood, preference, worths

BOTH = pytest.mark.parametrize("search", [AlphaBeta, Expectimax])
HEX = make("hex", size=7)


def traces():
    """Return results of small searches as JSON data."""
    found: list[object] = []
    for seed in range(3):
        for game in (Wood(seed=seed, length=6), Wood(seed=seed, length=4, luck=True, players=3)):
            searches: list[Any] = [Expectimax] if game.players == 3 else [AlphaBeta, Expectimax]
            for search in searches:
                result = search(game).run(game.start(), 5)
                found += [result.visits.tolist(), result.value.tolist(), result.depth]
                found.append(result.principal_variation)
    nim = make("nim", heaps="1,2,2", take=2)
    found.append(AlphaBeta(nim, MinimaxSettings("even")).run(nim.start(), 5).visits.tolist())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_searches_are_equal_in_every_mode_of_the_compiler(mode):
    assert traces_in(mode, "tests.search.test_deepening") == json.loads(json.dumps(traces()))


@BOTH
@pytest.mark.parametrize("seed", range(4))
def test_a_search_in_slices_of_one_node_gives_the_same_result(search, seed, monkeypatch):
    position = Wood(seed=seed).start()
    whole = search(position.game).run(position, 5)
    monkeypatch.setattr(deepening, "FIRST_SLICE", 1)
    monkeypatch.setattr(slices, "LONGEST_SLICE", 1)
    sliced = search(position.game).run(position, 5)
    assert sliced.visits.tolist() == whole.visits.tolist()
    np.testing.assert_array_equal(sliced.values, whole.values)
    assert sliced.principal_variation == whole.principal_variation


def stop_after(questions):
    """A `stop` that returns True after a number of calls."""
    answers = iter([False] * questions)
    return lambda: next(answers, True)


@BOTH
def test_a_search_stopped_at_any_node_plays_no_worse_than_one_ply_less(search, monkeypatch):
    monkeypatch.setattr(deepening, "FIRST_SLICE", 1)
    monkeypatch.setattr(slices, "LONGEST_SLICE", 1)
    better = 0
    for seed in range(4):
        position = Wood(seed=seed, length=20).start()
        whole = [search(position.game).run(position, depth) for depth in range(1, 5)]
        ranks = [
            {action: preference(found, position) for action, found in worths(position, d).items()}
            for d in range(1, 6)
        ]
        for nodes in range(1, whole[3].nodes, 5):
            result = search(position.game).run(position, 4, stop=stop_after(nodes))
            assert result.nodes <= nodes + 1 + whole[0].nodes
            before, by = whole[result.depth - 1].best, ranks[result.depth]  # one ply deeper
            if result.best != before:
                assert by[result.best] > by[before]
                better += 1
    assert better


@BOTH
def test_within_the_margin_the_seed_chooses_and_never_beyond_it(search):
    given_away = 0
    for seed in range(60):
        position = Wood(seed=seed, length=20).start()
        result = search(position.game, MinimaxSettings(margin=0.6), seed=seed).run(position, 3)
        shares = {
            action: float(found[0][position.to_move])
            for action, found in worths(position, result.depth).items()
        }
        loss = max(shares.values()) - shares[result.best]
        assert loss < 0.6 + 1e-6
        given_away += loss > 0.1
        np.testing.assert_allclose(result.value[position.to_move], shares[result.best], atol=1e-6)
    assert given_away > 3


@BOTH
def test_a_certain_result_is_not_given_up_for_a_margin(search):
    for seed in range(20):
        position = Wood(seed=seed, length=5).start()
        exact = search(position.game).run(position, 5)
        result = search(position.game, MinimaxSettings(margin=1.0), seed=seed).run(position, 5)
        assert result.proven
        np.testing.assert_allclose(result.value, exact.value, atol=1e-6)


@BOTH
def test_the_first_ply_is_finished_in_any_time_and_others_until_the_limit(search):
    for seconds in (1e-9, 0.1):
        result = search(HEX, MinimaxSettings("even")).run(HEX.start(), seconds=seconds)
        assert 1 <= result.depth < 49
        assert result.nodes >= 49
        assert result.seconds > 0.9 * seconds


def test_a_single_action_takes_a_tenth_of_the_time_and_has_the_value_of_a_search():
    settings = MinimaxSettings(selective=True)
    search = AlphaBeta(make("gomoku"), settings)  # one candidate on the empty board
    result = search.run(search.game.start(), seconds=2)
    assert len(result.actions) == 1
    assert result.depth > 1
    assert result.seconds < 1.9


@BOTH
def test_an_invalid_limit_or_a_finished_position_is_refused(search):
    ready, start, over = search(Wood()), Wood().start(), Wood(length=1).start()
    over.play(0)
    for position, limit, said in (
        (start, {}, "depth, seconds, or both"),
        (start, {"seconds": 0}, "seconds must be above 0"),
        (start, {"seconds": float("nan")}, "seconds must be above 0"),
        (start, {"depth": 0}, "depth must be from 1 to 999"),
        (start, {"depth": 1000}, "depth must be from 1 to 999"),
        (HEX.start(), {"depth": 1}, "cannot search"),
    ):
        with pytest.raises(UsageError, match=said):
            ready.run(position, **limit)
    with pytest.raises(UsageError, match="over"):
        search(over.game).run(over, 1)


@BOTH
def test_a_heuristic_that_gives_no_number_is_reported(search):
    game = odd.Odd()
    with pytest.raises(UsageError, match="heuristic of odd gave a share that is no number"):
        search(game).run(game.start(), 1)


def test_alpha_beta_refuses_hidden_information(monkeypatch):
    monkeypatch.setattr(odd, "resample", odd.play, raising=False)
    with pytest.raises(UsageError, match="alpha-beta would see what odd hides"):
        AlphaBeta(odd.Odd())
