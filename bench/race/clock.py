"""The clock of the race: processor time of a process and its descendants, and its marks."""

import json
import os
from pathlib import Path

from meeple.files import write_atomically

MARKS = 2, 5, 10, 20, 60  # CPU minutes at which the networks are compared
TICKS = os.sysconf("SC_CLK_TCK")
CLOCK = "clock.json"


def tree_seconds(root: int) -> float:
    """Return the CPU seconds of a process and of all its descendants, ended ones included."""
    used: dict[int, tuple[int, int]] = {}  # process: (parent, ticks)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # ended meanwhile
            used[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    tree = {root}
    while more := {one for one, (parent, _) in used.items() if parent in tree} - tree:
        tree |= more
    return sum(used[one][1] for one in tree if one in used) / TICKS


class Clock:
    """CPU minutes of a training, saved in its folder so that they continue after a restart."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / CLOCK
        folder.mkdir(parents=True, exist_ok=True)
        self.before = json.loads(self._file.read_text())["minutes"] if self._file.exists() else 0.0

    @property
    def minutes(self) -> float:
        return self.before + tree_seconds(os.getpid()) / 60

    def save(self) -> None:
        """Save the time so far: call it together with the training's own state."""
        write_atomically(self._file, json.dumps({"minutes": self.minutes}))

    def marks(self) -> list[int]:
        """Return the marks that are still ahead."""
        return [mark for mark in MARKS if mark > self.before]


def checkpoint(folder: Path, mark: int) -> Path:
    """Return where the network of a mark is stored."""
    return folder / f"minutes-{mark}"
