"""The files of `meeple new-game` can be checked, tested, played, solved and trained unchanged."""

import runpy

import pytest

from meeple.cli.main import run
from meeple.cli.new_game import Kind


@pytest.fixture(autouse=True)
def own_registry(monkeypatch, forked_checks):
    monkeypatch.setattr("meeple.games.contract.registry._registered", {})


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_each_kind_of_new_game_passes_every_check_and_its_test(kind, tmp_path, capsys, monkeypatch):
    assert run(["new-game", "my-own", "--kind", kind, "--folder", str(tmp_path)], debug=False) == 0
    told = capsys.readouterr().out
    game, test, config = (
        tmp_path / name for name in ("my_own.py", "test_my_own.py", "my_own.toml")
    )
    assert f"meeple --load {game} train {config}" in told
    assert len(game.read_text().splitlines()) < 120
    assert "@" not in game.read_text().replace("@kernel", "")
    tests = [one for name, one in runpy.run_path(str(test)).items() if name.startswith("test_")]
    assert len(tests) == 2  # of which one checks the game
    for one in tests:
        one()
    monkeypatch.setenv("MEEPLE_UNCHECKED", "1")  # it has been checked
    match = ["match", str(game), *["random"] * players(kind), "--games", "6"]
    assert run(match, debug=False) == 0


def players(kind):
    return 3 if kind is Kind.players else 2


@pytest.mark.slow
def test_a_new_game_can_be_trained_unchanged(tmp_path):
    run(["new-game", "my-own", "--kind", "players", "--folder", str(tmp_path)], debug=False)
    game, config = str(tmp_path / "my_own.py"), tmp_path / "my_own.toml"
    few = ["--set", "run.episodes=8", "--set", "selfplay.games=4", "--set", "run.networks=2"]
    train = ["--load", game, "train", str(config), "--run", str(tmp_path / "run"), *few]
    assert run([*train, "--set", "search.simulations=4"], debug=False) == 0
