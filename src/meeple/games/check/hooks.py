"""Check that a class defines optional methods under names that the program looks for.

A capability that is misnamed or incomplete would be ignored without a word: see
`meeple.games.contract.capabilities`.
"""

import importlib
import pkgutil
from collections.abc import Iterator

from meeple.games import contract
from meeple.games.check.walk import GameWalk, expect


def _declared() -> Iterator[type]:
    """Yield the capabilities: the protocols of the contract that callers look for in a game."""
    for found in pkgutil.iter_modules(contract.__path__):
        module = importlib.import_module(f"{contract.__name__}.{found.name}")
        for one in vars(module).values():
            if getattr(one, "_is_runtime_protocol", False) and one.__module__ == module.__name__:
                yield one


CAPABILITIES = tuple(_declared())

REPLACED = {
    "tell": "describe_action",
    "reason": "explain_action",
    "laid_out": "with_layout",
    "sight_of": "sight_from_json",
}
"""Methods of earlier versions that the program no longer calls, and what replaced them."""


def optional_methods_belong_to_a_whole_capability(walk: GameWalk) -> None:
    """The class defines no replaced method, and of each capability all methods or none."""
    kind = type(walk.game)
    for old, new in REPLACED.items():
        expect(
            not hasattr(kind, old) or hasattr(kind, new),
            f"`{old}` is never called: `{new}` of the capability {_home_of(new)} replaced it",
            old,
        )
    for capability in CAPABILITIES:
        defined = [name for name in methods_of(capability) if hasattr(kind, name)]
        missing = [name for name in methods_of(capability) if not hasattr(kind, name)]
        if defined and missing:
            expect(
                False,
                f"`{defined[0]}` is never called: its capability {_path(capability)} also needs "
                + " and ".join(f"`{name}`" for name in missing),
                defined[0],
            )


def methods_of(capability: type) -> list[str]:
    """Return the names of a capability's methods."""
    return [name for name, one in vars(capability).items() if callable(one) and name[0] != "_"]


def _home_of(method: str) -> str:
    return next(_path(one) for one in CAPABILITIES if method in methods_of(one))


def _path(capability: type) -> str:
    return f"{capability.__module__}.{capability.__name__}"
