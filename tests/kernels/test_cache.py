"""The disk cache of kernels: damaged and foreign files are compiled anew, other users' not read."""

import os
import pickle
import random
import shutil
import subprocess
import sys

import pytest
from numba import types

from meeple import kernels
from meeple.kernels import cache as kernel_cache
from meeple.kernels.compiler import address_of
from tests.kernels.test_kernels import ASK, CALLED, CALLS, printed
from tests.tiers import few_quick

pytestmark = pytest.mark.skipif(not kernels.COMPILED, reason="nothing is compiled")
OTHER_USER = 12345
on_posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files and rights")
IS_ROOT = hasattr(os, "getuid") and os.getuid() == 0


def tripled(number):
    return 3 * number


def doubled(number):
    return 2 * number


def ask(function=tripled, number=5):
    """Call a fresh kernel; return its answer, and how many kernels were compiled for it."""
    before = len(kernel_cache.newly_compiled())
    answer = kernels.kernel(function)(number)
    return answer, len(kernel_cache.newly_compiled()) - before


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of this test's own; messages are printed as by a new process."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MEEPLE_CACHE", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    kernel_cache._safe.cache_clear()
    kernel_cache.ensure_writable.cache_clear()
    kernel_cache._announced.clear()
    yield folder
    kernel_cache._safe.cache_clear()


def truncate(length):
    return lambda path: path.write_bytes(path.read_bytes()[:length])


def replace_by(content):
    return lambda path: path.write_bytes(content)


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def drop_the_digest(path):
    """What Numba itself writes."""
    path.write_bytes(path.read_bytes()[: -kernel_cache._DIGEST_BYTES])


def swap_with_another_kernel(path):
    ask(doubled)
    name = path.name.replace(".tripled-", ".doubled-").replace(
        f"-{tripled.__code__.co_firstlineno}.", f"-{doubled.__code__.co_firstlineno}."
    )
    shutil.copy(path.with_name(name), path)


def swap_with_another_type(path):
    ask(number=5.5)
    shutil.copy(path.with_name(path.name.replace(".1.nbc", ".2.nbc")), path)


def another_compiler(path):
    """What the same program would write with another version of Numba."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_cache, "_COMPILERS", "0.1 0.1 0.1")
        ask()


DAMAGES = {
    "empty": truncate(0),
    "one byte": truncate(1),
    "a fragment": truncate(40),
    "without its end": truncate(-1),
    "without a digest": drop_the_digest,
    "random": replace_by(random.Random(3).randbytes(3000)),
    "a bit flipped": flip_a_bit,
    "a valid pickle": replace_by(pickle.dumps(("0.1", {}))),
    "another kernel's": swap_with_another_kernel,
    "another compiler's": another_compiler,
    "missing": lambda path: path.unlink(),
    "unreadable": lambda path: path.chmod(0),
    "of another user": lambda path: os.chown(path, OTHER_USER, -1),
    "shared": lambda path: path.chmod(0o666),
}
POSIX = ("unreadable", "of another user", "shared")


@pytest.mark.parametrize(
    ("kind", "damage"),
    [*((kind, damage) for kind in ("nbi", "nbc") for damage in DAMAGES), ("nbc", "another type's")],
)
def test_a_damaged_or_foreign_file_is_compiled_anew_silently(cache, kind, damage, capsys):
    if damage in POSIX and os.name != "posix":
        pytest.skip("Windows has no such permissions")
    if damage in POSIX and (damage == "unreadable" if IS_ROOT else damage == "of another user"):
        pytest.skip("only root can give a file away, and reads any file")
    assert ask() == (15, 1)
    path = next(cache.glob(f"*/*tripled-*.{kind}"))
    (DAMAGES | {"another type's": swap_with_another_type})[damage](path)
    capsys.readouterr()
    assert ask() == (15, 1)
    assert ask() == (15, 0)  # it has been replaced
    assert capsys.readouterr().err == ""


@on_posix
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("make", ["mkdir", "mkfifo"])
def test_what_is_no_file_is_compiled_around(cache, kind, make):
    assert ask() == (15, 1)
    path = next(cache.glob(f"*/*.{kind}"))
    path.unlink()
    getattr(os, make)(path)
    assert ask() == (15, 1)


def test_a_damaged_binary_of_a_c_function_is_compiled_anew(cache):
    signature = types.none(types.int64)

    def nothing(number):
        pass

    for damage in (truncate(0), truncate(0), truncate(50)):  # the first finds no file
        for path in cache.glob("*/*nothing*"):
            damage(path)
        before = len(kernel_cache.newly_compiled())
        assert address_of(nothing, signature)
        assert len(kernel_cache.newly_compiled()) == before + 1


@pytest.mark.slow
def test_a_binary_that_a_killed_writer_left_from_an_older_source_is_not_run(tmp_path):
    """It wrote the new index, and was killed before it wrote the binary that the index names."""
    files, cache = tmp_path / "files", tmp_path / "cache"
    files.mkdir()
    for name, text in CALLS.items():
        (files / f"{name}.py").write_text(text)
    assert printed(ASK, cache, files) == "11 caller.answer"
    binary = next(cache.glob("*/*answer*.nbc"))
    old = binary.read_bytes()
    (files / "called.py").write_text(CALLED.replace("2 * number", "3 * number"))
    assert printed(ASK, cache, files) == "16 caller.answer"
    binary.write_bytes(old)
    assert printed(ASK, cache, files) == "16 caller.answer"


LONG = "".join(
    f"""
    for item in s.items:
        while item > {limit}:
            item //= 10
            count += 1
