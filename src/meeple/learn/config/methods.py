"""The configurations of all training methods: reading a file, and the ready ones by name."""

from collections.abc import Iterable
from pathlib import Path

from meeple.errors import ConfigError, did_you_mean
from meeple.learn.config.fields import Method
from meeple.learn.config.sections import read_config, read_toml
from meeple.learn.config.selfplay import Config, parse_config
from meeple.learn.config.values import ValuesConfig, parse_values_config

AnyConfig = Config | ValuesConfig  # a configuration of any training method


def load(path: str | Path, changes: Iterable[str] = ()) -> AnyConfig:
    """Read a configuration file of any training method.

    Args:
        path: the TOML file.
        changes: changes of fields, such as "run.seed=2".

    Raises:
        ConfigError: names the file or the field, and what is allowed.
    """
    text = read_config(path)
    parse = parse_values_config if method_of(text) == "values" else parse_config
    return parse(text, changes, str(path))


def method_of(text: str) -> Method:
    """Return the training method of a configuration's text; self-play if the text is invalid."""
    try:
        data = read_toml(text)
    except ValueError:
        return "self-play"
    run = data.get("run")
    if isinstance(run, dict) and run.get("mode") == "values":
        return "values"
    return "records" if "records" in data else "self-play"


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
