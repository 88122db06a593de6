"""The pages of the Python API: each public name has a description, each array its shape."""

import importlib
import re
from collections.abc import Iterator
from typing import Any

import pytest

import meeple
from tests.documents.program import PACKAGE, ROOT

griffe = pytest.importorskip("griffe", reason="Griffe reads the sources for the pages")

pytestmark = pytest.mark.slow

NAMES = re.findall(r"`(meeple\.[\w.]+)`", str(meeple.__doc__))
ROOMS = ("games", "search", "agents", "nets", "learn", "arena", "protocols", "kernels")
ARRAY = re.compile(r"\b(?:NDArray|ndarray|Array|Mask|Payoffs)\b")


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
def package():
    """The package as the site reads it, with comments as descriptions."""
    extension = str(ROOT / "docs" / "comments.py") + ":Comments"
    extensions = griffe.load_extensions(extension)
    return griffe.load(
        "meeple",
        search_paths=[str(PACKAGE.parent)],
        extensions=extensions,
        docstring_parser="google",
        resolve_aliases=True,
    )


def module(package, name):
    """Return a module as Griffe reads it."""
    return package if name == "meeple" else package[name.removeprefix("meeple.")]


def members(page) -> Iterator[Any]:
    """Yield the public members that the page of a module shows."""
    for name, member in page.members.items():
        own = not member.is_alias and not member.is_module and not name.startswith("_")
        if name in page.exports if page.exports is not None else own:
            yield member.final_target if member.is_alias else member


def is_array(member) -> bool:
    """Return whether a variable is an array, or a function returns one."""
    if member.is_attribute:
        return ARRAY.search(str(member.annotation)) is not None
    result = str(member.returns) if member.is_function else ""
    return ARRAY.search(result) is not None and "dict[" not in result


def without_shape(member) -> Iterator[str]:
    """Yield the arrays of a member without a shape in brackets; shares are [players]."""
    words = member.docstring.value if member.docstring else ""
    if is_array(member) and not re.search(r"\[|\bshares\b", words):
        yield member.path
    if member.is_class:
        for inner in member.members.values():
            if not inner.name.startswith("_") and not inner.is_alias:
                yield from without_shape(inner)


def test_every_public_name_is_described_and_every_array_has_its_shape(package):
    pages = {name: list(members(module(package, name))) for name in ["meeple", *NAMES]}
    assert [name for name, public in pages.items() if not public] == []
    public = [one for page in pages.values() for one in page]
    assert [one.path for one in public if not one.docstring] == []
    assert [path for one in public for path in without_shape(one)] == []


def test_the_checks_find_a_name_without_description_and_an_array_without_shape(tmp_path):
    text = 'import numpy\n\ndef bare(): ...\n\ndef f() -> "numpy.ndarray":\n    """Return it."""\n'
    (tmp_path / "trial_of_griffe.py").write_text(text)
    found = griffe.load("trial_of_griffe", search_paths=[str(tmp_path)])
    public = list(members(found))
    assert [one.name for one in public if not one.docstring] == ["bare"]
    assert [path for one in public for path in without_shape(one)] == ["trial_of_griffe.f"]


def test_comments_kernels_and_lazily_imported_names_are_described(package):
    visits = module(package, "meeple.search.result")["SearchResult.visits"]
    assert visits.docstring.value == "[A] simulations through each action"
    assert module(package, "meeple.kernels")["add"].final_target.is_function
    assert {member.name for member in members(package)} >= set(meeple.__all__)
    assert "at a chance node" in module(package, "meeple")["CHANCE"].final_target.docstring.value
