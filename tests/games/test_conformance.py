"""Every game keeps the contract: the built-in ones, and one that a third party might have written.

Also with kernels as plain Python, and with every array index checked.
"""

import json
from pathlib import Path

import pytest

from meeple.games.registry import BUILT_IN, game_class, load_game_file
from tests import conformance
from tests.modes import MODES, traces_in

RACE = Path(__file__).with_name("race.py")
SHORT = 60  # plies; longer games are not repeated in the slow modes

CLASSES = [*map(game_class, BUILT_IN), load_game_file(RACE)]
CASES = [game(**options) for game in CLASSES for options in game.examples]
SHORT_CASES = [game for game in CASES if game.max_plies <= SHORT]


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", CASES, ids=repr)
def test_games_conform(game, check):
    check(game)


def traces() -> list[list[list[int]]]:
    return [conformance.trace(game, 3) for game in SHORT_CASES]


@pytest.fixture(scope="module")
def compiled():
    return json.loads(json.dumps(traces()))


@pytest.mark.parametrize("mode", MODES)
def test_the_same_games_come_about_in_every_mode_of_the_compiler(mode, compiled):
    assert traces_in(mode, "tests.games.test_conformance") == compiled


@pytest.mark.parametrize("game", CLASSES, ids=lambda game: game.name)
def test_every_game_has_short_examples_for_the_slow_modes(game):
    assert any(type(case) is game for case in SHORT_CASES)
