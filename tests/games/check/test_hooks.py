"""Half of a capability is a finding, for every capability that the contract declares."""

import inspect
from pathlib import Path
from typing import Protocol

import pytest

import meeple
from meeple.games.check.capabilities import CHECKS, PROMISED
from meeple.games.check.hooks import CAPABILITIES, optional_methods_belong_to_a_whole_capability
from meeple.games.check.promises import PROMISES
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract import capabilities, lessons, patterns, sights

MODULES = (capabilities, lessons, patterns, sights)


def methods(capability):
    return [
        name for name, _ in inspect.getmembers(capability, inspect.isfunction) if name[0] != "_"
    ]


def game_with(names):
    kind = type(meeple.make("nim"))
    return type("Own", (kind,), dict.fromkeys(names, lambda *arguments: None))()


def test_every_protocol_that_a_game_is_searched_for_is_checked():
    source = "".join(inspect.getsource(module) for module in MODULES)
    assert len(CAPABILITIES) == source.count("@runtime_checkable") > 15


def unchecked(found):
    return [one for one in found if one not in CHECKS and PROMISED.get(one) not in PROMISES]


def test_every_capability_has_a_check():
    class Sings(Protocol):
        def song(self): ...

    assert unchecked([*CAPABILITIES, Sings]) == [Sings]


def test_every_method_of_a_capability_is_in_the_design():
    design = (Path(meeple.__file__).parents[2] / "docs" / "design.md").read_text()
    names = {name for one in CAPABILITIES for name in methods(one)}
    assert [name for name in sorted(names) if f"`{name}(" not in design] == []


@pytest.mark.parametrize(
    ("capability", "name"),
    [(one, name) for one in CAPABILITIES if len(methods(one)) > 1 for name in methods(one)],
)
def test_part_of_a_capability_is_a_finding(capability, name):
    others = set(methods(capability)) - {name}
    with pytest.raises(CheckFailure, match=f"`{name}` is never called: .*{capability.__name__}"):
        optional_methods_belong_to_a_whole_capability(GameWalk(game_with([name])))
    optional_methods_belong_to_a_whole_capability(GameWalk(game_with([name, *others])))
