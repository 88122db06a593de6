"""The output of `meeple runs` for a folder of runs, and for one run."""

import contextlib
import csv
import io
import itertools
import json
import math
import shutil
import time

import pytest

from meeple.cli.train import runs as command_runs
from meeple.cli.train.runs import facts_of
from meeple.cli.train.runs_shown import progress_line
from meeple.learn.loop import start_run, train
from meeple.learn.run.cluster import leave_cluster, write_cluster
from meeple.learn.run.folder import sole_trainer
from meeple.learn.run.logs import RunLogs
from meeple.learn.run.metrics import MetricsLog
from tests.learn.clusters import made_up
from tests.learn.damaged import broken_off, change_states, put_folder
from tests.learn.small import finished_nim
from tests.learn.values.test_figures import MATCHES
from tests.learn.values.test_loop import config

pytestmark = pytest.mark.slow  # PyTorch is loaded, and runs are trained


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with a finished run, an unfinished one, and one that learns values."""
    folder = tmp_path_factory.mktemp("whole") / "runs"
    finished_nim(folder / "nim")
    log = MetricsLog(folder / "nim")
    match = {"match/alone/random": 0.75, "match/alone/random/games": 40.0}
    log.wave(24, 6.0, {"loss/loss": 1.5, **match, "match/alone/random/deviation": 0.44})
    log.close()
    broken_off(folder / "middle")
    start_run(config("gate.games=0", *MATCHES), folder / "values")
    log = MetricsLog(folder / "values")
    train(folder / "values", log)
    log.close()
    return folder


@pytest.fixture
def folder(whole, tmp_path, monkeypatch):
    """A copy of the runs, as `runs` in the current folder."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(whole, tmp_path / "runs")


