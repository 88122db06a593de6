"""The output of `meeple games` is what the games accept."""

import json

import pytest

from meeple.agents.levels import levels_for
from meeple.agents.words import in_words
from meeple.cli.games import games
from meeple.cli.shared.arguments import open_game
from meeple.errors import UsageError
from meeple.games.contract import capabilities
from meeple.games.contract.registry import game_names, make


@pytest.fixture
def listed(capsys):
    games(as_json=True)
    return json.loads(capsys.readouterr().out)


def test_every_game_is_listed_with_its_players_its_defaults_and_its_levels(listed):
    assert [game["name"] for game in listed] == list(game_names())
    for game in listed:
        made = make(game["name"], **{one["name"]: one["default"] for one in game["options"]})
        assert made == make(game["name"])
        assert game["players"] == made.players
        assert [(one["name"], one["spec"], one["words"]) for one in game["levels"]] == [
            (level.name, level.spec, in_words(level.spec, made))
            for level in levels_for(made).levels
        ]


def test_the_text_gives_each_option_a_line_with_its_range_and_default(capsys, monkeypatch):
    monkeypatch.setattr("meeple.games.contract.registry._registered", {})  # no games of other tests
    games()
    lines = capsys.readouterr().out.splitlines()
    sizes = [line for line in lines if line.strip().startswith("size ") and "cells" in line]
    assert len(sizes) == 3  # Hex, Gomoku, Reversi
    assert all("default" in line for line in sizes)
    assert sum("from 3 to 19" in line for line in sizes) == 1
    assert sum("from 3 to 20" in line for line in sizes) == 1


def test_a_single_game_is_described(capsys):
    games("nim")
    out = capsys.readouterr().out
    assert out.startswith("nim (2 players): ")
    assert "hex" not in out
    _, _, levels = out.partition("Levels:\n")
    assert [line.split()[0] for line in levels.splitlines()] == list(levels_for(make("nim")).steps)
    assert "sees wins and losses in one move" in levels.splitlines()[0]


def test_the_board_of_a_game_is_printed_for_play_on_paper(capsys, tmp_path):
    games("catan", layout=True, option=["board=balanced"], seed=5)
    file = tmp_path / "island.json"
    file.write_text(capsys.readouterr().out)
    again = open_game("catan", [f"board={file}"]).start(0)
    there = make("catan", board="balanced").start(5)
    assert capabilities.layout(again) == capabilities.layout(there)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"layout": True}, "--layout needs a game"),
        ({"game": "hex", "layout": True}, "hex has no layout"),
        ({"game": "hex", "option": ["size=5"]}, "go with --layout"),
        ({"game": "chess"}, "there is no game 'chess'"),
    ],
)
def test_an_invalid_request_is_refused_with_a_message(arguments, sentence):
    with pytest.raises(UsageError, match=sentence):
        games(**arguments)
