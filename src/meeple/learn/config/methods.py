"""Training methods, and reading a configuration of any of them; its text says which it is."""

from collections.abc import Iterable
from pathlib import Path

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
