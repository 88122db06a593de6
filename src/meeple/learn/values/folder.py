"""The folder of a run that learns values: a run killed at any instant goes on from there.

    config.toml   state.json   labels/ROUND-NUMBER.safetensors   candidates/ROUND.safetensors
    checkpoints/ROUND.safetensors   metrics.jsonl   labels.jsonl   cluster.json   logs/

A file is written whole or not at all, and what is there is not made again: shards of labels, the
network that was fitted to them, and what its games decided, which `state.json` says.

`labels.jsonl` tells how each shard came about, in a line that is written before the shard is:

    {"round": 1, "shard": 3, "games": 40, "labels": 3021, "network": "checkpoints/00000000",
     "past": null, "worker": "host 4711", "seconds": 1.25, "time": 1763800000.0}

`network` judged the playouts and sat in the seats of the network, `past` in those of a past one,
`time` is when the shard arrived. Of several lines of a shard the last counts: a trainer that was
killed between line and shard has the shard made again.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from meeple.agents.networks import CHECKPOINTS
from meeple.errors import RunError
from meeple.files import open_for_append, remove_leftovers, write_atomically
from meeple.learn.config import ValuesConfig, documented
from meeple.learn.run.schema import MOST_STATE_BYTES, Seconds, Stored, read_stored
from meeple.learn.values.shards import games_in_shard

CONFIG, STATE, LABELS_LOG = "config.toml", "state.json", "labels.jsonl"
LABELS, CANDIDATES = "labels", "candidates"
Rounds = Annotated[int, Field(ge=0, le=1_000_000_000)]
_FOLDERS = (LABELS, CANDIDATES, CHECKPOINTS)


class ValuesState(Stored):
    """Where a run stands."""

    rounds: Rounds = 0  # that are over; the first learns from results
    incumbent: Rounds = 0  # round of the network that plays
    seconds: Seconds = 0.0
    history: list[dict[str, Any]] = Field(default_factory=list)  # of each round


class ValuesFolder:
    """The files of one run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def refuse_existing(self) -> None:
        """Raises RunError where the folder holds a run."""
        if (self.path / CONFIG).exists():
            raise RunError(
                f"{self.path} already holds a run; go on with --resume, or choose another folder"
            )

    def create(self, config: ValuesConfig) -> None:
        """Make a new run. Raises RunError where the folder holds one already."""
        self.refuse_existing()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path / CONFIG, documented(config))
        except OSError as error:
            raise RunError(f"cannot make the run folder {self.path}: {error.strerror}") from error

    def prolong(self, config: ValuesConfig) -> None:
        """Let another configuration hold from now on, that differs only in how long the run is.

        Its trainer holds the run's lock. Raises RunError.
        """
        try:
            write_atomically(self.path / CONFIG, documented(config))
        except OSError as error:
            raise RunError(f"cannot write {self.path / CONFIG}: {error.strerror}") from error

    def open(self) -> ValuesState:
        """Where the run stands; what a killed writer left is removed. Raises RunError."""
        try:
            for name in _FOLDERS:
                (self.path / name).mkdir(exist_ok=True)
                remove_leftovers(self.path / name)
        except OSError as error:
            raise RunError(f"cannot write to {self.path}: {error.strerror or error}") from None
        return self.standing()

    def standing(self) -> ValuesState:
        """Where the run stands; nothing is changed. Raises RunError."""
        try:
            return read_stored(self.path / STATE, ValuesState, MOST_STATE_BYTES)
        except FileNotFoundError:
            return ValuesState()

    def save(self, state: ValuesState) -> None:
        """Make this the run's state. Raises RunError."""
        try:
            write_atomically(self.path / STATE, state.model_dump_json(indent=1))
        except OSError as error:
            raise RunError(f"cannot save {self.path / STATE}: {error.strerror}") from error

    def shard(self, round_: int, number: int) -> Path:
        """A file of labels."""
        return self.path / LABELS / f"{round_:04d}-{number:05d}.safetensors"

    def shards(self, round_: int) -> list[Path]:
        """All of a round that are there."""
        return sorted((self.path / LABELS).glob(f"{round_:04d}-*.safetensors"))

    def labelled(self, rounds: int) -> Counter[int]:
        """Games whose labels are there, in each of the first so many rounds."""
        return Counter({n: sum(map(games_in_shard, self.shards(n))) for n in range(rounds)})

    def log_labels(self, line: dict[str, Any]) -> None:
        """Tell how a shard came about. Raises RunError."""
        path = self.path / LABELS_LOG
        try:
            with open_for_append(path) as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise RunError(f"cannot write {path}: {error.strerror or error}") from error

    def candidate(self, round_: int) -> Path:
        """What was fitted in a round."""
        return self.path / CANDIDATES / f"{round_:08d}.safetensors"

    def checkpoint(self, round_: int) -> Path:
        """What was kept of a round."""
        return self.path / CHECKPOINTS / f"{round_:08d}.safetensors"

    def name_of(self, network: Path) -> str:
        """What a network is called in jobs and in `labels.jsonl`: its folder and its file."""
        return f"{network.parent.name}/{network.stem}"

    def past(self, state: ValuesState) -> list[Path]:
        """The networks that were let in before the incumbent, in their order."""
        rounds = (entry["round"] for entry in state.history if entry["round"] < state.incumbent)
        return [file for file in map(self.checkpoint, rounds) if file.exists()]
