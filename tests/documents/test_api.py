"""The pages of the Python API: every module of the index has a page with its content."""

import importlib
import os
import re
import subprocess
import sys

import pytest

import meeple
from tests.documents.program import PACKAGE, ROOT

pytestmark = pytest.mark.slow

NAMES = re.findall(r"`(meeple\.[\w.]+)`", str(meeple.__doc__))
ROOMS = ("games", "search", "agents", "nets", "learn", "arena", "protocols", "kernels")
REPORT = """
import sys
sys.path.insert(0, "docs")
from pathlib import Path
import write_api
pages = map(write_api.read_module, write_api.page_names())
print(*(name for page in pages for name in write_api.undescribed(page)), sep="\\n")
write_api.write(Path(sys.argv[1]))
"""


def test_the_index_names_every_kind_of_module_that_authors_need_once():
    assert len(NAMES) == len(set(NAMES))
    assert {name.split(".")[1] for name in NAMES} >= set(ROOMS)
    for name in NAMES:
        assert importlib.import_module(name).__doc__


def test_every_import_of_a_third_party_game_has_a_page():
    source = (ROOT / "examples" / "third_party_game.py").read_text()
    imported = set(re.findall(r"^from (meeple\S*) import", source, re.M))
    assert imported
    assert {name for name in imported if (PACKAGE.parent / name.replace(".", "/")).is_dir()} <= {
        "meeple.games",  # whose names are on the pages of the contract
        "meeple.kernels",
    }
    assert {name for name in imported if name != "meeple.games"} <= {*NAMES, "meeple"}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder of the pages, and the undocumented names; any warning is an error."""
    pytest.importorskip("pdoc", reason="pdoc writes the pages")
    folder = tmp_path_factory.mktemp("api")
    paths = os.pathsep.join([str(ROOT / "src"), *sys.path])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", REPORT, str(folder)],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout.split("\n")


def test_every_public_name_is_described_and_every_array_has_its_shape(written):
    assert [name for name in written[1] if name] == []


@pytest.mark.parametrize("name", ["meeple", *NAMES])
def test_every_module_of_the_index_has_a_linked_page(written, name):
    page = (written[0] / f"{name.replace('.', '/')}.html").read_text()
    assert "<h1" in page
    assert (
        name == "meeple"
        or f"{name.replace('.', '/')}.html" in (written[0] / "meeple.html").read_text()
    )


def test_comments_kernels_and_lazily_imported_names_are_on_the_pages(written):
    def page(name):
        return (written[0] / "meeple" / f"{name}.html").read_text()

    assert "<p>[A] simulations through each action</p>" in page("search/result")
    kernels = page("kernels")
    assert re.search(r'<span class="def">def</span>\s*<span class="name">add</span>', kernels)
    package = (written[0] / "meeple.html").read_text()
    assert all(f'id="{name}"' in package for name in meeple.__all__)
    assert "at a chance node" in package  # the comment on CHANCE in kernels/records.py
