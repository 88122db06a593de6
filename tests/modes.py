"""Runs a test module's `traces()` in another mode of the compiler, in a separate process."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.roots import SYS_PATH

MODES = (
    "NUMBA_DISABLE_JIT",  # where a wrong index is an IndexError
    pytest.param(
        "NUMBA_BOUNDSCHECK",  # which compiles everything anew
        marks=pytest.mark.nightly("compiled games and searches stay within their arrays"),
    ),
)


def traces_in(mode: str, module: str) -> Any:
    """Return `module.traces()` as JSON data, with this environment variable set."""
    program = f"import json\nfrom {module} import traces\nprint(json.dumps(traces()))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {mode: "1", "PYTHONPATH": os.pathsep.join(SYS_PATH), "MEEPLE_QUIET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
