"""Configurations of training runs: TOML files of sections, checked by pydantic models.

`load` reads a file and returns the model of its training method: `Config` for self-play and game
records, `ValuesConfig` for value networks (`run.mode = "values"`), `PatternsConfig` for weights of
patterns (`run.mode = "patterns"`). Defaults and explanations of all fields are in these models; a
file contains only what differs. `documented` writes the whole.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import cast

from meeple.errors import ConfigError, did_you_mean
from meeple.learn.config.describe import as_option as as_option
from meeple.learn.config.describe import documented as documented
from meeple.learn.config.describe import toml as toml
from meeple.learn.config.patterns import PatternsConfig as PatternsConfig
from meeple.learn.config.sections import MAX_EPISODES as MAX_EPISODES
from meeple.learn.config.sections import START as START
from meeple.learn.config.sections import Method as Method
from meeple.learn.config.sections import at_progress as at_progress
from meeple.learn.config.sections import check_resumed as check_resumed
from meeple.learn.config.sections import parse_sections as parse_sections
from meeple.learn.config.sections import read_config, read_toml
from meeple.learn.config.sections import section_of as section_of
from meeple.learn.config.sections import texts_in as texts_in
from meeple.learn.config.selfplay import Config as Config
from meeple.learn.config.selfplay import RecordsSection as RecordsSection
from meeple.learn.config.selfplay import load_config as load_config
from meeple.learn.config.selfplay import parse_config as parse_config
from meeple.learn.config.values import ValuesConfig as ValuesConfig

AnyConfig = Config | ValuesConfig | PatternsConfig  # a configuration of any training method
_MODELS: dict[str, type[AnyConfig]] = {"values": ValuesConfig, "patterns": PatternsConfig}
"""The models by `run.mode`; `Config` without that field."""


def load(path: str | Path, changes: Iterable[str] = ()) -> AnyConfig:
    """Read a configuration file of any training method; see `parse_sections`."""
    text = read_config(path)
    return parse_sections(_MODELS.get(method_of(text), Config), text, changes, str(path))


def method_of(text: str) -> Method:
    """Return the training method of a configuration's text; self-play if the text is invalid."""
    try:
        data = read_toml(text)
    except ValueError:
        return "self-play"
    run = data.get("run")
    if isinstance(run, dict) and run.get("mode") in _MODELS:
        return cast(Method, run["mode"])
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

    Raises ConfigError if there is no such ready configuration; it suggests or lists names.
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
