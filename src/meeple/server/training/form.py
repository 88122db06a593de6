"""The form for a new run: the ready configurations, and the allowed values of every field.

The configuration's models define the allowed values and validate the result.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from meeple.agents.networks import Catalogue, find_checkpoint, shipped_networks
from meeple.errors import ConfigError
from meeple.learn.config import (
    AnyConfig,
    Config,
    as_option,
    find_config,
    load_config,
    parse_config,
    ready_configs,
    section_of,
)
from meeple.nets import checkpoint
from meeple.options import Described, describe_option
from meeple.search.patterns import file as patterns_file
from meeple.server.errors import refusal
from meeple.server.thinking.specs import check_opponent
from meeple.server.training.answers import FormField, FormSection, ReadyConfig
from meeple.tensor_file import kind_of

OPTIONS = "game.options"
NETWORK_FIELDS = {"run.start": checkpoint.KIND, "run.teacher": patterns_file.KIND}
"""Fields that name a network, and the kind of its file."""
_OPTION = re.compile(r"game\.options\.[a-z][a-z0-9_]*")


def sections() -> list[FormSection]:
    """Return all sections of a configuration with their fields, as data for a form.

    A field's `kind` is "integer", "number", "flag", "choice", "text" or "list" (JSON, also of a
    schedule); `low` and `high` are inclusive limits, `above` and `below` exclusive ones. An
    `optional` field may be empty.
    """
    found = []
    for name, part in Config.model_fields.items():
        section = section_of(part)
        if section is None or part.default is None:
            continue  # the files of records are on the machine of the command line
        fields = [
            _field(f"{name}.{key}", as_option(field), _may_be_unset(field))
            for key, field in section.model_fields.items()
            if f"{name}.{key}" != OPTIONS
        ]
        found.append(
            FormSection(name=name, help=" ".join(str(section.__doc__).split()), fields=fields)
        )
    return found


def forms() -> list[ReadyConfig]:
    """Return the ready configurations: name, game, its options, and the value of every field."""
    found = []
    for name, path in ready_configs("self-play").items():
        config = load_config(path)
        game = config.make_game()
        options = [
            _field(f"{OPTIONS}.{key}", game.declared[key], False) for key in game.form_options()
        ]
        words = _first_comment(path)
        values = {key: value for key, value in flat(config).items() if key != OPTIONS}
        values |= {f"{OPTIONS}.{key}": value for key, value in game.options.items()}
        values |= {key: Path(values[key]).name for key in NETWORK_FIELDS if values[key]}
        found.append(
            ReadyConfig(name=name, game=game.name, words=words, options=options, values=values)
        )
    return found


def settle(name: str, changes: Mapping[str, Any], runs: Path) -> Config:
    """Return a ready configuration with changes (section.field: value; None unsets a field).

    Raises:
        ConfigError: A name, field or value is wrong, or a network to start from is neither
            shipped nor in the folder of runs.
        SpecError: An opponent is none that a page may name.
    """
    known = ready_configs("self-play")
    if name not in known:
        raise refusal(ConfigError, "no_configuration", name=name, known=", ".join(known))
    values = flat(load_config(find_config(name)))
    options = dict(values.pop(OPTIONS))
    if changes.get("game.name", values["game.name"]) != values["game.name"]:
        options = {}
    for key, value in changes.items():
        if key in values:
            values[key] = value
        elif _OPTION.fullmatch(key):
            options[key.removeprefix(f"{OPTIONS}.")] = value
        else:
            raise refusal(ConfigError, "no_field", name=key, known=", ".join(values))
    for key in NETWORK_FIELDS:
        if values[key] is not None:
            values[key] = _network(key, values[key], runs)
    settled = {key: value for key, value in values.items() if value is not None}
    settled |= {f"{OPTIONS}.{key}": value for key, value in options.items() if value is not None}
    try:
        lines = [f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in settled.items()]
        config = parse_config("", lines, name)
    except (OverflowError, RecursionError):
        raise refusal(ConfigError, "number_too_large", name=name) from None
    for spec in config.matches.specs:
        check_opponent(spec, runs)
    return config


def flat(config: AnyConfig) -> dict[str, Any]:
    """Return all values of a configuration by section.field."""
    sections = config.model_dump(mode="json")
    return {
        f"{name}.{key}": value
        for name, part in sections.items()
        for key, value in (part or {}).items()
    }


def _network(field: str, name: Any, runs: Path) -> str:
    """Return the value of a field for a name: a shipped network, or the path of a run.

    Networks of other kinds than `NETWORK_FIELDS` says are excluded.
    """
    networks = {
        known: place
        for known, place in Catalogue(runs).names().items()
        if kind_of(find_checkpoint(place)) == NETWORK_FIELDS[field]
    }
    word = name if isinstance(name, str) else ""
    word = word if word in networks else Path(word).name
    if word not in networks:
        raise refusal(
            ConfigError, "wrong_network", field=field, known=", ".join(networks), name=name
        )
    place = networks[word]
    return word if shipped_networks().get(word) == place else str(place)


def _field(name: str, option: Described, optional: bool) -> FormField:
    return FormField(**describe_option(name, option), optional=optional)


def _may_be_unset(field: FieldInfo) -> bool:
    return not field.is_required() and field.default is None


@cache
def _first_comment(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return " ".join(line.removeprefix("#").strip() for line in lines[:first])
