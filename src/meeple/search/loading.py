"""Compiles or loads all kernels that a search calls, before its clock starts."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from meeple import kernels
from meeple.games.contract.game import Game
from meeple.kernels import cache as kernel_cache
from meeple.kernels.compile_process import CompileTask, compiled_in_parallel
from meeple.kernels.table import is_compilation_deferred

_COMPILE = f"{__name__}:compile_kernel"


def load_kernels(
    game: Game,
    wanted: Sequence[int],
    load_search: Callable[[], object],
    others: Sequence[CompileTask] = (),
) -> None:
    """Compile or load the kernels of a search, on two cores if much is to be compiled.

    Args:
        game: the game to search.
        wanted: kernels of the game beside those that every position needs.
        load_search: calls the search's kernels without work.
        others: further tasks that load kernels, such as those of later moves.
    """
    if is_compilation_deferred():
        return
    indices = {*kernels.PLAYING, *wanted}
    kind, options = type(game), dict(game.options)
    rules = [
        CompileTask(_COMPILE, (kind.__module__, kind.__qualname__, options, index))
        for index in game.not_compiled(indices)  # the largest first
    ]
    if rules:
        kernel_cache.announce_compilation(game.name)
    tasks = [*rules, *others] if rules else []
    with compiled_in_parallel(tasks), kernel_cache.compiling("search"):
        load_search()
    for task in others:
        task.do()
    game.compile(*indices)


def compile_kernel(module: str, name: str, options: dict[str, Any], index: int) -> None:
    """Compile or load one kernel of a game, given by its class and options."""
    kind: type[Game] = getattr(importlib.import_module(module), name)
    kind(**options).address_of(index)
