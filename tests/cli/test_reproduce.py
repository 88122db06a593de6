"""`meeple reproduce`: a table, JSON, results kept from run to run."""

import json

import pytest

from meeple.cli import reproduce as command
from meeple.cli.main import run
from meeple.errors import Stopped
from meeple.studies.study import Effort, Experiment, Study, share_of

STOP: list[BaseException] = []


def toy(effort: Effort, count: int, progress):
    progress(count, count)
    if STOP:
        raise STOP[0]
    return share_of(count // 2, count, f"pace {effort.pace:g}")


@pytest.fixture(autouse=True)
def study(monkeypatch, tmp_path):
    experiments = (
        Experiment("one", "Does it work", "", 10, lambda *words: share_of(1, 2, "1 of 2")),
        Experiment("two", "Half of them", "about 46 %", 20, toy),
    )
    made = Study("toy", "A toy", experiments, ("One note.",))
    monkeypatch.setattr(command, "study_of", lambda name: made)
    monkeypatch.chdir(tmp_path)
    yield
    STOP.clear()


def reproduce(*words):
    return run(["reproduce", "gomoku", *words], debug=False)


def test_the_table_has_theirs_beside_ours(capsys):
    assert reproduce() == 0
    printed = capsys.readouterr().out
    assert "two: Half of them: 50.0 % (29.9 to 70.1)" in printed
    assert "about 46 %" in printed
    assert "One note." in printed
    assert reproduce() == 0
    assert capsys.readouterr().out.count("kept from before") == 2


def test_quick_games_are_kept_apart_and_said_to_prove_nothing(capsys):
    assert reproduce("--quick", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["experiments"][1]["count"] == 2
    assert data["experiments"][1]["detail"] == "pace 0.01"
    assert data["experiments"][0]["theirs"] is None
    assert reproduce("--quick") == 0
    assert "prove nothing" in capsys.readouterr().out


def test_all_studies_run_one_after_the_other(capsys, tmp_path):
    assert reproduce_all("--quick", "--json", "--run", "here") == 0
    studies = json.loads(capsys.readouterr().out)["studies"]
    assert [len(study["experiments"]) for study in studies] == [2, 2, 2]
    names = sorted(folder.name for folder in (tmp_path / "here").iterdir())
    assert names == ["catan-agents-quick", "gomoku-quick", "reversi-mcts-quick"]
    assert reproduce_all("--quick", "--run", "here") == 0
    assert capsys.readouterr().out.count("kept from before") == 6
    assert reproduce_all("--only", "one") == 2
    assert "name it in place of all" in capsys.readouterr().err


def reproduce_all(*words):
    return run(["reproduce", "all", *words], debug=False)


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Stopped()], ids=["Ctrl-C", "Stopped"])
def test_ctrl_c_shows_what_is_finished_and_how_to_go_on(monkeypatch, capsys, stop):
    monkeypatch.setattr("sys.argv", ["meeple", "reproduce", "gomoku"])
    STOP.append(stop)
    assert reproduce() == 130
    shown = capsys.readouterr()
    assert "Does it work" in shown.out
    assert "Go on: meeple reproduce gomoku" in shown.err
    STOP.clear()
    assert reproduce() == 0
    assert capsys.readouterr().out.count("kept from before") == 1


def test_an_unknown_study_names_the_known(capsys):
    assert run(["reproduce", "chess"], debug=False) == 2
    assert "reversi-mcts" in capsys.readouterr().err


def test_one_experiment_may_be_named(capsys):
    assert reproduce("--only", "two") == 0
    printed = capsys.readouterr().out
    assert "Half of them" in printed
    assert "Does it work" not in printed
    assert reproduce("--only", "three") == 2
    assert "toy has no experiment three; it has one, two" in capsys.readouterr().err