"""
    for limit in range(9, 29)
)  # a kernel that is so long stays a function of its own
SHARED = f"""
from meeple.kernels import kernel

@kernel
def steps(s):
    count = 0
{LONG}
    return count
"""
CALLING = """
import numpy as np
from meeple.kernels import kernel, record
from shared import steps

State = record({fields})

@kernel
def answer(states):
    return steps(states[0]) + steps(states[1])

def of_items(*items):
    states = np.zeros(2, State)
    states["items"] = items
    return answer(states)
"""


@pytest.mark.slow
def test_binaries_of_two_processes_do_not_share_a_kernel_of_two_records(tmp_path):
    """Each process meets its record first, and compiles the same kernels in the same order."""
    files, cache = tmp_path / "files", tmp_path / "cache"
    files.mkdir()
    fields = {"one": "items=(np.int64, 3)", "two": "more=np.int64, items=(np.int64, 4)"}
    for name, text in fields.items():
        (files / f"{name}.py").write_text(CALLING.format(fields=text))
    (files / "shared.py").write_text(SHARED)
    one = '__import__("one").of_items(7, 52, 4)'
    assert printed(("", one), cache, files).startswith("40 ")
    two = '__import__("two").of_items(7, 52, 4, 987)'
    assert printed(("", f"{two}, {one}"), cache, files).startswith("120 40 ")


@pytest.mark.slow
def test_commands_work_after_a_power_cut_emptied_files_of_the_cache(tmp_path):
    environment = os.environ | {
        "MEEPLE_CACHE": str(tmp_path),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-m", "meeple", "watch", "nim", "random", "random", "--seed", "1"]

    def words():
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout, done.stderr

    first = words()
    for path in tmp_path.glob("*/nim.legal*.nb?"):
        path.write_bytes(b"")
    assert words() == first
    assert words() == (first[0], "")


# ---------------------------------------------------------------- other users


def chmod(mode):
    return lambda path: path.chmod(mode)


needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")


@on_posix
@pytest.mark.parametrize("part", [".", "*"], ids=["the folder", "a folder in it"])
@pytest.mark.parametrize("by", few_quick(["default", "MEEPLE_CACHE"]))
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (chmod(0o777), "can be written by other users"),
        (chmod(0o775), "can be written by other users"),
        pytest.param(
            lambda path: os.chown(path, OTHER_USER, -1), "belongs to another user", marks=needs_root
        ),
    ],
)
def test_a_folder_that_another_user_may_write_is_not_used(
    cache, monkeypatch, capsys, tmp_path, spoil, reason, by, part
):
    if by == "default":
        monkeypatch.delenv("MEEPLE_CACHE")
        cache = tmp_path / "home" / "meeple" / "kernels"
    assert ask() == (15, 1)
    spoil(next(cache.glob(part)) if part == "*" else cache)
    before = sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*"))
    kernel_cache._safe.cache_clear()
    capsys.readouterr()
    assert [ask(), ask()] == [(15, 1), (15, 0)]  # by the private folder
    private = tmp_path / "home" / "meeple" / "private-kernels"
    assert list(private.glob("*/*tripled*"))
    words = capsys.readouterr().err.splitlines()
    assert words[0].startswith(f"{cache} {reason}: compiled kernels are in {private} instead")
    assert len(words) == 1
    assert sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*")) == before
    private.chmod(0o777)
    kernel_cache._safe.cache_clear()
    assert [ask(), ask()] == [(15, 1), (15, 1)]


@needs_root
def test_what_the_administrator_installed_is_read_by_every_user(cache, monkeypatch):
    assert ask() == (15, 1)
    monkeypatch.setattr(os, "getuid", lambda: OTHER_USER)
    kernel_cache._safe.cache_clear()
    assert ask() == (15, 0)


@on_posix
def test_no_umask_lets_other_users_write_the_cache(cache):
    before = os.umask(0)
    try:
        assert ask() == (15, 1)
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o022 for path in (cache, *cache.rglob("*"))} == {0}
    assert ask() == (15, 0)
