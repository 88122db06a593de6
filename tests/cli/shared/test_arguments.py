"""Options as words, or as files named by words, are passed to the game or refused."""

import sys

import pytest

import meeple
from meeple.cli.shared.arguments import open_game
from meeple.cli.shared.words import title
from meeple.errors import OptionError
from meeple.games.catan.rules.layout import BEGINNER, layout_text
from meeple.shell import command_line


def test_options_are_passed_to_the_game():
    assert open_game("hex", ["size=5", "swap = on"]) == meeple.make("hex", size=5, swap=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["size"], "name=value"),
        (["=5"], "name=value"),
        (["size=5", "size=6"], "'size' is given twice"),
        (["sise=5"], "hex has no option 'sise'"),
        (["size=99"], "size must be a whole number from 3 to 19, not '99'"),
    ],
)
def test_an_invalid_option_is_named_with_the_allowed_values(words, sentence):
    with pytest.raises(OptionError, match=sentence):
        open_game("hex", words)


def test_an_option_value_ending_in_json_names_a_file_with_the_value(tmp_path):
    file = tmp_path / "island.json"
    file.write_text(layout_text(BEGINNER))
    game = open_game("catan", [f"board={file}"])
    assert game == meeple.make("catan", board=layout_text(BEGINNER))
    assert "board=..." in title(game)


def test_an_invalid_layout_and_a_missing_file_are_reported(tmp_path):
    file = tmp_path / "island.json"
    with pytest.raises(OptionError, match=r"there is no file .*island.json$"):
        open_game("catan", [f"board={file}"])
    file.write_text(layout_text(BEGINNER).replace("desert", "ore 5"))
    with pytest.raises(OptionError, match=r"^catan: board: .*ore .* not 4$"):
        open_game("catan", [f"board={file}"])
    file.write_bytes(b"\xff")
    with pytest.raises(OptionError, match=r"cannot read .*island.json: "):
        open_game("catan", [f"board={file}"])


def test_a_printed_command_names_the_program_by_its_path_only_if_it_is_not_on_path(
    tmp_path, monkeypatch
):
    file = tmp_path / "bin" / "meeple"
    file.parent.mkdir()
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(file)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_line("serve") == f"{file} serve"
    monkeypatch.setenv("PATH", str(file.parent))
    assert command_line("serve") == "meeple serve"
