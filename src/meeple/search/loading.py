"""Compiling or loading all that a search calls, before its clock starts."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from meeple import kernels
from meeple.games.contract.game import Game
from meeple.kernels import cache as kernel_cache
from meeple.kernels.compile_process import CompileTask, compiled_in_parallel
from meeple.kernels.table import is_compilation_deferred

_COMPILE = f"{__name__}:compile_kernel"

# From the first on, what the other process compiles: kernels that have much in common together.
_LARGEST_FIRST = (
    kernels.LEGAL,
    kernels.PRUNE,
    kernels.PLAY,
    kernels.ROLLOUT,
    kernels.GUIDED_ROLLOUT,
    kernels.KNOWN_RESULT,
    kernels.IDENTITY,
    kernels.OBSERVE,
    kernels.NARROW,
    kernels.HEURISTIC,
    kernels.SIMPLE_HEURISTIC,
    kernels.RESAMPLE,
    kernels.OWNERSHIP,
    kernels.COUNT_LEGAL,
    kernels.SEAT_FEATURES,
    kernels.START,
    kernels.QUIET,
    kernels.WINNING_ACTIONS,
    kernels.PAYOFFS,
)


def load_kernels(
    game: Game,
    wanted: Sequence[int],
    load_search: Callable[[], object],
    later: Sequence[CompileTask] = (),
) -> None:
    """Get ready what a search of a game calls: on two cores, where much is to be compiled.

    `wanted` are the game's kernels beside those that any position needs; `load_search` calls the
    search's own kernels, with nothing to do; `later` is needed from the second move on.
    """
    if is_compilation_deferred():
        return
    indices = {*kernels.PLAYING, *wanted}
    missing = sorted(game.not_compiled(indices), key=_LARGEST_FIRST.index)
    kind, options = type(game), dict(game.options)
    rules = [
        CompileTask(_COMPILE, (kind.__module__, kind.__qualname__, options, index))
        for index in missing
    ]
    if rules:
        kernel_cache.announce_compilation(game.name)
    with compiled_in_parallel(rules, later), kernel_cache.compiling("search"):
        load_search()
    game.compile(*indices)


def compile_kernel(module: str, name: str, options: dict[str, Any], index: int) -> None:
    """Compile one kernel of a game, or load it from disk; the game by its class and options."""
    kind: type[Game] = getattr(importlib.import_module(module), name)
    kind(**options).address_of(index)
