"""Searches are equal with kernels as plain Python and with array bounds checks."""

import json

import numpy as np
import pytest

from meeple.games.contract.registry import make
from meeple.search.evaluators import RandomRolloutEvaluator
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from tests.modes import MODES, traces_in
from tests.search.growing import as_dict, check, grow
from tests.search.test_lockstep import searched
from tests.search.toys import Paper


def traces():
    """Return results of small searches as JSON data."""
    found: list[object] = []
    for game in (make("hex", size=3), make("nim", heaps="2,3", take=3), Paper()):
        for transpositions in (False, True):
            position = game.start()
            forest = grow(position, 40, seed=3, transpositions=transpositions)
            check(forest.tree(0), position)
            found.append(as_dict(forest.tree(0)))
            search = TreeSearch(
                OpenUct(game, UctSettings(transpositions=transpositions, solve=False)), seed=1
            )
            position.play(search.run(position, 40).best)
            found.append(search.run(position, 20).visits.tolist())
    hexagons = make("hex", size=3).start()
    noise = np.full((2, 9), 1 / 9, dtype=np.float32)
    for evaluator in (None, RandomRolloutEvaluator(2)):
        search = searched([hexagons, hexagons], evaluator, 20, leaves=3)
        search.advance(search.visit_shares().argmax(axis=1).astype(np.int32), search.live())
        search.run(evaluator or RandomRolloutEvaluator(4), 20, noise=noise, noise_fraction=0.3)
        found.append(search.result(1).visits.tolist())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_searches_are_equal_in_every_mode_of_the_compiler(mode):
    assert traces_in(mode, "tests.search.test_modes") == json.loads(json.dumps(traces()))
