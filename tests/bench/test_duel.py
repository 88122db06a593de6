"""A match between two checkouts, here of one with itself."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_duel_reports_the_share_and_what_moves_cost() -> None:
    words = "gomoku -o size=9 -o rule=renju --spec minimax:depth=2 --judge minimax:depth=1"
    command = [sys.executable, "-m", "bench.duel", *words.split(), "--against", str(ROOT)]
    found = subprocess.run(
        [*command, "--games", "4", "--every", "2"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    first, last = found.stdout.splitlines()
    assert first.startswith("2 games: 50.0 % (")  # equal agents without a limit of time
    assert last.startswith("4 games: 50.0 % (")
    assert last.count("2.0 plies and ") == 2
