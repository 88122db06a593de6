"""A folder of games belongs to one server at a time, until that ends or is killed."""

import subprocess
import sys

import pytest

from meeple.errors import MeepleError
from meeple.server.folder_lock import HOLDER, LOCK
from meeple.server.store import GameStore
from tests.server.conftest import LiveServer

HOLDING = """
import sys, time
import meeple.server.services  # and the modules of all tables
from meeple.server.store import GameStore
store = GameStore(sys.argv[1], "http://127.0.0.1:8123/")
print("holds", flush=True)
time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the folder as a server does."""
    words = [sys.executable, "-c", HOLDING, str(tmp_path)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "holds\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.slow
def test_a_second_server_is_refused_until_the_first_is_killed(tmp_path, holder):
    words = rf"process {holder.pid} at http://127.0.0.1:8123/; stop it, or choose another folder"
    with pytest.raises(MeepleError, match=words):
        GameStore(tmp_path, "http://127.0.0.1:8124/")
    GameStore(tmp_path).close()  # as `meeple puzzles` does beside a server
    (tmp_path / HOLDER).unlink()
    with pytest.raises(MeepleError, match=r"process( \d+)?; stop it"):
        GameStore(tmp_path, "http://127.0.0.1:8124/")
    holder.kill()
    holder.wait()
    store = GameStore(tmp_path, "http://127.0.0.1:8124/")
    assert (tmp_path / HOLDER).read_text().endswith("at http://127.0.0.1:8124/\n")
    store.close()


@pytest.mark.slow
def test_a_second_meeple_serve_names_the_first_one(tmp_path):
    server = LiveServer(tmp_path, "--workers", "1")
    words = ["serve", "--port", "0", "--data", str(tmp_path)]
    second = [sys.executable, "-m", "meeple", *words]
    try:
        done = subprocess.run(second, capture_output=True, text=True, timeout=600, check=False)
    finally:
        pid = server.process.pid
        server.kill()
    assert done.returncode == 1
    assert f"process {pid} at {server.url}" in done.stderr
    assert done.stderr.count("\n") == 1
    server.start()  # the lock of a killed server is free
    assert server.stop() in (0, 130)


def test_a_folder_that_is_left_can_be_used_again(tmp_path):
    for _ in range(2):
        GameStore(tmp_path, "http://127.0.0.1:8123/").close()
    assert (tmp_path / LOCK).exists()


@pytest.mark.slow
def test_a_store_that_cannot_be_opened_leaves_the_folder_free(tmp_path):
    (tmp_path / "games.sqlite").write_bytes(b"junk" * 999)
    with pytest.raises(MeepleError, match="not a database"):
        GameStore(tmp_path, "http://127.0.0.1:8123/")
    done = subprocess.run(
        [sys.executable, "-c", HOLDING.replace("time.sleep(600)", ""), str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "not a database" in done.stderr
