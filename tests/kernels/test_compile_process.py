"""Compiling on two cores: what another process does, and what is left to this one."""

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
    """A task: say that this process did it; what it prints is nobody's business."""
    print("done")
    (Path(folder) / f"{name}-{os.getpid()}").touch()


def wait_for(folder, name):
    """A task that lasts until a file is there."""
    while not (Path(folder) / name).exists():
        time.sleep(0.01)
    note(folder, "waited")


def fail(folder):
    """A task that the other process cannot do."""
    if os.getpid() != int((Path(folder) / "first").read_text()):
        raise SystemExit(1)
    note(folder, "failed elsewhere")


def done_here(folder):
    """The tasks that this process did."""
    return sorted(path.name.rsplit("-", 1)[0] for path in folder.glob(f"*-{os.getpid()}"))


def done_elsewhere(folder):
    """The tasks that the other process did."""
    return sorted(
        path.name.rsplit("-", 1)[0]
        for path in folder.glob("*-*")
        if not path.name.endswith(f"-{os.getpid()}")
    )


@pytest.fixture
def two_cores(monkeypatch):
    monkeypatch.setattr(compile_process, "usable_cores", lambda: 2)
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parent)])


def test_the_other_process_begins_with_the_first_and_this_one_sees_all_done(tmp_path, two_cores):
    tasks = [task(note, tmp_path, "a"), task(note, tmp_path, "b")]
    with compiled_in_parallel(tasks):
        wait_until(lambda: done_elsewhere(tmp_path) == ["a", "b"])
    assert done_here(tmp_path) == ["a", "b"]


def wait_until(true):
    while not true():
        time.sleep(0.01)


def test_this_process_helps_from_the_last_while_the_other_is_busy(tmp_path, two_cores, monkeypatch):
    began = []
    monkeypatch.setattr(CompileTask, "do", lambda task: began.append(task.arguments[-1]))
    tasks = [task(wait_for, tmp_path, "go")]
    tasks += [task(note, tmp_path, name) for name in ("b", "c")]
    watched = compile_process._SecondProcess.wait_until

    def let_go(other, task):
        assert task <= 1
        (tmp_path / "go").touch()
        watched(other, task)

    monkeypatch.setattr(compile_process._SecondProcess, "wait_until", let_go)
    with compiled_in_parallel(tasks):
        pass
    assert began[:1] == ["c"]
    assert began[-3:] == ["go", "b", "c"]


def test_what_is_needed_later_is_not_waited_for(tmp_path, two_cores):
    with compiled_in_parallel([task(note, tmp_path, "a")], [task(wait_for, tmp_path, "go")]):
        pass
    assert "waited" not in done_elsewhere(tmp_path)
    (tmp_path / "go").touch()
    wait_until(lambda: "waited" in done_elsewhere(tmp_path))


def test_a_task_that_fails_elsewhere_is_done_here(tmp_path, two_cores):
    (tmp_path / "first").write_text(str(os.getpid()))
    with compiled_in_parallel([task(fail, tmp_path), task(note, tmp_path, "b")]):
        pass
    assert done_here(tmp_path) == ["b", "failed elsewhere"]


def test_on_one_core_this_process_does_all(tmp_path, monkeypatch):
    monkeypatch.setattr(compile_process, "usable_cores", lambda: 1)
    monkeypatch.setattr(subprocess, "Popen", None)
    with compiled_in_parallel([task(note, tmp_path, "a")]):
        assert done_here(tmp_path) == []
    assert done_here(tmp_path) == ["a"]


def test_where_nothing_is_cold_no_process_is_started(tmp_path, two_cores, monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", None)
    with compiled_in_parallel([], [task(note, tmp_path, "a")]):
        pass
