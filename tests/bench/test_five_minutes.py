"""The bench of games that are learned in five minutes: its games, its runs and its table."""

from pathlib import Path

import pytest

from bench.five_minutes import measure
from meeple import kernels
from meeple.games.contract.patterns import HasPatterns

CONNECT_FOUR = measure.Learned(measure.EXAMPLES / "connect_four.py", {"rows": 4, "columns": 4})


@pytest.mark.parametrize("name", ["hex", "gomoku", "othello"])
def test_built_in_games_are_known_by_their_rules_alone(name: str) -> None:
    game = measure.GAMES[name].make()
    assert not isinstance(game, HasPatterns)
    optional = set(range(len(kernels.GAME_KERNELS))) - set(kernels.REQUIRED)
    assert not any(game.has(kernel) for kernel in optional)


@pytest.mark.slow
def test_game_is_learned_measured_and_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "GAMES", {"four": CONNECT_FOUR})
    monkeypatch.setattr(measure, "ROUND_GAMES", 20)
    row = measure.measure("four", 0.002, 4, tmp_path)
    assert row["won"] + row["drawn"] + row["lost"] == row["games"] == 4
    assert row["learned_games"] >= 20
    assert measure.measure("four", 0.002, 4, tmp_path) == row
    *_, line = measure.table([row]).splitlines()
    assert line.startswith("| four rows=4 columns=4 |")
