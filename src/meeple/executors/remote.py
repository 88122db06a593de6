"""One who does jobs in another process, which may be on another machine.

Orders and answers are JSON. What the jobs are says a target, "module:function", whose function is
called with the order's arguments and gives an object that does a job by `do(job)`.
"""

import importlib
import json
import os
import socket
import time
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from meeple import errors
from meeple.errors import MeepleError, RunError
from meeple.kernel_cache import house_stamp


class Doer(Protocol):
    """What a target gives."""

    def do(self, job: Any) -> Any:
        """Do a job; JSON comes in and goes out."""


def identity() -> dict[str, str]:
    """What must be the same for all who take part: the version, and a stamp of all rules."""
    try:
        number = version("meeple")
    except PackageNotFoundError:  # sources that are not installed
        number = "unknown"
    return {"version": number, "stamp": house_stamp()[:16]}


class Remote:
    """Does what it is told: `begin`, then `do` any number of times."""

    _doer: Doer

    def begin(self, order: str) -> str:
        """Get ready: {"target", "arguments", "identity", "folder"}. Nothing else runs before.

        The answer is {} or has an "error".
        """
        return _answer(lambda: self._begin(json.loads(order)))

    def do(self, jobs: str) -> str:
        """Do a list of jobs; the answer has "results", of as many as were done, and "seconds".

        An "error" besides is that of the next job.
        """
        results: list[Any] = []
        started = time.perf_counter()

        def do_all() -> dict[str, Any]:
            for job in json.loads(jobs):
                results.append(self._doer.do(job))  # noqa: PERF401  # an error keeps them
            return {}

        answer = json.loads(_answer(do_all))
        seconds = time.perf_counter() - started
        return json.dumps({**answer, "results": results, "seconds": seconds})

    def _begin(self, order: Mapping[str, Any]) -> dict[str, Any]:
        here, there = identity(), order["identity"]
        if here["version"] != there["version"]:
            raise RunError(
                f"the worker on {socket.gethostname()} has version {here['version']} of Meeple, "
                f"and this machine {there['version']}: install one version on all"
            )
        if here["stamp"] != there["stamp"]:
            raise RunError(
                f"the worker on {socket.gethostname()} has other rules of games or other searches "
                "than this machine, by the stamp of its sources: install the same sources on all"
            )
        if os.path.isdir(order["folder"]):
            os.chdir(order["folder"])  # where paths of specs begin
        module, _, function = order["target"].partition(":")
        make: Callable[..., Doer] = getattr(importlib.import_module(module), function)
        self._doer = make(order["arguments"])
        return {}


def _answer(work: Callable[[], dict[str, Any]]) -> str:
    try:
        return json.dumps(work())
    except MeepleError as error:
        return json.dumps(
            {
                "error": {
                    "kind": type(error).__name__,
                    "message": str(error),
                    "fault": getattr(error, "fault", None),
                }
            }
        )


def raised(error: Mapping[str, Any]) -> MeepleError:
    """The error that an answer tells of, of the kind that it was."""
    kind = getattr(errors, str(error["kind"]), None)
    if not (isinstance(kind, type) and issubclass(kind, MeepleError)):
        return MeepleError(str(error["message"]))
    if error["fault"] is not None:
        return kind(error["message"], error["fault"])
    return kind(error["message"])