@pytest.fixture
def ask(meeple):
    """Return the JSON that a command line prints."""

    def go(*words):
        code, out, err = meeple("runs", *words, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return go


def by_name(found):
    return {run["name"]: run for run in found["runs"]}


def test_every_run_of_the_folder_is_listed_with_its_progress(ask, meeple, folder):
    found = by_name(ask())
    facts = {
        name: [run[key] for key in ("mode", "state", "done", "of", "unit", "place", "problems")]
        for name, run in found.items()
    }
    assert facts == {
        "nim": ["on-policy", "finished", 24, 24, "episode", "here", []],
        "middle": ["on-policy", "stopped", 16, 24, "episode", "here", []],
        "values": ["values", "finished", 2, 2, "round", "here", []],
    }
    (match,) = found["nim"]["matches"]
    assert (match["player"], match["opponent"], match["share"]) == ("alone", "random", 0.75)
    out = meeple.done("runs")
    assert "24 of 24 episodes" in out
    assert "against random 75 %" in out
    assert "2 of 2 rounds" in out
    with sole_trainer(folder / "middle"):
        assert by_name(ask())["middle"]["state"] == ask("runs/middle")["state"] == "running"


@pytest.mark.parametrize(
    ("config", "mode", "state"),
    [
        (
            '[game]\nname = "hex"\noptions = { size = 3 }\n[run]\nepisodes = 10\n[network]\n'
            'hidden = [8]\n[search]\nmode = "alphazero"\n[records]\n',
            "records",
            "stopped",
        ),
        ('[game]\nname = "chess"\n', None, "unknown game"),
    ],
)
def test_a_run_without_a_state_is_listed(ask, folder, config, mode, state):
    (folder / "people").mkdir()
    (folder / "people" / "config.toml").write_text(config)
    run = by_name(ask())["people"]
    assert (run.get("mode"), run["state"]) == (mode, state)
    assert ["chess" in problem for problem in run["problems"]] == [True] * (mode is None)


def test_exploitability_of_every_network_of_a_small_game_is_shown(ask, meeple, folder):
    found = ask("nim", "--exploitability")
    assert [one["episode"] for one in found["exploitability"]] == found["networks"]
    assert all(0 <= one["exploitability"] <= 0.5 for one in found["exploitability"])
    out = meeple.done("runs", "nim", "--exploitability")
    assert "a best response wins more" in out
    assert "exploitability" not in ask("nim")
    code, _, err = meeple("runs", "--exploitability")
    assert code == 2
    assert "--exploitability takes one run" in err


def test_a_run_is_shown_in_full_by_its_folder_or_its_name(ask, meeple, folder):
    found = ask("runs/nim")
    assert found == ask("nim")
    assert (found["networks"], found["cluster"], found["left"]) == ([0, 12, 24], None, None)
    assert found["progress"] == [
        "The network alone wins 75 % of 40 games against random (60 to 86)."
    ]
    _, out, _ = meeple("runs", "nim")
    assert out.startswith("nim: Nim, stones=7 · on-policy · finished")
    assert "24 of 24 episodes" in out
    assert "3 networks saved" in out
    assert "On this machine alone." in out


@pytest.fixture
def lines(meeple):
    """Return the lines that `meeple runs --csv` prints, as dictionaries by name of the run."""

    def go(*words):
        out = meeple.done("runs", *words, "--csv")
        return {line["name"]: line for line in csv.DictReader(io.StringIO(out), strict=True)}

    return go


def test_runs_are_lines_for_a_spreadsheet_with_every_number_of_the_list(ask, lines, folder):
    found, written = by_name(ask()), lines()
    assert written.keys() == found.keys()
    for name, run in found.items():
        for key in ("done", "of", "seconds", "loss"):
            assert written[name][key] == ("" if run[key] is None else str(run[key]))
        for one in run["matches"]:
            prefix = f"matches {one['player']} {one['opponent']}"
            low, high = (
                float(written[name][f"{prefix} interval {end}"]) for end in ("low", "high")
            )
            assert [low, high] == one["interval"]
            assert float(written[name][f"{prefix} share"]) == one["share"]
            assert int(written[name][f"{prefix} games"]) == one["games"]
    assert written["middle"]["matches alone random share"] == ""
    assert not {"matches", "matches alone random player"} & written["nim"].keys()
    whole = lines("nim", "--exploitability")["nim"]
    assert whole["networks"] == "0; 12; 24"
    assert 0 <= float(whole["exploitability 3 exploitability"]) <= 0.5


@pytest.mark.parametrize(
    "name",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r-1", " =1", "\uff1d1", '"=1"', "a,b\n=c", "Zoë"],
)
def test_no_text_of_a_run_is_a_formula_of_a_spreadsheet(lines, folder, name):
    (folder / "middle").rename(folder / name)
    with open(folder / name / "metrics.jsonl", "a") as file:
        match = f"match/{name}/=1"
        metrics = {match: 0.5, f"{match}/games": 4.0}
        wave = {"episodes": 20, "seconds": 1.0, "time": 1.0, "starts": False, "metrics": metrics}
        file.write(json.dumps(wave) + "\n")
    (folder / "damaged").mkdir()
    (folder / "damaged" / "config.toml").write_text(f"{name} = = 1")
    written = lines()
    cells = [cell for line in written.values() for pair in line.items() for cell in pair]
    assert not [cell for cell in cells if cell.strip().startswith(("=", "+", "@", "\uff1d"))]
    assert not [cell for cell in cells if cell[:1] == "-" and not is_number(cell)]
    shown = "".join(sign if sign.isprintable() else " " for sign in name)
    assert {"damaged", shown} <= {name.removeprefix("'") for name in written}


def is_number(text):
    with contextlib.suppress(ValueError):
        return math.isfinite(float(text))
    return False


DAMAGES = [
    (lambda run: (run / "config.toml").write_bytes(b"\xff"), "its text is not UTF-8"),
    (lambda run: put_folder(run / "config.toml"), "not a file"),
    (lambda run: change_states(run, seconds="12"), "seconds must be"),
    (lambda run: put_folder(run / "games.jsonl"), "not a file"),
    (lambda run: put_folder(run / "metrics.jsonl"), "not a file"),
    (lambda run: (run / "cluster.json").write_text("{"), "cluster.json is corrupt"),
    (lambda run: put_folder(run / "cluster.json"), "not a file"),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGES)
def test_a_damaged_run_is_reported_and_affects_no_other(ask, meeple, folder, damage, words):
    damage(folder / "middle")
    found = by_name(ask())
    assert [words in line for line in found["middle"]["problems"]] == [True]
    assert all(run["problems"] == [] for name, run in found.items() if name != "middle")
    code, out, err = meeple("runs")
    assert (code, err) == (0, "")
    assert words in " ".join(out.split())
    code, out, err = meeple("runs", "middle")
    assert words in " ".join((out + err).split())
    assert code in (0, 1)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "figures", [(0.5, "NaN"), ("NaN", 40), ("Infinity", 40), (7.5, 40), (0.5, 0), (0.5, -3)]
)
def test_impossible_figures_of_matches_are_left_out(ask, meeple, folder, figures):
    share, games = figures
    line = (
        '{"episodes": 20, "seconds": 1.0, "time": 1.0, "starts": false, "metrics": '
        f'{{"loss/loss": NaN, "match/alone/random": {share}, '
        f'"match/alone/random/games": {games}}}}}'
    )
    with open(folder / "middle" / "metrics.jsonl", "a") as file:
        file.write(line + "\n")
    for found in (by_name(ask())["middle"], ask("middle")):
        assert (found["matches"], found["loss"]) == ([], None)
    assert meeple("runs", "middle")[0] == 0


