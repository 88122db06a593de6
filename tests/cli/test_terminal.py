"""What the commands share: options in words, colour, columns, and numbers a person can trust."""

import io

import numpy as np
import pytest

import meeple
from meeple.agents.agent import Analysis
from meeple.cli import terminal
from meeple.errors import OptionError
from meeple.games.catan.board import BEGINNER, layout_text


class Tty(io.StringIO):
    def isatty(self):
        return True


def analysis(position, value, line, simulations=1200):
    actions = position.legal_actions()
    return Analysis(
        actions=actions,
        visits=np.zeros(len(actions), dtype=np.int64),
        policy=np.full(len(actions), 1 / len(actions), dtype=np.float32),
        value=np.array(value),
        principal_variation=tuple(line),
        simulations=simulations,
        seconds=0.25,
    )


def test_options_reach_the_game():
    assert terminal.open_game("hex", ["size=5", "swap = on"]) == meeple.make(
        "hex", size=5, swap=True
    )


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
def test_a_wrong_option_is_named_with_what_is_allowed(words, sentence):
    with pytest.raises(OptionError, match=sentence):
        terminal.open_game("hex", words)


def test_a_value_that_ends_in_json_is_a_file_that_holds_it(tmp_path):
    file = tmp_path / "island.json"
    file.write_text(layout_text(BEGINNER))
    game = terminal.open_game("catan", [f"board={file}"])
    assert game == meeple.make("catan", board=layout_text(BEGINNER))
    assert "board=..." in terminal.title(game)


def test_a_layout_that_is_none_and_a_file_that_is_not_there_are_said_in_a_sentence(tmp_path):
    file = tmp_path / "island.json"
    with pytest.raises(OptionError, match=r"there is no file .*island.json$"):
        terminal.open_game("catan", [f"board={file}"])
    file.write_text(layout_text(BEGINNER).replace("desert", "ore 5"))
    with pytest.raises(OptionError, match=r"^catan: board: .*ore .* not 4$"):
        terminal.open_game("catan", [f"board={file}"])
    file.write_bytes(b"\xff")
    with pytest.raises(OptionError, match=r"cannot read .*island.json: "):
        terminal.open_game("catan", [f"board={file}"])


def test_colour_is_for_terminals_and_may_be_refused(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert terminal.in_colour(Tty())
    assert not terminal.in_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal.in_colour(Tty())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal.in_colour(Tty())


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (0.001, "<1 %"), (0.43, "43 %"), (0.9999, ">99 %"), (1, "100 %")],
)
def test_only_certainty_is_called_0_or_100_percent(share, text):
    assert terminal.percent(share) == text


def test_words_stand_in_columns_within_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "12")
    assert terminal.in_columns(["a1", "b1", "c1", "a10"]) == "a1   b1\nc1   a10"


def test_a_move_is_told_with_its_cost_your_chance_and_the_play_expected():
    position = meeple.make("nim", stones=9).start()
    told = terminal.describe_move(position, 0, "it", analysis(position, [0.3, 0.7], [0, 2, 1]), [1])
    assert told == (
        "it plays take 1 · 1,200 simulations, 0.25 s · your winning chance 70 % "
        "· expects take 3, take 2"
    )


def test_with_nobody_human_the_chance_is_the_movers():
    position = meeple.make("nim", stones=9).start()
    told = terminal.describe_move(position, 0, "it", analysis(position, [0.3, 0.7], [0]), [])
    assert "winning chance of player 1 30 %" in told
    assert "expects" not in told


def test_an_expected_play_that_is_not_legal_is_cut_short():
    position = meeple.make("nim", stones=4).start()
    assert terminal.line_of_play(position, [0, 2, 2]) == "take 1, take 3"


def test_results_are_told_by_name():
    position = meeple.make("nim", stones=1).start()
    position.play(0)
    assert terminal.describe_result(position, ["Ann", "Bob"]) == "Ann wins."
