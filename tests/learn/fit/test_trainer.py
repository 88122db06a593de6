"""Runs that train and compute their network on an accelerator."""

import re

import pytest

from meeple.errors import ConfigError, RunError
from meeple.learn.fit.learner import trainer_of
from meeple.learn.loop import start_run, train
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import NetworkRun
from meeple.learn.training_run import resumed_config
from meeple.nets.checkpoint import load
from tests.learn.accelerator import NAME
from tests.learn.accelerator import one_accelerator as one_accelerator
from tests.learn.small import Heard, config, config_in, trained

TOWER = (
    "search.mode=alphazero",
    "network.kind=conv",
    "network.channels=4",
    "network.blocks=1",
    "training.ownership=0.1",
)


def networks(run):
    return sorted((run / "checkpoints").glob("*.safetensors"))


def has_learned(run):
    first, *_, last = (load(path).weights.tensors for path in networks(run))
    return any((first[name] != last[name]).any() for name in first)


@pytest.mark.usefixtures("one_accelerator")
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.slow
def test_a_run_plays_and_learns_on_the_available_accelerator(tmp_path, workers):
    heard = Heard()
    run = trained(tmp_path / "run", *TOWER, f"selfplay.workers={workers}", reporter=heard)
    assert has_learned(run)
    learned, asked = heard.messages
    assert learned.startswith(f"Minibatches are learned on {NAME}, in ")
    assert asked == f"Self-play asks the network on {NAME}, in float32"
    assert {"loss/policy", "loss/value", "loss/ownership"} <= heard.waves[-1][1].keys()


@pytest.mark.slow
def test_a_run_resumes_without_the_accelerator_and_with_it_again(tmp_path, one_accelerator):
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


@pytest.mark.slow
def test_a_run_started_on_the_cpu_resumes_on_an_accelerator(tmp_path, request):
    run = tmp_path / "run"
    start_run(config(*TOWER), run)
    heard = Heard()
    train(run, heard, lambda: len(heard.waves) >= 2)
    assert heard.messages == []
    request.getfixturevalue("one_accelerator")
    assert train(run, heard).episodes == 24
    assert len(heard.messages) == 2
    assert has_learned(run)


def test_a_run_resumes_with_other_devices_but_not_with_another_format(tmp_path):
    run = tmp_path / "run"
    start_run(config(), run)
    changes = ["training.device=cpu", "selfplay.device=cuda:1"]
    resumed_config(run, None, changes)
    settled = config_in(run)
    assert settled.selfplay.device == "cuda:1"
    assert settled.training.device == "cpu"
    with pytest.raises(ConfigError, match=r"was started with training.format = 'auto'"):
        resumed_config(run, None, ["training.format=bfloat16"])


@pytest.mark.parametrize(
    ("format", "said"),
    [
        ("auto", []),  # float32 on the processor
        ("bfloat16", ["Minibatches are learned on the processor, in bfloat16"]),
    ],
)
def test_an_unusual_format_of_training_is_reported(format, said):
    heard: list[str] = []
    run = NetworkRun(config(*TOWER, f"training.format={format}"), RunFolder("nowhere"))
    trainer_of(run.config, run.network, run.optimizer, heard.append)
    assert heard == said


@pytest.mark.parametrize("settings", [["training.processes=1"], []])
def test_a_run_of_an_earlier_version_with_one_process_resumes(tmp_path, settings):
    run = tmp_path / "run"
    start_run(config(), run)
    with_processes(run, 2)
    with pytest.raises(RunError, match=r"training.processes was removed.* delete the line"):
        train(run)
    with_processes(run, 1)
    resumed_config(run, None, settings)
    assert train(run).episodes == 24


def with_processes(run, count):
    """Write `training.processes` into the run's configuration, like an earlier version."""
    file = run / "config.toml"
    text = re.sub(r"\nprocesses = \d", "", file.read_text())
    assert text.count("[training]\n") == 1
    file.write_text(text.replace("[training]\n", f"[training]\nprocesses = {count}\n"))
