"""What `cluster.json` of a run's folder says, gathered by the trainer every few seconds."""

import time
from collections.abc import Sequence
from pathlib import Path

from meeple.executors.executor import Account
from meeple.executors.on_ray import WorkerState
from meeple.executors.ray_cluster import Cluster
from meeple.executors.service import Service
from meeple.learn.run.cluster_state import (
    Actor,
    ClusterState,
    Counts,
    Node,
    Role,
    read_cluster,
    write_cluster,
)

EVERY = 2.0  # seconds
LATELY = 20.0  # seconds that a rate is of


class ClusterReport:
    """Writes what a run's cluster is at."""

    def __init__(self, run: Path, cluster: Cluster, before: Counts) -> None:
        """`before`: what became of games in the sessions before, see `counts_before`."""
        self._run, self._cluster, self._before = run, cluster, before
        self._written = -EVERY
        self._past: list[tuple[float, dict[str, int]]] = []  # games of each worker, at times

    def is_due(self) -> bool:
        """Whether the file is old."""
        return time.monotonic() - self._written > EVERY

    def counts(self, account: Account, stored: int, trained: int) -> Counts:
        """What became of all games since the run began, of which so many are in its folder, and so
        many were learned from. `account`: of this session.
        """
        before = self._before
        return Counts(
            begun=before.begun + account.begun,
            finished=before.finished + account.finished,
            stored=stored,
            trained=trained,
            lost=before.lost + account.lost,
            dropped=before.dropped + account.dropped,
            deaths=before.deaths + account.deaths,
            in_flight=account.in_flight,
        )

    def write(
        self,
        workers: Sequence[WorkerState],
        services: Sequence[tuple[Role, Service, int, bool]],
        counts: Counts,
        generation: int,
        *,
        running: bool = True,
        doing: str = "",
    ) -> ClusterState:
        """Write all, and give it. `services`: each with its role, games, and whether it waits for
        games. `doing`: what the trainer does that workers wait for. Raises RunError.
        """
        now = time.monotonic()
        self._written = now
        self._past.append((now, {worker.name: worker.finished for worker in workers}))
        while len(self._past) > 2 and now - self._past[1][0] > LATELY:
            del self._past[0]
        then, finished = self._past[0]
        seconds = max(now - then, 1e-3)
        nodes = _named_nodes(self._cluster)
        names = {id_: node.name for id_, node in nodes.items()}
        actors = [
            Actor(
                name=worker.name,
                role="self-play",
                node=names.get(worker.node, worker.host),
                pid=worker.pid,
                games=worker.finished,
                games_per_second=(worker.finished - finished.get(worker.name, 0)) / seconds
                if running
                else 0.0,
                generation=generation,
                waiting="games to play" if worker.waits else "" if worker.host else "a processor",
            )
            for worker in workers
        ]
        actors += [
            Actor(
                name=service.name,
                role=role,
                node=names.get(service.node, service.host),
                pid=service.pid,
                games=games,
                generation=generation if role == "learner" else None,
                waiting="games" if waits else "",
                restarts=max(0, service.starts - 1),
            )
            for role, service, games, waits in services
        ]
        state = ClusterState(
            place=self._cluster.place.name,
            time=time.time(),
            running=running,
            nodes=list(nodes.values()),
            actors=actors,
            account=counts,
            waiting=doing if any(worker.host for worker in workers) else "waiting for workers",
        )
        write_cluster(self._run, state)
        return state


def _named_nodes(cluster: Cluster) -> dict[str, Node]:
    """The nodes by what Ray calls them, each with a name of its own."""
    found: dict[str, Node] = {}
    taken: set[str] = set()
    for number, node in enumerate(cluster.nodes(), 1):
        name = node.name or node.address or "node"
        if name in taken:
            name = f"{name} ({number})"
        taken.add(name)
        found[node.id] = Node(
            name=name,
            address=node.address,
            processors=node.processors,
            accelerators=["accelerator"] * node.accelerators,
            alive=node.alive,
        )
    return found


def counts_before(run: Path, stored: int, trained: int, *, stores_all: bool = True) -> Counts:
    """What became of games in the sessions before, of which so many are in the run's folder, and so
    many were learned from. Those that a killed trainer had are lost.

    `stores_all`: whether every finished game is stored; one that is not in the folder then is lost.
    """
    state = read_cluster(run)
    old = state.account if isinstance(state, ClusterState) else Counts()
    finished = stored if stores_all else max(stored, old.finished)
    begun = max(old.begun, finished + old.dropped + old.lost)
    return old.model_copy(
        update={
            "begun": begun,
            "finished": finished,
            "stored": stored,
            "trained": trained,
            "lost": begun - old.dropped - finished,
            "in_flight": 0,
        }
    )
