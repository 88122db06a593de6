"""Hashes of the files that a spec names, so that a resumed run notices a changed network."""

import hashlib
from pathlib import Path

from meeple.agents.kinds import NETWORK_KEYS
from meeple.agents.networks import find_checkpoint
from meeple.agents.own import names_own
from meeple.agents.spec import parse
from meeple.errors import MeepleError

_KEYS = (*NETWORK_KEYS, "qtable")  # of specs, whose values are files


def digest(spec: str) -> str:
    """Return a hash of the networks, tables and Python files that a spec names; "" if none.

    Names that are no files, such as commands, are skipped: building the agent reports them.

    Raises:
        SpecError: The spec is wrong.
    """
    parsed = parse(spec)
    named = [parsed.path, *(parsed.options.get(key) for key in _KEYS)]
    found = hashlib.sha256()
    any_file = False
    for word in named:
        try:
            file = None if word is None else _file(str(word))
            content = None if file is None else file.read_bytes()
        except (MeepleError, OSError, ValueError):
            continue
        if content is not None:
            any_file = True
            found.update(content)
    return found.hexdigest()[:16] if any_file else ""


def _file(word: str) -> Path | None:
    if names_own(word):
        path = word.rpartition(":")[0]
        return Path(path) if path else None
    return find_checkpoint(word)
