"""Configurations of training runs: TOML files of sections, checked by pydantic models."""

from meeple.learn.config.describe import as_option, documented
from meeple.learn.config.ready import find_config, ready_configs, selfplay_configs, values_configs
from meeple.learn.config.sections import check_resumed, parse_sections, read_config, section_of
from meeple.learn.config.selfplay import (
    MOST_EPISODES,
    Config,
    MatchesSection,
    RecordsSection,
    ToppSection,
    at_progress,
    load_config,
    parse_config,
)
from meeple.learn.config.values import (
    TrainingSection,
    ValuesConfig,
    learns_values,
    load_values_config,
)

__all__ = [
    "MOST_EPISODES",
    "Config",
    "MatchesSection",
    "RecordsSection",
    "ToppSection",
    "TrainingSection",
    "ValuesConfig",
    "as_option",
    "at_progress",
    "check_resumed",
    "documented",
    "find_config",
    "learns_values",
    "load_config",
    "load_values_config",
    "parse_config",
    "parse_sections",
    "read_config",
    "ready_configs",
    "section_of",
    "selfplay_configs",
    "values_configs",
]
