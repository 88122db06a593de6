"""The sdist and the wheel: equal bytes in every build, complete, with the project's metadata."""

import email
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import meeple

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "runs", "__pycache__", ".*_cache", ".hypothesis"
)


def built(checkout, folder):
    """Build the sdist and the wheel of a checkout without the network; return both files."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)],
        cwd=checkout,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(folder.iterdir())


@pytest.mark.slow
def test_two_builds_are_equal_and_complete(tmp_path):
    pytest.importorskip("hatchling", reason="hatchling builds without the network")
    copy = tmp_path / "another folder"
    shutil.copytree(ROOT, copy, ignore=LEFT_OUT, copy_function=shutil.copy)  # other times
    for path in copy.rglob("*.py"):
        path.chmod(0o600)
    first, second = (built(ROOT, tmp_path / "1"), built(copy, tmp_path / "2"))
    digests = [
        [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
        for files in (first, second)
    ]
    assert [file.name for file in first] == [file.name for file in second]
    assert digests[0] == digests[1]
    wheel, sdist = first
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        headers = email.message_from_bytes(archive.read(metadata))
    assert {
        "meeple/py.typed",
        "meeple/configs/hex3.toml",
        "meeple/server/static/index.html",
    } <= names
    assert not [name for name in names if re.match(r"(.*/)?tests/.*\.py$", name)]
    assert headers["Version"] == meeple.__version__
    assert headers.get_all("Project-URL") is None
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "pyproject.toml",
        "README.md",
        "CITATION.cff",
        "docs/start.md",
        "tests/test_house.py",
    } <= inside


def test_citation_changelog_and_package_have_the_same_version_and_licence():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert re.search(rf"^version: {re.escape(meeple.__version__)}$", citation, re.M)
    assert all(f"  - {one}\n" in citation for one in project["license"].split(" AND "))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## .*{re.escape(meeple.__version__)}", changelog, re.M)
