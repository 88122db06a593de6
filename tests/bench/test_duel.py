"""A match between two checkouts, here of one with itself."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

import meeple
from bench.duel import STONES, openings

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


class Even:
    """A judge to whom every position is even."""

    def ask(self, *_words: object) -> list[float]:
        return [0.0, 0.5]


def test_openings_of_a_game_with_few_legal_moves_differ() -> None:
    found = list(itertools.islice(openings(meeple.make("reversi"), Even(), 1), 40))
    assert all(len(actions) < STONES[1] for actions in found)
    assert len(set(map(tuple, found))) > 30
