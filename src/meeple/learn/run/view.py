"""What the page and the command line show of a run: its folder, its result, and how to use it.

A damaged file is reported in a sentence and does not affect the rest.
"""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from meeple.agents.networks import checkpoint_files
from meeple.agents.spec_syntax import write
from meeple.errors import RunError
from meeple.files import reported
from meeple.games.contract.game import Game
from meeple.learn.config import MAX_EPISODES, AnyConfig, Config, Method, PatternsConfig
from meeple.learn.run.cluster import ClusterState, read_cluster
from meeple.learn.run.folder import (
    CONFIG,
    GAMES,
    STATE,
    RunFolder,
    config_of,
    holds_run,
    is_being_trained,
)
from meeple.learn.run.games import check_games, episode_of, last_line
from meeple.learn.run.schema import RunState, Stored, read_stored


@dataclass(frozen=True)
class RunView:
    """The contents of a run's folder at one time."""

    name: str
    folder: Path
    config: AnyConfig
    game: Game
    configured: int  # when the configuration was written, in nanoseconds since 1970
    episodes: int  # at the last save; rounds in a run that learns values
    seconds: float  # of training, at the last save
    changed: float  # when a file last changed, in seconds since 1970
    cluster: ClusterState | None  # None: the run never ran on a cluster
    damages: tuple[str, ...]  # a sentence for each damaged file

    @property
    def races(self) -> bool:
        """Whether this is one of the methods that still race for the run of this name."""
        return self.folder.name != self.name

    @property
    def is_over(self) -> bool:
        """Whether the run has reached the limit that its configuration sets."""
        limit = self.config.run.minutes
        return self.episodes >= self.config.length or bool(limit and self.seconds >= 60 * limit)

    @property
    def done(self) -> int:
        """Episodes played, including those after the last save."""
        return max(self.episodes, last_episode(self.folder / GAMES))


def read_run(folder: Path) -> RunView:
    """Read a run. Raises MeepleError without a configuration or a game that can be made."""
    config = config_of(folder)
    return view_run(folder, config, config.make_game(), configured_at(folder))


def runs_in(folder: Path) -> list[Path]:
    """Return the folders of the runs in `folder`, damaged ones included, last changed first."""
    try:
        found = [Path(entry.path) for entry in os.scandir(folder) if holds_run(entry.path)]
    except OSError:
        return []
    return sorted(found, key=lambda path: (changed_at(path), path.name), reverse=True)


def view_run(folder: Path, config: AnyConfig, game: Game, configured: int) -> RunView:
    """Read a run whose configuration is known already; `configured`: see `configured_at`."""
    state, damage = RunFolder(folder).newest_state(config.length, config.unit)
    damages = [damage] if damage else []
    try:
        check_games(folder / GAMES)
    except RunError as error:
        damages.append(str(error))
    cluster = read_cluster(folder)
    if isinstance(cluster, str):
        damages.append(cluster)
        cluster = None
    return RunView(
        name=folder.name,
        folder=folder,
        config=config,
        game=game,
        configured=configured,
        episodes=state.episodes if state else 0,
        seconds=state.seconds if state else 0.0,
        changed=changed_at(folder),
        cluster=cluster,
        damages=tuple(damages),
    )


def configured_at(folder: Path) -> int:
    """Return when a run's configuration was written, in nanoseconds since 1970.

    Raises RunError if there is none, or it cannot be read.
    """
    with reported(f"cannot read {folder / CONFIG}"):
        return (folder / CONFIG).stat().st_mtime_ns


def changed_at(folder: Path) -> float:
    """Return when a file of the run last changed, in seconds since 1970; 0 without files."""
    times = [0.0]
    for name in (STATE, GAMES, CONFIG):
        with contextlib.suppress(OSError):
            times.append((folder / name).stat().st_mtime)
    return max(times)


def state_of(run: RunView) -> str:
    """Return "finished", "running" (a process trains the run) or "stopped"."""
    if run.is_over:
        return "finished"
    return "running" if is_being_trained(run.folder) else "stopped"


def place_of(run: RunView) -> str | None:
    """Return the cluster that trains the run or trained it last; None: this machine."""
    cluster = run.cluster
    if cluster is None or (not cluster.running and state_of(run) == "running"):
        return None
    return cluster.place


def time_left(run: RunView, speed: float | None) -> float | None:
    """Return the estimated seconds to the end of the run; None without an estimate.

    `speed`: recent episodes per second; None: the mean of the whole run.
    """
    if speed is None:
        speed = run.episodes / run.seconds if run.seconds and run.episodes else None
    lefts = [(run.config.length - run.episodes) / speed] if speed else []
    if run.config.run.minutes:
        lefts.append(60 * run.config.run.minutes - run.seconds)
    return round(max(min(lefts), 0.0), 1) if lefts else None


