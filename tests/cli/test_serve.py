"""What `meeple serve` refuses, and its password and page."""

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

    def serving(*words, password_file=""):
        monkeypatch.delenv("MEEPLE_PASSWORD", raising=False)
        monkeypatch.setenv("MEEPLE_PASSWORD_FILE", password_file)
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


@pytest.mark.parametrize(
    ("words", "password_file", "code", "said"),
    [
        ("--port 70000", "", 2, "--port"),
        ("--workers 0", "", 2, "--workers"),
        ("--host 0.0.0.0", "", 2, "MEEPLE_PASSWORD"),
        ("--host 0.0.0.0", "none", 2, "cannot read none: No such file"),
        ("--host 0.0.0.0", "file", 2, "password of four letters or more"),
        ("--data file/games", "", 1, "file"),
    ],
)
def test_what_cannot_be_served_is_refused_in_a_sentence(
    serve, tmp_path, monkeypatch, words, password_file, code, said
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    usual = ("--port", "0", "--data", "games")
    done = serve(*usual, *words.split(), password_file=password_file)
    assert done.returncode == code
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def login(url, password):
    """Return the status of a login."""
    headers = {"Content-Type": "application/json", "Origin": url}
    data = json.dumps({"password": password}).encode()
    try:
        request = urllib.request.Request(f"{url}/api/login", data, headers)
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.slow
def test_a_password_can_be_read_from_a_file(tmp_path, monkeypatch):
    file = tmp_path / "password"
    file.write_text("open sesame\n")
    monkeypatch.delenv("MEEPLE_PASSWORD", raising=False)
    monkeypatch.setenv("MEEPLE_PASSWORD_FILE", str(file))
    server = LiveServer(tmp_path / "data", "--workers", "1", "--host", "0.0.0.0")
    url = f"http://127.0.0.1:{server.port}"
    try:
        wrong, right = login(url, "open"), login(url, "open sesame")
    finally:
        server.stop()
    assert wrong in (401, 403)
    assert right == 200


@pytest.mark.slow
def test_a_server_serves_its_page_and_stops_quietly_on_ctrl_c(tmp_path):
    server = LiveServer(tmp_path, "--workers", "1")
    with urllib.request.urlopen(f"{server.url}/") as page:
        assert "<title>Meeple" in page.read().decode()
    assert server.stop() in (0, 130)
