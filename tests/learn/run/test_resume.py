"""An interrupted, killed or damaged run resumes and ends like an uninterrupted one."""

import errno
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.errors import CheckpointError, RunError
from meeple.games.contract.records import read_records
from meeple.learn import loop
from meeple.learn.fit import learner
from meeple.learn.loop import start_run, train
from meeple.learn.run import folder as run_folder
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.schema import RunState
from meeple.nets import trainer
from meeple.nets.checkpoint import KIND
from meeple.nets.training import train_step
from meeple.nets.training_state import KIND as TRAINING
from meeple.tensor_file import read_tensors
from tests.learn.small import Heard, config, trained

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
CHANGES = ("replay.capacity=60", "selfplay.sigma=0.5", "selfplay.random_plies=1")


@pytest.fixture(scope="module", autouse=True)
def save_after_every_wave():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "SAVE_SECONDS", 0.0)
        yield


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("unbroken") / "run", *CHANGES)


def outcome(run):
    """Return everything that must not depend on interruptions."""
    files = dict.fromkeys(sorted((run / "checkpoints").glob("*.safetensors")), KIND)
    files[run / "training" / "00000024.safetensors"] = TRAINING  # weights and optimizer state
    tensors = {
        (path.name, name): value.tobytes()  # the byte order of the files is not fixed
        for path, kind in files.items()
        for name, value in read_tensors(path, kind)[1].items()
    }
    return tensors, (run / "games.jsonl").read_bytes()


def stopped_after(run, waves, *changes):
    """Train a run and stop it after some waves."""
    start_run(config(*CHANGES, *changes), run)
    heard = Heard()
    train(run, heard, lambda: len(heard.waves) >= waves)
    assert len(heard.waves) == waves
    return run


@pytest.fixture(scope="module")
def three_waves(tmp_path_factory):
    return stopped_after(tmp_path_factory.mktemp("stopped") / "run", 3)


@pytest.fixture
def run(tmp_path, three_waves):
    """A run that was stopped after three waves."""
    return shutil.copytree(three_waves, tmp_path / "run")


def test_a_run_stopped_during_an_update_returns_to_the_saved_state(tmp_path, unbroken, monkeypatch):
    monkeypatch.setattr(learner, "STOP_GRACE_SECONDS", 0.0)
    run = tmp_path / "run"
    start_run(config(*CHANGES), run)
    steps: list[object] = []
    monkeypatch.setattr(trainer, "train_step", _counted(train_step, steps))
    state = train(run, None, lambda: len(steps) == 10)  # two waves of four, and half a wave
    assert len(steps) == 10
    assert state.episodes == 8
    assert train(run).episodes == 24
    assert outcome(run) == outcome(unbroken)


def _counted(call, calls):
    def counting(*arguments, **options):
        calls.append(arguments)
        return call(*arguments, **options)

    return counting


def test_a_run_stopped_within_a_wave_loses_only_that_wave(tmp_path, unbroken):
    start_run(config(*CHANGES), tmp_path / "run")
    heard, calls = Heard(), itertools.count()  # of `stop`, after the first wave
    stopped = train(tmp_path / "run", heard, lambda: len(heard.waves) > 0 and next(calls) >= 10)
    assert stopped.episodes == 4
    assert train(tmp_path / "run").episodes == 24
    assert outcome(tmp_path / "run") == outcome(unbroken)


def test_a_run_stopped_after_any_wave_ends_like_an_uninterrupted_one(tmp_path, unbroken):
    for waves in range(1, 6):
        run = stopped_after(tmp_path / str(waves), waves)
        assert train(run).episodes == 24
        assert outcome(run) == outcome(unbroken)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
