"""The remote side of a worker or service: it runs in another process, maybe on another machine.

Orders, jobs and answers are plain values: numbers, texts, lists, dictionaries, NumPy arrays. A
target, "module:function", names the work: the function is called with the order's arguments and
returns an object. That of a worker runs jobs by `do(job)`; that of a service has a method per call.
"""

import hashlib
import importlib
import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from meeple import errors
from meeple.errors import MeepleError, RunError
from meeple.kernels.source_stamp import package_hash

NOTHING = "meeple_ray.remote:nothing"  # a target


def nothing(arguments: Mapping[str, Any]) -> None:
    """Do nothing; a target that tests whether a process can start."""


@dataclass(frozen=True)
class Answer:
    """The result of an order, a batch of jobs or a call."""

    value: Any = None  # of jobs: the list of results of the finished ones
    error: Mapping[str, Any] | None = None  # of jobs: that of the failed one; see `raised`
    seconds: float = 0.0  # duration
    log: str = ""  # printed in that process since the last answer

    def result(self) -> Any:
        """Return the value, or raise the error."""
        if self.error is not None:
            raise raised(self.error)
        return self.value


def identity() -> dict[str, str]:
    """Return what must be equal in all processes: the version and a stamp of all sources.

    They are those of Meeple and of this package.
    """
    try:
        number = version("meeple")
    except PackageNotFoundError:  # sources that are not installed
        number = "unknown"
    stamp = package_hash() + package_hash(Path(__file__).parent)
    return {"version": number, "stamp": hashlib.sha256(stamp.encode()).hexdigest()[:16]}


class Remote:
    """Executes orders: `begin` once, then `do` or `call` any number of times."""

    _maker: Any  # the object that the target returned

    def begin(self, order: Mapping[str, Any]) -> Answer:
        """Make the target's object by {"target", "arguments", "identity", "folder"}.

        The value of the answer is that of `where`.
        """
        return self._answer(lambda: self._begin(order))

    def do(self, jobs: Sequence[Any]) -> Answer:
        """Run jobs one after the other."""
        results: list[Any] = []

        def do_all() -> None:
            for job in jobs:
                results.append(self._maker.do(job))  # noqa: PERF401  # an error keeps them

        answer = self._answer(do_all)
        return Answer(results, answer.error, answer.seconds, answer.log)

    def call(self, method: str, *arguments: Any) -> Answer:
        """Call a method; an argument that is an `Answer` is replaced by its result."""

        def work() -> Any:
            given = [one.result() if isinstance(one, Answer) else one for one in arguments]
            return getattr(self._maker, method)(*given)

        return self._answer(work)

    def new_output(self) -> str:
        """Return the output of this process since the last call; this class captures none."""
        return ""

    def where(self) -> dict[str, Any]:
        """Return {"host", "pid", "node"}; `node` is the cluster's identifier."""
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
            os.chdir(order["folder"])  # paths of specs are relative to it
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
    """Return the exception that an answer describes, with its original class."""
    kind = getattr(errors, str(error["kind"]), None)
    if not (isinstance(kind, type) and issubclass(kind, MeepleError)):
        return MeepleError(str(error["message"]))
    if error["fault"] is not None:
        return kind(error["message"], error["fault"])
    return kind(error["message"])
