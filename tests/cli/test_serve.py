import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from tests.server.conftest import LiveServer


def meeple(*words, **environment):
    environ = {**os.environ, **environment}
    for name in ("MEEPLE_PASSWORD", "MEEPLE_PASSWORD_FILE"):
        if name not in environment:
            environ.pop(name, None)
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


def test_a_password_may_be_in_a_file_as_secrets_of_containers_are(tmp_path, monkeypatch):
    file = tmp_path / "password"
    file.write_text("open sesame\n")
    monkeypatch.delenv("MEEPLE_PASSWORD", raising=False)
    monkeypatch.setenv("MEEPLE_PASSWORD_FILE", str(file))
    server = LiveServer(tmp_path / "data", "--workers", "1", "--host", "0.0.0.0")
    url = f"http://127.0.0.1:{server.port}"
    try:
        codes = []
        for word in ("open", "open sesame"):
            request = urllib.request.Request(
                f"{url}/api/login",
                json.dumps({"password": word}).encode(),
                {"Content-Type": "application/json", "Origin": url},
            )
            try:
                with urllib.request.urlopen(request) as answer:
                    codes.append(answer.status)
            except urllib.error.HTTPError as error:
                codes.append(error.code)
                error.close()
    finally:
        server.stop()
    assert codes[0] in (401, 403)
    assert codes[1] == 200


def test_a_password_file_that_cannot_be_read_or_is_empty_is_a_sentence(tmp_path):
    words = ("--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path))
    done = meeple(*words, MEEPLE_PASSWORD_FILE=str(tmp_path / "none"))
    assert done.returncode == 2
    assert f"cannot read {tmp_path / 'none'}: No such file" in done.stderr
    (tmp_path / "empty").write_text("")
    done = meeple(*words, MEEPLE_PASSWORD_FILE=str(tmp_path / "empty"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


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
