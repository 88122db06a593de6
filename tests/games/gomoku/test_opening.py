"""The swap openings of Gomoku: who places, who chooses, and whose the stones are afterwards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple.errors import OptionError
from meeple.games.contract.board_game import owners
from meeple.games.gomoku.game import Gomoku
from tests.games.gomoku.boards import after, play_beside
from tests.games.moves import key_of, names_of, shares_of


@pytest.mark.parametrize(
    ("opening", "names", "seats"),
    [
        ("swap", "a1 b1 c1 white d1 e1", [0, 0, 0, 1, 1, 0, 1]),
        ("swap", "a1 b1 c1 black d1 e1", [0, 0, 0, 1, 0, 1, 0]),
        ("swap2", "a1 b1 c1 white d1", [0, 0, 0, 1, 1, 0]),
        ("swap2", "a1 b1 c1 black d1", [0, 0, 0, 1, 0, 1]),
        ("swap2", "a1 b1 c1 more d1 e1 white f1", [0, 0, 0, 1, 1, 1, 0, 0, 1]),
        ("swap2", "a1 b1 c1 more d1 e1 black f1", [0, 0, 0, 1, 1, 1, 0, 1, 0]),
    ],
)
def test_players_move_in_the_order_of_the_opening(opening, names, seats):
    played = names.split()
    places = range(len(played) + 1)
    found = [after(" ".join(played[:n]), size=7, opening=opening).to_move for n in places]
    assert found == seats


def test_choices_are_the_only_legal_actions_when_a_colour_is_chosen():
    assert names_of(after("a1 b1 c1", opening="swap")) == ["black", "white"]
    assert names_of(after("a1 b1 c1", opening="swap2")) == ["black", "white", "more"]
    later = after("a1 b1 c1 more d1 e1", opening="swap2")
    assert names_of(later) == ["black", "white"]
    assert not {"black", "white", "more"} & set(names_of(Gomoku(opening="swap2").start()))


@pytest.mark.parametrize(("choice", "black"), [("black", 1), ("white", 0)])
def test_stones_belong_to_the_player_who_chose_their_colour(choice, black):
    position = after(f"a1 b1 c1 {choice}", size=7, opening="swap")
    owner = owners(position)
    assert [int(owner[0, column]) for column in range(3)] == [black, 1 - black, black]
    assert f"Black: player {black + 1}" in str(position)


def test_observation_tells_the_stages_of_the_opening_apart():
    game = Gomoku(size=7, opening="swap2")
    position = game.start()
    found = []
    for name in ["a1", "b1", "c1", "more", "d1", "e1", "black"]:
        planes = position.observation(position.to_move)
        assert planes.shape == (6, 7, 7)
        found.append((bool(planes[4].all()), bool(planes[5].all())))
        assert planes[4].any() == planes[4].all()
        position.play(name)
    stones, choice = (True, False), (False, True)
    assert found == [stones, stones, stones, choice, stones, stones, choice]
    assert not position.observation(0)[4:].any()
    assert game.symmetries()[0].action[-3:].tolist() == [49, 50, 51]


@settings(max_examples=25)
@given(st.sampled_from(["swap", "swap2"]), st.integers(4, 7), st.booleans(), st.integers(0, 2**32))
@pytest.mark.slow
def test_random_games_agree_with_the_naive_rules(opening, size, renju, seed):
    row, rule = (5, "renju") if renju else (4, "freestyle")
    game = Gomoku(size=size, in_a_row=row, rule=rule, opening=opening)
    play_beside(game.start(), np.random.default_rng(seed))


def test_black_of_renju_is_the_player_who_chose_it():
    names = "h8 a1 i8 black a15 g7 o15 g6 o1"
    position = after(names, rule="renju", opening="swap")
    assert position.to_move == 1
    assert position.game.scene(position).facts["closed"] == {str(7 * 15 + 6): "double three"}


def test_equal_stones_of_different_stages_have_different_keys():
    stages = ("", "white", "more", "more d1 e1", "more d1 e1 white", "black")
    keys = [key_of(after(f"a1 b1 c1 {more}", size=8, opening="swap2")) for more in stages]
    assert len(set(keys)) == len(stages) - 1
    assert keys[1] == keys[-1]  # both colours are chosen


def test_heuristic_gives_the_chooser_the_better_colour():
    start, balanced, black_wins = (
        shares_of(after(moves, size=9, in_a_row=4, opening="swap"))[1]
        for moves in ("", "a1 c1 i9", "d5 a1 e5")
    )
    assert start == 0.5 <= balanced < black_wins


def test_openings_are_for_rows_that_they_cannot_complete():
    with pytest.raises(OptionError, match="opening=swap2 is for in_a_row of 4 or more, not 3"):
        Gomoku(size=5, in_a_row=3, opening="swap2")
