"""Every game fulfils the contract: the built-in games, and a third-party example.

The checks also run with kernels as plain Python, and with array bounds checks.
"""

import functools
import itertools
import json
from pathlib import Path

import pytest

from meeple.games.check.promises import the_rollout_kernel_plays_uniformly
from meeple.games.check.walk import GameWalk
from meeple.games.contract.game import Game
from meeple.games.contract.registry import BUILT_IN, game_class, load_game_file
from tests import conformance
from tests.modes import MODES, traces_in

RACE = Path(__file__).with_name("race.py")
SEED = 3  # seed of the games that are repeated in the slow modes
SECONDS = 3.0  # of a check with other options than a game's first example
SHORT = 60  # maximum plies of these games

CLASSES = [*map(game_class, BUILT_IN), load_game_file(RACE)]
GAMES = [kind(**options) for kind in CLASSES for options in kind.examples]
# The reduced game of Catan is Catan with other options.
FIRST = [kind(**kind.examples[0]) for kind in CLASSES if not {*kind.__bases__} & {*CLASSES}]
OTHERS = [game for game in GAMES if game not in FIRST]


def pairs():
    """Yield each check with the first example of each game."""
    for game, check in itertools.product(FIRST, conformance.CHECKS):
        slow = "catan" in game.name or check is the_rollout_kernel_plays_uniformly
        marks = [pytest.mark.slow] if slow else []
        yield pytest.param(game, check, marks=marks, id=f"{game.name}-{check.__name__}")


@functools.cache
def short_cases() -> tuple[Game, ...]:
    """Return the games whose random game is short."""
    return tuple(game for game in FIRST + OTHERS if is_short(game))


def is_short(game: Game) -> bool:
    shown = itertools.islice(conformance.playing(game, SEED), SHORT + 2)
    return sum(1 for _ in shown) <= SHORT + 1


@pytest.mark.parametrize(("game", "check"), [*pairs()])
def test_games_conform(game, check):
    check(GameWalk(game))


@pytest.mark.slow
@pytest.mark.parametrize("game", OTHERS, ids=repr)
def test_games_conform_with_other_options(game):
    for check in conformance.BY_OPTIONS:
        check(GameWalk(game, SECONDS))


def traces() -> list[list[list[int]]]:
    return [conformance.trace(game, SEED) for game in short_cases()]


@pytest.fixture(scope="module")
def compiled():
    return json.loads(json.dumps(traces()))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_games_are_equal_in_every_mode_of_the_compiler(mode, compiled):
    assert traces_in(mode, "tests.games.test_conformance") == compiled


@pytest.mark.parametrize("game", CLASSES, ids=lambda game: game.name)
def test_every_game_has_a_short_example_for_the_slow_modes(game):
    assert any(type(case) is game for case in short_cases())
