"""Files that must be the same on all machines of a cluster."""

import hashlib
import socket
from collections.abc import Mapping
from pathlib import Path

from meeple.errors import RunError
from meeple.games.contract.registry import load_file, loaded_files


def hashes_of_files() -> dict[str, str]:
    """Return the hashes of the game files that this process loaded, by path."""
    return {file: _hash(file) for file in loaded_files()}


def load_same_files(hashes: Mapping[str, str]) -> None:
    """Load these game files; raise RunError if one is missing or differs."""
    for file, content in hashes.items():
        if _hash(file) != content:
            raise RunError(other(f"the file {file}"))
        load_file(file)


def other(what: str) -> str:
    """Return the sentence about what is missing or differs on this machine."""
    return (
        f"the worker on {socket.gethostname()} does not have {what} as this machine has: files "
        "that games and agents are made of must be the same, under the same paths, on all machines"
    )


def _hash(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""
