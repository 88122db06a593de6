"""The logs of a run's actors: one bounded file each; a failing log never ends a run."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from meeple.errors import RunError
from meeple.learn.run.logs import (
    LOGS_FOLDER,
    MAX_LINE_CHARACTERS,
    TAIL_BYTES,
    RunLogs,
    last_lines,
    log_names,
    log_path,
)


def test_each_actor_has_a_log_with_timestamps_which_goes_on_when_the_run_resumes(tmp_path):
    logs = RunLogs(tmp_path)
    assert not (tmp_path / LOGS_FOLDER).exists()
    logs.write("learner", "one\ntwo")
    logs.write("self-play-10", "ten")
    RunLogs(tmp_path).write("self-play-9", "nine\n")
    RunLogs(tmp_path).write("learner", "three")
    assert log_names(tmp_path) == ["learner", "self-play-9", "self-play-10"]
    assert [line[20:] for line in last_lines(tmp_path, "learner")] == ["one", "two", "three"]
    assert last_lines(tmp_path, "self-play-9")[0][4] == "-"


def test_a_full_log_is_rotated(tmp_path):
    logs = RunLogs(tmp_path, max_bytes=2000)
    for number in range(500):
        logs.write("buffer", f"line {number}")
    files = sorted((tmp_path / LOGS_FOLDER).iterdir())
    assert [file.name for file in files] == ["buffer.log", "buffer.log.1"]
    assert all(file.stat().st_size <= 2000 for file in files)
    assert last_lines(tmp_path, "buffer")[-1].endswith("line 499")
    assert log_names(tmp_path) == ["buffer"]


def test_threads_write_whole_lines(tmp_path):
    logs = RunLogs(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: logs.write("learner", "word " * 20), range(200)))
    lines = log_path(tmp_path, "learner").read_text().splitlines()
    assert len(lines) == 200
    assert {line[20:].strip() for line in lines} == {("word " * 20).strip()}


@pytest.mark.parametrize("name", ["", "../x", "a/b", "A", "x.log", "1", "a" * 65])
def test_a_name_that_could_be_a_path_is_refused_and_reads_no_other_file(tmp_path, name):
    (tmp_path / LOGS_FOLDER).mkdir()
    (tmp_path / "x.log").write_text("secret")
    with pytest.raises(ValueError, match="name"):
        RunLogs(tmp_path).write(name, "x")
    assert last_lines(tmp_path, name) == []


def test_displayed_logs_are_bounded_in_lines_and_bytes_without_control_characters(tmp_path):
    logs = RunLogs(tmp_path)
    logs.write("learner", "a\x1b[31mred\x00\n" + "y" * (2 * MAX_LINE_CHARACTERS))
    assert [line[20:30] for line in last_lines(tmp_path, "learner")] == ["a[31mred", "y" * 10]
    logs.write("learner", "\n".join(f"{n} " + "z" * 1000 for n in range(100)))
    shown = last_lines(tmp_path, "learner", lines=50)
    assert len("\n".join(shown)) <= TAIL_BYTES
    assert all(line[4] == "-" for line in shown)
    assert log_path(tmp_path, "learner").stat().st_size < 150_000


def test_unwritable_logs_end_no_run_and_are_counted(tmp_path):
    (tmp_path / LOGS_FOLDER).write_text("no folder")
    logs = RunLogs(tmp_path)
    logs.write("learner", "one\ntwo")
    assert logs.lost == 2
    assert log_names(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_ends_no_run(tmp_path):
    (tmp_path / LOGS_FOLDER).mkdir()
    log_path(tmp_path, "learner").symlink_to("/dev/full")
    logs = RunLogs(tmp_path)
    logs.write("learner", "one")
    assert logs.lost == 1


def test_a_log_that_is_not_a_file_is_reported(tmp_path):
    log_path(tmp_path, "learner").mkdir(parents=True)
    with pytest.raises(RunError, match="not a file"):
        last_lines(tmp_path, "learner")
