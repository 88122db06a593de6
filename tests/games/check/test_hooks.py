"""Half of a capability is a finding, for every capability that the contract declares."""

import inspect
from typing import Protocol

import pytest

import meeple
from docs.tables import methods
from meeple.games.check.capabilities import CHECKS, PROMISED
from meeple.games.check.hooks import CAPABILITIES, optional_methods_belong_to_a_whole_capability
from meeple.games.check.promises import PROMISES
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract import capabilities, lessons, patterns, sights

MODULES = (capabilities, lessons, patterns, sights)


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


@pytest.mark.parametrize(
    ("capability", "name"),
    [(one, name) for one in CAPABILITIES if len(methods(one)) > 1 for name in methods(one)],
)
def test_part_of_a_capability_is_a_finding(capability, name):
    others = set(methods(capability)) - {name}
    with pytest.raises(CheckFailure, match=f"`{name}` is never called: .*{capability.__name__}"):
        optional_methods_belong_to_a_whole_capability(GameWalk(game_with([name])))
    optional_methods_belong_to_a_whole_capability(GameWalk(game_with([name, *others])))
