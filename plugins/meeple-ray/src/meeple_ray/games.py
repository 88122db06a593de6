"""Games of the arena on a cluster, whose workers build the game and the agents from text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from meeple.agents.engine.listed import list_engines, listed_engines
from meeple.agents.spec import parse
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.digests import digest
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.wire import fixture_of, fixture_to_json, outcome_of, outcome_to_json
from meeple.arena.games.workers import Worker
from meeple.arena.plan.schedule import Fixture
from meeple.errors import RunError
from meeple.executors.backend import Place
from meeple.games.contract.registry import make_from
from meeple_ray.cluster import Cluster
from meeple_ray.executor import OnRay, Task
from meeple_ray.same_files import hashes_of_files, load_same_files, other

TARGET = "meeple_ray.games:make_remote"

_STATEFUL = ("agent", "engine")  # kinds of agents that may have state after a warm-up move


class Games(OnRay[Fixture, Outcome]):
    """Workers that play fixtures, on a cluster that is left when they end."""

    def close(self) -> None:
        super().close()
        self._cluster.close()


def games(place: Place, conditions: Conditions, specs: Sequence[str], workers: int | None) -> Games:
    """Join a cluster, and return workers that play there, see `meeple.executors.backend`."""
    task = Task(TARGET, arguments_of(conditions, specs), fixture_to_json, outcome_of)
    cluster = Cluster(place)
    try:
        return Games(cluster, workers, task)
    except BaseException:
        cluster.close()
        raise


def arguments_of(conditions: Conditions, specs: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a worker as JSON."""
    return {
        "files": hashes_of_files(),
        "engines": dict(listed_engines()),
        "game": conditions.game.name,
        "options": dict(conditions.game.options),
        "specs": list(specs),
        "digests": [digest(spec) for spec in specs],
        "rule": asdict(conditions.rule),
    }


# ------------------------------------------------------------ the process of a worker


def make_remote(arguments: Mapping[str, Any]) -> "RemoteWorker":
    """Return a worker that is ready to play, with its kernels compiled.

    Raises:
        RunError: A file that the arguments name is missing or differs.
        MeepleError: The game or an agent cannot be built.
    """
    load_same_files(arguments["files"])
    list_engines(arguments["engines"])
    game = make_from(arguments["game"], arguments["options"])
    specs = arguments["specs"]
    for spec, content in zip(specs, arguments["digests"], strict=True):
        if digest(spec) != content:
            raise RunError(other(f"the files of {spec}"))
    worker = Worker(Conditions(game, rule=FaultRule(**arguments["rule"])), specs)
    worker.prepare()
    worker.warm_up([index for index, spec in enumerate(specs) if parse(spec).name not in _STATEFUL])
    return RemoteWorker(worker)


class RemoteWorker:
    """Plays fixtures."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def do(self, job: Any) -> Any:
        """Play a fixture and return its outcome, both as JSON."""
        return outcome_to_json(self._worker.play(fixture_of(job)))
