"""The example Connect Four, a compiled game, agrees with known numbers and naive rules."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from meeple import match
from meeple.games.check.walk import GameWalk
from meeple.games.contract.registry import load_game_file, make
from meeple.learn.config import load
from meeple.learn.loop import start_run, train
from meeple.search.perft import perft
from tests import conformance
from tests.games import moves as named
from tests.naive import connect_four as naive

FILE = Path(__file__).resolve().parent.parent / "examples" / "connect_four.py"

# Number of sequences of n plies; no game ends before the seventh.
PERFT = (7, 49, 343, 2_401, 16_807, 117_649, 823_536)
# Number of positions after n plies: John Tromp, OEIS A212693.
POSITIONS = (7, 49, 238, 1_120, 4_263, 16_422)


@pytest.fixture(scope="module", autouse=True)
def connect_four():
    return load_game_file(FILE)


def after(moves):
    return named.after("connect-four", moves)


@pytest.mark.parametrize("check", conformance.CHECKS)
def test_connect_four_fulfils_the_contract(check):
    check(GameWalk(make("connect-four")))
    if check in conformance.BY_OPTIONS:
        check(GameWalk(make("connect-four", rows=4, columns=5)))


def test_connect_four_has_the_known_numbers_of_games():
    position = make("connect-four").start()
    assert tuple(perft(position, depth, bulk=False) for depth in range(1, 8)) == PERFT


def test_naive_rules_have_the_known_numbers_of_games_and_positions():
    empty: naive.Columns = ("",) * 7
    ways = Counter({empty: 1})
    for games, positions in zip(PERFT, POSITIONS, strict=False):
        following: Counter[naive.Columns] = Counter()
        for columns, count in ways.items():
            for child in naive.children(columns, rows=6):
                following[child] += count
        ways = following
        assert (ways.total(), len(ways)) == (games, positions)


@pytest.mark.parametrize("options", [{}, {"rows": 4, "columns": 4}, {"rows": 9}], ids=repr)
@pytest.mark.parametrize("seed", range(8))
def test_random_games_agree_with_the_naive_rules(options, seed):
    position, choice = make("connect-four", **options).start(), np.random.default_rng(seed)
    rows, width = options.get("rows", 6), options.get("columns", 7)
    columns: naive.Columns = ("",) * width
    while not position.is_over:
        assert position.legal_actions().tolist() == naive.legal(columns, rows)
        assert re.sub(r"[()]", " ", str(position)) == naive.drawing(columns, rows)
        action = int(choice.choice(position.legal_actions()))
        position.play(action)
        columns = naive.after(columns, action)
    assert naive.legal(columns, rows) == []
    shares = {"X": [1, 0], "O": [0, 1], None: [0.5, 0.5]}
    assert position.payoffs.tolist() == shares[naive.winner(columns)]


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("a g b g c g d", "a6 b6 c6 d6"),
        ("b a b a b a c a", "a3 a4 a5 a6"),
        ("a b b c c d c d d g d", "d3 c4 b5 a6"),
        ("g f f e e d e d d a d", "d3 e4 f5 g6"),
    ],
)
def test_drawing_shows_the_discs_and_the_winning_four(moves, line):
    position = after(moves)
    scene = position.game.scene(position)
    assert {scene.facts["names"][int(spot)] for spot in scene.facts["line"]} == set(line.split())
    assert not scene.clicks
    position.undo()
    scene = position.game.scene(position)
    assert scene.facts["line"] == []
    (spot,) = scene.clicks[position.parse_action(moves[-1])]
    assert scene.facts["names"][int(spot)] in line


def test_full_column_is_illegal():
    assert named.names_of(after("a a a a a a")) == list("bcdefg")


# ------------------------------------------------------------ patterns


@pytest.mark.slow
def test_patterns_learned_in_seconds_beat_the_same_search_without(tmp_path):
    config = FILE.with_name("connect_four_patterns.toml")
    changes = ("run.rounds=1", "training.games=5000", "matches.minutes=0")
    start_run(load(config, changes), tmp_path)
    train(tmp_path)
    agents = [f"minimax:eval={tmp_path},depth=4", "minimax:depth=4,heuristic=even"]
    game = make("connect-four")
    result = match(game, agents, games=40, seed=1, openings=True, workers=1)
    assert result.agents[0].share >= 0.6
