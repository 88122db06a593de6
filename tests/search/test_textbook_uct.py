"""The compiled UCT equals `examples/mcts.py` visit for visit with the same random numbers.

The games have no `rollout` kernel, which may draw differently; proofs and sharing are off.
"""

from pathlib import Path

import pytest

from examples import mcts
from meeple.games.contract.registry import load_game_file
from meeple.search.mcts.search import TreeSearch
from meeple.search.mcts.uct import OpenUct, UctSettings
from tests.games.race import Race
from tests.naive.generator import Generator
from tests.search.agreement import decision, same
from tests.search.prize import Prize
from tests.search.toys import Paper

DOMINEERING = load_game_file(Path(__file__).parents[2] / "examples" / "third_party_game.py")


@pytest.mark.parametrize("simulations", [2, 30, 250])
@pytest.mark.parametrize(
    ("game", "plies"),
    [
        (Prize(), 0),
        (Paper(), 0),
        (DOMINEERING(size=3), 0),
        (DOMINEERING(size=5), 6),
        (Race(goal=3), 0),
        (Race(), 8),
    ],
    ids=repr,
)
def test_uct_equals_the_textbook_visit_for_visit(game, plies, simulations):
    for seed in range(3):
        position = decision(game, seed, plies)
        search = TreeSearch(
            OpenUct(game, UctSettings(c=1.1, solve=False, transpositions=False)), seed=seed
        )
        root = mcts.uct(position, simulations, Generator(seed, 0), 1.1)
        assert same(search.run(position, simulations), root)
