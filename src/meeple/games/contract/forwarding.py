"""Functions that call a method of a game, or that of the capability's protocol if it lacks it."""

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def of_game(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Return a function of a game that calls its method; `method` is that of the protocol."""
    name, owner = method.__name__, method.__qualname__.partition(".")[0]
    protocol = method.__globals__[owner]

    @functools.lru_cache(maxsize=64)  # this question takes longer than most answers
    def is_capable(kind: Any) -> bool:
        return issubclass(kind, protocol)

    @functools.wraps(method)
    def call(game: Any, /, *arguments: P.args, **named: P.kwargs) -> R:
        kind: Any = type(game)
        if not is_capable(kind):
            return method(game, *arguments, **named)
        found: R = getattr(game, name)(*arguments, **named)
        return found

    return call


def of_position(method: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
    """Return the same for a method whose first argument is a position, that of the game."""
    forward: Any = of_game(method)

    @functools.wraps(method)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        position: Any = arguments[0]
        found: R = forward(position.game, *arguments, **named)
        return found

    return call
