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
SHORT = 60  # maximum plies of these games

CLASSES = [*map(game_class, BUILT_IN), load_game_file(RACE)]
CASES = [game(**options) for game in CLASSES for options in game.examples]


def pairs():
    """Yield each check with the first example of each game, and with others if options matter."""
    for kind in CLASSES:
        first, *others = [game for game in CASES if type(game) is kind]
        found = [(first, check) for check in conformance.CHECKS]
        found += itertools.product(others, conformance.BY_OPTIONS)
        for game, check in found:
            quick = game is first and "catan" not in kind.name
            slow = not quick or check is the_rollout_kernel_plays_uniformly
            marks = [pytest.mark.slow] if slow else []
            yield pytest.param(game, check, marks=marks, id=f"{game!r}-{check.__name__}")


@functools.cache
def short_cases() -> tuple[Game, ...]:
    """Return the games whose random game is short."""
    return tuple(game for game in CASES if is_short(game))


def is_short(game: Game) -> bool:
    shown = itertools.islice(conformance.playing(game, SEED), SHORT + 2)
    return sum(1 for _ in shown) <= SHORT + 1


@pytest.mark.parametrize(("game", "check"), [*pairs()])
def test_games_conform(game, check):
    check(GameWalk(game))


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
