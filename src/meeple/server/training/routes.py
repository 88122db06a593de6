"""Routes of the training view: queries and commands for the runs of the folder."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field, StringConstraints

from meeple.learn.run.cluster_state import Role
from meeple.server.training.form import forms, sections
from meeple.server.training.runs import NAME, Runs
from meeple.server.web.requests import part
from meeple.server.web.schemas import Strict
from meeple.server.work import Work

router = APIRouter(prefix="/api")

_Answer = TypeVar("_Answer")

RunName = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]
_Text = Annotated[str, StringConstraints(max_length=2000)]
_Item = bool | int | float | _Text
_Items = Annotated[list[_Item], Field(max_length=64, fail_fast=True)]
Value = _Item | Annotated[list[_Item | _Items], Field(max_length=64, fail_fast=True)] | None
"""The value of a field: TOML without tables; None unsets the field."""


Unit = Literal["episode", "round"]


class Ok(Strict):
    """A successful command."""

    ok: Literal[True] = True


class NewRun(Strict):
    """A request to start a run."""

    name: RunName
    config: Annotated[str, StringConstraints(max_length=64)]
    changes: Annotated[
        dict[Annotated[str, StringConstraints(max_length=80)], Value], Field(max_length=100)
    ] = {}


class RatingGain(Strict):
    """The gain of training: Elo of the last network minus the first, with its interval."""

    rating: float
    interval: tuple[float, float]


class Unreadable(Strict):
    """A run that cannot be read."""

    name: str
    problem: str


class RunWords(Strict):
    """The summary of a run."""

    name: str
    game: str
    title: str
    options: dict[str, bool | int | str]
    status: Literal["running", "stopping", "elsewhere", "finished", "stopped", "failed"]
    late: bool  # still running long after the request to stop
    rating: bool  # whether a tournament of its networks is running
    episodes: int  # or rounds, see `unit`
    of: int
    unit: Unit
    changed: float
    gain: RatingGain | None
    place: str | None  # the cluster that trains it; None: this machine
    problem: str | None


class RunList(Strict):
    """The runs, the last changed first."""

    runs: list[RunWords | Unreadable]


class CurveData(Strict):
    """A curve: points (last episode, mean of the waves since the previous point)."""

    name: str
    group: str
    title: str
    words: str
    points: list[tuple[int, float]]


class Rated(Strict):
    """A network's result in the tournament."""

    episode: int
    rating: float
    interval: tuple[float, float]
    share: float


class Report(Strict):
    """The tournament of a run's networks; `matrix[i][j]`: the share of i against j."""

    unit: Unit
    policy: str
    epsilon: float
    games: int
    games_per_pair: int
    distinct_games: int
    networks: list[Rated]
    matrix: list[list[float | None]]
    gain: RatingGain
    made: float


class ClusterNode(Strict):
    """A machine of a cluster."""

    name: str
    address: str
    processors: float
    accelerators: str  # names, or "none"
    alive: bool


class ClusterActor(Strict):
    """A process of a run on a cluster."""

    name: str
    role: Role
    node: str
    pid: int
    alive: bool
    games: int
    games_per_second: float
    generation: int | None
    waiting: str
    restarts: int


class GameCounts(Strict):
    """The numbers of games of a run on a cluster, by their state."""

    begun: int
    finished: int
    stored: int
    trained: int
    lost: int
    dropped: int
    deaths: int
    in_flight: int
    unaccounted: int


class ClusterFacts(Strict):
    """The state of a run on a cluster, with shortened lists; see `learn/run/cluster_state.py`."""

    place: str
    time: float  # of writing, in seconds since 1970
    running: bool
    summary: str
    games_per_second: float
    waiting: str
    nodes: list[ClusterNode]
    more_nodes: int
    actors: list[ClusterActor]
    more_actors: int
    account: GameCounts
    account_words: list[str]
    problems: list[str]


class LogTail(Strict):
    """The last lines of an actor's log."""

    name: str
    lines: list[str]


