"""Compilation in a second process: which tasks it does, and which are left to this process."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from meeple.kernels import compile_process
from meeple.kernels.compile_process import CompileTask, compiled_in_parallel


def task(function, folder, *words):
    return CompileTask(f"{__name__}:{function.__name__}", (str(folder), *words))


def note(folder, name):
    """A task: record that this process did it; the output must not disturb the report."""
    print("done")
    (Path(folder) / f"{name}-{os.getpid()}").touch()


def wait_for(folder, name):
    """A task that lasts until a file exists."""
    while not (Path(folder) / name).exists():
        time.sleep(0.01)
    note(folder, "waited")


def fail(folder):
    """A task that fails in the second process."""
    if os.getpid() != int((Path(folder) / "first").read_text()):
        raise SystemExit(1)
    note(folder, "failed before")


def done(folder, *, here):
    """Return the tasks that this process did, or the second one."""
    found = [path.name.rsplit("-", 1) for path in folder.glob("*-*")]
    return sorted(name for name, process in found if here == (process == str(os.getpid())))


@pytest.fixture
def two_cores(monkeypatch):
    monkeypatch.setattr(compile_process, "usable_cores", lambda: 2)
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parent)])


@pytest.mark.slow
def test_the_second_process_does_the_tasks_and_this_process_completes_them(tmp_path, two_cores):
    tasks = [task(note, tmp_path, "a"), task(note, tmp_path, "b")]
    with compiled_in_parallel(tasks):
        while done(tmp_path, here=False) != ["a", "b"]:
            time.sleep(0.01)
    assert done(tmp_path, here=True) == ["a", "b"]


@pytest.mark.slow
def test_this_process_begins_with_the_last_task_while_the_other_is_busy(
    tmp_path, two_cores, monkeypatch
):
    started = []
    monkeypatch.setattr(CompileTask, "do", lambda task: started.append(task.arguments[-1]))
    tasks = [task(wait_for, tmp_path, "go")]
    tasks += [task(note, tmp_path, name) for name in ("b", "c")]
    wait = compile_process._SecondProcess.wait_until

    def release(other, task):
        assert task <= 1
        (tmp_path / "go").touch()
        wait(other, task)

    monkeypatch.setattr(compile_process._SecondProcess, "wait_until", release)
    with compiled_in_parallel(tasks):
        pass
    assert started[:1] == ["c"]
    assert started[-3:] == ["go", "b", "c"]


@pytest.mark.slow
def test_a_task_that_fails_in_the_second_process_is_done_in_this_one(tmp_path, two_cores):
    (tmp_path / "first").write_text(str(os.getpid()))
    with compiled_in_parallel([task(fail, tmp_path), task(note, tmp_path, "b")]):
        pass
    assert done(tmp_path, here=True) == ["b", "failed before"]


def test_with_one_core_this_process_does_all_tasks(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_process, "usable_cores", lambda: 1)
    monkeypatch.setattr(subprocess, "Popen", None)
    with compiled_in_parallel([task(note, tmp_path, "a")]):
        assert done(tmp_path, here=True) == []
    assert done(tmp_path, here=True) == ["a"]
