"""Several processes learn what one does; one that is killed is told, and none is left behind."""

import datetime
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
import torch.distributed as dist

from meeple.errors import MeepleError, RunError
from meeple.nets import ranks
from meeple.nets.parallel import ParallelTrainer
from meeple.nets.trainer import LocalTrainer
from meeple.nets.training import OPTIMIZERS
from tests.nets.test_trainer import (
    FLAT,
    OWNING,
    assert_learned_alike,
    examples,
    fresh,
    learned,
    recipe,
)

ROOT = Path(__file__).resolve().parent.parent.parent
LONG = 60.0  # seconds, on a busy machine

pytestmark = pytest.mark.skipif(not dist.is_gloo_available(), reason="PyTorch has no gloo here")


def together(processes):
    def make(network, optimizer, settings):
        return ParallelTrainer(network, optimizer, settings, devices=["cpu"] * processes)

    return make


def steps(trainer, count):
    for _ in range(count):
        trainer.step(examples(FLAT, 6))


def others():
    """The processes that this one has started to learn with it."""
    found = psutil.Process().children(recursive=True)
    return [process for process in found if "meeple.nets.rank" in process.cmdline()]


def ended(processes):
    return not psutil.wait_procs(processes, timeout=LONG)[1]


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Where private folders are made; nothing of them may be left, nor any process."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert others() == []
    assert not dist.is_initialized()
    assert list(tmp_path.glob("meeple-*")) == []


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_two_processes_learn_what_one_does(name):
    """Minibatches that do not divide, and one of a single example, with every head."""
    settings = recipe(name)
    expected = learned(LocalTrainer, OWNING, settings)
    assert max(loss["gradient_norm"] for loss in expected[0]) > 0.5, "none is shortened"
    assert_learned_alike(learned(together(2), OWNING, settings), expected)


def test_a_run_that_has_begun_goes_on_with_its_optimizers_state_and_divergence_is_told():
    settings = recipe()
    network, optimizer = fresh(OWNING, settings)
    alone = LocalTrainer(network, optimizer, settings)
    alone.step(examples(OWNING, 6, 1))
    with_it = together(3)(network, optimizer, settings)
    try:
        found = [with_it.step(examples(OWNING, 5, seed)) for seed in (2, 3)]
        expected = [alone.step(examples(OWNING, 5, seed)) for seed in (2, 3)]
        for one, other in zip(found, expected, strict=True):
            assert one == pytest.approx(other, rel=2e-4)
        bad = examples(OWNING, 5)
        bad.observations[:] = float("inf")
        with pytest.raises(MeepleError, match="training diverged"):
            with_it.step(bad)
        assert with_it.step(examples(OWNING, 5, 4)) == pytest.approx(
            alone.step(examples(OWNING, 5, 4)), rel=2e-4
        )
    finally:
        with_it.close()


def test_a_process_that_is_killed_is_told_in_a_sentence_and_the_others_end():
    with_it = together(2)(*fresh(FLAT, recipe()), recipe())
    try:
        with_it.step(examples(FLAT, 6))
        processes = others()
        assert len(processes) == 1
        processes[0].kill()
        began = time.monotonic()
        with pytest.raises(RunError, match=r"^process 1 of the 2 that learn has ended by SIGKILL"):
            steps(with_it, 100)
        assert time.monotonic() - began < LONG
    finally:
        with_it.close()
    assert ended(processes)


def test_a_process_that_is_killed_in_the_midst_of_a_step_is_told():
    """The trainer waits for it, and it neither answers nor has ended when the step begins."""
    with_it = together(2)(*fresh(FLAT, recipe()), recipe())
    try:
        with_it.step(examples(FLAT, 6))
        (other,) = others()
        other.suspend()
        killer = subprocess.Popen(["sh", "-c", f"sleep 1; kill -9 {other.pid}"])
        with pytest.raises(RunError, match="has ended by SIGKILL"):
            with_it.step(examples(FLAT, 6))
        killer.wait()
    finally:
        with_it.close()


def test_a_process_that_hangs_is_told_after_a_while(monkeypatch):
    monkeypatch.setattr(ranks, "END_SECONDS", 0.1)
    monkeypatch.setattr(ranks, "PATIENCE", 20.0)
    with_it = together(2)(*fresh(FLAT, recipe()), recipe())
    try:
        with_it.step(examples(FLAT, 6))
        monkeypatch.setattr(ranks, "PATIENCE", 2.0)
        assert dist.group.WORLD is not None
        dist.group.WORLD.set_timeout(datetime.timedelta(seconds=2))
        others()[0].suspend()
        with pytest.raises(RunError, match="has not answered for 2 seconds"):
            with_it.step(examples(FLAT, 6))
    finally:
        with_it.close()


def test_a_process_that_cannot_start_is_told_with_the_reason(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(RunError, match="process 1 of the 2 that learn has ended with exit code 1"):
        together(2)(*fresh(FLAT, recipe()), recipe())


def test_ctrl_c_in_the_midst_of_a_step_leaves_no_process(monkeypatch):
    with_it = together(2)(*fresh(FLAT, recipe()), recipe())
    try:
        processes = others()

        def press(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr(dist, "scatter", press)
        with pytest.raises(KeyboardInterrupt):
            with_it.step(examples(FLAT, 6))
    finally:
        with_it.close()
    assert ended(processes)


TRAINER = """
import sys
from tests.nets.test_parallel import FLAT, examples, fresh, others, recipe, together
trainer = together(2)(*fresh(FLAT, recipe()), recipe())
print(*(process.pid for process in others()), flush=True)
while True:
    trainer.step(examples(FLAT, 6))
"""


def test_a_trainer_that_is_killed_leaves_no_process(temporary):
    trainer = subprocess.Popen(
        [sys.executable, "-c", TRAINER],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), "TMPDIR": str(temporary)},
    )
    assert trainer.stdout is not None
    with trainer.stdout as said:
        processes = [psutil.Process(int(word)) for word in said.readline().split()]
        assert len(processes) == 1
        assert len(list(temporary.glob("meeple-*"))) == 1
        time.sleep(0.2)  # into the midst of steps
        trainer.kill()
        assert trainer.wait(LONG) == -signal.SIGKILL
    assert ended(processes)
