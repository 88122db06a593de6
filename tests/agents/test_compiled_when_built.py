"""All kernels that an agent may need in a game are compiled or loaded when it is built."""

import os
import subprocess
import sys

import pytest

from meeple import kernels

PLAY = """
import sys
import numpy as np
from meeple.agents.spec import agent
from meeple.games.contract.registry import make
from meeple.kernels import cache as kernel_cache

name, options, spec = sys.argv[1], dict(eval(sys.argv[2])), sys.argv[3]
game = make(name, **options)
player, choice, late = agent(spec, game, 1), np.random.default_rng(1), []
for seed in range(2):
    position = game.start(seed)
    load = kernel_cache.KernelCache.load_overload
    def note(self, signature, context):
        late.append(f"{self._py_func.__module__}.{self._py_func.__qualname__}")
        return load(self, signature, context)
    player.begin(seed)
    kernel_cache.KernelCache.load_overload = note
    while not position.is_over and len(position.actions) < 150:
        if position.to_move < 0:
            position.play_chance()
        elif position.to_move == 0 or len(position.actions) % 5 == 0:
            position.play(player.choose(position))
        else:
            position.play(int(choice.choice(position.legal_actions())))
    kernel_cache.KernelCache.load_overload = load
print(*late)
"""
CASES = [
    ("hex", {"size": 7}, "puct:hex7,seconds=0.005"),
    ("reversi", {"size": 6}, "minimax:eval=reversi6-patterns,seconds=0.01"),
    ("gomoku", {"size": 9}, "minimax:seconds=0.01"),
    ("catan", {}, "uct:seconds=0.005"),
]
MORE_CASES = [
    ("nim", {}, "uct:seconds=0.005"),
    ("hex", {"size": 5}, "uct:seconds=0.005,threads=2"),
    ("hex", {"size": 5}, "minimax:heuristic=even,seconds=0.005"),
    ("reversi", {"size": 6}, "minimax:seconds=0.01"),
    ("reversi", {"size": 6}, "uct:seconds=0.005,prune=on,discount=0.9"),
    ("gomoku", {"size": 9, "rule": "renju"}, "uct:seconds=0.005"),
    ("catan", {}, "minimax:seconds=0.005"),
]
AT_NIGHT = pytest.mark.nightly("more agents load no kernel during a game")


@pytest.mark.slow
@pytest.mark.skipif(not kernels.COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("name", "options", "spec"),
    [*CASES, *(pytest.param(*case, marks=AT_NIGHT) for case in MORE_CASES)],
)
def test_no_kernel_is_loaded_during_a_game(name, options, spec):
    assert loaded_during_a_game(name, options, spec) == []


def loaded_during_a_game(name, options, spec):
    """Return the kernels that an agent loads after its first position, in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, name, repr(options), spec],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "MEEPLE_QUIET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
