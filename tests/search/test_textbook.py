"""The compiled searches equal `examples/mcts.py` visit for visit with the same random numbers.

Proofs and sharing are off; games of UCT have no kernel `rollout`, which may draw differently.
"""

import numpy as np
import pytest

from examples import mcts
from examples.third_party_game import Domineering
from meeple.games.contract.registry import make
from meeple.search.determinization import Determinizer
from meeple.search.mcts.information_set import MAX_DETERMINIZATIONS, InformationSetUct
from meeple.search.mcts.lockstep import Lockstep, LockstepSettings
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from tests.games.race import Race
from tests.naive.generator import Generator
from tests.search.agreement import decision, same
from tests.search.coin import Coin
from tests.search.prize import Prize
from tests.search.test_lockstep import FixedEvaluator, evaluation_of
from tests.search.toys import Paper
from tests.search.tricks import Tricks
from tests.tiers import few_quick

HEX3 = make("hex", size=3)


# ---------------------------------------------------------------- UCT


@pytest.mark.parametrize("simulations", [2, 30, 250])
@pytest.mark.parametrize(
    ("game", "plies"),
    [
        (Prize(), 0),
        (Paper(), 0),
        (Domineering(size=3), 0),
        (Domineering(size=5), 6),
        (Race(goal=3), 0),
        (Race(), 8),
    ],
    ids=repr,
)
def test_uct_equals_the_textbook_visit_for_visit(game, plies, simulations):
    settings = UctSettings(c=1.1, solve=False, transpositions=False)
    for seed in range(3):
        position = decision(game, seed, plies)
        result = TreeSearch(OpenUct(game, settings), seed=seed).run(position, simulations)
        assert same(result, mcts.uct(position, simulations, Generator(seed, 0), 1.1))


# ---------------------------------------------------------------- PUCT


@pytest.mark.parametrize("c", [0.3, 1.0, 2.5])
@pytest.mark.parametrize(
    ("game", "plies"),
    [(HEX3, 0), (HEX3, 3), (make("nim", heaps="3,5,7"), 0), (Race(), 4)],
    ids=repr,
)
def test_puct_equals_the_textbook_visit_for_visit(game, plies, c):
    position = decision(game, seed=5, plies=plies)
    search = Lockstep(game, 1, LockstepSettings(c=c, solve=False), seed=3)
    search.begin([position])
    search.run(FixedEvaluator(), 300)
    assert same(search.result(0), mcts.puct(position, 300, Generator(3), evaluation_of, c))


# ---------------------------------------------------------------- information sets


def determinizations(position, simulations, rng):
    """Draw like the compiled search: many at once, from the generator of the search."""
    determinizations, twin = Determinizer(position.game), position.copy()
    count = min(MAX_DETERMINIZATIONS, simulations)
    rows = np.empty((count, position.game.state_bytes), dtype=np.uint8)
    while True:
        determinizations.fill(position, rows, rng.record)
        for row in rows:
            twin.row[:] = row
            yield twin.copy()


@pytest.mark.parametrize("simulations", few_quick([100, 2, 700]))
@pytest.mark.parametrize(
    ("game", "plies"), [(Coin(), 0), (Coin(), 1), (Tricks(), 0), (Tricks(), 4)], ids=repr
)
def test_search_by_information_sets_equals_the_textbook_visit_for_visit(game, plies, simulations):
    for seed in range(3):
        position, rng = decision(game, seed, plies), Generator(seed)
        result = TreeSearch(InformationSetUct(game, c=0.9), seed=seed).run(position, simulations)
        samples = determinizations(position, simulations, rng)
        root = mcts.information_set_uct(samples, simulations, rng, 0.9)
        assert same(result, root)
