"""The processes of checks are forked where that is possible, and endless loops end soon."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from meeple.games.check import findings
from tests.games.check.forked import CheckProcesses


@pytest.fixture(scope="module", autouse=True)
def processes(tmp_path_factory):
    made = CheckProcesses(tmp_path_factory.mktemp("checks"))
    forking = SimpleNamespace(**{**vars(subprocess), "Popen": made.start})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "PLY_SECONDS", 5.0)
        if sys.platform != "win32":
            patch.setattr(findings, "subprocess", forking)
        yield
    made.end()
