"""Engines listed in a file, so that a spec can name them: `engine:NAME`.

The file is TOML with lines `name = "COMMAND,key=value"`: what follows `engine:` in a spec. The page
accepts only listed engines.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from meeple.errors import SpecError
from meeple.files import read_text

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_listed: dict[str, str] = {}


def read_engines(path: str | os.PathLike[str]) -> dict[str, str]:
    """Return the specs of a file by name, as "engine:COMMAND,...,name=NAME".

    Raises SpecError if the file is missing, cannot be read, or has a wrong entry.
    """
    try:
        table = tomllib.loads(read_text(Path(path).expanduser()))
    except FileNotFoundError:
        raise SpecError(f"there is no file {os.fspath(path)}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SpecError(f"cannot read engines from {os.fspath(path)}: {reason}") from None
    found = {}
    for name, rest in table.items():
        if not _NAME.fullmatch(name) or not isinstance(rest, str) or not rest.strip():
            raise SpecError(
                f'{os.fspath(path)}: an engine is written as name = "COMMAND,key=value", '
                f"not {name!r}"
            )
        found[name] = f"engine:{rest.strip()},name={name}"
    return found


def list_engines(specs: Mapping[str, str]) -> None:
    """Add specs by name, for this process."""
    _listed.update(specs)


def listed_engines() -> Mapping[str, str]:
    """Return the listed specs by name."""
    return MappingProxyType(_listed)
