"""A run's folder: its state, written so that a run killed at any instant goes on as if unbroken.

    config.toml   checkpoints/*.safetensors   replay/*.safetensors   training/*.safetensors
    state.json    state.previous.json         games.jsonl            metrics.jsonl
    records.jsonl, in a run that learns from games of people (`records/`)
    cluster.json, logs/*.log, generations/*.safetensors, in a run on a cluster
    (`cluster_state.py`, `run_logs.py`, `cluster/generations.py`)

`state.json` is written last and names all files that belong to it; files it does not name are
remains of a save that was cut off, and are removed on resume. The state before it is kept whole,
in case a file of the newest turns out corrupt.
"""

import contextlib
import os
from pathlib import Path
from typing import IO, Any

import numpy as np

from meeple import tensor_file
from meeple.agents.networks import CHECKPOINTS
from meeple.errors import CheckpointError, ConfigError, RunError
from meeple.files import open_file, remove_leftovers, write_atomically
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, to_lines
from meeple.learn.config import (
    MAX_EPISODES,
    AnyConfig,
    Config,
    ValuesConfig,
    load,
)
from meeple.learn.run.schema import MOST_STATE_BYTES, SUFFIX, RunState, file_after, read_stored
from meeple.learn.selfplay.replay import ReplayPositions
from meeple.nets import checkpoint
from meeple.nets.architecture import Weights

CONFIG = "config.toml"  # the run's configuration
STATE = "state.json"  # its progress and generators
PREVIOUS = "state.previous.json"  # the state saved before
GAMES = "games.jsonl"  # records of episodes
REPLAY = "replay"  # the folder of the replay buffer
TRAINING = "training"  # the folder of weights and optimizer
RECORDS = "records.jsonl"  # games of people, in a run that learns from such
METRICS = "metrics.jsonl"  # figures of waves
TENSORBOARD = "tensorboard"  # the folder of exported events
_CASES = "Meeple replay cases"
_BLOCK = 65_536  # bytes of games.jsonl that are read at a time


def holds_run(folder: str | Path) -> bool:
    """Whether there is a run in a folder, be it damaged."""
    return os.path.lexists(Path(folder) / CONFIG)


def config_of(folder: str | Path) -> AnyConfig:
    """The configuration of a run of either kind. Raises RunError where it cannot be read."""
    file = Path(folder) / CONFIG
    try:
        return load(file)
    except ConfigError as error:
        raise RunError(str(error)) from None