@pytest.fixture
def on_cluster(folder):
    """Write the state of a cluster into the run `middle`."""
    write_cluster(folder / "middle", made_up())
    logs = RunLogs(folder / "middle")
    for name in ("learner", "self-play-8", "self-play-1"):
        for number in range(5):
            logs.write(name, f"[bold]{name} says {number}[/bold]")
    return folder / "middle"


def test_a_run_on_a_cluster_shows_nodes_actors_counts_and_logs(ask, meeple, on_cluster):
    with sole_trainer(on_cluster):
        listed = by_name(ask())["middle"]
        found = ask("middle")
        _, out, _ = meeple("runs", "middle")
        _, table, _ = meeple("runs")
    assert listed["place"] == "ray://10.0.0.1:6379"
    assert [listed["cluster"][key] for key in ("nodes", "actors", "dead_actors")] == [3, 12, 1]
    cluster = found["cluster"]
    assert cluster["running"]
    assert cluster["account"]["lost"] == 36
    assert cluster["account"]["unaccounted"] == 0
    assert cluster["actors"][0]["name"] == "self-play-8"
    assert [log["name"] for log in found["logs"]] == ["self-play-8", "learner", "self-play-1"]
    assert [line[20:] for line in found["logs"][1]["lines"]] == [
        f"[bold]learner says {number}[/bold]" for number in (2, 3, 4)
    ]
    assert "middle: 3 nodes (1 dead) · 12 actors (1 dead) · 14 games/s" in table
    for words in (
        "The actor self-play-8 on worker-2 is dead.",
        "5,460 games begun: 5,312 finished, 36 lost with 3 actors that died",
        "self-play waits for the learner, which is 2 waves behind",
        "waits for the buffer",
        "runs/middle/logs/learner.log",
        "[bold]learner says 4[/bold]",
        "H100",
    ):
        assert words in out


def test_control_characters_of_a_runs_files_are_not_printed(meeple, on_cluster):
    state = made_up()
    write_cluster(on_cluster, state.model_copy(update={"waiting": "\x1b[2Jred [bold]x[/bold]"}))
    with sole_trainer(on_cluster):
        shown = [meeple("runs")[1], meeple("runs", "middle")[1]]
        shown.append(progress_line(facts_of(on_cluster)))
    for out in shown:
        assert "\x1b" not in out
        assert "[bold]x[/bold]" in out


def test_the_last_report_of_a_cluster_is_shown_after_it(ask, meeple, on_cluster):
    found = ask("middle")
    assert (found["state"], found["cluster"]["running"]) == ("stopped", False)
    unexpected = "the trainer ended unexpectedly; this is its last report"
    assert found["cluster"]["problems"] == [unexpected]
    assert "games/s" not in meeple("runs")[1]
    leave_cluster(on_cluster)
    assert ask("middle")["place"] == "ray://10.0.0.1:6379"  # the last cluster
    with sole_trainer(on_cluster):
        found = ask("middle")
        assert (found["state"], found["place"]) == ("running", "here")
        cluster = found["cluster"]
        assert (cluster["problems"], cluster["games_per_second"]) == ([], 0)
        assert "Last on ray://10.0.0.1:6379: 3 nodes" in meeple("runs", "middle")[1]
        assert "nodes" not in meeple("runs")[1] + progress_line(facts_of(on_cluster))


def test_an_empty_folder_of_runs_suggests_how_to_begin(command):
    code, out, err = command("runs")
    assert (code, err) == (0, "")
    assert out == "There are no runs in runs. Start one: meeple train nim\n"
    assert json.loads(command("runs", "--json")[1]) == {"folder": "runs", "runs": []}
    missing = "there is no folder of runs, and no run, called nowhere\n"
    assert command("runs", "nowhere") == (1, "", missing)
    for one, other in itertools.combinations(("--json", "--follow", "--csv"), 2):
        assert command("runs", one, other)[0] == 2
    assert command("runs", "--csv") == (0, "", "")


def test_runs_are_followed_until_ctrl_c_in_lines_without_a_terminal(meeple, folder, monkeypatch):
    looks = []

    def sleep(seconds):
        looks.append(seconds)
        if len(looks) == 2:
            change_states(folder / "middle", ("state.json",), seconds=90.0)
        if len(looks) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    code, out, err = meeple("runs", "middle", "--follow")
    assert (code, err) == (130, "Stopped.\n")
    first, second = out.splitlines()
    assert first.startswith("stopped · 16 of 24 episodes · ")
    assert "90 s of training" in second
    monkeypatch.setattr(command_runs, "_is_watched", lambda: True)
    looks[:] = [0.0] * 3
    assert "24 of 24 episodes" in meeple("runs", "--follow")[1]
