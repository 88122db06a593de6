"""What `meeple games` tells is what the games accept."""

import json

import pytest

from meeple.cli.games import games
from meeple.errors import OptionError
from meeple.games.registry import game_names, make


@pytest.fixture
def listed(capsys):
    games(as_json=True)
    return json.loads(capsys.readouterr().out)


def test_every_game_is_listed_with_its_players(listed):
    assert [game["name"] for game in listed] == list(game_names())
    for game in listed:
        assert game["players"] == make(game["name"]).players


def test_every_default_listed_is_the_one_a_game_has(listed):
    for game in listed:
        defaults = {option["name"]: option["default"] for option in game["options"]}
        assert make(game["name"], **defaults) == make(game["name"])


def test_a_value_outside_a_listed_range_is_refused(listed):
    for game in listed:
        for option in game["options"]:
            outside = [
                option[end] + step for end, step in (("low", -1), ("high", 1)) if end in option
            ]
            for value in outside:
                with pytest.raises(OptionError, match=option["name"]):
                    make(game["name"], **{option["name"]: value})


def test_the_text_gives_each_option_a_line_with_its_range_and_default(capsys):
    games()
    lines = capsys.readouterr().out.splitlines()
    sizes = [line for line in lines if line.strip().startswith("size ") and "cells" in line]
    assert len(sizes) == 3  # Hex, Gomoku, Reversi
    assert all("default" in line for line in sizes)
    assert sum("from 3 to 19" in line for line in sizes) == 2
