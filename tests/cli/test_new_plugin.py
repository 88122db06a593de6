"""The package of `meeple new-plugin` passes its own tests once it is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from meeple.cli.main import run
from meeple.cli.new_plugin import written_package
from tests.documents.markdown import read

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_written_package_passes_its_tests_and_has_no_fault(tmp_path, capsys):
    assert run(["new-plugin", "my-trio", "--folder", str(tmp_path)], debug=False) == 0
    package, installed = tmp_path / "meeple-my-trio", tmp_path / "installed"
    assert f"pip install -e {package}" in capsys.readouterr().out
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation")
    subprocess.run([*pip, "--target", installed, package], check=True)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(installed), str(ROOT / "src")])}
    command = [sys.executable, "-m", "pytest", "-q", package]
    done = subprocess.run(
        command, cwd=package, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_documentation_shows_the_files_that_are_written(tmp_path):
    package = written_package("trio", tmp_path)
    files = [path for path in package.rglob("*") if path.is_file()]
    shown: list[str] = []
    for block in read((ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")).blocks:
        if block.language:
            text = "\n".join(block.lines[bool(block.file) :])
            same = [path.name for path in files if path.read_text(encoding="utf-8") == f"{text}\n"]
            assert same, block.lines[0]
            shown += same
    names = ["pyproject.toml", "agent.py", "command.py", "page.py", "page.js", "board.js"]
    assert shown == names


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        ("new-game", "My Game", "lower-case letters, digits and -"),
        ("new-game", "../up", "lower-case letters"),
        ("new-game", "class", "a keyword of Python"),
        ("new-plugin", "hex", "there is a game called hex already"),
        ("new-plugin", "uct", "there is an agent called uct already"),
        ("new-plugin", "warmup", "there is a command called warmup already"),
    ],
)
def test_invalid_names_are_refused(command, name, said, tmp_path, capsys):
    assert run([command, name, "--folder", str(tmp_path)], debug=False) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["new-game", "new-plugin"])
def test_no_file_is_overwritten(command, tmp_path, capsys):
    words = [command, "mine", "--folder", str(tmp_path)]
    assert run(words, debug=False) == 0
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")}
    assert run(words, debug=False) == 2
    assert "nothing was written" in capsys.readouterr().err
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")} == before
