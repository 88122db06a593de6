"""The output, files and errors of `meeple train` and `meeple demo`."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

import meeple
from meeple.agents.networks import checkpoint_files
from meeple.cli.shared.progress import duration
from meeple.executors.backend import BACKENDS, Backend
from meeple.learn.config import RecordsSection, documented, find_config, load_config, parse_config
from tests.learn.small import HEX3, config, finished_hex

pytestmark = pytest.mark.slow

QUICK = [word for change in HEX3 for word in ("--set", change)]


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text('[game]\nname = "hex"\n')
    return path


@pytest.fixture
def finished(small, tmp_path):
    """The folder of the run that `meeple train small.toml` leaves with the changes of `QUICK`."""
    (tmp_path / "runs").mkdir()
    return finished_hex(tmp_path / "runs" / "small")


def test_a_run_is_shown_assessed_and_written_to_a_folder_of_its_name(
    command, small, tmp_path, monkeypatch
):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    monkeypatch.setattr("meeple.learn.evaluation.matches.MIN_FINAL_ROUND_SECONDS", 0.0)
    changes = ("matches.games=8", "topp.games=4", "topp.policy=sample")
    words = [word for change in changes for word in ("--set", change)]
    code, out, err = command("train", small, *QUICK, *words, "--show", "--delay", "0.001")
    assert code == 0
    waves = out.count("Game ")
    assert 2 < waves < 24
    assert out.count("wins.") == waves
    assert out.index("Game 1: ") < out.index("1. player 1: ") < out.index("2. player 2: ")
    assert load_config(tmp_path / "runs" / "small" / "config.toml") == config(*changes)
    assert any(line.startswith("episode 24 of 24 · ") for line in err.splitlines())
    assert "loss" in err
    assert "The network alone wins" in out
    assert "Episode 24: The network alone wins" in err
    assert "Learned from 24 episodes" in out
    assert "meeple topp runs/small" in out
    spec = out.partition("--against policy:")[2].split()[0]
    game = meeple.make("hex", size=3)
    assert meeple.agent(f"policy:{spec}", game).choose(game.start()) in range(9)
    code, out, _ = command("tensorboard", "runs/small")
    assert (code, out) == (0, "Show them: tensorboard --logdir runs/small/tensorboard\n")
    events = EventAccumulator(str(tmp_path / "runs" / "small" / "tensorboard")).Reload()
    assert [event.step for event in events.Scalars("loss/loss")] == [4, 8, 12, 16, 20, 24]
    assert "selfplay/simulations_per_second" in events.Tags()["scalars"]
    _, out, _ = command("topp", "runs/small")
    assert "policy sample, 12 games, 4 for each pair" in out
    _, out, _ = command("topp", "runs/small", "--games", 2, "--policy", "greedy")
    assert "policy greedy, 6 games, 2 for each pair" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--workers", "2"), 2, "--workers is for --on"),
        (("--on", "Ray"), 2, "not 'Ray'"),
        (("--on", "toy", "--show"), 2, "leave out --show"),
        (("--on", "toy", "--diagnose"), 2, "leave out --on"),
        (("--on", "toy", "--from-records", "x.sgf"), 2, "plays no games: leave out --on"),
    ],
)
def test_options_impossible_on_a_cluster_are_refused_and_no_run_is_created(
    command, small, tmp_path, monkeypatch, words, code, said
):
    monkeypatch.setitem(BACKENDS, "toy", Backend("", ""))
    found, out, err = command("train", small, *words)
    assert (found, out) == (code, "")
    assert said in err
    assert not (tmp_path / "runs").exists()


def test_a_finished_run_resumes_only_with_its_own_configuration_and_a_higher_limit(
    command, small, finished
):
    assert "runs/small already holds a run; go on with --resume" in command.refused(
        "train", small, *QUICK, code=1
    )
    resume = ("train", "--resume", "--run", "runs/small")
    code, out, _ = command(*resume, "--show-config")
    assert (code, out) == (0, (finished / "config.toml").read_text())
    for words in (("train", small, "--resume", *QUICK), (*resume, "--show-config")):
        code, _, err = command(*words, "--set", "search.c=3.0")
        assert (code, "runs/small was started with search.c = 0.5, not 3.0" in err) == (2, True)
    code, out, err = command(*resume, "--set", "run.episodes=48")
    assert code == 0
    assert "Learned from 48 episodes" in out
    assert err.splitlines()[-1].startswith("episode 48 of 48 · ")
    assert [episode for episode, _ in checkpoint_files(finished)] == [0, 12, 24, 48]
    code, _, err = command(*resume, "--set", "run.episodes=30")
    assert (code, "run.episodes must be at least 48, not 30" in err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("train",), 2, "name a configuration: a .toml file, or one of"),
        (("train", "--resume"), 2, "name the run to resume: --resume --run FOLDER"),
        (("train", "hexx3"), 2, "did you mean 'hex3'?"),
        (("train", "none.toml"), 2, "there is no configuration file none.toml"),
        (("train", "hex3", "--set", "run.episodes=0"), 2, "run.episodes must be"),
        (("train", "hex3", "--set", "run.episodes"), 2, "write section.field=value"),
        (("train", "hex3", "--resume"), 1, "runs/hex3 holds no run to resume"),
    ],
)
def test_an_invalid_argument_is_reported_in_one_sentence_before_any_work(
    command, tmp_path, arguments, code, said
):
    found, out, err = command(*arguments)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert said in err
    assert not (tmp_path / "runs").exists()


def test_an_invalid_argument_is_reported_without_importing_pytorch():
    program = (
        "import sys; from meeple.cli import main\n"
        "try: main.main(['train', 'hex3', '--set', 'run.episodes=0'])\n"
        "finally: print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_damaged_files_are_reported_and_the_run_resumes(command, finished):
    os.truncate(finished / "training" / "00000024.safetensors", 100)
    code, _, err = command("train", "--resume", "--run", "runs/small")
    assert code == 0
    assert "00000024.safetensors is truncated or corrupt" in err
    assert "going on from state.previous.json, at episode 12" in err
    os.truncate(finished / "state.json", 10)
    _, _, err = command("train", "--resume", "--run", "runs/small")
    assert "runs/small/state.json is corrupt" in err  # a path at the beginning keeps its case


def test_show_config_prints_the_documented_text_of_a_ready_configuration(command, tmp_path):
    out = command.done("train", "hex3", "--show-config", "--set", "run.seed=9")
    assert out == documented(load_config(find_config("hex3"), ["run.seed=9"]))
    assert parse_config(out).run.seed == 9
    out = command.done("train", "reversi8-people", "--show-config")
    assert "[records]" in out
    assert parse_config(out) == load_config(find_config("reversi8-people"))
    code, out, _ = command("train", "hex3", "--show-config", "--from-records", "games.sgf")
    assert parse_config(out).records == RecordsSection()
    assert not (tmp_path / "runs").exists()
    code, _, err = command("train", "--resume", "--run", "runs/none", "--show-config")
    assert (code, "there is no configuration file runs/none/config.toml" in err) == (2, True)


def interrupted(small, folder, changes, file, seconds=0.0):
    """Interrupt a run `seconds` after a file of its folder exists; return its output."""
    words = [sys.executable, "-m", "meeple", "train", small, *QUICK, *changes]
    process = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True)
    awaited = folder / "runs" / "small" / file
    while not awaited.exists() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "Resume: meeple train --resume --run runs/small" in err
    return err


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
def test_ctrl_c_saves_and_prints_how_to_resume(small, tmp_path):
    changes = ("--set", "run.episodes=100000", "--set", "run.networks=2")
    err = interrupted(small, tmp_path, changes, "games.jsonl")
    assert "Traceback" not in err
    assert '"episodes": 0,' not in (tmp_path / "runs" / "small" / "state.json").read_text()


def test_a_diagnosis_trains_briefly_and_suggests_changes(command, small, tmp_path, monkeypatch):
    monkeypatch.setattr("meeple.learn.evaluation.matches.MIN_FINAL_ROUND_SECONDS", 0.0)
    fast = ("run.episodes=120", "matches.games=8", "selfplay.games=4")
    changes = [word for change in fast for word in ("--set", change)]
    out = command.done("train", small, *QUICK, *changes, "--diagnose")
    assert re.search(r"120 episodes in \d+ s: \d+% of it self-play, \d+% learning; all 120 ", out)
    assert "policy's loss on games not seen before" in out
    assert "against random" in out
    assert "What to change:" in out or "Nothing to change was seen." in out
    assert not (tmp_path / "runs").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
def test_ctrl_c_is_handled_during_a_long_search(small, tmp_path):
    larger = ("search.simulations=1000000", "selfplay.games=64", "game.options.size=7")
    changes = [word for change in larger for word in ("--set", change)]
    interrupted(small, tmp_path, changes, "state.json", seconds=0.5)


def test_the_demo_learns_and_plays_its_tournament_once(command, monkeypatch, tmp_path):
    import meeple.cli.train.demo

    quick = config("topp.games=2")
    monkeypatch.setattr(meeple.cli.train.demo, "load_config", lambda path: quick)
    out = command.done("demo")
    assert "Learning hex size=3" in out
    assert all(f"A {word} " in out for word in ("simulation", "network", "generation"))
    assert "Picture: runs/demo/topp/ratings.png shows the rating of each generation" in out
    assert out.endswith("in the browser: meeple serve\n")
    assert "Ratings" in out or "ratings" in out
    assert "Play the best: meeple play hex" in out
    assert (tmp_path / "runs" / "demo" / "topp" / "ratings.png").exists()
    learned = (tmp_path / "runs" / "demo" / "state.json").read_bytes()
    out = command.done("demo")
    assert "runs/demo holds a finished demo; `meeple demo --fresh` repeats it" in out
    assert (tmp_path / "runs" / "demo" / "state.json").read_bytes() == learned
    assert command("demo", "--fresh")[0] == 0
    assert (tmp_path / "runs" / "demo" / "state.json").read_bytes() != learned  # its duration


@pytest.mark.parametrize(
    ("seconds", "words"), [(4.6, "5 s"), (150, "2 min"), (5400, "90 min"), (7500, "2 h 5 min")]
)
def test_time_spans_are_printed_in_words(seconds, words):
    assert duration(seconds) == words


def test_a_game_is_learned_in_minutes_by_a_method_that_is_chosen(command, tmp_path):
    code, out, err = command("train", "reversi", "-o", "size=4", "--minutes", 0.02)
    assert code == 0
    assert "Methods that fit: patterns, drawn-patterns, self-play" in err
    assert re.search(r"^Method \S+: after \d+ s of training each", err, re.M)
    assert "Method" not in out
    assert re.search(r"^The trained agent won \d+ % of \d+ games against uct:", out, re.M)
    text = command.done("runs", "runs/reversi", "--json")
    assert json.loads(text)["race"]["sentences"][1] in out
    play = next(line.partition(": ")[2] for line in out.splitlines() if "--against" in line)
    spec = shlex.split(play)[-1]
    command.done("match", "reversi", spec, "random", "-o", "size=4", "--games", 2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("my_game.py",), "'my_game.py' is a game: it is learned with --minutes"),
        (("nim", "-o", "stones=9"), "'nim' is a game: it is learned with --minutes"),
        (("reversi", "--minutes", 1, "--set", "run.seed=2"), "all else is for configurations"),
        (("reversi", "--minutes", 0), "minutes must be above 0"),
        (("hex3", "--minutes", 0), "run.minutes must be"),
        (("chess", "--minutes", 1), "there is no game 'chess'"),
    ],
)
def test_minutes_of_the_wrong_kind_are_refused(command, words, says):
    code, _, err = command("train", *words)
    assert code == 2
    assert says in err
