"""Runs whose network is asked and learns on an accelerator, or by several processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import torch.distributed as dist

from meeple.cli.resumed import resumed_config
from meeple.errors import ConfigError, RunError
from meeple.learn.fit.trainer import trainer_of
from meeple.learn.loop import start_run, train
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import new_run
from meeple.nets.checkpoint import load
from meeple.nets.trainer import DeviceTrainer, LocalTrainer
from tests.learn.accelerator import NAME
from tests.learn.accelerator import one_accelerator as one_accelerator
from tests.learn.small import HEX3, Heard, config, trained
from tests.nets.test_parallel import LONG, ended, others

ROOT = Path(__file__).resolve().parents[3]
TOWER = (
    "search.mode=alphazero",
    "network.kind=conv",
    "network.channels=4",
    "network.blocks=1",
    "training.ownership=0.1",
)

needs_gloo = pytest.mark.skipif(not dist.is_gloo_available(), reason="PyTorch has no gloo here")


def networks(run):
    return sorted((run / "checkpoints").glob("*.safetensors"))


def has_learned(run):
    first, *_, last = (load(path).weights.tensors for path in networks(run))
    return any((first[name] != last[name]).any() for name in first)


@pytest.mark.usefixtures("one_accelerator")
@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_is_played_and_learned_on_the_accelerator_that_is_there(tmp_path, workers):
    heard = Heard()
    run = trained(tmp_path / "run", *TOWER, f"selfplay.workers={workers}", reporter=heard)
    assert has_learned(run)
    learned, asked = heard.messages
    assert learned.startswith(f"Minibatches are learned on {NAME}, in ")
    assert asked == f"Self-play asks the network on {NAME}, in float32"
    assert {"loss/policy", "loss/value", "loss/ownership"} <= heard.waves[-1][1].keys()


def test_a_run_goes_on_without_the_accelerator_and_with_it_again(tmp_path, one_accelerator):
    run = tmp_path / "run"
    changes = (*TOWER, "selfplay.device=cuda", "training.device=cuda", "selfplay.format=float16")
    start_run(config(*changes), run)
    heard = Heard()
    assert train(run, heard, lambda: len(heard.waves) >= 2).episodes == 8
    one_accelerator()
    without = Heard()
    assert train(run, without, lambda: len(without.waves) >= 2).episodes == 16
    (sentence,) = without.messages
    assert "no accelerator cuda (PyTorch sees none here)" in sentence


def test_a_run_begun_on_the_processor_goes_on_with_an_accelerator(tmp_path, request):
    run = tmp_path / "run"
    start_run(config(*TOWER), run)
    heard = Heard()
    train(run, heard, lambda: len(heard.waves) >= 2)
    assert heard.messages == []
    request.getfixturevalue("one_accelerator")
    assert train(run, heard).episodes == 24
    assert len(heard.messages) == 2
    assert has_learned(run)


def test_a_run_may_go_on_by_other_devices_and_more_processes_and_not_otherwise(tmp_path):
    run = tmp_path / "run"
    start_run(config(), run)
    changes = ["training.device=cpu", "selfplay.device=cuda:1", "training.processes=2"]
    resumed_config(run, None, changes)
    settled = RunFolder(run).config()
    assert settled.selfplay.device == "cuda:1"
    assert (settled.training.device, settled.training.processes) == ("cpu", 2)
    with pytest.raises(ConfigError, match=r"was begun with training.format = 'auto'"):
        resumed_config(run, None, ["training.format=bfloat16"])


@pytest.mark.parametrize("field", ["selfplay.device", "training.device"])
def test_a_device_that_cannot_be_is_refused_with_what_can(field):
    with pytest.raises(
        ConfigError, match=rf"{field} must be auto, cpu, cuda, or cuda:1 and so on, not 'gpu'"
    ):
        config(f"{field}=gpu")


def trainer(*changes):
    said: list[str] = []
    run = new_run(config(*changes), RunFolder("nowhere"))
    return trainer_of(run.config, run.network, run.optimizer, said.append), said


def test_without_an_accelerator_the_network_itself_learns_and_nothing_is_said():
    found, said = trainer(*TOWER)
    assert isinstance(found, LocalTrainer)
    assert said == []


def test_mixed_precision_may_be_asked_for_anywhere():
    found, (sentence,) = trainer(*TOWER, "training.format=bfloat16")
    assert isinstance(found, DeviceTrainer)
    assert sentence == "Minibatches are learned on the processor, in bfloat16"


@pytest.mark.usefixtures("one_accelerator")
def test_more_processes_than_accelerators_are_refused_with_what_is_there():
    with pytest.raises(
        ConfigError,
        match=rf"training.processes: 4 processes from cuda:0 on .*there is 1: .*cuda:0 {NAME}",
    ):
        trainer(*TOWER, "training.processes=4")


def test_a_pytorch_that_cannot_share_is_told(monkeypatch):
    monkeypatch.setattr(dist, "is_gloo_available", lambda: False)
    with pytest.raises(ConfigError, match=r"processes must be 1: this PyTorch comes without gloo"):
        trainer("training.processes=2")


@needs_gloo
def test_a_run_of_two_processes_survives_the_death_of_one(tmp_path):
    run = tmp_path / "run"
    start_run(config("training.processes=2", "training.batch_size=5"), run)
    heard = Heard()
    killed: list[psutil.Process] = []

    def kill_one():
        if len(heard.waves) == 2 and not killed:
            killed.extend(others())
            killed[0].kill()
        return False

    with pytest.raises(RunError, match=r"process 1 of the 2 that learn has ended by SIGKILL"):
        train(run, heard, kill_one)
    assert heard.messages == [
        "Minibatches are learned on the processor, by 2 processes, in float32"
    ]
    assert len(killed) == 1
    assert others() == []
    alone = config("training.batch_size=5")
    RunFolder(run).prolong(alone, "\n".join(str(line) for line in toml(alone)))
    assert train(run).episodes == 24
    assert has_learned(run)


def toml(settings):
    from meeple.learn.describe import documented

    return documented(settings).splitlines()


@needs_gloo
@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
def test_ctrl_c_ends_all_processes_and_saves(tmp_path):
    """Pressed in a terminal, which tells every process of the command."""
    changes = [f"--set={change}" for change in HEX3[3:]]
    run = tmp_path / "run"
    command = ["train", "hex3", "--run", str(run), *changes, "--set=run.episodes=100000"]
    command += ["--set=training.processes=2", "--set=matches.minutes=0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "meeple", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    assert process.stderr is not None
    with process.stderr as said:
        line = ""
        while "2 processes" not in line:  # then all have begun
            line = said.readline()
            assert line
        found = psutil.Process(process.pid).children(recursive=True)
        assert found
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(LONG) == 130, said.read()
    assert ended(found)
    assert RunFolder(run).standing()[0] is not None
