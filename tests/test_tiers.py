"""The tiers: what they leave out, what the quick one refuses, what the nightly one guards."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TESTS = """
import subprocess
import sys
import time

import pytest
from numba.core.compiler_lock import global_compiler_lock
from tests import settings

settings.MAX_QUICK_SECONDS = 0.5  # of processor time, so that this takes less


def work(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass


@pytest.fixture(scope="module")
def prepared():
    work(0.6)


def test_with_a_long_fixture(prepared):
    pass


def test_with_a_ready_fixture(prepared):
    pass


def test_that_works_long():
    work(0.6)


def test_that_compiles_long():
    with global_compiler_lock:
        work(0.6)


def test_that_starts_a_process():
    subprocess.run([sys.executable, "-c", ""])


@pytest.mark.slow
def test_that_is_marked():
    work(0.6)


@pytest.mark.nightly("nothing")
def test_at_night():
    work(0.6)
"""


@pytest.mark.slow
def test_an_unmarked_test_fails_if_it_takes_long_or_starts_a_process(tmp_path):
    file = tmp_path / "test_these.py"
    file.write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.settings", "-m", "not slow"]
    options = ["-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", str(file)]
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    done = subprocess.run(
        [*command, *options], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert set(re.findall(r"^FAILED \S*::(\w+)", done.stdout, re.MULTILINE)) == {
        "test_with_a_long_fixture",
        "test_that_works_long",
        "test_that_starts_a_process",
    }, done.stdout + done.stderr
    assert "3 failed, 2 passed, 2 deselected" in done.stdout