class RunFacts(RunWords):
    """The facts of a run. The points of the curves replace those after the episode `since`."""

    seconds: float
    left: float | None
    networks: list[int]
    marks: int | None  # number of networks that it will save, if known
    since: int
    curves: list[CurveData]
    progress: list[str]  # sentences on the results against fixed opponents
    advice: list[str]  # sentences on problems of training and their remedies
    topp: Report | None
    output: list[str]
    spec: str | None
    settings: dict[str, Any]
    cluster: ClusterFacts | None
    logs: list[str]  # the actors that have a log


class Sample(Strict):
    """A game of self-play."""

    episode: int
    plies: int
    result: str
    record: str


class Samples(Strict):
    """Some games, and the number of the last stored one."""

    games: list[Sample]
    last: int


class FormField(Strict):
    """A field of a form: see `training.form.sections`."""

    name: str
    kind: Literal["integer", "number", "flag", "choice", "text", "list"]
    allowed: str
    help: str
    default: Any
    optional: bool
    low: float | None = None
    high: float | None = None
    above: float | None = None
    below: float | None = None
    choices: list[str] | None = None


class FormSection(Strict):
    """Fields that belong together."""

    name: str
    help: str
    fields: list[FormField]


class ReadyConfig(Strict):
    """A ready configuration: its game with that game's options, and the value of every field."""

    name: str
    game: str
    words: str
    options: list[FormField]
    values: dict[str, Any]


class ConfigList(Strict):
    """The ready configurations and the sections of the form."""

    configs: list[ReadyConfig]
    sections: list[FormSection]


class _RunsInThreads:
    """Calls on the runs of the server's folder, made in threads because they read files."""

    def __init__(
        self, runs: Annotated[Runs, part(Runs)], work: Annotated[Work, part(Work)]
    ) -> None:
        self._runs, self._lane = runs, work.runs

    async def do(self, call: Callable[[Runs], _Answer]) -> _Answer:
        """Return the result of a call on the runs; raise Busy, or the call's error."""
        return await self._lane.do(call, self._runs)


_Runs = Annotated[_RunsInThreads, Depends()]
_Name = Annotated[str, Path(max_length=64)]


@router.get("/runs")
async def run_list(runs: _Runs) -> RunList:
    """Return all runs."""
    return await runs.do(lambda runs: RunList.model_validate({"runs": runs.all()}))


@router.get("/configs")
async def config_list(runs: _Runs) -> ConfigList:
    """Return the ready configurations and the form of a new run."""
    return await runs.do(
        lambda _: ConfigList.model_validate({"configs": forms(), "sections": sections()})
    )


@router.get("/runs/{name}")
async def run_facts(
    runs: _Runs, name: _Name, since: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> RunFacts:
    """Return one run, with its curves after an episode."""
    return await runs.do(lambda runs: RunFacts.model_validate(runs.facts(name, since)))


@router.get("/runs/{name}/games")
async def run_games(
    runs: _Runs,
    name: _Name,
    after: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    limit: Annotated[int, Query(ge=1, le=20)] = 10,
) -> Samples:
    """Return the first games after an episode, or the last ones."""
    return await runs.do(lambda runs: Samples.model_validate(runs.games(name, after, limit)))


@router.get("/runs/{name}/logs/{actor}")
async def run_log(runs: _Runs, name: _Name, actor: _Name) -> LogTail:
    """Return the last lines of an actor's log."""
    return await runs.do(lambda runs: LogTail.model_validate(runs.log(name, actor)))


@router.post("/runs")
async def begin_run(runs: _Runs, wanted: NewRun) -> Ok:
    """Start a run."""
    await runs.do(lambda runs: runs.begin(wanted.name, wanted.config, wanted.changes))
    return Ok()


@router.post("/runs/{name}/stop")
async def stop_run(runs: _Runs, name: _Name) -> Ok:
    """Ask a run to end."""
    await runs.do(lambda runs: runs.stop(name))
    return Ok()


@router.post("/runs/{name}/resume")
async def resume_run(runs: _Runs, name: _Name) -> Ok:
    """Resume a run."""
    await runs.do(lambda runs: runs.resume(name))
    return Ok()


@router.post("/runs/{name}/topp")
async def rate_run(runs: _Runs, name: _Name) -> Ok:
    """Start a rating of a run's networks."""
    await runs.do(lambda runs: runs.rate(name))
    return Ok()
