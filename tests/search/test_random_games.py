"""Random games and their numbers of plies."""

import pytest

from meeple.games.contract.registry import make
from meeple.search.random_games import play_random_games
from tests.search.toys import Paper


def test_game_of_fixed_length_has_its_number_of_plies():
    position = make("nim", stones=9, take=1).start()
    assert play_random_games(position, 10, seed=1) == 90
    assert position.actions == ()
    assert position.to_move == 0


def test_chance_counts_as_a_ply_and_every_move_is_equally_likely():
    # By hand: two plies by A and C; by B two with probability 1/4, else three.
    plies = play_random_games(Paper().start(), 30_000, seed=2) / 30_000
    assert plies == pytest.approx(2 + 1 / 3 * 3 / 4, abs=0.01)


def test_seed_determines_the_games():
    position = make("hex", size=5).start()
    first, again, other = (play_random_games(position, 100, seed=s) for s in (1, 1, 2))
    assert first == again != other
