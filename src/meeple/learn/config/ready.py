"""The ready configurations: the files of the folder `configs`, by name."""

from pathlib import Path

from meeple.errors import ConfigError, did_you_mean
from meeple.learn.config.fields import Method
from meeple.learn.config.methods import method_of

_PACKAGE = Path(__file__).resolve().parents[2]
_FOLDERS = (_PACKAGE / "configs", _PACKAGE.parents[1] / "configs")
"""In an installed package, and in a checkout."""


def ready_configs(*methods: Method) -> dict[str, Path]:
    """Return the files of ready configurations by name: of the given training methods, or all."""
    folder = next((place for place in _FOLDERS if place.is_dir()), None)
    files = sorted(folder.glob("*.toml")) if folder else []
    return {
        path.stem: path
        for path in files
        if not methods or method_of(path.read_text(encoding="utf-8")) in methods
    }


def find_config(name: str) -> Path:
    """Return the file of a ready configuration, or the path itself if it ends in .toml.

    Raises:
        ConfigError: there is no such ready configuration; the message suggests or lists names.
    """
    if name.endswith(".toml"):
        return Path(name)
    ready = ready_configs()
    if name not in ready:
        known = did_you_mean(name, ready) or f"there are {', '.join(ready) or 'none'};"
        raise ConfigError(
            f"there is no ready configuration '{name}'; {known} the name of a file must end in "
            ".toml"
        )
    return ready[name]
