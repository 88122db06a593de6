"""A service: one process of a cluster that answers calls, and is made anew where it has died.

It keeps what it is told until it dies. Who owns it knows how to tell it all again.
"""

from collections.abc import Callable, Mapping
from typing import Any

from meeple.errors import Stopped
from meeple.executors.on_ray import begun
from meeple.executors.ray_cluster import Actor, Cluster, Lost, Needs, Reference

POLL = 0.2  # seconds between two looks whether all is to stop
Stop = Callable[[], bool]


class ServiceLost(Lost):
    """A service has died, or its machine."""

    def __init__(self, service: "Service", reason: str) -> None:
        super().__init__(reason)
        self.service = service


class Service:
    """One process, whose calls are done in their order."""

    def __init__(
        self,
        cluster: Cluster,
        name: str,
        needs: Needs,
        target: str,
        arguments: Mapping[str, Any],
        log: Callable[[str, str], None] = lambda service, text: None,
    ) -> None:
        """What it is is said by a target, see `remote`. It is started by `launch` or `begin`.

        `log` is told what it has printed, with its name.
        """
        self.name, self.starts = name, 0
        self.host, self.node, self.pid = "", "", 0
        self._cluster, self._needs, self._log = cluster, needs, log
        self._target, self._arguments = target, arguments
        self._actor: Actor | None = None
        self._launched: Reference | None = None  # its first answer, if not yet waited for

    @property
    def is_begun(self) -> bool:
        """Whether it was begun, and was not found dead since."""
        return self._actor is not None and self._launched is None

    @property
    def actor(self) -> Actor:
        """The process, for others to ask."""
        assert self._actor is not None, "the service was not begun"
        return self._actor

    def launch(self) -> None:
        """Start it, or another in the place of one that died; not waited for."""
        self.end()
        self._actor, self._launched = self._cluster.start(
            self._needs, self._target, self._arguments
        )
        self.starts += 1

    def begin(self, stop: Stop = lambda: False) -> None:
        """Wait until it has begun, started anew if it was not just launched. Raises what its
        making raises.
        """
        if self._launched is None:
            self.launch()
        launched, self._launched = self._launched, None
        place = self.result(launched, stop)
        self._log(self.name, begun(place))
        self.host, self.node, self.pid = place["host"], place["node"], place["pid"]

    def end(self) -> None:
        """End it, whatever it is doing."""
        if self._actor is not None:
            self._cluster.end(self._actor)
            self._actor = None

    def start(self, method: str, *arguments: Any) -> Reference:
        """Have it called, after all calls before. A reference as an argument stands for a value."""
        return self.actor.call(method, *arguments)

    def result(self, reference: Reference, stop: Stop = lambda: False) -> Any:
        """What a call gave, waited for. Raises what it raised, ServiceLost, and Stopped where
        `stop` turns true before.
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
        """Have it called now, whatever else goes on there; the answer need not be waited for."""
        return self.actor.call_beside(method, *arguments)

    def ask(self, method: str, *arguments: Any, stop: Stop = lambda: False) -> Any:
        """Call it, and wait; as `result`."""
        return self.result(self.start(method, *arguments), stop)
