"""After `meeple warmup` nothing is left to compile."""

import os
import subprocess
import sys

import pytest

from meeple import kernel_cache, kernels
from meeple.cli.main import run

USE_EVERYTHING = """
import numpy as np
from meeple import kernel_cache, kernels
from meeple.cli import warmup
from meeple.games.contract.registry import make
for game in (make("hex", size=3), make("nim", stones=5), make("ledge")):
    warmup.use_positions(game)
    warmup.search_by_rollouts(game)
    warmup.search_by_networks(game)
    warmup.search_by_plies(game)
    warmup.solve(game)
    warmup.count_positions(game)
print(*kernel_cache.compiled_here())
"""


@pytest.mark.skipif(not kernels.COMPILED, reason="nothing is compiled")
def test_after_a_warmup_another_process_compiles_nothing(capsys):
    assert run(["warmup"], debug=True) == 0
    report = capsys.readouterr().out
    for name in ("nim", "ledge", "hex", "search by rollouts", "exact solver"):
        assert f"\n{name}" in f"\n{report}"
    assert str(kernel_cache.cache_folder()) in report
    done = subprocess.run(
        [sys.executable, "-c", USE_EVERYTHING],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""
