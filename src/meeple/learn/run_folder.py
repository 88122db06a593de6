"""A run's folder: its state, written so that a run killed at any instant goes on as if unbroken.

    config.toml   checkpoints/*.safetensors   replay/*.safetensors   training/*.safetensors
    state.json    state.previous.json         games.jsonl            metrics.jsonl

`state.json` is written last and names all files that belong to it; files it does not name are
remains of a save that was cut off, and are removed on resume. The state before it is kept whole,
in case a file of the newest turns out corrupt.
"""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from meeple import tensor_file
from meeple.agents.networks import CHECKPOINTS
from meeple.errors import CheckpointError, RunError
from meeple.files import remove_leftovers, write_atomically
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord, to_lines
from meeple.learn.replay import Cases
from meeple.nets import checkpoint
from meeple.nets.weights import Weights

CONFIG = "config.toml"  # the run's configuration
STATE = "state.json"  # its progress and generators
PREVIOUS = "state.previous.json"  # the state saved before
GAMES = "games.jsonl"  # records of episodes
REPLAY = "replay"  # the folder of the replay buffer
TRAINING = "training"  # the folder of weights and optimizer
METRICS = "metrics.jsonl"  # figures of waves
TENSORBOARD = "tensorboard"  # the folder of exported events
_VERSION = 1
_CASES = "Meeple replay cases"


@dataclass
class RunState:
    """Where a run stands; all that is not derived from its configuration and these files."""

    episodes: int = 0  # played and learned from
    seconds: float = 0.0  # spent so far
    games_bytes: int = 0  # length of games.jsonl
    format: str = "float32"  # number format that self-play uses
    training: str | None = None  # file of weights and optimizer state
    replay: list[str] = field(default_factory=list)  # files of cases, oldest first
    cases: list[int] = field(default_factory=list)  # how many each holds

    def to_json(self) -> str:
        """The state as text."""
        return json.dumps({"version": _VERSION, **asdict(self)}, indent=1)


class RunFolder:
    """The files of one run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def create(self, config_text: str) -> None:
        """Make a new run. Raises RunError where the folder holds one already."""
        if (self.path / CONFIG).exists():
            raise RunError(
                f"{self.path} already holds a run; go on with --resume, or choose another folder"
            )
        try:
            for name in (CHECKPOINTS, REPLAY, TRAINING):
                (self.path / name).mkdir(parents=True, exist_ok=True)
            write_atomically(self.path / CONFIG, config_text)
        except OSError as error:
            raise RunError(f"cannot make the run folder {self.path}: {error.strerror}") from error

    def save_checkpoint(
        self, weights: Weights, game: Game, episodes: int, extra: dict[str, Any]
    ) -> Path:
        """Keep the network as it is after this many episodes."""
        path = self.path / CHECKPOINTS / f"{episodes:08d}.safetensors"
        about = {"episodes": episodes, **extra}
        options = dict(game.options)
        checkpoint.save(path, weights, game=game.name, options=options, extra=about)
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

    def save_cases(self, state: RunState, cases: Cases, capacity: int) -> None:
        """Write new cases to a file of their own, and let go of files beyond the capacity."""
        if not cases.size:
            return
        name = f"{state.episodes:08d}.safetensors"
        tensors = {key: value.astype(np.float32) for key, value in cases._asdict().items()}
        tensor_file.write_tensors(self.path / REPLAY / name, _CASES, tensors, {})
        state.replay.append(name)
        state.cases.append(cases.size)
        while sum(state.cases[1:]) >= capacity:
            del state.replay[0], state.cases[0]

    def load_cases(self, name: str) -> Cases:
        """The cases of one file. Raises CheckpointError where it is damaged."""
        path = self.path / REPLAY / name
        _, tensors = tensor_file.read_tensors(path, _CASES)
        try:
            return Cases(
                tensors["observations"],
                tensors["policies"],
                tensors["values"],
                tensors["movers"].astype(np.int8),
                tensors["owners"].astype(np.int8),
            )
        except KeyError as error:
            raise CheckpointError(f"{path} lacks the cases' {error}") from None

    def save_state(self, state: RunState) -> None:
        """Make this the run's state; the last one becomes the one before.

        Removes the files that neither names.
        """
        newest = self.path / STATE
        try:
            _sync(self.path / GAMES)
            if newest.exists():
                write_atomically(self.path / PREVIOUS, newest.read_bytes())
            write_atomically(newest, state.to_json())
        except OSError as error:
            raise RunError(f"cannot save {newest}: {error.strerror}") from error
        self._remove_unnamed()

    def load_states(self) -> list[tuple[str, RunState | str]]:
        """The newest state and the one before it, as (file, state or what is wrong with it)."""
        found: list[tuple[str, RunState | str]] = []
        for name in (STATE, PREVIOUS):
            path = self.path / name
            if path.exists():
                found.append((name, _read_state(path)))
        return found

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

        They are a record only, so the run can go on without.
        """
        path = self.path / GAMES
        there = path.read_bytes() if path.exists() else b""
        if len(there) >= state.games_bytes:
            return False
        state.games_bytes = there.rfind(b"\n") + 1
        return True

    def clean(self) -> None:
        """Remove what a killed run left half written, and make lost folders anew."""
        try:
            for name in (CHECKPOINTS, REPLAY, TRAINING):
                (self.path / name).mkdir(exist_ok=True)
        except OSError as error:
            raise RunError(f"cannot write in {self.path}: {error.strerror}") from error
        for name in (".", CHECKPOINTS, REPLAY, TRAINING):
            remove_leftovers(self.path / name)

    def _remove_unnamed(self) -> None:
        named: set[str] = set()
        for _, state in self.load_states():
            if isinstance(state, RunState):
                named.update(f"{REPLAY}/{name}" for name in state.replay)
                named.add(f"{TRAINING}/{state.training}")
        for folder in (REPLAY, TRAINING):
            for path in (self.path / folder).glob("*.safetensors"):
                if f"{folder}/{path.name}" not in named:
                    path.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """See to it that what was written to a file is on the disk."""
    if path.exists():
        with open(path, "rb+") as file:
            os.fsync(file.fileno())


def _read_state(path: Path) -> RunState | str:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.pop("version", None) != _VERSION:
            return f"{path} is of another version"
        state = RunState(**data)
        plain = [*state.replay, state.training or ""]
        whole = len(state.replay) == len(state.cases) and state.episodes >= 0
        if not whole or any(os.path.basename(name) != name for name in plain):
            return f"{path} is corrupt"
        return state
    except (OSError, ValueError, TypeError, AttributeError):
        return f"{path} is corrupt"