def networks_of(folder: Path) -> Sequence[int]:
    """Return the episode numbers of the saved networks."""
    try:
        return [episode for episode, _ in checkpoint_files(folder)]
    except RunError:
        return []


def last_episode(file: Path) -> int:
    """Return the number of the last game in a run's file of games; 0 if none can be read."""
    try:
        return episode_of(last_line(file) or "")
    except RunError:
        return 0


# ------------------------------------------------------------ training methods


@dataclass(frozen=True)
class Support:
    """What a training method supports."""

    plays_games: bool = True  # and so can be diagnosed
    cluster: bool = True
    shows_games: bool = False  # while they are played
    threads: bool = False  # several workers without a cluster


SUPPORT: dict[Method, Support] = {
    "self-play": Support(shows_games=True),
    "records": Support(plays_games=False, cluster=False),
    "values": Support(threads=True),
    "patterns": Support(cluster=False),
}


def result_sentence(config: AnyConfig, state: RunState, time: str) -> str:
    """Return the result of a run that ended after a `time`, in words, as a sentence.

    Raises RunError if a run on records ended before its first epoch.
    """
    if config.method == "values":
        return (
            f"Learned in {state.episodes} rounds and {time}; "
            f"the network of round {state.incumbent} plays."
        )
    if isinstance(config, PatternsConfig):
        games = config.games_after(state.episodes)
        return f"Learned from {games:,} games in {time}."
    if config.method == "self-play":
        return f"Learned from {state.episodes} episodes in {time}."
    losses = state.held_out
    if not losses:
        raise RunError("the run was given no time for an epoch: allow more run.minutes")
    return (
        f"Learned from {state.episodes:,} games, epochs counted, in {time}; "
        f"the best of {len(losses)} epochs is epoch {losses.index(min(losses)) + 1}."
    )


def uses(config: AnyConfig, network: str) -> list[tuple[str, Literal["play", "match"], str]]:
    """Return ways to use the network of a run, each as (words, command, spec of the agent)."""
    if config.method in ("self-play", "records"):
        return [
            ("Play the network alone", "play", write("policy", network)),
            ("Play it with search", "play", write("puct", network, {"sims": 400})),
        ]
    weights = {"eval": network, "seconds": 0.3}
    values = config.method == "values"
    spec = write("states", network) if values else write("minimax", None, weights)
    return [("Play against it", "play", spec), ("Let it play others", "match", spec)]


def completed(config: AnyConfig, state: RunState) -> int:
    """Return what the run has completed in the unit of its length field, such as `run.rounds`."""
    limit: int = getattr(config.run, config.resumable[0])
    return limit - (config.length - state.episodes)


def has_stopped_improving(config: AnyConfig, state: RunState) -> bool:
    """Return whether a run on records ended since its loss no longer fell: it cannot continue."""
    if not isinstance(config, Config) or config.records is None:
        return False
    return state.has_stopped_improving(config.records.patience)


# ------------------------------------------------------------ the TOPP of its networks

MAX_RESULT_BYTES = 4_000_000
MAX_CACHED_RESULTS = 200
MAX_MATRIX_NETWORKS = 40  # the matrix of a larger one is left out

_Elo = Annotated[float, AfterValidator(lambda elo: round(elo, 1))]
_Share = Annotated[float, AfterValidator(lambda share: round(share, 3))]
_Count = Annotated[int, Field(ge=0, le=2**53)]


class _Part(Stored):
    model_config = ConfigDict(extra="ignore")  # the file has fields that no caller shows


class _Rating(_Part):
    rating: _Elo
    interval: tuple[_Elo, _Elo]


class _RatedNetwork(_Rating):
    episode: Annotated[int, Field(ge=0, le=MAX_EPISODES)]
    share: _Share


class _ToppResult(_Part):
    unit: Literal["episode", "round"] = "episode"
    policy: str
    epsilon: _Share
    games: _Count
    games_per_pair: _Count
    distinct_games: _Count
    networks: list[_RatedNetwork]
    matrix: list[list[_Share | None]]
    gain: _Rating


def topp_result(folder: Path) -> dict[str, Any] | str | None:
    """Return the result of a run's last TOPP as data.

    Returns:
        The result with `made`, the time of writing in seconds since 1970; a sentence if the file
        is damaged; None if there was none.
    """
    file = folder / "topp" / "result.json"
    with contextlib.suppress(OSError):
        stat = file.stat()
        return _read(file, stat.st_mtime, stat.st_size)
    return None


@lru_cache(maxsize=MAX_CACHED_RESULTS)
def _read(file: Path, made: float, size: int) -> dict[str, Any] | str:
    try:
        result = read_stored(file, _ToppResult, MAX_RESULT_BYTES).model_dump()
    except FileNotFoundError:
        return f"{file} is missing"
    except RunError as error:
        return str(error)
    small = len(result["networks"]) <= MAX_MATRIX_NETWORKS
    return result | {"matrix": result["matrix"] if small else [], "made": round(made, 1)}
