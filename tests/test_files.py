"""Atomic writing and bounded reading, tested against real limits of the operating system."""

import os
import resource
import sys

import pytest
from filelock import FileLock

from meeple.files import (
    atomic_file,
    lock_holder,
    read_bounded,
    remove_leftovers,
    write_atomically,
    write_private_file,
)


@pytest.fixture
def path(tmp_path):
    """A file with the content `old`, alone in its folder."""
    write_atomically(tmp_path / "state.json", b"old")
    return tmp_path / "state.json"


def test_a_write_replaces_the_content_and_leaves_no_other_file(path):
    write_atomically(path, "néw")
    assert path.read_bytes() == "néw".encode()
    assert os.listdir(path.parent) == ["state.json"]


def interrupted(path):
    with atomic_file(path) as file:
        file.write(b"half of the new")
        raise KeyboardInterrupt


def on_a_full_disk(path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        write_atomically(path, bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    ("write", "error"), [(interrupted, KeyboardInterrupt), (on_a_full_disk, OSError)]
)
def test_a_write_that_fails_leaves_the_old_file(path, write, error):
    with pytest.raises(error):
        write(path)
    assert path.read_bytes() == b"old"
    assert os.listdir(path.parent) == ["state.json"]


def test_the_old_file_exists_until_the_new_one_is_on_disk(path, monkeypatch):
    contents, sync = [], os.fsync

    def watched_sync(descriptor):
        contents.append(path.read_bytes())
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", watched_sync)
    write_atomically(path, b"new")
    assert contents[0] == b"old"
    assert path.read_bytes() == b"new"


def test_a_write_keeps_the_permissions_and_a_new_file_has_the_default_ones(tmp_path):
    default, file = tmp_path / "default", tmp_path / "file"
    default.touch()
    write_atomically(tmp_path / "new", b"")
    assert (tmp_path / "new").stat().st_mode == default.stat().st_mode
    file.touch()
    file.chmod(0o604)
    write_atomically(file, b"x")
    assert file.stat().st_mode & 0o777 == 0o604


def test_a_missing_folder_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "nowhere" / "file", b"")


def test_only_temporary_files_of_killed_writers_are_removed(tmp_path):
    (tmp_path / ".state.json.abc123.tmp").touch()
    (tmp_path / "notes.tmp").touch()
    (tmp_path / "state.json").touch()
    (tmp_path / ".mine.tmp").mkdir()
    remove_leftovers(tmp_path)
    assert sorted(os.listdir(tmp_path)) == [".mine.tmp", "notes.tmp", "state.json"]


def test_a_file_larger_than_the_limit_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    assert read_bounded(tmp_path / "file", 5) == b"12345"
    with pytest.raises(OSError, match="it has more than 4 bytes"):
        read_bounded(tmp_path / "file", 4)
    os.truncate(tmp_path / "file", 10**12)  # a sparse file, without disk blocks
    with pytest.raises(OSError, match="it has more than 1,000 bytes"):
        read_bounded(tmp_path / "file", 1000)


def test_a_folder_or_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(OSError, match="it is not a file"):
            read_bounded(path, 10)
    with pytest.raises(FileNotFoundError):
        read_bounded(tmp_path / "none", 10)


def test_a_private_file_is_readable_by_its_owner_only_and_created_once(tmp_path):
    path = tmp_path / "key"
    before = os.umask(0)
    try:
        write_private_file(path, b"first")
        write_private_file(path, b"second")
    finally:
        os.umask(before)
    assert path.read_bytes() == b"first"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["key"]


def test_a_private_file_is_created_complete_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "key"
    monkeypatch.setattr(os, "fsync", lambda descriptor: os.write(-1, b""))
    with pytest.raises(OSError, match="Bad file descriptor"):
        write_private_file(path, b"content")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows who holds a lock")
def test_the_holder_of_a_lock_is_named_while_it_holds_it(tmp_path):
    lock = tmp_path / "a.lock"
    assert lock_holder(lock) == "another process"
    with FileLock(lock):
        assert lock_holder(lock) == f"process {os.getpid()}"
    assert lock_holder(lock) == "another process"
