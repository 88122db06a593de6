"""Every agent reports a fault of a game's rules that it meets in a sentence with the line.

Here in plain Python; `test_bounds.py` plays the same games compiled.
"""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import meeple
from meeple.errors import KernelError
from meeple.games.contract import registry
from meeple.games.contract.registry import load_game_file
from meeple.interop.vector import VectorEnv
from tests.roots import SYS_PATH
from tests.search.faulty_games import FAULTS

SPECS = ["random", "greedy", "uct:sims=20,decisive=off", "minimax:depth=3", "playouts:sims=10"]
IN_PYTHON = [name for name in FAULTS if not name.startswith("too many")]  # there an IndexError
PLAYED = """
import json, sys
from meeple.games.contract.registry import load_game_file
from tests.search.faulty_games import met
game = load_game_file(sys.argv[1])()
print(json.dumps({spec: met(game, spec) for spec in sys.argv[2:]}))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_PYTHON)
def test_agents_name_the_line_of_a_fault_and_the_actions_that_lead_to_it(name, tmp_path):
    fault, file = FAULTS[name], FAULTS[name].write(tmp_path, "faulty")
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, str(file), *SPECS],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(SYS_PATH)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for spec, said in json.loads(done.stdout).items():
        if said is not None or not spec.startswith("playouts"):  # which may never choose it
            fault.check(file, said)


@pytest.fixture
def game(tmp_path, monkeypatch):
    """The game that has no action in one position, compiled."""
    monkeypatch.setattr(registry, "_registered", {})  # no other test can make it
    monkeypatch.setattr(registry, "_files", [])
    return load_game_file(FAULTS["no action"].write(tmp_path, "no-action"))()


def test_a_position_without_actions_is_refused_by_whoever_looks_at_it(game):
    position = game.start(0)
    for action in (2, 2, 2):
        position.play(action)
    position.play_chance()
    for look in (position.legal_actions, position.legal_mask, position.ensure_sound):
        with pytest.raises(KernelError, match=r"py:\d+: .* no action is possible, in .* 2, 2, 2"):
            look()
    with pytest.raises(KernelError, match="no action is possible"):
        meeple.agent("uct:sims=10", game).choose(position)


def play_twos(environments):
    for _ in range(200):
        environments.step(np.full(8, 2))


def test_matches_and_environments_report_the_fault(game):
    with pytest.raises(KernelError, match="no action is possible"):
        meeple.match(game, ["random", "random"], games=200, seed=1)
    with pytest.raises(KernelError, match="no action is possible"):
        play_twos(VectorEnv(game, 8))
