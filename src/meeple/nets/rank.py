"""A process that learns with others, which a trainer started: see `ranks.py`.

`python -m meeple.nets.rank FOLDER RANK`: what it is to learn is in the folder, and what is to be
done next comes by its standard input, as JSON lines.
"""

import json
import os
import queue
import shutil
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from meeple.errors import MeepleError
from meeple.nets.architecture import Architecture
from meeple.nets.devices import CPU
from meeple.nets.network import ActorNetwork
from meeple.nets.ranks import PLAN, READY, STATE, join
from meeple.nets.replica import Replica
from meeple.nets.training import Recipe, flushing_subnormals
from meeple.nets.training_state import load_training_state

GRACE = 0.5  # seconds in which the end of a trainer is noticed
Told = queue.SimpleQueue[dict[str, Any]]


def main(folder: Path, rank: int, told: Told) -> None:
    """Learn with the others until the trainer ends."""
    sys.stdout.write(READY + "\n")
    sys.stdout.flush()
    plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    torch.set_num_threads(plan["threads"])
    device = plan["devices"][rank]
    if device != CPU:
        torch.cuda.set_device(device)
    join(folder, rank, plan["devices"])
    replica = _replica(folder, plan, device)
    with flushing_subnormals():
        while True:
            _step(replica, told.get())


def _replica(folder: Path, plan: dict[str, Any], device: str) -> Replica:
    architecture = plan["architecture"]
    for name in ("hidden", "observation_shape"):  # JSON has no tuples
        architecture[name] = tuple(architecture[name])
    network = ActorNetwork(Architecture(**architecture), seed=0)
    recipe = Recipe(**plan["recipe"])
    optimizer = recipe.make_optimizer(network.parameters())
    load_training_state(folder / STATE, network, optimizer)
    return Replica(
        network,
        optimizer,
        recipe,
        device=device,
        format=plan["format"],
        processes=len(plan["devices"]),
    )


def _step(replica: Replica, message: dict[str, Any]) -> None:
    """Take part in a minibatch, with the share of it that the trainer sends."""
    for group in replica.optimizer.param_groups:
        group["lr"] = message["rate"]
    rows = torch.empty((message["rows"], replica.layout.width), device=replica.device)
    dist.scatter(rows, src=0)
    try:
        replica.step(rows, message["count"])
    except MeepleError:
        return  # training diverged: the trainer finds the same, and says so


def _follow(told: Told, folder: Path) -> None:
    """Pass on what the trainer says. When it has ended, end, whatever this process does."""
    try:
        for line in sys.stdin:
            told.put(json.loads(line))
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # where it could not do so itself
        os._exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the trainer, which then ends it
    told: Told = queue.SimpleQueue()
    private = Path(sys.argv[1])
    follower = threading.Thread(target=_follow, args=(told, private), daemon=True)
    follower.start()
    try:
        main(private, int(sys.argv[2]), told)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        follower.join(GRACE)  # where the trainer has ended, that is why it failed
        os._exit(1)  # not by way of the interpreter's end, where the other thread holds the input
