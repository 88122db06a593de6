"""Games are stored as they end: a match resumes after kill -9 and has the same result."""

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import meeple
from meeple.arena.figures.sprt import Hypotheses
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.digests import digest
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.games.store import FILE, Store
from meeple.arena.match import match
from meeple.arena.tournament import Pairing, play_tournament
from meeple.errors import RunError
from tests.arena.test_tournament import without_times

HEX = meeple.make("hex", size=3)
SPECS = ["random", "uct:sims=5", "uct:sims=50"]


def stop_after(count):
    def interrupt(done, total):
        if done == count:
            raise KeyboardInterrupt

    return interrupt


def result_of(found):
    """Return a match's figures without times."""
    figures = found.to_json()
    for agent in figures["agents"]:
        del agent["ms_per_move"], agent["simulations_per_move"]
    return figures, found.records


@pytest.mark.parametrize("workers", [1, 2])
def test_resumed_match_has_the_result_of_an_uninterrupted_one(tmp_path, workers):
    def play(**more):
        return match(HEX, SPECS[:2], 12, openings=True, workers=workers, **more)

    first = play(run=tmp_path, progress=stop_after(5))
    assert first.interrupted
    played = []
    again = play(run=tmp_path, on_game=lambda number, record: played.append(number))
    assert sorted(played) == list(range(12))
    assert result_of(again) == result_of(play())
    longer = match(HEX, SPECS[:2], 15, openings=True, workers=workers, run=tmp_path)
    assert result_of(longer) == result_of(match(HEX, SPECS[:2], 15, openings=True))


def test_resumed_sequential_test_has_the_same_decision(tmp_path):
    def play(**more):
        return match(HEX, ["uct:sims=60", "random"], 400, sprt=Hypotheses(0, 60), **more)

    assert play(run=tmp_path, progress=stop_after(7), workers=1).interrupted
    assert result_of(play(run=tmp_path)) == result_of(play())


def test_stored_games_are_not_played_again(tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text("class Wrong:\n    def choose(self, position):\n        return 99\n")
    specs, lose = [f"agent:{file}:Wrong", "random"], FaultRule("lose")
    whole = match(HEX, specs, 6, run=tmp_path / "run", rule=lose)

    def fail(self, position):
        pytest.fail("a game was played again")

    monkeypatch.setattr("meeple.agents.baselines.RandomAgent.choose", fail)
    again = match(HEX, specs, 6, run=tmp_path / "run", rule=lose)
    assert again.to_json() == whole.to_json()  # including times and faults
    assert again.agents[0].faults == {"illegal": 6}
    fewer = match(HEX, specs, 4, run=tmp_path / "run", rule=lose)
    assert fewer.records == whole.records[:4]


@pytest.mark.parametrize("format_", ["round-robin", "pairs", "gauntlet", "swiss"])
@pytest.mark.slow
def test_tournament_of_every_format_resumes(tmp_path, format_):
    def play(**more):
        return play_tournament(Conditions(HEX, **more), SPECS, 4, Pairing(format_))

    assert play(run=tmp_path, progress=stop_after(5), workers=1).interrupted
    again, alone = play(run=tmp_path), play()
    assert again.standings.entries == alone.standings.entries
    assert without_times(again) == without_times(alone)


@pytest.mark.parametrize(
    ("agents", "more", "said"),
    [
        (["random", "uct:sims=5"], {}, "with agents"),
        (["random", "random"], {"seed": 8}, "with seed 7 and not 8"),
        (["random", "random"], {"openings": True}, "with openings False and not True"),
    ],
)
def test_folder_of_another_command_is_refused_in_a_sentence(tmp_path, agents, more, said):
    match(HEX, ["random", "random"], 2, run=tmp_path)
    with pytest.raises(RunError, match=said):
        match(HEX, agents, 2, run=tmp_path, **more)
    with pytest.raises(RunError, match="another command"):
        play_tournament(Conditions(HEX, run=tmp_path), SPECS, 2)


def test_folder_in_use_or_unusable_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("meeple.arena.games.store.PATIENCE", 0.05)
    with (
        Store(tmp_path, {"kind": "toy"}),
        pytest.raises(RunError, match=r"process (\d+ )?plays the games"),
    ):
        Store(tmp_path, {"kind": "toy"})
    Store(tmp_path, {"kind": "toy"}).close()
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot store games in"):
        Store(tmp_path / "file", {})
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / FILE).write_text("no database at all, but long enough to look like one")
    with pytest.raises(RunError, match="cannot be used"):
        Store(tmp_path / "other", {})


@pytest.mark.slow
def test_games_of_a_changed_file_are_not_mixed_with_new_ones(tmp_path):
    file = tmp_path / "mine.py"
    text = "class Mine:\n    def choose(self, position):\n        return {}\n"
    file.write_text(text.format("int(position.legal_actions()[0])"))
    specs = [f"agent:{file}:Mine", "policy:hex7"]
    assert digest("random") == digest("policy:nowhere") == ""
    assert digest("policy:hex7") == digest("puct:hex7,sims=4") != digest("policy:reversi6")
    game = meeple.make("hex", size=7)
    match(game, specs, 2, run=tmp_path / "run")
    match(game, specs, 2, run=tmp_path / "run")
    file.write_text(text.format("int(position.legal_actions()[-1])"))
    with pytest.raises(RunError, match="with files of agents"):
        match(game, specs, 2, run=tmp_path / "run")


def count(file: Path) -> int:
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM outcomes").fetchone()[0])
    except sqlite3.OperationalError:  # the table does not exist yet
        return 0


@pytest.mark.slow
def test_kill_9_loses_no_finished_game(tmp_path):
    words = ["hex", "uct:sims=2000", "uct:sims=1000", "-o", "size=4", "--games", "40", "--json"]
    words += ["--workers", "1", "--run", str(tmp_path)]
    command = [sys.executable, "-m", "meeple", "match", *words]
    deadline = time.monotonic() + 240
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while count(tmp_path / FILE) < 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
    kept = count(tmp_path / FILE)
    assert 3 <= kept < 40
    game = meeple.make("hex", size=4)
    agents = ["uct:sims=2000", "uct:sims=1000"]
    told: list[int] = []
    again = match(game, agents, 40, run=tmp_path, on_game=lambda number, _: told.append(number))
    assert set(range(kept)) <= set(told)
    assert result_of(again) == result_of(match(game, agents, 40))
