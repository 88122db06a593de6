"""The swap openings of Gomoku: who places, who chooses, and whose the stones are afterwards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meeple import kernels
from meeple.errors import OptionError
from meeple.games.contract.board_game import owners
from meeple.games.gomoku.game import Gomoku
from meeple.kernels.table import caller
from tests.games.gomoku.boards import play_beside
from tests.naive.gomoku import NaiveGomoku

heuristic = caller("heuristic")
identity = caller("identity")


def play(game, names):
    position = game.start()
    for name in names.split():
        position.play(position.parse_action(name))
    return position


def movers(game, names):
    """Return the seat to move before each action and after the last one."""
    position, found = game.start(), []
    for name in names.split():
        found.append(position.to_move)
        position.play(position.parse_action(name))
    return [*found, position.to_move]


def names_of(position):
    return [position.action_name(action) for action in position.legal_actions().tolist()]


def key_of(position):
    key = np.zeros(2, np.uint64)
    identity(position.game.address_of(kernels.IDENTITY), position.address, key.ctypes.data)
    return tuple(key.tolist())


def shares(position):
    out = np.zeros(2)
    heuristic(position.game.address_of(kernels.HEURISTIC), position.address, out.ctypes.data)
    return out.tolist()


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
    assert movers(Gomoku(size=7, opening=opening), names) == seats


def test_choices_are_the_only_legal_actions_when_a_colour_is_chosen():
    assert names_of(play(Gomoku(opening="swap"), "a1 b1 c1")) == ["black", "white"]
    assert names_of(play(Gomoku(opening="swap2"), "a1 b1 c1")) == ["black", "white", "more"]
    later = play(Gomoku(opening="swap2"), "a1 b1 c1 more d1 e1")
    assert names_of(later) == ["black", "white"]
    assert not {"black", "white", "more"} & set(names_of(Gomoku(opening="swap2").start()))


@pytest.mark.parametrize(("choice", "black"), [("black", 1), ("white", 0)])
def test_stones_belong_to_the_player_who_chose_their_colour(choice, black):
    position = play(Gomoku(size=7, opening="swap"), f"a1 b1 c1 {choice}")
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
        position.play(position.parse_action(name))
    stones, choice = (True, False), (False, True)
    assert found == [stones, stones, stones, choice, stones, stones, choice]
    assert not position.observation(0)[4:].any()
    assert game.symmetries()[0].action[-3:].tolist() == [49, 50, 51]


@settings(max_examples=25)
@given(st.sampled_from(["swap", "swap2"]), st.integers(4, 7), st.booleans(), st.integers(0, 2**32))
@pytest.mark.slow
def test_random_games_agree_with_the_naive_rules(opening, size, renju, seed):
    row = 5 if renju else 4
    rule = "renju" if renju else "freestyle"
    position = Gomoku(size=size, in_a_row=row, rule=rule, opening=opening).start()
    naive, choice = (
        NaiveGomoku(size, row, renju=renju, opening=opening),
        np.random.default_rng(seed),
    )
    play_beside(position, naive, choice)


def test_black_of_renju_is_the_player_who_chose_it():
    names = "h8 a1 i8 black a15 g7 o15 g6 o1"
    position = play(Gomoku(rule="renju", opening="swap"), names)
    assert position.to_move == 1
    assert position.game.scene(position).facts["closed"] == {str(7 * 15 + 6): "double three"}


def test_equal_stones_of_different_stages_have_different_keys():
    game = Gomoku(size=8, opening="swap2")
    stages = [
        play(game, names)
        for names in ("a1 b1 c1", "a1 b1 c1 white", "a1 b1 c1 more", "a1 b1 c1 more d1 e1")
    ]
    stages.append(play(game, "a1 b1 c1 more d1 e1 white"))
    assert len({key_of(position) for position in stages}) == len(stages)
    assert key_of(stages[1]) == key_of(play(game, "a1 b1 c1 black"))


def test_heuristic_gives_the_chooser_the_better_colour():
    game = Gomoku(size=9, in_a_row=4, opening="swap")
    balanced, black_wins = play(game, "a1 c1 i9"), play(game, "d5 a1 e5")
    assert shares(game.start()) == [0.5, 0.5]
    for position in (balanced, black_wins):
        assert shares(position)[1] >= 0.5
    assert shares(black_wins)[1] > shares(balanced)[1]


def test_openings_are_for_rows_that_they_cannot_complete():
    with pytest.raises(OptionError, match="opening=swap2 is for in_a_row of 4 or more, not 3"):
        Gomoku(size=5, in_a_row=3, opening="swap2")
