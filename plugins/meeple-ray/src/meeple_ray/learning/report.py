"""Collects the state of a run's cluster and writes `cluster.json`, every few seconds."""

import time
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

from meeple.executors.executor import Account
from meeple.learn.run.cluster import (
    ActorState,
    ClusterState,
    Counts,
    NodeState,
    Role,
    Snapshot,
    read_cluster,
    write_cluster,
)
from meeple.learn.run.logs import RunLogs
from meeple.learn.run.metrics import Reporter
from meeple_ray.cluster import Cluster
from meeple_ray.executor import WorkerState
from meeple_ray.service import Service

REPORT_INTERVAL_SECONDS = 2.0
RATE_WINDOW_SECONDS = 20.0  # time over which games per second are measured


class ClusterReport:
    """Writes the state of a run's cluster to `cluster.json`, and what its actors print to logs."""

    def __init__(self, run: Path, cluster: Cluster, before: Counts, reporter: Reporter) -> None:
        """Write nothing yet.

        Args:
            run: the run's folder.
            cluster: the cluster, for its nodes.
            before: numbers of games of earlier sessions, see `counts_before`.
            reporter: receives the state too, and messages of the cluster.
        """
        cluster.place = replace(cluster.place, say=reporter.message)
        self._run, self._cluster, self._before = run, cluster, before
        self._tell, self.logs = reporter.cluster, RunLogs(run)
        self._written = -REPORT_INTERVAL_SECONDS
        self._past: list[tuple[float, dict[str, int]]] = []  # time, finished games of each worker

    def is_due(self) -> bool:
        """Return whether the file is older than `REPORT_INTERVAL_SECONDS`."""
        return time.monotonic() - self._written > REPORT_INTERVAL_SECONDS

    def write(
        self,
        workers: Sequence[WorkerState],
        services: Sequence[tuple[Role, Service, int, bool]],
        account: Account,
        now: Snapshot,
        *,
        running: bool = True,
    ) -> Counts:
        """Write the state, and report it.

        Args:
            workers: the workers of self-play.
            services: the other actors: role, service, games, and whether it waits for games.
            account: the numbers of games of this session.
            now: what the run is doing.
            running: False at the end of training.

        Returns:
            The numbers of games since the run began.

        Raises:
            RunError: the file cannot be written.
        """
        self._written = time.monotonic()
        rates = self._rates(workers) if running else {}
        nodes = _named_nodes(self._cluster)
        names = {id_: node.name for id_, node in nodes.items()}
        actors = [_player(worker, names, rates, now.network) for worker in workers]
        actors += [_service(*service, names, now.network) for service in services]
        counts = self._counts(account, now)
        doing = now.doing if running else ""
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
        self._tell(state)
        return counts

    def _counts(self, account: Account, now: Snapshot) -> Counts:
        """Return the numbers of games since the run began."""
        names = (one.name for one in fields(Account))
        sums = {name: getattr(self._before, name) + getattr(account, name) for name in names}
        return Counts(**sums, stored=now.stored, trained=now.learned, in_flight=account.in_flight)

    def _rates(self, workers: Sequence[WorkerState]) -> dict[str, float]:
        """Return games per second of each worker over the last `RATE_WINDOW_SECONDS`."""
        now = time.monotonic()
        self._past.append((now, {worker.name: worker.finished for worker in workers}))
        while len(self._past) > 2 and now - self._past[1][0] > RATE_WINDOW_SECONDS:
            del self._past[0]
        then, finished = self._past[0]
        seconds = max(now - then, 1e-3)
        return {
            worker.name: (worker.finished - finished.get(worker.name, 0)) / seconds
            for worker in workers
        }


def _player(
    worker: WorkerState, node_names: dict[str, str], rates: dict[str, float], generation: int
) -> ActorState:
    return ActorState(
        name=worker.name,
        role="self-play",
        node=node_names.get(worker.node, worker.host),
        pid=worker.pid,
        games=worker.finished,
        games_per_second=rates.get(worker.name, 0.0),
        generation=generation,
        waiting="games to play" if worker.waits else "" if worker.host else "a processor",
    )


def _service(
    role: Role,
    service: Service,
    games: int,
    waits: bool,
    node_names: dict[str, str],
    generation: int,
) -> ActorState:
    return ActorState(
        name=service.name,
        role=role,
        node=node_names.get(service.node, service.host),
        pid=service.pid,
        games=games,
        generation=generation if role == "learner" else None,
        waiting="games" if waits else "",
        restarts=max(0, service.starts - 1),
    )


def _named_nodes(cluster: Cluster) -> dict[str, NodeState]:
    """Return the nodes by Ray's identifier, each with a unique name."""
    found: dict[str, NodeState] = {}
    taken: set[str] = set()
    for number, node in enumerate(cluster.nodes(), 1):
        name = node.name or node.address or "node"
        if name in taken:
            name = f"{name} ({number})"
        taken.add(name)
        found[node.id] = NodeState(
            name=name,
            address=node.address,
            processors=node.processors,
            accelerators=["accelerator"] * node.accelerators,
            alive=node.alive,
        )
    return found


def counts_before(run: Path, stored: int, trained: int, *, stores_all: bool = True) -> Counts:
    """Return the numbers of games of earlier sessions, as a start for the next one.

    Games that were in flight when a trainer was killed count as lost.

    Args:
        run: the run's folder.
        stored: games in the folder.
        trained: games that were learned from.
        stores_all: whether every finished game is stored; then one that is not stored is lost.
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
