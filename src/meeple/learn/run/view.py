"""What the files of one run's folder say; nothing that is damaged there spoils the rest.

The page and the command line show runs by this.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from meeple.agents.networks import checkpoint_files
from meeple.errors import RunError
from meeple.games.contract.game import Game
from meeple.learn.config import Config, ValuesConfig
from meeple.learn.run.cluster_state import ClusterState, read_cluster
from meeple.learn.run.folder import CONFIG, GAMES, STATE, RunFolder, config_of, holds_run
from meeple.learn.run.games import check_games, episode_of, last_line
from meeple.learn.run.lock import is_being_trained
from meeple.learn.values.folder import ValuesFolder


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
    cluster: ClusterState | None  # what it is at on a cluster; None: it learns on this machine
    damages: tuple[str, ...]  # to its files, each in a sentence

    @property
    def of(self) -> int:
        """Episodes of the whole run, or rounds: the first one too, which learns from results."""
        if isinstance(self.config, ValuesConfig):
            return self.config.run.rounds + 1
        return self.config.run.episodes

    @property
    def mode(self) -> str:
        """How it learns: "on-policy", "alphazero", "values" or "records"."""
        if isinstance(self.config, ValuesConfig):
            return "values"
        return "records" if self.config.records else self.config.search.mode

    @property
    def is_over(self) -> bool:
        """Whether it has come to the end that its configuration sets."""
        limit = self.config.run.minutes
        return self.episodes >= self.of or bool(limit and self.seconds >= 60 * limit)

    @property
    def done(self) -> int:
        """Episodes, those since the last save too: the state is saved now and then only."""
        return max(self.episodes, last_episode(self.folder / GAMES))


def read_run(folder: Path) -> Run:
    """The run in a folder. Raises MeepleError where its configuration or game cannot be had."""
    config = config_of(folder)
    return run_of(folder, config, config.make_game(), configured_at(folder))


def runs_in(folder: Path) -> list[Path]:
    """The runs in a folder, be they damaged, the last changed first; none where it is none."""
    try:
        found = [Path(entry.path) for entry in os.scandir(folder) if holds_run(entry.path)]
    except OSError:
        return []
    return sorted(found, key=lambda path: (changed_at(path), path.name), reverse=True)


def run_of(folder: Path, config: Config | ValuesConfig, game: Game, configured: int) -> Run:
    """The run in a folder whose configuration is known."""
    episodes, seconds, damages = _standing(folder, config)
    try:
        check_games(folder / GAMES)
    except RunError as error:
        damages.append(str(error))
    cluster = read_cluster(folder)
    if isinstance(cluster, str):
        damages.append(cluster)
        cluster = None
    return Run(
        folder.name,
        folder,
        config,
        game,
        configured,
        episodes,
        seconds,
        changed_at(folder),
        cluster,
        tuple(damages),
    )


def configured_at(folder: Path) -> int:
    """When a run's configuration was written, in nanoseconds since the epoch. Raises RunError."""
    try:
        return (folder / CONFIG).stat().st_mtime_ns
    except OSError as error:
        raise RunError(f"cannot read {folder / CONFIG}: {error.strerror}") from None


def _standing(folder: Path, config: Config | ValuesConfig) -> tuple[int, float, list[str]]:
    """Episodes or rounds that are over, seconds spent, and what is damaged in sentences."""
    if isinstance(config, ValuesConfig):
        try:
            found = ValuesFolder(folder).standing()
        except RunError as error:
            return 0, 0.0, [str(error)]
        return found.rounds, found.seconds, []
    state, damage = RunFolder(folder).standing(config.run.episodes)
    damages = [damage] if damage else []
    return (state.episodes, state.seconds, damages) if state else (0, 0.0, damages)


def changed_at(folder: Path) -> float:
    """When the run last wrote, seconds since the epoch."""
    times = [0.0]
    for name in (STATE, GAMES, CONFIG):
        try:
            times.append((folder / name).stat().st_mtime)
        except OSError:
            continue
    return max(times)


def state_of(run: Run) -> str:
    """One word: "finished", "running" (any process trains it) or "stopped"."""
    if run.is_over:
        return "finished"
    return "running" if is_being_trained(run.folder) else "stopped"


def place_of(run: Run) -> str | None:
    """The cluster that it learns on or learned on last; None where that is this machine."""
    cluster = run.cluster
    if cluster is None or (not cluster.running and state_of(run) == "running"):
        return None
    return cluster.place


def time_left(run: Run, speed: float | None) -> float | None:
    """Seconds to the run's end, by its episodes a second of late; None where nobody can tell."""
    if speed is None:
        speed = run.episodes / run.seconds if run.seconds and run.episodes else None
    lefts = [(run.of - run.episodes) / speed] if speed else []
    if run.config.run.minutes:
        lefts.append(60 * run.config.run.minutes - run.seconds)
    return round(max(min(lefts), 0.0), 1) if lefts else None


def networks_of(folder: Path) -> Sequence[int]:
    """After how many episodes networks were kept."""
    try:
        return [episode for episode, _ in checkpoint_files(folder)]
    except RunError:
        return []


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
