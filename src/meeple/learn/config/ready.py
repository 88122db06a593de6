"""The ready configurations: files of the folder `configs`, called by their names."""

from pathlib import Path

from meeple.errors import ConfigError, did_you_mean
from meeple.learn.config.sections import read_toml
from meeple.learn.config.values import learns_values

_PACKAGE = Path(__file__).resolve().parents[2]
_PLACES = (_PACKAGE / "configs", _PACKAGE.parent.parent / "configs")
"""In an installed package, and in a clone."""


def ready_configs() -> dict[str, Path]:
    """The ready configurations of networks with a policy, by name."""
    return {n: path for n, path in _all_configs().items() if not learns_values(path.read_text())}


def values_configs() -> dict[str, Path]:
    """Those of networks that judge states, by name."""
    return {n: path for n, path in _all_configs().items() if learns_values(path.read_text())}


def selfplay_configs() -> dict[str, Path]:
    """Those that need nothing beside them, such as records to learn from."""
    return {n: path for n, path in ready_configs().items() if not _learns_records(path)}


def _learns_records(path: Path) -> bool:
    return "records" in read_toml(path.read_text(encoding="utf-8"))


def _all_configs() -> dict[str, Path]:
    """Those of either kind."""
    folder = next((place for place in _PLACES if place.is_dir()), None)
    files = sorted(folder.glob("*.toml")) if folder else []
    return {path.stem: path for path in files}


def find_config(word: str) -> Path:
    """The file that a word names: a path that ends in .toml, or a ready one's name.

    Raises ConfigError that lists the ready ones.
    """
    if word.endswith(".toml"):
        return Path(word)
    ready = _all_configs()
    if word not in ready:
        known = did_you_mean(word, ready) or f"there are {', '.join(ready) or 'none'};"
        raise ConfigError(
            f"there is no ready configuration '{word}'; {known} a file's name must end in .toml"
        )
    return ready[word]
