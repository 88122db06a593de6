"""A run of values in memory, and the files of its rounds: labels and networks.

    labels/ROUND-NUMBER.safetensors   candidates/ROUND.safetensors   checkpoints/ROUND.safetensors
    labels.jsonl

A file is written completely or not at all, and an existing one is not made again. A run that was
killed resumes with the shards of labels and the fitted network that exist.

`labels.jsonl` describes how each shard was made, in a line that is written before the shard:

    {"round": 1, "shard": 3, "games": 40, "labels": 3021, "network": "checkpoints/00000000",
     "past": null, "worker": "host 4711", "seconds": 1.25, "time": 1763800000.0}

`network` evaluated the playouts and played the seats of the network, `past` those of a past
network; `time` is when the shard arrived. Of several lines on one shard the last is valid: a
trainer that was killed between line and shard has the shard made again.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from meeple.agents.networks import CHECKPOINTS
from meeple.files import open_for_append, reported
from meeple.learn.config import ValuesConfig
from meeple.learn.run.folder import RunFolder
from meeple.learn.run.run import Run
from meeple.learn.run.schema import file_after
from meeple.learn.values.jobs import games_in_shard

LABELS, CANDIDATES = "labels", "candidates"  # folders
LABELS_LOG = "labels.jsonl"


class ValuesRun(Run):
    """A run of values: its labels and networks. Its episodes are rounds."""

    folders = (CHECKPOINTS, LABELS, CANDIDATES)
    config: ValuesConfig

    def __init__(self, config: ValuesConfig, folder: RunFolder) -> None:
        super().__init__(config, folder)
        self.games = config.make_games()  # that the network learns: the game, then its variants

    def shard(self, round_: int, number: int) -> Path:
        """Return the path of a file of labels."""
        return self.folder.path / LABELS / f"{round_:04d}-{number:05d}.safetensors"

    def shards(self, round_: int) -> list[Path]:
        """Return the existing files of labels of a round."""
        return sorted((self.folder.path / LABELS).glob(f"{round_:04d}-*.safetensors"))

    def labelled(self, rounds: int) -> Counter[int]:
        """Return the number of labelled games of each of the first `rounds` rounds."""
        return Counter({n: sum(map(games_in_shard, self.shards(n))) for n in range(rounds)})

    def log_labels(self, line: dict[str, Any]) -> None:
        """Append a line on a shard to the log. Raises RunError."""
        path = self.folder.path / LABELS_LOG
        with reported(f"cannot write {path}"), open_for_append(path) as file:
            file.write(json.dumps(line) + "\n")

    def candidate(self, round_: int) -> Path:
        """Return the path of the network that was fitted in a round."""
        return self.folder.path / CANDIDATES / file_after(round_)

    def checkpoint(self, round_: int) -> Path:
        """Return the path of the network of a round, if it was accepted."""
        return self.folder.path / CHECKPOINTS / file_after(round_)

    def name_of(self, network: Path) -> str:
        """Return the name of a network in jobs and in the log: its folder and its file."""
        return f"{network.parent.name}/{network.stem}"

    @property
    def past(self) -> list[int]:
        """The rounds of the networks that were accepted before the incumbent, in order."""
        state = self.state
        return [
            entry["round"]
            for entry in state.history
            if entry["round"] < state.incumbent and self.checkpoint(entry["round"]).exists()
        ]
