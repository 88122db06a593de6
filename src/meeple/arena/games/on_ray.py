"""Games on a Ray cluster."""

from collections.abc import Sequence

from meeple.arena.games.conditions import Conditions
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.remote import TARGET, arguments_of
from meeple.arena.games.wire import fixture_to_json, outcome_of
from meeple.arena.plan.schedule import Fixture
from meeple.executors.backend import Place
from meeple.executors.on_ray import OnRay, Task
from meeple.executors.ray_cluster import Cluster


class Games(OnRay[Fixture, Outcome]):
    """Workers that play fixtures, on a cluster of their own."""

    def close(self) -> None:
        """End the workers, and leave the cluster."""
        super().close()
        self._cluster.close()


def games(place: Place, conditions: Conditions, specs: Sequence[str], workers: int | None) -> Games:
    """Join a cluster, and return workers that play there, see `meeple.executors.backend`."""
    task = Task(TARGET, arguments_of(conditions, specs), fixture_to_json, outcome_of)
    cluster = Cluster(place, "playing on Ray")
    try:
        return Games(cluster, workers, task)
    except BaseException:
        cluster.close()
        raise
