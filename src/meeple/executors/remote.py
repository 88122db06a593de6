"""One who works in another process, which may be on another machine.

Orders, jobs and answers are plain values: numbers, texts, lists, dictionaries, NumPy arrays. What
the work is says a target, "module:function", whose function is called with the order's arguments
and gives an object: a worker's does jobs by `do(job)`, a service's has a method for each call.
"""

import importlib
import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from meeple import errors
from meeple.errors import MeepleError, RunError
from meeple.kernels.cache import package_hash

NOTHING = "meeple.executors.remote:nothing"  # a target


def nothing(arguments: Mapping[str, Any]) -> None:
    """Makes what does nothing: to see that a process can begin."""


@dataclass(frozen=True)
class Answer:
    """What came of an order, a batch of jobs or a call."""

    value: Any = None  # of jobs: a list of the results of those that were done
    error: Mapping[str, Any] | None = None  # of jobs: that of the next one; see `raised`
    seconds: float = 0.0  # that it took
    log: str = ""  # printed in that process since the last answer

    def result(self) -> Any:
        """The value. Raises the error."""
        if self.error is not None:
            raise raised(self.error)
        return self.value


def identity() -> dict[str, str]:
    """What must be the same for all who take part: the version, and a stamp of all sources."""
    try:
        number = version("meeple")
    except PackageNotFoundError:  # sources that are not installed
        number = "unknown"
    return {"version": number, "stamp": package_hash()[:16]}


class Remote:
    """Does what it is told: `begin`, then `do` or `call` any number of times."""

    _maker: Any  # what the target gave

    def begin(self, order: Mapping[str, Any]) -> Answer:
        """Get ready: {"target", "arguments", "identity", "folder"}. Nothing else runs before.

        The value says where this is, see `where`.
        """
        return self._answer(lambda: self._begin(order))

    def do(self, jobs: Sequence[Any]) -> Answer:
        """Do jobs one after the other."""
        results: list[Any] = []

        def do_all() -> None:
            for job in jobs:
                results.append(self._maker.do(job))  # noqa: PERF401  # an error keeps them

        answer = self._answer(do_all)
        return Answer(results, answer.error, answer.seconds, answer.log)

    def call(self, method: str, *arguments: Any) -> Answer:
        """Call a method; an argument that is an answer stands for its value, or its error."""

        def work() -> Any:
            given = [one.result() if isinstance(one, Answer) else one for one in arguments]
            return getattr(self._maker, method)(*given)

        return self._answer(work)

    def new_output(self) -> str:
        """What was printed in this process since the last time; here, nothing is caught."""
        return ""

    def where(self) -> dict[str, Any]:
        """Where this is: {"host", "pid", "node"}, that as the cluster calls it."""
        return {"host": socket.gethostname(), "pid": os.getpid(), "node": ""}

    def _begin(self, order: Mapping[str, Any]) -> dict[str, Any]:
        here, there = identity(), order["identity"]
        if here["version"] != there["version"]:
            raise RunError(
                f"the worker on {socket.gethostname()} has version {here['version']} of Meeple, "
                f"and this machine {there['version']}: install one version on all"
            )
        if here["stamp"] != there["stamp"]:
            raise RunError(
                f"the worker on {socket.gethostname()} has other sources of Meeple, such as rules "
                "of games, than this machine, by their stamp: install the same on all"
            )
        if os.path.isdir(order["folder"]):
            os.chdir(order["folder"])  # where paths of specs begin
        module, _, function = order["target"].partition(":")
        make: Callable[..., Any] = getattr(importlib.import_module(module), function)
        self._maker = make(order["arguments"])
        return self.where()

    def _answer(self, work: Callable[[], Any]) -> Answer:
        began = time.perf_counter()
        value, error = None, None
        try:
            value = work()
        except MeepleError as raised_here:
            error = {
                "kind": type(raised_here).__name__,
                "message": str(raised_here),
                "fault": getattr(raised_here, "fault", None),
            }
        return Answer(value, error, time.perf_counter() - began, self.new_output())


def raised(error: Mapping[str, Any]) -> MeepleError:
    """The error that an answer tells of, of the kind that it was."""
    kind = getattr(errors, str(error["kind"]), None)
    if not (isinstance(kind, type) and issubclass(kind, MeepleError)):
        return MeepleError(str(error["message"]))
    if error["fault"] is not None:
        return kind(error["message"], error["fault"])
    return kind(error["message"])
