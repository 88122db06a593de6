"""What is said of a Reversi position is true; `test_heuristic.py` has the stable discs' tests."""

import numpy as np
import pytest

from meeple.games.contract.capabilities import explanations
from meeple.games.contract.registry import make
from tests.naive.reversi import NaiveReversi


@pytest.mark.parametrize("size", [4, 8, 10])
def test_each_move_names_the_discs_that_it_turns_over(size):
    position, naive = make("reversi", size=size).start(), NaiveReversi(size)
    choice = np.random.default_rng(size)
    while not position.is_over:
        found = {int(one.at): set(one.spots) for one in explanations(position, None) if one.at}
        moves = set(position.legal_actions().tolist()) - {size * size}
        assert set(found) == moves
        for action, spots in found.items():
            turned = naive.turned(divmod(action, size), position.to_move)
            assert spots == {str(row * size + column) for row, column in turned}
        action = int(choice.choice(position.legal_actions()))
        position.play(action)
        naive.play(action)
    assert explanations(position, None) == []


def test_stable_discs_are_told_by_player():
    position = make("reversi", size=4).start()
    while not position.is_over:
        for one in explanations(position, None):
            if one.kind == "stable disc":
                scene = position.game.scene(position).facts["pieces"]
                assert {scene[int(spot)] for spot in one.spots} == {f"p{one.player}"}
                count = len(one.spots)
                assert one.sentence.startswith(f"{count} {'disc' if count == 1 else 'discs'} of ")
        position.play(int(position.legal_actions()[0]))
