"""A small interrupted run, for tests that damage its files."""

import json
import struct
from pathlib import Path
from unittest import mock

from meeple.learn import loop
from meeple.learn.loop import start_run, train
from meeple.learn.run.metrics import MetricsLog
from tests.learn.small import Heard, config, copies

STATES = ("state.json", "state.previous.json")
EPISODES = 16  # played of 24 episodes; the previous state has 12


def _train_halfway(folder):
    log, heard = MetricsLog(folder), Heard()

    def wave(episodes, seconds, metrics):
        Heard.wave(heard, episodes, seconds, metrics)
        log.wave(episodes, seconds, metrics)

    start_run(config(), folder)
    with (
        mock.patch.object(loop, "SAVE_SECONDS", 0.0),
        mock.patch.object(heard, "wave", wave),
    ):
        train(folder, heard, lambda: len(heard.waves) == 4)
    log.close()


broken_off = copies(_train_halfway)
"""Writes a run of Hex 3x3 that ended halfway, with two states, two networks and figures."""


def change_states(run, names=STATES, **fields):
    """Set fields of a run's states to other values."""
    for name in names:
        state = json.loads((run / name).read_text())
        (run / name).write_text(json.dumps(state | fields))


def write_states(run, content, names=STATES):
    """Replace the content of a run's states."""
    for name in names:
        (run / name).write_bytes(content)


def put_folder(path):
    """Replace a file by a folder."""
    path.unlink(missing_ok=True)
    path.mkdir()


def add_array(path: Path, shape: list[int]) -> None:
    """Add an array without data to the header of a file of tensors."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    header["one.more"] = {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + size :])
