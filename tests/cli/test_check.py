"""`meeple check`, and the check of game files before any other work."""

import json

import pytest

from meeple.cli.check import as_data, as_text
from meeple.cli.main import run
from meeple.games.check.findings import CheckReport, check_game
from meeple.games.contract.registry import load_game_file
from tests.games.check.test_mistakes import DICE, MISTAKES, written


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr("meeple.games.check.findings.cache_folder", lambda: tmp_path / "cache")


@pytest.mark.slow
def test_findings_are_sentences_with_file_line_and_a_remedy(tmp_path, capsys):
    file = written(tmp_path, MISTAKES["endless game"])
    assert run(["check", str(file), "--seconds", "3"], debug=False) == 1
    text = capsys.readouterr().out
    assert f"{file}: 1 problem found." in text or "problems found." in text
    assert f"{file}:3" in text
    assert "the game is not over after 18 plies, its max_plies" in text
    assert "after the actions ..., " in text
    assert run(["check", str(file), "--json", "--quick", "-o", "stones=5"], debug=False) == 1
    found = json.loads(capsys.readouterr().out)["findings"][0]
    assert found["line"] > 0
    assert found["options"] == {"stones": "5"}


def test_a_report_ends_with_what_an_author_may_want_to_know():
    report = CheckReport((), ("rules",), ({},), ("random games make 4 to 22 points",))
    assert as_text("golf", report).endswith("\nNote: random games make 4 to 22 points.")
    assert as_data(report)["notes"] == list(report.notes)


@pytest.mark.slow
def test_a_loaded_game_is_checked_by_its_name(capsys):
    load_game_file(DICE)
    assert run(["check", "dice", "--quick"], debug=False) == 0
    assert "no problem found" in capsys.readouterr().out
    assert run(["check", "no-such-game"], debug=False) == 2
    assert "there is no game" in capsys.readouterr().err


COMMANDS = {
    "match": ["match", "{}", "random", "random", "--games", "2"],
    "train": ["--load", "{}", "train", "nim"],
    "serve": ["--load", "{}", "serve"],
    "play": ["play", "{}"],
    "watch": ["watch", "{}", "random", "random"],
}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """The file of a game that cannot be played, and the report of its quick check."""
    file = written(tmp_path_factory.mktemp("faulty"), MISTAKES["raise in a kernel"])
    return file, check_game(str(file), quick=True, seconds=1)


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_game_that_cannot_be_played_is_refused_before_any_work(
    words, faulty, monkeypatch, capsys
):
    file, report = faulty
    monkeypatch.setattr("meeple.games.check.findings.check_game", lambda *_, **__: report)
    assert run([word.format(file) for word in words], debug=False) == 2
    error = capsys.readouterr().err
    assert "ValueError: 1" in error
    assert f"{file}:" in error
    assert "meeple check" in error


def test_files_can_be_loaded_without_a_check(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MEEPLE_UNCHECKED", "1")
    file = written(tmp_path, MISTAKES["wrong probabilities"])
    assert run(["--load", str(file), "games", "dice"], debug=False) == 0
    assert "dice (2 players)" in capsys.readouterr().out


@pytest.mark.slow
def test_a_program_that_does_not_end_is_reported_as_code_outside_functions(tmp_path, monkeypatch):
    monkeypatch.setattr("meeple.games.check.findings.PLY_SECONDS", 2.0)
    file = tmp_path / "program.py"
    file.write_text("number = 1\nwhile number:\n    number += 1\n")
    (finding,) = check_game(str(file), quick=True, seconds=1).findings
    assert finding.sentence == "the file's code outside functions does not end"
