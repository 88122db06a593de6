"""Every game keeps the contract: the built-in ones, and one that a third party might have written.

Also with kernels as plain Python, and with every array index checked.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.games.registry import BUILT_IN, game_class, load_game_file
from tests import conformance

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


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_the_same_games_come_about_in_every_mode_of_the_compiler(mode, compiled):
    program = (
        "import json\nfrom tests.games import test_conformance as t\nprint(json.dumps(t.traces()))"
    )
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(root / "src"), str(root)])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {mode: "1", "PYTHONPATH": paths, "MEEPLE_QUIET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == compiled


@pytest.mark.parametrize("game", CLASSES, ids=lambda game: game.name)
def test_every_game_has_short_examples_for_the_slow_modes(game):
    assert any(type(case) is game for case in SHORT_CASES)