def test_a_run_killed_at_random_points_ends_like_an_uninterrupted_one(tmp_path, unbroken):
    start_run(config(*CHANGES), tmp_path / "run")
    command = [sys.executable, "-W", "ignore", str(ROOT / "tests" / "learn" / "kill.py")]
    done = subprocess.run(
        [*command, str(tmp_path / "run"), "1"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 4  # kills, at least before the run can end
    assert outcome(tmp_path / "run") == outcome(unbroken)


def damage(path, how):
    if how == "truncated":
        os.truncate(path, path.stat().st_size // 2)
    elif how == "missing":
        path.unlink()
    else:
        data = bytearray(path.read_bytes())
        data[-5] ^= 1
        path.write_bytes(data)


def newest(folder):
    return max(folder.glob("*.safetensors"))


@pytest.mark.parametrize("what", ["training", "replay"])
@pytest.mark.parametrize("how", ["truncated", "altered", "missing"])
def test_a_damaged_file_is_named_and_the_previous_state_is_used(run, unbroken, what, how):
    path = newest(run / what)
    damage(path, how)
    heard = Heard()
    train(run, heard)
    (message,) = heard.messages
    assert str(path) in message
    assert "going on from state.previous.json, at episode 8" in message
    assert outcome(run) == outcome(unbroken)


def test_a_lost_folder_is_recreated(tmp_path, unbroken):
    run = stopped_after(tmp_path / "run", 1)
    shutil.rmtree(run / "replay")
    train(run, Heard())
    assert outcome(run) == outcome(unbroken)


def test_a_good_state_is_never_replaced_by_a_damaged_one(run, unbroken):
    """The first save after falling back must not replace the intact state by the damaged one."""
    damage(newest(run / "training"), "altered")
    train(run, None, lambda: True)  # falls back, and stops before the first wave
    (state,) = [state for _, state in RunFolder(run).load_states()]
    assert isinstance(state, RunState)
    assert state.episodes == 8
    train(run)
    assert outcome(run) == outcome(unbroken)


def test_files_left_by_a_killed_writer_are_removed(tmp_path):
    run = stopped_after(tmp_path / "run", 2)
    for folder in (run, run / "replay", run / "training"):
        (folder / ".state.json.abc.tmp").write_text("half")
    train(run)
    assert not list(run.rglob("*.tmp"))
    assert len(list((run / "training").glob("*.safetensors"))) == 2  # those of the two states


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("after", [0, 1, 2, 3, 4])
def test_a_full_disk_leaves_the_old_state_intact(run, unbroken, monkeypatch, call, after):
    real, calls = getattr(os, call), itertools.count()

    def refuse(*arguments):
        if next(calls) >= after:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        with pytest.raises((RunError, CheckpointError), match="No space left on device"):
            train(run)
    assert not list(run.rglob("*.tmp"))
    heard = Heard()
    train(run, heard)
    assert heard.messages == []
    assert outcome(run) == outcome(unbroken)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root alone mounts")
def test_a_really_full_disk_leaves_the_old_state_intact(tmp_path, unbroken):
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", place]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        run = stopped_after(place / "run", 3)
        free = shutil.disk_usage(place).free
        (place / "ballast").write_bytes(bytes(max(0, free - 3000)))
        with pytest.raises((RunError, CheckpointError), match="No space left"):
            train(run)
        (place / "ballast").unlink()
        train(run)
        assert outcome(run) == outcome(unbroken)
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_second_trainer_is_refused_with_a_message_and_the_first_continues(tmp_path, monkeypatch):
    """Both once reported success, with the games of one as NUL bytes in the other's file."""
    monkeypatch.setattr(run_folder, "LOCK_TIMEOUT_SECONDS", 0.1)
    run = tmp_path / "run"
    refused: list[tuple[int, str]] = []
    start_run(config(*CHANGES), run)

    def second():
        if not refused:
            done = subprocess.run(
                [sys.executable, "-m", "meeple", "train", "--resume", "--run", str(run)],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                capture_output=True,
                text=True,
                check=False,
            )
            refused.append((done.returncode, done.stderr))
        return False

    train(run, stop=second)
    assert refused[0][0] == 1
    assert re.search(r"is being trained by (another )?process( \d+)?; wait for it", refused[0][1])
    assert len(read_records(run / "games.jsonl")) == 24


def test_a_killed_trainer_holds_no_lock(tmp_path):
    run = tmp_path / "run"
    start_run(config(*CHANGES), run)
    program = (
        "import os, signal, sys\nfrom meeple.learn.loop import train\n"
        "train(sys.argv[1], stop=lambda: os.kill(os.getpid(), signal.SIGKILL))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program, run], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not run_folder.is_being_trained(run)
    train(run)
