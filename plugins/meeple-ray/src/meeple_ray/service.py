"""A service: one process of a cluster that answers calls, and can be restarted after its death.

Its state is lost with it; its owner restores the state after a restart.
"""

from collections.abc import Callable, Mapping
from typing import Any

from meeple.errors import Stopped
from meeple.executors.executor import Stop
from meeple_ray.cluster import Actor, Cluster, Lost, Needs, Reference
from meeple_ray.executor import begun

POLL = 0.2  # seconds between two checks whether to stop


class ServiceLost(Lost):
    """A service or its machine has died."""

    def __init__(self, service: "Service", reason: str) -> None:
        super().__init__(reason)
        self.service = service


class Service:
    """One process that executes its calls in order."""

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        needs: Needs,
        target: str,
        arguments: Mapping[str, Any],
        log: Callable[[str, str], None] = lambda service, text: None,
    ) -> None:
        """Describe a service; `launch` or `begin` starts it.

        Args:
            cluster: on which it runs.
            name: for logs.
            needs: its processors and threads.
            target: makes its object, see `meeple_ray.remote`.
            arguments: of the target.
            log: called with its name and what it printed.
        """
        self.name, self.starts = name, 0
        self.host, self.node, self.pid = "", "", 0
        self._cluster, self._needs, self._log = cluster, needs, log
        self._target, self._arguments = target, arguments
        self._actor: Actor | None = None
        self._launched: Reference | None = None  # its first answer, until `begin` has read it

    @property
    def is_begun(self) -> bool:
        """Whether it has started and was not found dead since."""
        return self._actor is not None and self._launched is None

    @property
    def actor(self) -> Actor:
        """The process, so that others can call it."""
        assert self._actor is not None, "the service was not begun"
        return self._actor

    def launch(self) -> None:
        """Start or restart the process, without waiting for it."""
        self.end()
        self._actor, self._launched = self._cluster.start(
            self._needs, self._target, self._arguments
        )
        self.starts += 1

    def begin(self, stop: Stop = lambda: False) -> None:
        """Wait until the process has started; start it unless `launch` just did.

        Raises the exception of its target.
        """
        if self._launched is None:
            self.launch()
        launched, self._launched = self._launched, None
        place = self.result(launched, stop)
        self._log(self.name, begun(place))
        self.host, self.node, self.pid = place["host"], place["node"], place["pid"]

    def end(self) -> None:
        """Kill the process."""
        if self._actor is not None:
            self._cluster.end(self._actor)
            self._actor = None

    def start(self, method: str, *arguments: Any) -> Reference:
        """Queue a call; a reference among the arguments is replaced by its value."""
        return self.actor.call(method, *arguments)

    def result(self, reference: Reference, stop: Stop = lambda: False) -> Any:
        """Wait for the result of a call.

        Raises:
            ServiceLost: the process died.
            Stopped: `stop` returned True first.
            Exception: the call raised it.
        """
        while self._cluster.first_of([reference], POLL) is None:
            if stop():
                raise Stopped
        try:
            answer = self._cluster.answer(reference)
        except Lost as error:
            self._log(self.name, f"This process was lost: {error}\n")
            raise ServiceLost(self, str(error)) from None
        if answer.log:
            self._log(self.name, answer.log)
        return answer.result()

    def tell(self, method: str, *arguments: Any) -> Reference:
        """Start a call that runs beside the queued ones; its answer may be ignored."""
        return self.actor.call_beside(method, *arguments)

    def ask(self, method: str, *arguments: Any, stop: Stop = lambda: False) -> Any:
        """Queue a call and wait for its result, as `result` does."""
        return self.result(self.start(method, *arguments), stop)
