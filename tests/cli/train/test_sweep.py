"""`meeple train --sweep`: a run for each value of a field, and the table that compares them."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from meeple.agents.networks import checkpoint_files
from meeple.cli.train import learning
from meeple.cli.train import sweep as command_sweep
from meeple.cli.train.sweep import plan_sweep
from meeple.learn.config import load_config
from meeple.learn.run.folder import RunFolder
from meeple.nets import checkpoint
from meeple.tensor_file import read_tensors
from tests.learn.small import NIM

pytestmark = pytest.mark.slow

QUICK = [word for change in (*NIM, "topp.games=6") for word in ("--set", change)]
SWEEP = ("train", "small.toml", "--sweep", "search.c=0.5,2", *QUICK)
NAMES = ("search.c=0.5", "search.c=2")


@pytest.fixture
def sweeps(command, tmp_path):
    """The folder of the sweep of `small.toml`."""
    (tmp_path / "small.toml").write_text('[game]\nname = "nim"\n')
    return tmp_path / "runs" / "small-sweep"


def weights_in(folder):
    """The weights of all networks of a run, without the time of training."""
    tensors = [read_tensors(file, checkpoint.KIND)[1] for _, file in checkpoint_files(folder)]
    return [{name: tensor.tobytes() for name, tensor in one.items()} for one in tensors]


def networks_in(sweeps):
    return [weights_in(sweeps / name) for name in NAMES]


def test_each_value_is_a_run_like_one_with_set_and_all_are_compared(command, sweeps, monkeypatch):
    monkeypatch.setattr("meeple.learn.evaluation.matches.MIN_FINAL_ROUND_SECONDS", 0.0)
    code, out, err = command(*SWEEP, "--set", "matches.games=4")
    assert code == 0, err
    assert "2 of 2: runs/small-sweep/search.c=2" in err
    assert "24 episodes" in out
    assert "6 for each pair" in out
    assert "95 % interval" in out
    found = json.loads(command.done(*SWEEP, "--set", "matches.games=4", "--resume", "--json"))
    assert [run["value"] for run in found["runs"]] == ["0.5", "2"]
    for run in found["runs"]:
        result = next(one for one in run["matches"] if one["opponent"] == "random")
        low, high = result["interval"]
        assert low <= result["share"] <= high
        assert f"{100 * result['share']:.0f} ({100 * low:.0f} to {100 * high:.0f})" in out
    for network in found["networks"]:
        low, high = network["share_interval"]
        assert low <= network["share"] <= high
        assert network["games"] == 6
    assert found["verdict"] in out
    command.done("train", "small.toml", *QUICK, "--set", "matches.games=4", "--set", "search.c=2")
    assert weights_in("runs/small") == weights_in(sweeps / "search.c=2")
    assert [load_config(sweeps / name / "config.toml").search.c for name in NAMES] == [0.5, 2]
    assert "go on with --resume" in command.refused(*SWEEP, code=1)
    _, _, err = command(*SWEEP, "--resume", "--set", "search.simulations=8")
    assert "was started with search.simulations = 16, not 8" in err


def test_a_sweep_that_was_killed_resumes_as_if_uninterrupted(command, sweeps):
    command.done(*SWEEP)
    whole = networks_in(sweeps)
    sweeps.rename(sweeps.with_name("whole"))
    process = subprocess.Popen(
        [sys.executable, "-m", "meeple", *SWEEP],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    second = sweeps / NAMES[1]
    while not (second / "state.json").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.communicate()
    done = (sweeps / NAMES[0] / "state.json").stat().st_mtime_ns
    command.done(*SWEEP, "--resume")
    assert (sweeps / NAMES[0] / "state.json").stat().st_mtime_ns == done
    assert networks_in(sweeps) == whole


def test_ctrl_c_prints_the_command_that_resumes(command, sweeps, monkeypatch):
    learn = learning.learn

    def interrupt(folder, *rest, **options):
        if folder.name == NAMES[1]:
            os.kill(os.getpid(), signal.SIGINT)
        return learn(folder, *rest, **options)

    monkeypatch.setattr(command_sweep, "learn", interrupt)
    code, out, err = command(*SWEEP)
    assert (code, out) == (130, "")
    assert "--resume" in err.splitlines()[-1]
    line = err.splitlines()[-1].partition("Resume: ")[2]
    monkeypatch.undo()
    monkeypatch.chdir(sweeps.parents[1])
    code, out, err = command(*shlex.split(line)[1:])
    assert code == 0, err
    assert "search.c" in out
    state, _ = RunFolder(sweeps / NAMES[1]).newest_state()
    assert state is not None
    assert state.episodes == 24


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([f"search.c={','.join(map(str, range(1, 1001)))}"], "2 to 20 values, not 1,000"),
        (["search.c=1"], "2 to 20 values, not 1"),
        (["search.c="], "2 to 20 values, not 0"),
        (["search.c"], "write section.field=value,value"),
        (["c=1,2"], "write section.field=value"),
        (["search.k=1,2"], "unknown field 'search.k'"),
        (["search.c=1,-2"], "search.c must be"),
        (["search.c=1,1.0"], "'1' and '1.0' are the same"),
        (["search.c=1979-05-27,2"], "search.c must be"),
        (["search.c=1,nan"], "search.c must be"),
        (["search.c=0x" + "f" * 9000 + ",1"], "search.c must be"),
        ([f"search.c={'[' * 9000},1"], "nested too deeply"),
        (["search.c=1,2", "--sweep", "run.seed=1,2"], "one field"),
        (["search.c=1,2", "--show"], "one field"),
        (["search.c=1,2", "--show-config"], "one field"),
    ],
)
def test_a_wrong_sweep_is_refused_in_a_sentence_and_makes_no_folder(command, sweeps, words, said):
    assert said in command.refused("train", "small.toml", "--sweep", *words)
    assert not sweeps.parent.exists()


def test_json_without_a_sweep_and_nothing_to_resume_are_refused(command, sweeps):
    assert "--sweep" in command.refused("train", "small.toml", "--json")
    assert "no run of search.c to resume" in command.refused(*SWEEP, "--resume", code=1)


def test_folders_of_a_sweep_stay_inside_it_and_differ(sweeps):
    text = 'matches.opponents=["agent:../../x.py:A"],["agent:.././x.py:A"],["agent:/x.py:A"]'
    names = [run.folder for run in plan_sweep(text, "small.toml").runs]
    assert len(set(names)) == 3
    assert {name.parent for name in names} == {sweeps.relative_to(sweeps.parents[1])}
    lists = plan_sweep("training.learning_rate=[0.01, 0.001],0.003", "small.toml").runs
    assert [run.value for run in lists] == ["[0.01, 0.001]", "0.003"]
    words = plan_sweep("search.mode=on-policy,alphazero", "small.toml").runs
    assert [run.value for run in words] == ["on-policy", "alphazero"]


def test_runs_of_different_games_are_tabulated_without_games_between_them(command, sweeps):
    words = [word for change in NIM[2:] for word in ("--set", change)]
    sweep = ("train", "small.toml", "--sweep", "game.options.stones=5,6", *words)
    found = json.loads(command.done(*sweep, "--json"))
    assert found["networks"] is None
    assert [run["options"]["stones"] for run in found["runs"]] == [5, 6]
    assert "game.options.stones" in command.done(*sweep, "--resume")
