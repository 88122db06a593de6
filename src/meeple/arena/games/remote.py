"""A worker of the arena in another process, which builds the game and the agents from text."""

import hashlib
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from meeple.agents.engine.listed import list_engines, listed_engines
from meeple.agents.spec import parse
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.digests import digest
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.games.wire import fixture_of, outcome_to_json
from meeple.arena.games.workers import Worker
from meeple.errors import RunError
from meeple.games.contract.registry import load_file, loaded_files, make_from

TARGET = "meeple.arena.games.remote:make_remote"

_STATEFUL = ("agent", "engine")  # kinds of agents that may have state after a warm-up move


def arguments_of(conditions: Conditions, specs: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a worker as JSON."""
    return {
        "files": hashes_of_files(),
        "engines": dict(listed_engines()),
        "game": conditions.game.name,
        "options": dict(conditions.game.options),
        "specs": list(specs),
        "digests": [digest(spec) for spec in specs],
        "rule": asdict(conditions.rule),
    }


def hashes_of_files() -> dict[str, str]:
    """Return the hashes of the game files that this process loaded, by path."""
    return {file: _hash(file) for file in loaded_files()}


def load_same_files(hashes: Mapping[str, str]) -> None:
    """Load these game files; raise RunError if one is missing or differs."""
    for file, content in hashes.items():
        if _hash(file) != content:
            raise RunError(_other(f"the file {file}"))
        load_file(file)


def make_remote(arguments: Mapping[str, Any]) -> "RemoteWorker":
    """Return a worker that is ready to play, with its kernels compiled.

    Raises:
        RunError: A file that the arguments name is missing or differs.
        MeepleError: The game or an agent cannot be built.
    """
    load_same_files(arguments["files"])
    list_engines(arguments["engines"])
    game = make_from(arguments["game"], arguments["options"])
    specs = arguments["specs"]
    for spec, content in zip(specs, arguments["digests"], strict=True):
        if digest(spec) != content:
            raise RunError(_other(f"the files of {spec}"))
    worker = Worker(Conditions(game, rule=FaultRule(**arguments["rule"])), specs)
    worker.prepare()
    worker.warm_up([index for index, spec in enumerate(specs) if parse(spec).name not in _STATEFUL])
    return RemoteWorker(worker)


class RemoteWorker:
    """Plays fixtures."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def do(self, job: Any) -> Any:
        """Play a fixture and return its outcome, both as JSON."""
        return outcome_to_json(self._worker.play(fixture_of(job)))


def _hash(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def _other(what: str) -> str:
    return (
        f"the worker on {socket.gethostname()} does not have {what} as this machine has: files "
        "that games and agents are made of must be the same, under the same paths, on all machines"
    )
