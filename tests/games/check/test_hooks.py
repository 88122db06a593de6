"""Half of a capability is a finding, for every capability that the contract declares."""

import inspect
import sys
from types import FunctionType
from typing import Protocol

import pytest

import meeple
from docs.tables import methods
from meeple.games.check.capabilities import CHECKS, PROMISED
from meeple.games.check.hooks import CAPABILITIES, optional_methods_belong_to_a_whole_capability
from meeple.games.check.promises import PROMISES, QUICK
from meeple.games.check.walk import CheckFailure, GameWalk
from meeple.games.contract import capabilities, lessons, patterns, sights
from meeple.games.contract.game import Game
from tests.games.check.guess import Guess

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


def called_by_the_quick_check(game):
    """Return the names of the methods of a game's class that the quick check calls."""
    called = set()

    def note(frame, event, _):
        if event == "call":
            called.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for promise in QUICK:
            promise(GameWalk(game, 1.0))
    finally:
        sys.setprofile(before)
    methods = {name for name, one in vars(Game).items() if isinstance(one, FunctionType)}
    return {name for name in methods if getattr(type(game), name).__code__ in called}, methods


def test_the_quick_check_calls_every_method_that_a_class_may_fill_in():
    hidden, methods = called_by_the_quick_check(Guess())
    limited, _ = called_by_the_quick_check(meeple.make("nim", stones=5))
    assert methods - hidden - limited == {"worth"}  # which no game fills in
