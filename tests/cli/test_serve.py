import os
import socket
import subprocess
import sys
import urllib.request

import pytest

from tests.server.conftest import LiveServer


def meeple(*words, **environment):
    environ = {**os.environ, **environment}
    environ.pop("MEEPLE_PASSWORD", None) if "MEEPLE_PASSWORD" not in environment else None
    return subprocess.run(
        [sys.executable, "-m", "meeple", "serve", *words],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=environ,
        timeout=120,
    )


def test_a_taken_port_is_named_in_a_sentence(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = meeple("--port", port, "--data", str(tmp_path))
    assert done.returncode == 1
    assert f"port {port}" in done.stderr
    assert "Traceback" not in done.stderr


def test_where_others_can_reach_it_a_server_wants_a_password(tmp_path):
    done = meeple("--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path))
    assert done.returncode == 2
    assert "MEEPLE_PASSWORD" in done.stderr


@pytest.mark.parametrize("words", [["--port", "70000"], ["--workers", "0"], ["--colour"]])
def test_wrong_words_are_wrong_usage(words):
    assert meeple(*words).returncode == 2


def test_a_folder_that_cannot_be_one_is_named(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    done = meeple("--port", "0", "--data", str(file / "games"))
    assert done.returncode == 1
    assert str(file) in done.stderr


def test_a_server_serves_its_page_and_ends_quietly_with_ctrl_c(tmp_path):
    server = LiveServer(tmp_path, "--workers", "1")
    with urllib.request.urlopen(f"{server.url}/") as page:
        assert "<title>Meeple" in page.read().decode()
    assert server.stop() in (0, 130)
