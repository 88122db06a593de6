"""The package of `meeple new-plugin` in the browser: its view, and its game's own board."""

import subprocess
import sys

import pytest

from meeple.cli.new_plugin import written_package
from tests.server.conftest import LiveServer
from tests.server.play.test_play_page import set_up


@pytest.fixture
def trio_server(tmp_path, monkeypatch):
    """A server in an environment in which the package is installed."""
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation")
    installed = tmp_path / "installed"
    subprocess.run([*pip, "--target", installed, written_package("trio", tmp_path)], check=True)
    monkeypatch.setenv("PYTHONPATH", str(installed))
    served = LiveServer(tmp_path / "served", "--workers", "1", "--runs", str(tmp_path / "runs"))
    yield served
    served.stop()


def test_written_plug_in_has_a_view_and_its_game_a_board(trio_server, desks):
    page = desks().open(trio_server.url)
    page.get_by_role("link", name="Trio", exact=True).click()
    page.get_by_text("A board of 4 x 4 cells has 24 rows of three.").wait_for()
    page.goto(f"{trio_server.url}#/")
    set_up(page, "trio", {"size": "3"})
    board = page.locator(".trio-board")
    board.get_by_role("button").nth(4).click()
    board.get_by_role("button", name="✕").wait_for()
    assert board.get_by_role("button").count() == 9
