"""After `meeple warmup` no kernel remains to be compiled."""

import os
import subprocess
import sys

import pytest

from meeple import kernels
from meeple.cli.main import run
from meeple.extras import is_installed
from meeple.kernels import cache as kernel_cache

PLAY = """
import numpy as np
from meeple import kernels
from meeple.kernels import cache as kernel_cache
from meeple.cli import warmup
from meeple.games.contract.registry import make
for game in (make("hex", size=3), make("nim", stones=5), make("ledge")):
    warmup.use_positions(game)
    warmup.search_by_rollouts(game)
    warmup.search_by_networks(game)
    warmup.search_by_plies(game)
    warmup.solve(game)
    warmup.count_positions(game)
warmup.search_by_values()
warmup.label_values()
print(*kernel_cache.newly_compiled())
"""
TRAIN = """
import sys
from meeple.kernels import cache as kernel_cache
from meeple.learn.config import parse_config
from meeple.learn.loop import start_run, train
for mode in ("on-policy", "alphazero"):
    config = parse_config(
        'game.name = "hex"\\ngame.options.size = 3',
        (f"search.mode={mode}", "run.episodes=4", "selfplay.games=2", "search.simulations=8",
         "network.hidden=[8]", "training.batch_size=8", "run.networks=2", "matches.games=2"),
    )
    start_run(config, f"{sys.argv[1]}/{mode}")
    train(f"{sys.argv[1]}/{mode}")
print(*kernel_cache.newly_compiled())
"""


@pytest.mark.nightly("no kernel is left to compile after a warmup")
@pytest.mark.skipif(not kernels.COMPILED, reason="nothing is compiled")
def test_another_process_compiles_nothing_after_a_warmup(capsys, tmp_path):
    assert run(["warmup"], debug=True) == 0
    report = capsys.readouterr().out
    for name in ("nim", "ledge", "hex", "search by rollouts", "exact solver"):
        assert f"\n{name}" in f"\n{report}"
    assert str(kernel_cache.cache_folder()) in report
    work = PLAY + TRAIN if is_installed("torch") else PLAY
    done = subprocess.run(
        [sys.executable, "-c", work, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
