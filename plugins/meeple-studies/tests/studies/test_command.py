"""`meeple reproduce`: a table, JSON, results stored between runs."""

import json
import subprocess
import sys

import pytest

from meeple.cli.main import run
from meeple.errors import Stopped
from meeple.extras import EXTRAS
from meeple_studies import command
from meeple_studies.command import study_of
from meeple_studies.study import Effort, Experiment, Statistic, Study, share_of
from tests.roots import ROOT

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


def test_the_table_compares_published_figures_with_ours(capsys):
    assert reproduce() == 0
    printed = capsys.readouterr().out
    assert "two: Half of them: 50.0 % (29.9 to 70.1)" in printed
    assert "about 46 %" in printed
    assert "One note." in printed
    assert reproduce() == 0
    assert capsys.readouterr().out.count("saved before") == 2


def test_quick_results_are_stored_separately_and_marked_as_no_evidence(capsys):
    assert reproduce("--quick", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["experiments"][1]["count"] == 2
    assert data["experiments"][1]["detail"] == "pace 0.01"
    assert data["experiments"][0]["theirs"] is None
    assert reproduce("--quick") == 0
    assert "proves nothing" in capsys.readouterr().out


def test_all_studies_run_in_sequence(capsys, tmp_path):
    assert reproduce_all("--quick", "--json", "--run", "here") == 0
    studies = json.loads(capsys.readouterr().out)["studies"]
    assert [len(study["experiments"]) for study in studies] == [2, 2, 2]
    names = sorted(folder.name for folder in (tmp_path / "here").iterdir())
    assert names == ["catan-agents-quick", "gomoku-quick", "reversi-mcts-quick"]
    assert reproduce_all("--quick", "--run", "here") == 0
    assert capsys.readouterr().out.count("saved before") == 6
    assert reproduce_all("--only", "one") == 2
    assert "name it in place of all" in capsys.readouterr().err


def reproduce_all(*words):
    return run(["reproduce", "all", *words], debug=False)


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Stopped()], ids=["Ctrl-C", "Stopped"])
def test_ctrl_c_prints_finished_results_and_the_command_to_resume(monkeypatch, capsys, stop):
    monkeypatch.setattr("sys.argv", ["meeple", "reproduce", "gomoku"])
    STOP.append(stop)
    assert reproduce() == 130
    shown = capsys.readouterr()
    assert "Does it work" in shown.out
    assert "Resume: meeple reproduce gomoku" in shown.err
    STOP.clear()
    assert reproduce() == 0
    assert capsys.readouterr().out.count("saved before") == 1


def test_a_row_without_games_and_an_empty_column_are_not_printed(capsys, monkeypatch):
    """It once printed "random: 0.0 %, 0 of 0 games won", and "there" above a column of dashes."""
    experiments = (
        Experiment("some", "Some games", "", 10, lambda *words: share_of(1, 2, "1 of 2")),
        Experiment("none", "Random play", "", 10, lambda *words: share_of(0, 0, "0 of 0")),
    )
    told = (Statistic("won by a", {"games won": 2}), Statistic("won by b", {"games won": 0}))
    made = Study("bare", "A bare one", experiments, statistics=lambda folder: told)
    monkeypatch.setattr(command, "study_of", lambda name: made)
    assert reproduce() == 0
    printed = capsys.readouterr().out
    assert "none: Random play: no game was counted; more --games are needed" in printed
    table = printed[printed.index("A bare one") :]
    assert "Random play" not in table
    assert "there" not in table
    assert "won by a: 2 games won" in table
    assert "won by b" not in table
    assert reproduce("--json") == 0
    empty = json.loads(capsys.readouterr().out)["experiments"][1]
    assert (empty["share"], empty["interval"], empty["count"]) == (None, None, 0)


@pytest.mark.parametrize(
    ("name", "experiment", "theirs"),
    [
        ("gomoku", "draws-4x4", ""),
        ("gomoku", "draws-4x4-5", "all"),
        ("gomoku", "block-6x6-plain", "may fail to"),
        ("gomoku", "block-6x6-network", ""),
        ("gomoku", "block-8x8-network", ""),
        ("reversi-mcts", "short-random", "100 %"),
        ("catan-agents", "points-network-pruned", "25.0 %"),
        ("catan-agents", "points-random", "75.0 %, labels swapped"),
        ("catan-agents", "points-network", ""),
        ("catan-agents", "untrained-network-pruned", ""),
    ],
)
def test_the_stated_finding_of_a_study_is_in_its_table(name, experiment, theirs):
    found = {one.name: one.theirs for one in study_of(name).experiments}
    assert found[experiment] == theirs


def test_an_unknown_study_is_refused_with_the_known_ones(capsys):
    assert run(["reproduce", "chess"], debug=False) == 2
    assert "reversi-mcts" in capsys.readouterr().err


def test_one_experiment_can_be_selected(capsys):
    assert reproduce("--only", "two") == 0
    printed = capsys.readouterr().out
    assert "Half of them" in printed
    assert "Does it work" not in printed
    assert reproduce("--only", "three") == 2
    assert "toy has no experiment three; it has one, two" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("reversi-mcts --quick --games 1 --only short-random", 0, ""),
        ("catan-agents", 2, "the study catan-agents needs PyTorch: pip install 'meeple[learn]'\n"),
    ],
)
def test_only_a_study_that_trains_needs_an_extra(words, code, said, tmp_path):
    program = [sys.executable, str(ROOT / "tests" / "without.py"), ",".join(EXTRAS), "reproduce"]
    done = subprocess.run(
        [*program, *words.split()], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr[-len(said) :] if said else "") == (code, said), done.stderr
