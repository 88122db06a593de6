"""What the page says of a run beside what its files say: by its child processes, and for agents."""

import os
from pathlib import Path
from typing import Any

from meeple.errors import MeepleError
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.learn.config import AnyConfig
from meeple.learn.run.games import episode_of
from meeple.learn.view import RunView, state_of
from meeple.server.specs import network_of_run
from meeple.server.training.form import flat
from meeple.server.training.jobs import Job

AT_WORK = ("running", "stopping", "elsewhere")


def listing(folder: Path) -> frozenset[str]:
    """The names of what is in a folder."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def status_of(run: RunView, train: Job) -> str:
    """One word; "elsewhere": another process than this server's child trains it."""
    if train.running:
        return "stopping" if train.asked else "running"
    state = state_of(run)
    if state == "running":
        return "elsewhere"
    return "failed" if state == "stopped" and train.failed else state


def problem_of(name: str, status: str, train: Job, topp: Job) -> str | None:
    """What somebody who looks at the run should know, in a sentence."""
    if train.late or topp.late:
        return (
            f"{name} was asked to stop and has not ended yet: a search may take long. Asked again, "
            "it stops at once"
        )
    if status == "failed":
        return f"{name} ended by an error; what was saved before is whole. Its last words:"
    if is_unrated(train, topp):
        return f"{name} could not be rated. The last words:"
    return None


def is_unrated(train: Job, topp: Job) -> bool:
    """Whether the last that happened is that a rating failed."""
    return topp.failed and not topp.running and (topp.ended or 0) > (train.ended or 0)


def spec_of(name: str, config: AnyConfig) -> str:
    """Return the spec of the agent that plays with the run's newest network."""
    return config.agent_spec(network_of_run(name))


def settings_of(config: AnyConfig) -> dict[str, Any]:
    """All values, as text; of a place, its name alone."""
    values = flat(config)
    if config.run.start:
        values["run.start"] = Path(config.run.start).name
    return {key: value for key, value in values.items() if value is not None}


def sample_of(game: Game, line: str) -> dict[str, Any] | None:
    """None where the line is no record after all."""
    try:
        record = GameRecord.from_json(line)
    except MeepleError:
        return None
    if record.payoffs is not None and len(record.payoffs) != game.players:
        return None
    return {
        "episode": episode_of(line),
        "plies": len(record.actions),
        "result": _outcome(game, record),
        "record": line,
    }


def _outcome(game: Game, record: GameRecord) -> str:
    """Who won, in words."""
    if record.payoffs is None:
        return "broken off"
    best = max(record.payoffs)
    winners = [game.player_name(p) for p, share in enumerate(record.payoffs) if share == best]
    return f"{winners[0]} wins" if len(winners) == 1 else "a draw"
