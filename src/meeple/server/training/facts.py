"""What the files of one run's folder say; nothing that is damaged there spoils the rest."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meeple.agents.networks import checkpoint_files
from meeple.errors import MeepleError, RunError
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.learn.config import Config
from meeple.learn.run_folder import CONFIG, GAMES, STATE, RunFolder
from meeple.learn.run_lock import is_being_trained
from meeple.learn.values.config import ValuesConfig
from meeple.learn.values.folder import ValuesFolder
from meeple.server.specs import network_of_run
from meeple.server.training.form import flat
from meeple.server.training.games import episode_of, last_line
from meeple.server.training.jobs import Job

AT_WORK = ("running", "stopping", "elsewhere")


@dataclass(frozen=True)
class Run:
    """One folder's files, read."""

    name: str
    folder: Path
    config: Config | ValuesConfig
    game: Game
    configured: int  # nanoseconds since the epoch: when its configuration was written
    episodes: int  # played; of a run that learns values, rounds
    seconds: float  # spent
    changed: float  # seconds since the epoch
    damage: str | None  # to its state, in a sentence

    @property
    def of(self) -> int:
        """Episodes of the whole run, or rounds: the first one too, which learns from results."""
        return length_of(self.config)


def length_of(config: Config | ValuesConfig) -> int:
    """Episodes of a whole run, or rounds."""
    if isinstance(config, ValuesConfig):
        return config.run.rounds + 1
    return config.run.episodes


def standing_of(folder: Path, config: Config | ValuesConfig) -> tuple[int, float, str | None]:
    """Episodes or rounds that are over, seconds spent, and what is damaged in a sentence."""
    if isinstance(config, ValuesConfig):
        try:
            found = ValuesFolder(folder).standing()
        except RunError as error:
            return 0, 0.0, str(error)
        return found.rounds, found.seconds, None
    state, damage = RunFolder(folder).standing(config.run.episodes)
    return (state.episodes, state.seconds, damage) if state else (0, 0.0, damage)


def listing(folder: Path) -> frozenset[str]:
    """The names of what is in a folder."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def changed_at(folder: Path) -> float:
    """When the run last wrote, seconds since the epoch."""
    times = [0.0]
    for name in (STATE, GAMES, CONFIG):
        try:
            times.append((folder / name).stat().st_mtime)
        except OSError:
            continue
    return max(times)


def status_of(run: Run, train: Job) -> str:
    """One word; "elsewhere": another process than this server's child trains it."""
    limit = run.config.run.minutes
    if train.running:
        return "stopping" if train.asked else "running"
    if run.episodes >= run.of or (limit and run.seconds >= 60 * limit):
        return "finished"
    if is_being_trained(run.folder):
        return "elsewhere"
    return "failed" if train.failed else "stopped"


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


def time_left(run: Run, speed: float | None) -> float | None:
    """Seconds to the run's end, by the speed of late."""
    if speed is None:
        speed = run.episodes / run.seconds if run.seconds and run.episodes else None
    lefts = [(run.of - run.episodes) / speed] if speed else []
    if run.config.run.minutes:
        lefts.append(60 * run.config.run.minutes - run.seconds)
    return round(max(min(lefts), 0.0), 1) if lefts else None


def networks_of(folder: Path) -> list[int]:
    """After how many episodes networks were kept."""
    try:
        return [episode for episode, _ in checkpoint_files(folder)]
    except RunError:
        return []


def spec_of(name: str, config: Config | ValuesConfig) -> str:
    """The agent that plays with the run's newest network."""
    network = network_of_run(name)
    if isinstance(config, ValuesConfig):
        return f"states:{network}"
    return f"puct:{network},sims=100" if config.network.critic else f"policy:{network}"


def settings_of(config: Config | ValuesConfig) -> dict[str, Any]:
    """All values, as text; of a place, its name alone."""
    values = flat(config)
    if config.run.start:
        values["run.start"] = Path(config.run.start).name
    return {key: value for key, value in values.items() if value is not None}


def title_of(game: Game) -> str:
    """The game with those options that are not the usual ones."""
    unusual = [
        f"{name}={game.options[name]}"
        for name, option in game.declared.items()
        if game.options[name] != option.default
    ]
    return ", ".join([game.name.replace("-", " ").capitalize(), *unusual])


def last_episode(file: Path) -> int:
    """The number of the last game in a run's file of games; 0 where there is none to be read."""
    try:
        return episode_of(last_line(file) or "")
    except RunError:
        return 0


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
