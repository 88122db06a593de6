import json
import socket
import urllib.error
import urllib.request

import pytest

from tests.server.conftest import LiveServer


@pytest.fixture
def serve(run, monkeypatch):
    """Run `meeple serve` in this process with arguments that it refuses; return its result."""

    def listen(*arguments, **options):
        raise AssertionError("the server listens")

    monkeypatch.setattr("uvicorn.Server.run", listen)

    def serving(*words, **environment):
        for name in ("MEEPLE_PASSWORD", "MEEPLE_PASSWORD_FILE"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return run("serve", *words)

    return serving


def test_a_port_in_use_is_reported_in_a_sentence(serve, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = serve("--port", port, "--data", str(tmp_path))
    assert done.returncode == 1
    assert f"port {port}" in done.stderr
    assert "--port chooses another port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_others_can_reach_requires_a_password(serve, tmp_path):
    done = serve("--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path))
    assert done.returncode == 2
    assert "MEEPLE_PASSWORD" in done.stderr


@pytest.mark.slow
def test_a_password_can_be_read_from_a_file(tmp_path, monkeypatch):
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


def test_an_unreadable_or_empty_password_file_is_reported(serve, tmp_path):
    words = ("--host", "0.0.0.0", "--port", "0", "--data", str(tmp_path))
    done = serve(*words, MEEPLE_PASSWORD_FILE=str(tmp_path / "none"))
    assert done.returncode == 2
    assert f"cannot read {tmp_path / 'none'}: No such file" in done.stderr
    (tmp_path / "empty").write_text("")
    done = serve(*words, MEEPLE_PASSWORD_FILE=str(tmp_path / "empty"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["--port", "70000"], ["--workers", "0"], ["--colour"]])
def test_invalid_arguments_are_wrong_usage(serve, words):
    assert serve(*words).returncode == 2


def test_an_error_names_an_impossible_folder(serve, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    done = serve("--port", "0", "--data", str(file / "games"))
    assert done.returncode == 1
    assert str(file) in done.stderr


@pytest.mark.slow
def test_a_server_serves_its_page_and_stops_quietly_on_ctrl_c(tmp_path):
    server = LiveServer(tmp_path, "--workers", "1")
    with urllib.request.urlopen(f"{server.url}/") as page:
        assert "<title>Meeple" in page.read().decode()
    assert server.stop() in (0, 130)
