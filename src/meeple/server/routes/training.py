"""Routes of the training view: the runs of the folder, and what may be done with them."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import Field, StringConstraints

from meeple.learn.run.cluster_state import Role
from meeple.server.routes.requests import services_of
from meeple.server.schemas import Strict
from meeple.server.training.form import forms, sections
from meeple.server.training.runs import NAME, Runs

router = APIRouter(prefix="/api")

_Answer = TypeVar("_Answer")

RunName = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]
_Text = Annotated[str, StringConstraints(max_length=2000)]
_Item = bool | int | float | _Text
_Items = Annotated[list[_Item], Field(max_length=64, fail_fast=True)]
Value = _Item | Annotated[list[_Item | _Items], Field(max_length=64, fail_fast=True)] | None
"""What a field may be set to: TOML without tables; None leaves it unset."""


Unit = Literal["episode", "round"]


class Ok(Strict):
    """It was done."""

    ok: Literal[True] = True


class NewRun(Strict):
    """A run to be begun."""

    name: RunName
    config: Annotated[str, StringConstraints(max_length=64)]
    changes: Annotated[
        dict[Annotated[str, StringConstraints(max_length=80)], Value], Field(max_length=100)
    ] = {}


class Gain(Strict):
    """What training has brought: Elo of the last network above the first, with its interval."""

    rating: float
    interval: tuple[float, float]


class Unreadable(Strict):
    """A folder that is a run, but not one that can be read."""

    name: str
    problem: str


class RunWords(Strict):
    """A run in short."""

    name: str
    game: str
    title: str
    options: dict[str, bool | int | str]
    status: Literal["running", "stopping", "elsewhere", "finished", "stopped", "failed"]
    late: bool  # asked to stop, and has not
    rating: bool  # a tournament of its networks is under way
    episodes: int  # or rounds, as `unit` says
    of: int
    unit: Unit
    changed: float
    gain: Gain | None
    place: str | None  # the cluster where it learns; None: this machine
    problem: str | None


class RunList(Strict):
    """All runs, the last changed first."""

    runs: list[RunWords | Unreadable]


class CurveData(Strict):
    """A curve: points (episode, mean of the waves up to it since the point before)."""

    name: str
    group: str
    title: str
    words: str
    points: list[tuple[int, float]]


class Rated(Strict):
    """A network in the tournament."""

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
    gain: Gain
    made: float


class ClusterNode(Strict):
    """A machine of a cluster."""

    name: str
    address: str
    processors: float
    accelerators: str  # in words, "none" where there are none
    alive: bool


class ClusterActor(Strict):
    """A process that works for a run on a cluster."""

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


class Account(Strict):
    """What became of the games of a run on a cluster."""

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
    """What a run on a cluster is at; see `learn/run/cluster_state.py`. Long lists are cut."""

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
    account: Account
    account_words: list[str]
    problems: list[str]


class LogTail(Strict):
    """The last lines of an actor's log."""

    name: str
    lines: list[str]


class RunFacts(RunWords):
    """All of a run. Points up to `since` are as they were; what it gives replaces those after."""

    seconds: float
    left: float | None
    networks: list[int]
    marks: int | None  # networks that it will keep, where that is known
    since: int
    curves: list[CurveData]
    progress: list[str]  # how the network fares against fixed opponents, in sentences
    advice: list[str]  # what goes wrong in learning and what to change
    topp: Report | None
    output: list[str]
    spec: str | None
    settings: dict[str, Any]
    cluster: ClusterFacts | None
    logs: list[str]  # the actors that have one


class Sample(Strict):
    """A game of self-play."""

    episode: int
    plies: int
    result: str
    record: str


class Samples(Strict):
    """Some games, and the number of the last there is."""

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
    """What a form is made of."""

    configs: list[ReadyConfig]
    sections: list[FormSection]


class _Office:
    """The runs of the server's folder, asked in threads: their files may be long."""

    def __init__(self, request: Request) -> None:
        services = services_of(request)
        self._runs, self._lane = services.runs, services.work.runs

    async def do(self, call: Callable[[Runs], _Answer]) -> _Answer:
        """What a call makes of the runs. Raises Busy, and what it raises."""
        return await self._lane.do(call, self._runs)


async def office_of(request: Request) -> _Office:
    """The runs that a request is about."""
    return _Office(request)


_Runs = Annotated[_Office, Depends(office_of)]
_Name = Annotated[str, Path(max_length=64)]


@router.get("/runs")
async def run_list(runs: _Runs) -> RunList:
    """All runs."""
    return await runs.do(lambda runs: RunList.model_validate({"runs": runs.all()}))


@router.get("/configs")
async def config_list(runs: _Runs) -> ConfigList:
    """What a run can be begun with."""
    return await runs.do(
        lambda _: ConfigList.model_validate({"configs": forms(), "sections": sections()})
    )


@router.get("/runs/{name}")
async def run_facts(
    runs: _Runs, name: _Name, since: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> RunFacts:
    """One run, its curves from an episode on."""
    return await runs.do(lambda runs: RunFacts.model_validate(runs.facts(name, since)))


@router.get("/runs/{name}/games")
async def run_games(
    runs: _Runs,
    name: _Name,
    after: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    limit: Annotated[int, Query(ge=1, le=20)] = 10,
) -> Samples:
    """The first games after an episode, or the last ones."""
    return await runs.do(lambda runs: Samples.model_validate(runs.games(name, after, limit)))


@router.get("/runs/{name}/logs/{actor}")
async def run_log(runs: _Runs, name: _Name, actor: _Name) -> LogTail:
    """The last lines of the log of one of its actors."""
    return await runs.do(lambda runs: LogTail.model_validate(runs.log(name, actor)))


@router.post("/runs")
async def begin_run(runs: _Runs, wanted: NewRun) -> Ok:
    """Begin a run."""
    await runs.do(lambda runs: runs.begin(wanted.name, wanted.config, wanted.changes))
    return Ok()


@router.post("/runs/{name}/stop")
async def stop_run(runs: _Runs, name: _Name) -> Ok:
    """Ask it to end."""
    await runs.do(lambda runs: runs.stop(name))
    return Ok()


@router.post("/runs/{name}/resume")
async def resume_run(runs: _Runs, name: _Name) -> Ok:
    """Go on with it."""
    await runs.do(lambda runs: runs.resume(name))
    return Ok()


@router.post("/runs/{name}/topp")
async def rate_run(runs: _Runs, name: _Name) -> Ok:
    """Rate its networks."""
    await runs.do(lambda runs: runs.rate(name))
    return Ok()
