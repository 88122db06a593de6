"""The processes that compute the network for the players of a run, where there are accelerators."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from meeple.errors import RunError
from meeple.executors.ray_cluster import Actor, Cluster, Needs, Reference
from meeple.executors.service import Service, ServiceLost
from meeple.learn.workers.inference import TARGET, THREADS
from meeple.learn.workers.player import ASKED

SHARED = 0.5  # of an accelerator, where the learner has the same one
TRIES = 5  # deaths in a row


class Networks:
    """Such processes; each player asks one of them."""

    def __init__(
        self,
        cluster: Cluster,
        count: int,
        players: int,
        accelerators: float,
        arguments: Mapping[str, Any],
        log: Callable[[str, str], None],
    ) -> None:
        """`count`: of processes, each with so many accelerators; none: players compute it."""
        clients = THREADS * -(-players // max(count, 1))
        needs = Needs(processors=0, accelerators=accelerators, at_once=clients + 2)
        given = {**arguments, "clients": clients}
        self.services: Sequence[Service] = [
            Service(cluster, f"inference-{number + 1}", needs, TARGET, given, log)
            for number in range(count)
        ]
        self._cluster = cluster
        self._newest: Reference | None = None
        self._telling: list[Reference] = []
        for service in self.services:
            service.launch()

    def take(self, network: Mapping[str, Any]) -> None:
        """Have all answer by this network: {"generation", "tensors"}."""
        self._newest = self._cluster.put(network)
        self._telling = [service.tell("take", self._newest) for service in self.services]

    def peers(self, player: str) -> Mapping[str, Actor] | None:
        """Whom a player may ask that begins now: a process that lives, made anew where it died."""
        if not self.services:
            return None
        service = self.services[int(player.rpartition("-")[2]) % len(self.services)]
        reason = ""
        for _ in range(TRIES):
            try:
                if not service.is_begun:
                    service.begin()
                    if self._newest is not None:
                        self._telling.append(service.tell("take", self._newest))
                service.ask("figures")  # it lives
            except ServiceLost as lost:
                reason = str(lost)
                service.launch()
            else:
                return {ASKED: service.actor}
        raise RunError(f"the processes that compute the network die again and again: {reason}")

    def close(self) -> None:
        """End them."""
        for service in self.services:
            service.end()
