"""Levels: every game has playable ones, and the strongest prevents an open three."""

import pytest

import meeple
from meeple.agents.levels import BY_RULES, LEVELS, NAMES, levels_for
from meeple.agents.spec import parse, within_seconds
from meeple.games.contract.registry import BUILT_IN
from meeple.server.thinking.specs import MAX_OPTION_VALUES
from tests.search.toys import Paper

BOARDS = [
    *((name, {}) for name in BUILT_IN),
    ("nim", {"heaps": "1,3,5,7", "take": 7}),
    ("hex", {"size": 3}),
    ("hex", {"size": 7, "swap": True}),
    ("hex", {"size": 11}),
    ("hex", {"size": 19}),
    ("gomoku", {"size": 3, "in_a_row": 3}),
    ("gomoku", {"size": 6, "in_a_row": 4}),
    ("gomoku", {"size": 3, "in_a_row": 3, "rule": "standard"}),
    ("gomoku", {"size": 8}),
    ("gomoku", {"size": 8, "rule": "standard"}),
    ("gomoku", {"size": 8, "opening": "swap2"}),
    ("gomoku", {"size": 8, "rule": "renju"}),
    ("gomoku", {"size": 9}),
    ("gomoku", {"size": 19, "rule": "standard"}),
    ("reversi", {"size": 4}),
    ("reversi", {"size": 6}),
    ("reversi", {"size": 10}),
    ("reversi", {"payoff": "discs"}),
    ("reversi", {"size": 10, "payoff": "discs"}),
    ("catan", {"players": 2}),
]


def board_name(board):
    name, options = board
    return "-".join([name, *map(str, options.values())])


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS, ids=board_name)
def test_every_level_of_every_board_plays_a_move(board):
    name, options = board
    game = meeple.make(name, **options)
    levels = levels_for(game)
    assert levels_for(Paper()) is BY_RULES
    assert levels is not BY_RULES
    for level in levels.levels:
        position = game.start(seed=1)
        assert meeple.agent(level.spec, game, seed=1).choose(position) in position.legal_actions()


@pytest.mark.parametrize("levels", [*LEVELS, BY_RULES], ids=lambda levels: levels.name)
def test_levels_have_names_in_order_begin_with_a_beginner_and_keep_the_limits_of_the_page(levels):
    names = list(levels.steps)
    assert names == [name for name in NAMES if name in names]
    assert levels.beginner.name == "Beginner" == names[0]
    assert len(set(levels.steps.values())) == len(names) > 1
    for level in levels.levels:
        options = parse(level.spec).options
        assert "seconds" not in options
        limits = MAX_OPTION_VALUES.keys() & options.keys()
        assert all(float(options[key]) <= MAX_OPTION_VALUES[key] for key in limits)


@pytest.mark.parametrize("by_time", [False, True])
@pytest.mark.slow
def test_strongest_level_of_gomoku_blocks_an_open_three(by_time):
    game = meeple.make("gomoku")
    position = game.start()
    for name in ("h8", "a1", "i8", "o15", "j8"):
        position.play(position.parse_action(name))
    spec = levels_for(game).strongest
    agent = meeple.agent(within_seconds(spec, 1) if by_time else spec, game, seed=1)
    answer = position.action_name(agent.choose(position))
    assert answer in ("f8", "g8", "k8", "l8")


@pytest.mark.parametrize(
    ("spec", "limited"),
    [
        ("uct:sims=100", "uct:seconds=1"),
        ("uct:sims=100,c=0.5,plies=1", "uct:c=0.5,plies=1,seconds=1"),
        ("minimax:depth=4", "minimax:seconds=1"),
        ("puct:hex7,sims=100", "puct:hex7,seconds=1"),
        ("greedy", "greedy"),
        ('engine:"a b=1,c=2",seconds=9', 'engine:"a b=1,c=2",seconds=1'),
    ],
)
def test_time_limit_replaces_all_other_limits(spec, limited):
    assert within_seconds(spec, 1) == limited
    parse(limited)
