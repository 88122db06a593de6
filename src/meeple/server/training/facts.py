"""Facts of a run for the page beyond its files: the state of its processes, its agent, samples."""

import os
from pathlib import Path
from typing import Any, cast

from meeple.agents.networks import network_of_run
from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.games.contract.result import result_text
from meeple.learn.config import AnyConfig
from meeple.learn.run.games import episode_of
from meeple.learn.run.view import RunView, state_of
from meeple.sentences import say
from meeple.server.training.answers import Sample, Status
from meeple.server.training.form import NETWORK_FIELDS, flat
from meeple.server.training.processes import RunProcess

AT_WORK = ("running", "stopping", "elsewhere")


def listing(folder: Path) -> frozenset[str]:
    """Return the names in a folder; empty if it cannot be read."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def status_of(run: RunView, train: RunProcess) -> Status:
    """Return a run's status; "elsewhere": a process that this server did not start trains it."""
    if train.running:
        return "stopping" if train.asked else "running"
    state = "stopped" if run.races and run.is_over else state_of(run)
    if state == "running":
        return "elsewhere"
    return cast(Status, "failed" if state == "stopped" and train.failed else state)


def problem_of(name: str, status: str, train: RunProcess, topp: RunProcess) -> str | None:
    """Return a sentence about a problem of a run, or None."""
    if train.late or topp.late:
        return say("training.was_asked_to_stop", name=name)
    for one in (train, topp):
        if one.excess and not one.running:
            return say(f"training.stopped_{one.excess}", name=name)
    if status == "failed":
        return say("training.ended_by_an_error", name=name)
    if is_unrated(train, topp):
        return say("training.could_not_be_rated", name=name)
    return None


def is_unrated(train: RunProcess, topp: RunProcess) -> bool:
    """Return whether the last event of the run is a failed rating."""
    return topp.failed and not topp.running and (topp.ended or 0) > (train.ended or 0)


def spec_of(name: str, config: AnyConfig) -> str:
    """Return the spec of the agent that plays with the run's newest network."""
    return config.agent_spec(network_of_run(name))


def settings_of(config: AnyConfig) -> dict[str, Any]:
    """Return all set values of a configuration; of a path, only its name."""
    values = flat(config)
    values |= {key: Path(values[key]).name for key in NETWORK_FIELDS if values.get(key)}
    return {key: value for key, value in values.items() if value is not None}


def sample_of(game: Game, line: str) -> Sample | None:
    """Return a game of self-play for the page; None if the line is not a record of this game."""
    try:
        record = GameRecord.from_json(line)
    except MeepleError:
        return None
    if record.payoffs is not None and len(record.payoffs) != game.players:
        return None
    return Sample(
        episode=episode_of(line),
        plies=len(record.actions),
        result=result_text(record.payoffs, game.player_names, tally=record.tally),
        record=line,
    )
