"""A worker of the arena in another process: it makes the game and the agents by their words."""

import hashlib
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from meeple.agents.engine.listed import list_engines, listed_engines
from meeple.agents.spec import parse
from meeple.arena.digests import digest
from meeple.arena.forfeit import FaultRule
from meeple.arena.wire import fixture_of, outcome_to_json
from meeple.arena.workers import Worker
from meeple.errors import RunError
from meeple.games.contract.game import Game
from meeple.games.contract.registry import load_file, loaded_files, make_from

TARGET = "meeple.arena.remote:make_remote"

_STRANGE = ("agent", "engine")  # agents that may remember a move that is not of a game


def arguments_of(game: Game, specs: Sequence[str], rule: FaultRule) -> dict[str, Any]:
    """All that a worker is made of, as JSON."""
    return {
        "files": hashes_of_files(),
        "engines": dict(listed_engines()),
        "game": game.name,
        "options": dict(game.options),
        "specs": list(specs),
        "digests": [digest(spec) for spec in specs],
        "rule": asdict(rule),
    }


def hashes_of_files() -> dict[str, str]:
    """The files of games that were loaded in this process, with a hash of each."""
    return {file: _hash(file) for file in loaded_files()}


def load_same_files(hashes: Mapping[str, str]) -> None:
    """Load the same files of games. Raises RunError where one is not here, or is another."""
    for file, content in hashes.items():
        if _hash(file) != content:
            raise RunError(_other(f"the file {file}"))
        load_file(file)


def make_remote(arguments: Mapping[str, Any]) -> "RemoteWorker":
    """A worker by these arguments, ready to play, its kernels compiled.

    Raises RunError in a sentence where the files that they name are not here, or others; and what
    the making of the game and its agents raises.
    """
    load_same_files(arguments["files"])
    list_engines(arguments["engines"])
    game = make_from(arguments["game"], arguments["options"])
    specs = arguments["specs"]
    for spec, content in zip(specs, arguments["digests"], strict=True):
        if digest(spec) != content:
            raise RunError(_other(f"the files of {spec}"))
    worker = Worker(game, specs, FaultRule(**arguments["rule"]))
    worker.prepare()
    worker.warm_up([index for index, spec in enumerate(specs) if parse(spec).name not in _STRANGE])
    return RemoteWorker(worker)


class RemoteWorker:
    """Plays fixtures."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def do(self, job: Any) -> Any:
        """The outcome of a fixture, both as JSON."""
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