class RunFolder:
    """The files of one run of self-play."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def create(self, config_text: str) -> None:
        """Make a new run. Raises RunError where the folder holds one already."""
        if holds_run(self.path):
            raise RunError(
                f"{self.path} already holds a run; go on with --resume, or choose another folder"
            )
        try:
            for name in (CHECKPOINTS, REPLAY, TRAINING):
                (self.path / name).mkdir(parents=True, exist_ok=True)
            write_atomically(self.path / CONFIG, config_text)
        except OSError as error:
            raise RunError(f"cannot make the run folder {self.path}: {error.strerror}") from error

    def prolong(self, config: Config, config_text: str) -> None:
        """Replace the run's configuration by one that `check_resumed` allows.

        The caller holds the run's lock.

        Raises:
            RunError: the run has played more episodes than the new configuration has.
        """
        state, _ = self.standing()
        if state is not None and config.run.episodes < state.episodes:
            raise RunError(
                f"{self.path} has played {state.episodes:,} episodes: run.episodes must be at "
                f"least that, not {config.run.episodes:,}"
            )
        try:
            write_atomically(self.path / CONFIG, config_text)
        except OSError as error:
            raise RunError(f"cannot write {self.path / CONFIG}: {error.strerror}") from error

    def config(self) -> Config:
        """The run's configuration. Raises RunError where that cannot be read."""
        config = config_of(self.path)
        if isinstance(config, ValuesConfig):
            raise RunError(
                f"{self.path} learns values, and its networks have no policy; they play as "
                f"states:{self.path}"
            )
        return config

    def save_checkpoint(
        self, weights: Weights, game: Game, episodes: int, extra: dict[str, Any]
    ) -> Path:
        """Keep the network as it is after this many episodes."""
        path = self.path / CHECKPOINTS / file_after(episodes)
        about = {"episodes": episodes, **extra}
        checkpoint.save(
            path,
            weights,
            game=game.name,
            options=dict(game.options),
            extra=about,
            variants=[variant.options for variant in game.variants()],
        )
        return path

    def append_games(self, state: RunState, records: list[GameRecord]) -> None:
        """Add games after the end that the state knows; whatever lay beyond it is dropped."""
        try:
            with open(self.path / GAMES, "ab") as file:
                file.truncate(state.games_bytes)
                file.seek(state.games_bytes)
                file.write(to_lines(records).encode())
                state.games_bytes = file.tell()
        except OSError as error:
            raise RunError(f"cannot write {self.path / GAMES}: {error.strerror}") from error

    def save_cases(self, state: RunState, cases: ReplayPositions, capacity: int) -> None:
        """Write new cases to a file of their own, and let go of files beyond the capacity."""
        if not cases.size:
            return
        name = file_after(state.episodes)
        tensors = {key: value.astype(np.float32) for key, value in cases._asdict().items()}
        tensor_file.write_tensors(self.path / REPLAY / name, _CASES, tensors, {})
        state.replay.append(name)
        state.cases.append(cases.size)
        while sum(state.cases[1:]) >= capacity:
            del state.replay[0], state.cases[0]

    def load_cases(self, name: str, count: int, like: ReplayPositions) -> ReplayPositions:
        """The cases of one file: so many, of the shapes of others.

        Raises CheckpointError where it is damaged, or holds anything else.
        """
        path = self.path / REPLAY / name
        _, tensors = tensor_file.read_tensors(path, _CASES)
        shapes = {key: (count, *array.shape[1:]) for key, array in like._asdict().items()}
        if {key: tensor.shape for key, tensor in tensors.items()} != shapes:
            raise CheckpointError(f"{path} holds other cases than the run's state says")
        last = like.values.shape[1] - 1  # seat
        seats = {"movers": (0, last), "owners": (-1, last)}
        for key, tensor in tensors.items():
            low, high = seats.get(key, (-np.inf, np.inf))
            if not (np.isfinite(tensor) & (tensor >= low) & (tensor <= high)).all():
                raise CheckpointError(f"{path} is corrupt: '{key}' holds what cannot be there")
        types = {key: array.dtype for key, array in like._asdict().items()}
        return ReplayPositions(
            **{key: tensor.astype(types[key]) for key, tensor in tensors.items()}
        )

    def save_state(self, state: RunState) -> None:
        """Make this the run's state; the last one becomes the one before.

        Removes the files that neither names.
        """
        path = self.path / GAMES
        try:
            _sync(path)
            path = self.path / PREVIOUS
            if (self.path / STATE).exists():
                write_atomically(path, (self.path / STATE).read_bytes())
            path = self.path / STATE
            write_atomically(path, state.to_json())
        except OSError as error:
            raise RunError(f"cannot save {path}: {error.strerror or error}") from error
        self._remove_unnamed()

    def load_states(self, most: int = MAX_EPISODES) -> list[tuple[str, RunState | str]]:
        """The newest state and the one before it, as (file, state or what is wrong with it).

        None where neither was saved yet. `most`: the episodes of the run.
        """
        found = [(name, self._load_state(name, most)) for name in (STATE, PREVIOUS)]
        if found[0][1] is None and (found[1][1] is not None or self._has_learned()):
            found[0] = STATE, f"{self.path / STATE} is missing"
        return [(name, state) for name, state in found if state is not None]

    def standing(self, most: int = MAX_EPISODES) -> tuple[RunState | None, str | None]:
        """Where the run stands, as far as its states say; and what is damaged, in a sentence.

        That state is None where there is none that can be read.
        """
        problems: list[str] = []
        for name, state in self.load_states(most):
            if isinstance(state, RunState):
                return state, fallen_back(problems, name, state)
            problems.append(state)
        return None, "; ".join(problems) or None

    def fall_back(self) -> None:
        """Make the state before the newest the newest: that one is of no use.

        Otherwise the next save would put the useless one in the place of the good one.
        """
        try:
            os.replace(self.path / PREVIOUS, self.path / STATE)
        except OSError as error:
            raise RunError(f"cannot write {self.path / STATE}: {error.strerror}") from error

    def lost_games(self, state: RunState) -> bool:
        """Whether the file of games lacks some that the state counts; then it counts them no more.

        They are a record only, so the run can go on without. Raises RunError where that file is
        none.
        """
        path = self.path / GAMES
        try:
            with open_file(path) as file:
                end = _end_of_lines(file, state.games_bytes)
        except FileNotFoundError:
            end = 0
        except OSError as error:
            raise RunError(f"cannot read {path}: {error.strerror or error}") from error
        lost, state.games_bytes = end < state.games_bytes, end
        return lost

    def clean(self) -> None:
        """Remove what a killed run left half written, and make lost folders anew.

        An empty folder in the place of a state, where no state can be saved, goes too.
        """
        for name in (STATE, PREVIOUS):
            with contextlib.suppress(OSError):
                (self.path / name).rmdir()
        for name in (".", CHECKPOINTS, REPLAY, TRAINING):
            folder = self.path / name
            try:
                folder.mkdir(exist_ok=True)
                remove_leftovers(folder)
            except OSError as error:
                words = error.strerror or error
                raise RunError(f"cannot write in the folder {folder}: {words}") from error

    def _load_state(self, name: str, most: int) -> RunState | str | None:
        """A state, or what is wrong with it; None where there is no such file."""
        path = self.path / name
        try:
            state = read_stored(path, RunState, MOST_STATE_BYTES)
        except FileNotFoundError:
            return None
        except RunError as error:
            return str(error)
        if state.episodes > most:
            return f"{path} is corrupt (it counts {state.episodes:,} episodes of {most:,})"
        return state

    def _has_learned(self) -> bool:
        """Whether a network or weights were kept after any episode: a state was saved by then."""
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


def fallen_back(problems: list[str], name: str, state: RunState) -> str | None:
    """The sentence that a run goes on from this state, as newer ones are damaged, if they are."""
    if not problems:
        return None
    return f"{'; '.join(problems)}: going on from {name}, at episode {state.episodes}"


def _sync(path: Path) -> None:
    """See to it that what was written to a file is on the disk."""
    if path.exists():
        with open(path, "rb+") as file:
            os.fsync(file.fileno())


def _end_of_lines(file: IO[bytes], most: int) -> int:
    """Where the last whole line ends of so many bytes of a file at the most."""
    end = min(most, os.fstat(file.fileno()).st_size)
    while end:
        start = max(0, end - _BLOCK)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
