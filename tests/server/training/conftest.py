"""The routes of runs without the rest of the server; each file has its own fixture `runs`."""

from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from meeple.server.app import create_app
from meeple.server.resources import Resources
from meeple.server.settings import ServerSettings
from meeple.server.training.runs import Runs
from meeple.server.work import Work


@pytest.fixture
def client(runs, tmp_path):
    app = create_app(ServerSettings(data=tmp_path / "data", runs=runs.folder))
    app.state.parts = {Runs: runs, Resources: SimpleNamespace(work=Work())}
    return TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=True)
