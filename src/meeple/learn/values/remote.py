"""One who does a run's work in a process of a cluster, and all that comes and goes as plain values.

A worker may hear of a network after it was given a job for it, and waits for it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from meeple.arena.remote import hashes_of_files, load_same_files
from meeple.errors import RunError
from meeple.executors.newest import Newest
from meeple.games.contract.game import Game
from meeple.games.contract.registry import make_from
from meeple.learn.config import ValuesConfig
from meeple.learn.values.jobs import (
    Job,
    Labelled,
    Networks,
    Pairs,
    Played,
    Result,
    Shard,
    names_of,
)
from meeple.learn.values.shards import ValueExamples
from meeple.learn.values.work import Known
from meeple.learn.values.worker import ValuesWorker
from meeple.search.values.features import features_of
from meeple.search.values.file import SavedNetwork
from meeple.search.values.labels import NETWORK, OTHER, PAST, WEIGHTED, Settings, quick_policy
from meeple.search.values.network import Widths, untrained

TARGET = "meeple.learn.values.remote:make_remote"
NETWORK_TIMEOUT_SECONDS = 120.0  # seconds to wait for the networks of a job

_WARM_UP = Settings(
    share=1.0, siblings=2, playouts=1, horizon=1, policy=NETWORK, slips=0.5, lookahead=True
)


def arguments_of(config: ValuesConfig) -> dict[str, Any]:
    """All that a worker is made of, as plain values."""
    return {
        "files": hashes_of_files(),
        "games": [[game.name, dict(game.options)] for game in config.make_games()],
        "seed": config.run.seed,
        "widths": list(config.widths),
    }


def make_remote(arguments: Mapping[str, Any]) -> "RemoteWorker":
    """A worker by these arguments, its kernels compiled.

    Raises RunError in a sentence where a file of a game is not here, or another.
    """
    load_same_files(arguments["files"])
    games = tuple(make_from(name, options) for name, options in arguments["games"])
    warm_up(games, Widths(*arguments["widths"]))
    return RemoteWorker(ValuesWorker(games, arguments["seed"]))


def warm_up(games: Sequence[Game], widths: Widths) -> None:
    """Compile or load all that jobs of these games need, by doing a small one of each kind."""
    weights = untrained(features_of(games[0]), widths, 0)
    name = "untrained"
    worker = ValuesWorker(games, 0)
    worker.know({name: SavedNetwork(weights, games[0].name, {})})
    networks = Networks(name, name, name)
    for variant, game in enumerate(games):
        policies = (WEIGHTED, quick_policy(game), NETWORK, PAST)
        chances = (0.25,) * len(policies)
        for settings in (_WARM_UP, _WARM_UP._replace(playouts=0, siblings=1)):
            worker.do(Shard(0, 0, 0, 1, variant, networks, settings, policies, chances))
    worker.do(Pairs(0, 0, len(games), networks, OTHER, 0))


class RemoteWorker:
    """Does jobs. It is told of networks from another thread than the one that does them."""

    def __init__(self, worker: ValuesWorker) -> None:
        self._worker = worker
        self._newest: Newest[Known] = Newest({})
        self._taken = -1

    def know(self, told: Mapping[str, Any]) -> None:
        """{"number", "networks"}; what was told before by its number is passed over."""
        self._newest.tell(told["number"], known_of(told["networks"]))

    def do(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Do a job; both are plain values."""
        wanted = job_of(job)
        self._take_over(names_of(wanted.networks))
        return result_to_plain(self._worker.do(wanted))

    def _take_over(self, names: set[str]) -> None:
        told = self._newest.wait(lambda told: names <= told.value.keys(), NETWORK_TIMEOUT_SECONDS)
        if told is None:
            raise RunError(f"the networks of a job did not come: {', '.join(sorted(names))}")
        if told.number > self._taken:
            self._taken = told.number
            self._worker.know(told.value)


# ---------------------------------------------------------------- plain values


def job_to_plain(job: Job) -> dict[str, Any]:
    """A job, whose kind is told by what it has."""
    data: dict[str, Any] = {**job._asdict(), "networks": list(job.networks)}
    if isinstance(job, Shard):
        data["settings"] = list(job.settings)
    return data


def job_of(data: Mapping[str, Any]) -> Job:
    """The same again."""
    networks = Networks(*data["networks"])
    if "settings" in data:
        return Shard(**{**data, "networks": networks, "settings": Settings(*data["settings"])})
    return Pairs(**{**data, "networks": networks})


def result_to_plain(result: Result) -> dict[str, Any]:
    """What came of a job."""
    if isinstance(result, Played):
        return {"job": job_to_plain(result.pairs), "shares": [list(pair) for pair in result.shares]}
    return {
        "job": job_to_plain(result.shard),
        "cases": result.cases._asdict(),
        "seconds": result.seconds,
        "worker": result.worker,
    }


def result_of(data: Mapping[str, Any]) -> Result:
    """The same again; its arrays are copies, so that nothing in the cluster's memory is held."""
    job = job_of(data["job"])
    if isinstance(job, Pairs):
        return Played(job, tuple((share, other) for share, other in data["shares"]))
    cases = ValueExamples(**{name: np.array(array) for name, array in data["cases"].items()})
    return Labelled(job, cases, data["seconds"], data["worker"])


def known_to_plain(known: Known) -> dict[str, Any]:
    """Networks by their names."""
    return {name: vars(saved) for name, saved in known.items()}


def known_of(data: Mapping[str, Any]) -> dict[str, SavedNetwork]:
    """The same again; its arrays are copies."""
    return {
        name: SavedNetwork(**{
            **saved,
            "weights": {key: np.array(array) for key, array in saved["weights"].items()},
        })
        for name, saved in data.items()
    }  # fmt: skip
