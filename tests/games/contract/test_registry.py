"""Custom games in files: loaded by path, registered, or refused in a sentence."""

import pytest

from meeple.cli.main import run
from meeple.errors import OptionError
from meeple.games.contract.registry import (
    BUILT_IN,
    game_class,
    load_game_file,
    make,
    working_games,
)

GAME = "from meeple.games import Game\nclass Toy(Game):\n    name = '{name}'\n"


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "toy.py"
        path.write_text(text)
        return path

    return write


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    monkeypatch.setattr("meeple.games.contract.registry._registered", {})
    monkeypatch.setattr("meeple.games.contract.registry._files", [])


def test_game_of_a_loaded_file_is_registered_by_name(file):
    loaded = load_game_file(file(GAME.format(name="toy")))
    assert game_class("toy") is loaded


def test_game_of_a_file_is_made_by_its_path(file):
    with pytest.raises(OptionError, match="toy has no option"):
        make(str(file(GAME.format(name="toy"))), size=3)
    for made in (make, load_game_file):
        with pytest.raises(OptionError, match=r"there is no Python file .*gone\.py"):
            made("gone.py")


def test_file_loaded_twice_gives_the_same_game(file):
    path = file(GAME.format(name="toy"))
    assert load_game_file(path) is load_game_file(str(path))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1\n", "must define one game, a subclass of Game, not 0"),
        (GAME.format(name="a") + "class Other(Toy): name = 'b'\n", "not 2"),
        (GAME.format(name="nim"), "the name of a built-in game"),
        ("import no_such_module\n", "does not run: ModuleNotFoundError"),
        ("def\n", "does not run: SyntaxError"),
    ],
)
def test_file_without_exactly_one_new_game_is_refused(file, text, sentence):
    with pytest.raises(OptionError, match=sentence):
        load_game_file(file(text))


def test_broken_file_can_be_corrected_and_loaded(file):
    with pytest.raises(OptionError):
        load_game_file(file("x = \n"))
    assert load_game_file(file(GAME.format(name="toy"))).name == "toy"


def test_broken_plug_in_does_not_affect_other_games(plug_in_package, capsys):
    plug_in_package("meeple-broken", {"games": {"broken": "no_such_package:Game"}})
    with pytest.raises(OptionError, match=r"broken .* of meeple-broken .*: ModuleNotFoundError"):
        make("broken")
    refused: list[str] = []
    assert list(working_games(refused.append)) == list(BUILT_IN)
    assert len(refused) == 1
    assert "the game broken cannot be used" in refused[0]
    run(["games"], debug=False)
    shown = capsys.readouterr()
    assert "hex (2 players)" in shown.out
    assert "the game broken cannot be used" in shown.err
