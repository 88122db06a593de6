"""`meeple qtable`: learning, resuming, printing, CSV round trips, and errors."""

import json

import pytest

import meeple
from meeple.cli.main import run
from meeple.search.qtable.file import load

SMALL = ["reversi", "-o", "size=6"]


def qtable(*words):
    return run(["qtable", *(str(word) for word in words)], debug=False)


@pytest.fixture
def learned(tmp_path, capsys):
    path = tmp_path / "small.qtable"
    assert qtable("learn", *SMALL, path, "--games", 3, "--sims", 60) == 0
    capsys.readouterr()
    return path


@pytest.mark.slow
def test_learning_resumes_and_prints_the_command_to_play(tmp_path, capsys):
    path = tmp_path / "small.qtable"
    assert qtable("learn", *SMALL, path, "--games", 2, "--sims", 60) == 0
    printed = capsys.readouterr().out
    assert "Learned from 2 games" in printed
    assert f"meeple play reversi --option size=6 --against uct:sims=1000,qtable={path}" in printed
    assert qtable("learn", *SMALL, path, "--games", 1, "--seconds", 0.01) == 0
    assert load(path).games == 3


def test_learning_from_games_against_an_agent_works(tmp_path, capsys):
    path = tmp_path / "against.qtable"
    words = ("learn", *SMALL, path, "--games", 2, "--sims", 60, "--against", "minimax:depth=1")
    assert qtable(*words) == 0
    table = load(path)
    assert table.games == 2
    assert len(table.at(meeple.make("reversi", size=6).start()).action)
    assert qtable(*words[:-1], "xyz") == 2
    assert "there is no agent 'xyz'" in capsys.readouterr().err


def test_an_agent_plays_with_the_table(learned):
    game = meeple.make("reversi", size=6)
    agent = meeple.agent(f"uct:sims=2,qtable={learned}", game)
    agent.choose(game.start())
    assert agent.analysis is not None
    assert agent.analysis.visits.sum() > 150


def test_ctrl_c_keeps_the_finished_games(tmp_path, monkeypatch, capsys):
    import meeple.cli.qtable as command

    def pressed():
        return True

    class Stopping:
        def __enter__(self):
            return pressed

        def __exit__(self, *error):
            pass

    monkeypatch.setattr(command, "stopping", Stopping)
    path = tmp_path / "small.qtable"
    assert qtable("learn", *SMALL, path, "--games", 5, "--sims", 60) == 130
    assert "run the same command again to resume" in capsys.readouterr().err
    assert load(path).games == 1


def test_info_names_the_actions_of_the_initial_state(learned, capsys):
    assert qtable("info", learned) == 0
    assert "learned from 3 games" in capsys.readouterr().out
    assert qtable("info", learned, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["game"], facts["games"]) == ("reversi", 3)
    assert len(facts["start"]) == 4
    assert facts["start"][0]["visits"] >= 1


def test_a_table_survives_a_round_trip_through_csv(learned, tmp_path):
    csv, again = tmp_path / "small.csv", tmp_path / "again.qtable"
    assert qtable("export", learned, csv) == 0
    assert qtable("import", *SMALL, csv, again) == 0
    assert load(again).edges.visits.tolist() == load(learned).edges.visits.tolist()
    assert qtable("export", learned, csv) == 1
    assert qtable("export", learned, csv, "--force") == 0
    assert qtable("import", *SMALL, csv, again) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["learn", "reversi", "FILE"], "is a Q-table of"),
        (["learn", *SMALL, "FILE", "--capacity", 5], "which cannot change"),
        (["learn", *SMALL, "none/FILE"], "cannot save"),
        (["learn", *SMALL, "other", "--seconds", "nan"], "seconds must be"),
        (["info", "missing"], "there is no file missing"),
        (["import", *SMALL, "missing", "other"], "there is no file missing"),
        (["forget"], "No such command"),
    ],
)
def test_impossible_requests_are_refused_with_a_sentence(words, said, learned, monkeypatch, capsys):
    monkeypatch.chdir(learned.parent)
    words = [str(word).replace("FILE", learned.name) for word in words]
    assert qtable(*words) in (1, 2)
    assert said in capsys.readouterr().err
