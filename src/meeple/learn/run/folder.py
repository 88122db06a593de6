"""The folder of a run, written so that a run killed at any instant resumes as if uninterrupted.

    config.toml   state.json   state.previous.json   checkpoints/*.safetensors   metrics.jsonl
    replay/*.safetensors, training/*.safetensors, games.jsonl: in a run by self-play or on records
    records.jsonl: in a run on records
    labels/*.safetensors, candidates/*.safetensors, labels.jsonl: in a run of values
    (`values/run.py`)
    cluster.json, logs/*.log, generations/*.safetensors: in a run on a cluster
    (`cluster.py`, `logs.py`, `workers/players.py`)

`state.json` is written last and names all files that belong to it. Files that it does not name are
left over from an interrupted save, and are removed on resume. The previous state is saved too, in
case a file of the newest one is corrupt.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from filelock import FileLock, Timeout

from meeple import tensor_file
from meeple.agents.networks import CHECKPOINTS, RUNS, Catalogue
from meeple.agents.spec import check_read
from meeple.errors import CheckpointError, ConfigError, RunError
from meeple.files import lock_holder, open_file, remove_leftovers, reported, write_atomically
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, to_lines
from meeple.learn.config import MAX_EPISODES, AnyConfig, documented, load
from meeple.learn.run.schema import MAX_STATE_BYTES, SUFFIX, RunState, file_after, read_stored
from meeple.learn.selfplay.trajectory import Trajectory
from meeple.learn.targets import TARGETS
from meeple.nets import checkpoint
from meeple.nets.architecture import Weights

CONFIG = "config.toml"  # the run's configuration
STATE = "state.json"  # its progress and generators
PREVIOUS = "state.previous.json"  # the state saved before
GAMES = "games.jsonl"  # records of episodes
REPLAY = "replay"  # the folder of the replay buffer
TRAINING = "training"  # the folder of weights and optimizer
RECORDS = "records.jsonl"  # the games of a run on records
METRICS = "metrics.jsonl"  # figures of waves
TENSORBOARD = "tensorboard"  # the folder of exported events
_CASES = "Meeple replay cases"
_BLOCK_BYTES = 65_536  # bytes of games.jsonl that are read at a time


def holds_run(folder: str | Path) -> bool:
    """Return whether a folder contains a run, damaged or not."""
    return os.path.lexists(Path(folder) / CONFIG)


def config_of(folder: str | Path) -> AnyConfig:
    """Return the configuration of a run. Raises RunError if it cannot be read."""
    file = Path(folder) / CONFIG
    try:
        return load(file)
    except ConfigError as error:
        raise RunError(str(error)) from None


class RunFolder:
    """The files of a run of any method."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def catalogue(self) -> Catalogue:
        """What the run's configuration may name: networks of runs beside it, or in `runs`."""
        return Catalogue(self.path.parent, (self.path.parent, RUNS))

    def refuse_existing(self) -> None:
        """Raise RunError if the folder contains a run already."""
        if holds_run(self.path):
            raise RunError(
                f"{self.path} already holds a run; go on with --resume, or choose another folder"
            )

    def create(self, config: AnyConfig) -> None:
        """Make a new run.

        Raises:
            RunError: the folder contains one already.
            SpecError: the configuration names an agent or a network that it may not.
        """
        self.refuse_existing()
        for spec in config.matches.specs:
            check_read(spec, self.catalogue)
        for network in config.networks_named:
            self.catalogue.check(network)
        with reported(f"cannot make the run folder {self.path}"):
            (self.path / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
            write_atomically(self.path / CONFIG, documented(config))

    def prolong(self, config: AnyConfig) -> None:
        """Replace the run's configuration by one that `check_resumed` allows.

        The caller holds the run's lock. Raises RunError if the run has more episodes already.
        """
        state, _ = self.newest_state()
        if state is not None and config.length < state.episodes:
            field = config.resumable[0]
            given = getattr(config.run, field)
            needed = given + state.episodes - config.length  # the first round is not counted
            raise RunError(
                f"{self.path} has played {state.episodes:,} {config.unit}s: run.{field} must be at "
                f"least {needed:,}, not {given:,}"
            )
        with reported(f"cannot write {self.path / CONFIG}"):
            write_atomically(self.path / CONFIG, documented(config))

    def save_checkpoint(
        self, weights: Weights, game: Game, episodes: int, extra: dict[str, Any]
    ) -> Path:
        """Save the network after `episodes` episodes as a checkpoint."""
        path = self.path / CHECKPOINTS / file_after(episodes)
        about: dict[str, Any] = {"game": game.name, "options": dict(game.options)}
        variants = [variant.options for variant in game.variants()]
        extra = {"episodes": episodes, **extra}
        checkpoint.save(path, weights, **about, extra=extra, variants=variants)
        return path

    def append_games(self, state: RunState, records: list[GameRecord]) -> None:
        """Append games after the end that the state knows; later bytes are dropped."""
        path = self.path / GAMES
        with reported(f"cannot write {path}"), open(path, "ab") as file:
            file.truncate(state.games_bytes)
            file.seek(state.games_bytes)
            file.write(to_lines(records).encode())
            state.games_bytes = file.tell()

    def save_trajectory(self, state: RunState, trajectory: Trajectory, capacity: int) -> None:
        """Write new positions to a new file, and drop the oldest files beyond the capacity."""
        if not trajectory.size:
            return
        name = file_after(state.episodes)
        untrained = {target.column: np.zeros((trajectory.size, 0)) for target in TARGETS}
        arrays = untrained | trajectory.arrays()
        tensors = {key: value.astype(np.float32) for key, value in arrays.items()}
        tensor_file.write_tensors(self.path / REPLAY / name, _CASES, tensors, {})
        state.replay.append(name)
        state.cases.append(trajectory.size)
        while sum(state.cases[1:]) >= capacity:
            del state.replay[0], state.cases[0]

    def load_trajectory(self, name: str, count: int, like: Trajectory) -> Trajectory:
        """Return the `count` positions of a file, with the shapes and types of those of `like`.

        Raises CheckpointError if the file is damaged, or contains anything else.
        """
        path = self.path / REPLAY / name
        _, tensors = tensor_file.read_tensors(path, _CASES)
        tensors = {key: tensor for key, tensor in tensors.items() if tensor.shape != (count, 0)}
        expected = like.arrays()
        shapes = {key: (count, *array.shape[1:]) for key, array in expected.items()}
        if {key: tensor.shape for key, tensor in tensors.items()} != shapes:
            raise CheckpointError(f"{path} holds other cases than the run's state says")
        players = like.values.shape[1]
        bounds = {target.column: target.bounds(players) for target in TARGETS}
        bounds["movers"] = 0, players - 1
        for key, tensor in tensors.items():
            low, high = bounds.get(key, (-np.inf, np.inf))
            if not ((tensor >= low) & (tensor <= high)).all():
                raise CheckpointError(f"{path} is corrupt: '{key}' holds what cannot be there")
        return Trajectory.of(
            {key: tensor.astype(expected[key].dtype) for key, tensor in tensors.items()}
        )

    def save_state(self, state: RunState) -> None:
        """Save the state; the saved one becomes the previous one.

        Files that neither of them names are removed.
        """
        games, newest, previous = self.path / GAMES, self.path / STATE, self.path / PREVIOUS
        with reported(f"cannot save {games}"):
            _sync(games)
        with reported(f"cannot save {previous}"):
            if newest.exists():
                write_atomically(previous, newest.read_bytes())
        with reported(f"cannot save {newest}"):
            write_atomically(newest, state.to_json())
        self._remove_unnamed()

    def load_states(self, max_episodes: int = MAX_EPISODES) -> list[tuple[str, RunState | str]]:
        """Return the newest state and the previous one: (file, state or a sentence on its damage).

        There are at most two, and none if no state was saved yet. `max_episodes`: of the whole run.
        """
        found = [(name, self._load_state(name, max_episodes)) for name in (STATE, PREVIOUS)]
        if found[0][1] is None and (found[1][1] is not None or self._has_learned()):
            found[0] = STATE, f"{self.path / STATE} is missing"
        return [(name, state) for name, state in found if state is not None]

    def newest_state(
        self, max_episodes: int = MAX_EPISODES, unit: str = "episode"
    ) -> tuple[RunState | None, str | None]:
        """Return the newest intact state, or None; and a sentence if anything is damaged."""
        problems: list[str] = []
        for name, state in self.load_states(max_episodes):
            if isinstance(state, RunState):
                return state, fallback_sentence(problems, name, state, unit)
            problems.append(state)
        return None, "; ".join(problems) or None

    def fall_back(self) -> None:
        """Replace the newest state, which is damaged, by the previous one.

        Otherwise the next save would replace the intact state by the damaged one.
        """
        with reported(f"cannot write {self.path / STATE}"):
            os.replace(self.path / PREVIOUS, self.path / STATE)

    def lost_games(self, state: RunState) -> bool:
        """Return whether games that the state counts are missing; if so, it no longer counts them.

        Training does not read them, so the run can resume. Raises RunError if the file cannot be
        read.
        """
        path, end = self.path / GAMES, 0
        missing = contextlib.suppress(FileNotFoundError)
        with reported(f"cannot read {path}"), missing, open_file(path) as file:
            end = _end_of_lines(file, state.games_bytes)
        lost, state.games_bytes = end < state.games_bytes, end
        return lost

    def clean(self, folders: Sequence[str]) -> None:
        """Remove what a killed run left half written, and make the missing ones of its folders.

        An empty folder in the place of a state file, which no save could replace, is removed too.
        """
        for name in (STATE, PREVIOUS):
            with contextlib.suppress(OSError):
                (self.path / name).rmdir()
        for name in (".", *folders):
            folder = self.path / name
            with reported(f"cannot write in the folder {folder}"):
                folder.mkdir(exist_ok=True)
                remove_leftovers(folder)

    def _load_state(self, name: str, max_episodes: int) -> RunState | str | None:
        """Return a state, or a sentence on its damage; None if the file is missing."""
        path = self.path / name
        try:
            state = read_stored(path, RunState, MAX_STATE_BYTES)
        except FileNotFoundError:
            return None
        except RunError as error:
            return str(error)
        if state.episodes > max_episodes:
            return f"{path} is corrupt (it counts {state.episodes:,} episodes of {max_episodes:,})"
        return state

    def _has_learned(self) -> bool:
        """Return whether weights were saved after any episode: then a state was saved, too."""
        folders = (self.path / CHECKPOINTS, self.path / TRAINING)
        names = {path.name for folder in folders for path in folder.glob(f"*{SUFFIX}")}
        return bool(names - {file_after(0)})

    def _remove_unnamed(self) -> None:
        named: set[str] = set()
        for _, state in self.load_states():
            if isinstance(state, RunState):
                named.update(f"{REPLAY}/{name}" for name in state.replay)
                named.add(f"{TRAINING}/{state.training}")
        for folder in (REPLAY, TRAINING):
            for path in (self.path / folder).glob(f"*{SUFFIX}"):
                if f"{folder}/{path.name}" not in named and path.is_file():
                    with contextlib.suppress(OSError):
                        path.unlink()


def fallback_sentence(problems: list[str], name: str, state: RunState, unit: str) -> str | None:
    """Return the sentence that a run resumes from an older state; None without problems."""
    if not problems:
        return None
    return f"{'; '.join(problems)}: going on from {name}, at {unit} {state.episodes}"


def _sync(path: Path) -> None:
    """Flush a file to the disk, if it exists."""
    if path.exists():
        with open(path, "rb+") as file:
            os.fsync(file.fileno())


def _end_of_lines(file: IO[bytes], max_bytes: int) -> int:
    """Return the end of the last complete line among the first `max_bytes` bytes of a file."""
    end = min(max_bytes, os.fstat(file.fileno()).st_size)
    while end:
        start = max(0, end - _BLOCK_BYTES)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


LOCK_FILE = "run.lock"  # locked by the process that trains
LOCK_TIMEOUT_SECONDS = 3.0  # `is_being_trained` of another process holds the lock for an instant


@contextlib.contextmanager
def sole_trainer(folder: str | Path) -> Iterator[None]:
    """Hold a run's lock in a `with` block.

    Raises:
        RunError: another process trains the run, or the lock file cannot be opened.
    """
    lock = FileLock(Path(folder) / LOCK_FILE)
    with reported(f"cannot lock {folder}"):
        try:
            lock.acquire(timeout=LOCK_TIMEOUT_SECONDS)
        except Timeout:
            holder = lock_holder(lock.lock_file)
            raise RunError(
                f"{folder} is being trained by {holder}; wait for it, or stop it"
            ) from None
    try:
        yield
    finally:
        lock.release()


def is_being_trained(folder: str | Path) -> bool:
    """Return whether a process, this one included, trains the run in `folder`."""
    path = Path(folder) / LOCK_FILE
    if not path.exists():
        return False
    try:
        with FileLock(path, timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False
