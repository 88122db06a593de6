"""Routes of training: queries and commands for the runs of the folder."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field, StringConstraints

from meeple.games.contract.registry import make_from
from meeple.server.play.precompile import wait_for_kernels
from meeple.server.resources import Resources
from meeple.server.training.answers import ConfigList, LogTail, RunFacts, RunList, Samples
from meeple.server.training.form import forms, sections
from meeple.server.training.runs import NAME, Runs
from meeple.server.web.answers import WordedRoute
from meeple.server.web.requests import SeatTokens, part
from meeple.server.web.schemas import GameChoice, Strict

router = APIRouter(prefix="/api", route_class=WordedRoute)

_Answer = TypeVar("_Answer")

RunName = Annotated[str, StringConstraints(pattern=f"^{NAME}$")]
_Text = Annotated[str, StringConstraints(max_length=2000)]
_Item = bool | int | float | _Text
_Items = Annotated[list[_Item], Field(max_length=64, fail_fast=True)]
Value = _Item | Annotated[list[_Item | _Items], Field(max_length=64, fail_fast=True)] | None
"""The value of a field: TOML without tables; None unsets the field."""


class Ok(Strict):
    """A successful command."""

    ok: Literal[True] = True


class Started(Ok):
    """A started run or rating."""

    token: str  # with which its visitor may stop it


class NewRun(Strict):
    """A request to start a run."""

    name: RunName
    config: Annotated[str, StringConstraints(max_length=64)]
    changes: Annotated[
        dict[Annotated[str, StringConstraints(max_length=80)], Value], Field(max_length=100)
    ] = {}


class GameToLearn(GameChoice):
    """A request to learn a game for some minutes by the method that wins a race."""

    minutes: Annotated[float, Field(gt=0, le=720)] = 5.0


class Learning(Started):
    """A run that learns a game."""

    name: str


class _RunsInThreads:
    """Calls on the runs of the server's folder, made in threads because they read files."""

    def __init__(
        self, runs: Annotated[Runs, part(Runs)], resources: Annotated[Resources, part(Resources)]
    ) -> None:
        self._runs, self._lane = runs, resources.work.runs

    async def do(self, call: Callable[[Runs], _Answer]) -> _Answer:
        """Return the result of a call on the runs; raise Busy, or the call's error."""
        return await self._lane.do(call, self._runs)


_Runs = Annotated[_RunsInThreads, Depends()]
_Name = Annotated[str, Path(max_length=64)]


@router.get("/runs")
async def run_list(runs: _Runs) -> RunList:
    """Return all runs."""
    return await runs.do(lambda runs: RunList(runs=runs.all()))


@router.get("/configs")
async def config_list(runs: _Runs) -> ConfigList:
    """Return the ready configurations and the form of a new run."""
    return await runs.do(lambda _: ConfigList(configs=forms(), sections=sections()))


@router.get("/runs/{name}")
async def run_facts(
    runs: _Runs,
    name: _Name,
    tokens: SeatTokens,
    since: Annotated[int, Query(ge=0, le=2**31)] = 0,
) -> RunFacts:
    """Return one run, with its curves after an episode."""
    return await runs.do(lambda runs: runs.facts(name, since, tokens))


@router.get("/runs/{name}/games")
async def run_games(
    runs: _Runs,
    name: _Name,
    after: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    limit: Annotated[int, Query(ge=1, le=20)] = 10,
) -> Samples:
    """Return the first games after an episode, or the last ones."""
    return await runs.do(lambda runs: runs.games(name, after, limit))


@router.get("/runs/{name}/logs/{actor}")
async def run_log(runs: _Runs, name: _Name, actor: _Name) -> LogTail:
    """Return the last lines of an actor's log."""
    return await runs.do(lambda runs: runs.log(name, actor))


@router.post("/runs")
async def begin_run(runs: _Runs, wanted: NewRun) -> Started:
    """Start a run."""
    token = await runs.do(lambda runs: runs.begin(wanted.name, wanted.config, wanted.changes))
    return Started(token=token)


@router.post("/learn")
async def learn_game(runs: _Runs, wanted: GameToLearn) -> Learning:
    """Start a run that learns a game."""
    await wait_for_kernels(wanted.game)
    game = make_from(wanted.game, wanted.options)
    name, token = await runs.do(lambda runs: runs.learn(game, wanted.minutes))
    return Learning(name=name, token=token)


@router.post("/runs/{name}/stop")
async def stop_run(runs: _Runs, name: _Name, tokens: SeatTokens) -> Ok:
    """Ask a run to end."""
    await runs.do(lambda runs: runs.stop(name, tokens))
    return Ok()


@router.post("/runs/{name}/resume")
async def resume_run(runs: _Runs, name: _Name, tokens: SeatTokens) -> Ok:
    """Resume a run."""
    await runs.do(lambda runs: runs.resume(name, tokens))
    return Ok()


@router.post("/runs/{name}/topp")
async def rate_run(runs: _Runs, name: _Name) -> Started:
    """Start a rating of a run's networks."""
    return Started(token=await runs.do(lambda runs: runs.rate(name)))
