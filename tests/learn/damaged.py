"""A small run that was broken off, for tests that damage its files."""

import json
import struct
from pathlib import Path
from unittest import mock

from meeple.learn import loop
from meeple.learn.loop import start_run, train
from meeple.learn.run.metrics import MetricsLog
from tests.learn.small import Heard, config

STATES = ("state.json", "state.previous.json")
EPISODES = 16  # that it has played of 24, of which 12 stand in the state before


def broken_off(folder):
    """A run of Hex 3x3 in the middle, with two states, two networks and its figures."""
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
    return folder


def change_states(run, names=STATES, **fields):
    """Set fields of a run's states to other values."""
    for name in names:
        state = json.loads((run / name).read_text())
        (run / name).write_text(json.dumps(state | fields))


def write_states(run, content, names=STATES):
    """Put other bytes in the place of a run's states."""
    for name in names:
        (run / name).write_bytes(content)


def put_folder(path):
    """A folder in the place of a file."""
    path.unlink(missing_ok=True)
    path.mkdir()


def add_array(path: Path, shape: list[int]) -> None:
    """One more array, without numbers, in the header of a file of tensors."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    header["one.more"] = {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data[8 + size :])
