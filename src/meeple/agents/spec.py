"""The language of agent specs, such as `uct:sims=1000`: `name[:[PATH][,]key=value,...]`.

`spec_syntax.py` splits and writes them; `kinds.py` lists the names and keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from meeple.agents.agent import Agent
from meeple.agents.allowed import is_allowed
from meeple.agents.engine.listed import listed_engines
from meeple.agents.kinds import AGENTS, CLASS, NETWORK_KEYS, NETWORK_PATHS
from meeple.agents.networks import PATHS, Catalogue
from meeple.agents.own import names_own, own_classes
from meeple.agents.spec_syntax import split, write
from meeple.errors import NotAllowed, OptionError, SpecError, UsageError, did_you_mean
from meeple.games.contract.game import Game
from meeple.options import File, OptionValue, check_options, whole_number
from meeple.sentences import say

ENGINE = "engine"
"""The name of specs of other programs."""

LIMITS = ("sims", "depth", "seconds")  # keys that limit the search of a move


@dataclass(frozen=True)
class Parsed:
    """A parsed and checked spec."""

    name: str
    path: str | None
    options: Mapping[str, OptionValue]


def network_in(spec: str) -> str | None:
    """Return the network that a spec names, by path or by a key of `NETWORK_KEYS`, or None.

    Raises SpecError as `parse`.
    """
    parsed = parse(spec)
    if parsed.name == ENGINE:
        return None
    named = [str(parsed.options[key]) for key in NETWORK_KEYS if key in parsed.options]
    return named[0] if named else parsed.path


def agent(spec: str, game: Game, seed: int = 0, catalogue: Catalogue = PATHS) -> Agent:
    """Make the agent that a spec describes, for one game.

    Args:
        spec: of the agent, which keeps it as it is written.
        game: the game to play.
        seed: of all its randomness.
        catalogue: what the spec may name, and the files of networks; see `check_read`.

    Raises:
        SpecError: the spec is wrong, or names what it may not.
        CheckpointError: a network cannot be read, or is of another game.
        RunError: a run's folder has no network.
    """
    if is_allowed(spec):
        catalogue = PATHS
    check_read(spec, catalogue)
    seed, parsed = whole_number(seed, "a seed"), parse(whole(spec))
    kind, path = AGENTS[parsed.name], parsed.path
    make = AGENTS.target(parsed.name)
    options: dict[str, Any] = dict(parsed.options)
    network: Any = path
    if path is not None and kind.path in NETWORK_PATHS and not names_own(path):
        network = catalogue.find(path)
    for key in NETWORK_KEYS:
        if key in options:
            options[key] = catalogue.find(str(options[key]))
    try:
        made = cast(Agent, make(game, *([network] if kind.path else []), options, seed))
    except SpecError:
        raise
    except UsageError as error:
        raise SpecError(f"{parsed.name}: {error}") from None
    made.spec = spec
    return made


def check_read(spec: str, catalogue: Catalogue) -> Parsed:
    """Check and return a spec that was read: the one rule of what such a spec may name.

    A page, message, configuration, run, record or database may name built-in agents, networks of
    the catalogue, and what `--load` named: classes of its files, and listed engines. All else runs
    a program or opens a file of the author's choice, unless `allowed.py` has it.

    Raises:
        NotAllowed: it names a program, or a file outside the catalogue's folders.
        SpecError: it is wrong, or there is no such network.
    """
    parsed = parse(spec)
    if catalogue.runs is None or is_allowed(spec):
        return parsed
    kind, path, loaded = AGENTS[parsed.name], parsed.path, own_classes()
    if parsed.name == ENGINE:
        if whole(spec) == spec:
            raise NotAllowed(spec, "would run a program")
        return parsed
    files = [
        (key in NETWORK_KEYS, str(value))
        for key, value in parsed.options.items()
        if isinstance(kind.keys[key], File)
    ]
    if path is not None:
        files.append((kind.path in NETWORK_PATHS, path))
    for is_network, file in files:
        if file in loaded:
            continue
        if names_own(file) or kind.path == CLASS:
            raise NotAllowed(spec, "would run a Python file")
        (catalogue.check if is_network else catalogue.check_file)(file)
    return parsed


def whole(spec: str) -> str:
    """Return a spec with the name of a listed engine replaced by its spec in the list.

    Raises SpecError if keys follow the name.
    """
    name, _, rest = spec.strip().partition(":")
    listed = listed_engines()
    word, comma, _ = rest.strip().partition(",")
    if name != ENGINE or word not in listed:
        return spec
    if comma:
        raise SpecError(f"the list of engines says all of {ENGINE}:{word}: it takes no keys here")
    return listed[word]


def parse(spec: str) -> Parsed:
    """Parse and check a spec; nothing is loaded.

    Raises SpecError, which says what is wrong and what is allowed.
    """
    name, _, rest = spec.strip().partition(":")
    kind = AGENTS.get(name)
    if kind is None:
        near = did_you_mean(name.partition(" ")[0], AGENTS)
        raise SpecError(
            say("agent.unknown", name=name, list=f"{', '.join(AGENTS)}{near and f'; {near}'}")
        )
    path, pairs = split(rest)
    if kind.path and not path and not kind.path.startswith("["):
        what = say("agent.file_or_run") if kind.path == "PATH" else kind.path
        raise SpecError(say("agent.needs", agent=name, what=what, command=kind.usage(name)))
    if path and not kind.path:
        raise SpecError(
            say("agent.in_is_not_understood", field=path, agent=spec, command=kind.usage(name))
        )
    given = dict(pairs)
    if len(given) < len(pairs):
        raise SpecError(say("agent.sets_a_key_twice", agent=spec))
    try:
        return Parsed(name, path or None, check_options(name, kind.keys, given, word="key"))
    except OptionError as error:
        raise SpecError(str(error)) from None


def within_seconds(spec: str, seconds: float) -> str:
    """Return the spec with seconds a move as its only limit; unchanged if it takes no seconds.

    Raises SpecError for a wrong spec.
    """
    parsed = parse(spec)
    keys = AGENTS[parsed.name].keys
    if "seconds" not in keys:
        return spec
    options = {
        key: value
        for key, value in parsed.options.items()
        if key not in LIMITS and value != keys[key].default
    }
    return write(parsed.name, parsed.path, {**options, "seconds": f"{seconds:g}"})
