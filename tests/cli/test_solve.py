"""`meeple solve`: the solution as JSON and as text."""

import contextlib
import json
from pathlib import Path

import pytest

from meeple.cli.solve.command import solve
from meeple.errors import IllegalAction, UsageError
from meeple.games.contract.registry import load_game_file
from meeple.search.exact.solver import ChanceMet
from tests.search.die import Die

LEDUC = Path(__file__).resolve().parents[2] / "examples" / "leduc.py"
COINS = LEDUC.with_name("coins.py")


def solved(capsys, game, **arguments):
    solve(game, **arguments, as_json=True)
    return json.loads(capsys.readouterr().out)


def test_the_data_has_payoffs_and_winning_actions(capsys):
    found = solved(capsys, "nim", option=["stones=22"])
    assert found["payoffs"] == [1, 0]
    assert found["winning_actions"] == ["take 2"]
    assert found["nodes"] > 0


def test_moves_are_played_before_solving_including_names_with_spaces(capsys):
    assert solved(capsys, "hex", option=["size=3"], after="b2 a1")["payoffs"] == [1, 0]
    found = solved(capsys, "nim", option=["stones=9"], after="take 2, take 2")
    assert found["winning_actions"] == ["take 1"]


def test_the_board_marks_the_winning_openings(capsys):
    solve("hex", option=["size=3"])
    board, _, words = capsys.readouterr().out.partition("player 1 (X) joins")
    assert board.count("*") == 5
    assert "player 1 to move: player 1 wins." in words
    assert "Winning moves: c1, a2, b2, c2, a3" in words


def test_a_lost_position_names_the_winner_and_marks_no_move(capsys):
    solve("hex", option=["size=3", "swap=on"])
    printed = capsys.readouterr().out
    assert "player 1 to move: player 2 wins." in printed
    assert "Winning moves" not in printed
    assert "*" not in printed


@pytest.mark.parametrize(
    ("game", "arguments", "error", "said"),
    [
        ("hex", {"option": ["size=3"], "after": "b2 b2"}, IllegalAction, "b2"),
        ("nim", {"iterations": 3}, UsageError, "--iterations and --output go with --method mccfr"),
        ("nim", {"method": "mccfr", "after": "take 1"}, UsageError, "leave out --after"),
        ("leduc", {"after": "0"}, UsageError, "hides something: it is solved as a whole"),
    ],
)
def test_what_cannot_be_solved_is_refused(leduc, game, arguments, error, said):
    with pytest.raises(error, match=said):
        solve(game, **arguments)


def test_solving_after_given_moves_is_refused_if_chance_follows(monkeypatch):
    def chance(*words):
        raise ChanceMet

    monkeypatch.setattr("meeple.cli.solve.command.solve_position", chance)
    with pytest.raises(UsageError, match="has chance: it is solved as a whole, without --after"):
        solve("hex", option=["size=3"], after="b2")


@pytest.fixture
def leduc():
    load_game_file(str(LEDUC))
    return "leduc"


@pytest.mark.slow
def test_a_large_position_with_a_forced_win_has_a_line(capsys, monkeypatch):
    monkeypatch.setattr("meeple.cli.solve.command.FEW_POSITIONS", 1000)
    moves = "b8 a8 c8 o1 d8 o3 e6 o5 e7 m14"
    found = solved(capsys, "gomoku", after=moves)  # looked for before the limit is reached
    assert found["payoffs"] == [1, 0]
    assert found["winning_actions"] == ["e8"]
    assert found["plies"] == 5
    assert found["line"][:3] == ["e8", "f8", "e5"]
    solve("gomoku", after=moves, limit=100)
    words = capsys.readouterr().out
    assert "Black to move: Black wins." in words
    assert "Within 5 plies: e8, f8, e5, " in words


@pytest.mark.slow
def test_a_game_with_hidden_information_has_an_equilibrium(capsys, leduc):
    found = solved(capsys, leduc, option=["ranks=2"])
    assert sum(found["payoffs"]) == pytest.approx(1.0)
    assert found["exploitability"] < 1e-3
    assert len(found["strategy"]) == found["information_sets"]
    for decision in found["strategy"]:
        assert sum(decision["chances"].values()) == pytest.approx(1.0, abs=1e-3)
    solve(leduc, option=["ranks=2"])
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("With optimal play", "information sets", "raise"))


@pytest.mark.slow
def test_sampling_gives_the_curve_of_its_exploitability(capsys, leduc):
    found = solved(capsys, leduc, method="mccfr", iterations=1000, seed=1)
    assert [point["iterations"] for point in found["curve"]] == [100, 200, 400, 800, 1000]
    curve = [point["exploitability"] for point in found["curve"]]
    assert curve[-1] < curve[0] / 2
    assert found["exploitability"] == curve[-1]
    assert found["guarantee"] is True
    assert found["stopped"] is False
    assert len(found["strategy"]) == 288
    again = solved(capsys, leduc, method="mccfr", iterations=1000, seed=1)
    assert again["strategy"] == found["strategy"]


@pytest.mark.slow
def test_sampling_continues_from_its_file_which_an_agent_plays(capsys, leduc, tmp_path):
    file = tmp_path / "leduc.strategy"
    solved(capsys, leduc, method="mccfr", iterations=400, output=file)
    found = solved(capsys, leduc, method="mccfr", iterations=400, output=file)
    assert [point["iterations"] for point in found["curve"]] == [500, 600, 800]
    assert solved(capsys, leduc, method="mccfr", iterations=800)["strategy"] == found["strategy"]
    solve(leduc, evaluate=f"strategy:{file}", as_json=True)
    evaluated = json.loads(capsys.readouterr().out)["exploitability"]
    assert evaluated == pytest.approx(found["exploitability"], abs=0.03)


def test_sampling_says_what_is_not_known_and_not_guaranteed(capsys):
    load_game_file(COINS)
    solve("coins", option=["coins=4"], method="mccfr", iterations=200)
    printed = capsys.readouterr().out
    assert "there is no guarantee" in printed
    assert "The exploitability is not known: the start of" in printed
    assert "information sets reached in 200 iterations" in printed


def test_sampling_ends_at_ctrl_c_with_what_is_there(capsys, leduc, monkeypatch):
    stopped = contextlib.nullcontext(lambda: True)
    monkeypatch.setattr("meeple.cli.solve.sampled.stopping", lambda: stopped)
    solve(leduc, method="mccfr", iterations=10**9)
    shown = capsys.readouterr()
    assert "Stopped after 16 iterations" in shown.err  # the first slice
    assert "If all play the average strategy" in shown.out


def test_a_game_of_chance_without_hidden_information_is_solved_from_the_start(capsys, monkeypatch):
    monkeypatch.setattr("meeple.cli.solve.command.open_game", lambda *words: Die())
    found = solved(capsys, "die")
    assert found["payoffs"] == pytest.approx([0.675, 0.325])
    assert found["exploitability"] == pytest.approx(0, abs=1e-12)
    chances = {tuple(one["example"]): one["chances"] for one in found["strategy"]}
    assert sorted(tuple(one.values()) for one in chances.values()) == [
        (0.0, 1.0),
        (0.5, 0.5),
        (1.0, 0.0),
    ]
    solve("die")
    assert "With optimal play of both" in capsys.readouterr().out
    solve("die", after="0")
    assert "player 1 80 %, player 2 20 %" in capsys.readouterr().out
