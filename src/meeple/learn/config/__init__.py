"""Configurations of training runs: TOML files of sections, checked by pydantic models.

`load` reads a file and returns the model of its training method: `Config` for self-play and game
records, `ValuesConfig` for value networks (`run.mode = "values"`). Defaults and explanations of
all fields are in these models; a file contains only what differs. `documented` writes the whole.
"""

from meeple.learn.config.describe import as_option, documented
from meeple.learn.config.fields import (
    MAX_EPISODES,
    GameSection,
    MatchesSection,
    Method,
    ToppSection,
    at_progress,
)
from meeple.learn.config.methods import AnyConfig, find_config, load, method_of, ready_configs
from meeple.learn.config.sections import check_resumed, parse_sections, read_config, section_of
from meeple.learn.config.selfplay import (
    Config,
    RecordsSection,
    load_config,
    parse_config,
)
from meeple.learn.config.values import ValuesConfig, ValuesTrainingSection, load_values_config

__all__ = [
    "MAX_EPISODES",
    "AnyConfig",
    "Config",
    "GameSection",
    "MatchesSection",
    "Method",
    "RecordsSection",
    "ToppSection",
    "ValuesConfig",
    "ValuesTrainingSection",
    "as_option",
    "at_progress",
    "check_resumed",
    "documented",
    "find_config",
    "load",
    "load_config",
    "load_values_config",
    "method_of",
    "parse_config",
    "parse_sections",
    "read_config",
    "ready_configs",
    "section_of",
]
