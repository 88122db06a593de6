"""Meeple teaches machines to play board games, and plays them with you."""

import importlib
from typing import TYPE_CHECKING, Any

from meeple.errors import IllegalAction, MeepleError
from meeple.games.contract.game import Position
from meeple.games.contract.registry import make
from meeple.kernels import CHANCE, OVER

if TYPE_CHECKING:
    from meeple.agents.spec import agent
    from meeple.arena.match import match
    from meeple.search.exact.solver import solve

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "OVER",
    "IllegalAction",
    "MeepleError",
    "Position",
    "agent",
    "make",
    "match",
    "solve",
]

_ON_DEMAND = {
    "agent": "meeple.agents.spec",
    "match": "meeple.arena.match",
    "solve": "meeple.search.exact.solver",
}
"""Public names whose modules are imported when they are first used."""


def __getattr__(name: str) -> Any:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module 'meeple' has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(_ON_DEMAND[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_ON_DEMAND})
