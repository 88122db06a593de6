"""The agents that a page may name: networks by name instead of path, with limits of their cost."""

from pathlib import Path
from typing import Any

from meeple.agents.engine.listed import listed_engines
from meeple.agents.kinds import AGENTS, AgentKind
from meeple.agents.networks import checkpoint_files, shipped_networks
from meeple.agents.own import own_classes
from meeple.agents.spec import ENGINE, agent, network_in, parse
from meeple.errors import MeepleError, RunError, SpecError
from meeple.files import is_plain_name
from meeple.games.contract.game import Game
from meeple.kernels.table import compilation_deferred
from meeple.options import File
from meeple.studies.study import STUDIES

BARRED = ("human",)  # needs a terminal
MAX_OPTION_VALUES: dict[str, float] = {
    "sims": 500_000, "seconds": 60, "threads": 2, "leaves": 256, "depth": 64,
    "determinizations": 256, "plies": 10_000,
}  # fmt: skip
"""The maximum of each numeric option, since clients share the machine."""


def known_networks(runs: Path) -> dict[str, Path]:
    """Return the shipped networks and the newest one of each run in a folder, by name.

    Networks of a study in the folder are named STUDY/NAME.
    """
    found = shipped_networks()
    if runs.is_dir():
        for folder in sorted(runs.iterdir()):
            try:
                if is_plain_name(folder.name):
                    checkpoint_files(folder)
                    found[network_of_run(folder.name)] = folder.resolve()
            except RunError:
                continue
        for file in sorted((runs / STUDIES).glob("*/*.safetensors")):
            if is_plain_name(file.parent.name) and is_plain_name(file.stem):
                found[f"{file.parent.name}/{file.stem}"] = file.resolve()
    return found


def network_of_run(name: str) -> str:
    """Return the name of a run's network: the run's own, with a prefix if a shipped one has it.

    The levels refer to shipped networks by name.
    """
    return f"runs/{name}" if name in shipped_networks() else name


def agent_names() -> list[str]:
    """Return the agents that a page may name; engines only if the server has a list of them."""
    barred = BARRED if listed_engines() else (*BARRED, ENGINE)
    return [name for name in AGENTS if name not in barred]


def settle(spec: str, runs: Path) -> str:
    """Return a page's spec for a worker, with the path of its network; raise SpecError."""
    name = spec.partition(":")[0].strip()
    if name not in agent_names():
        raise SpecError(f"'{name[:40]}' cannot play here; agents: {', '.join(agent_names())}")
    if name == ENGINE:
        return _listed_engine(spec)
    parsed = parse(spec)
    kind = AGENTS[parsed.name]
    words: list[str] = []
    if parsed.path is not None:
        words.append(_path_or_agent(parsed.path, kind, runs))
    for key, value in parsed.options.items():
        if key == "network":
            words.append(f"{key}={_network(str(value), runs)}")
            continue
        if isinstance(kind.keys[key], File):
            raise SpecError(f"{parsed.name}: {key} names a file, which the page may not")
        if key in MAX_OPTION_VALUES and float(value) > MAX_OPTION_VALUES[key]:
            raise SpecError(
                f"{parsed.name}: {key} may be at most {MAX_OPTION_VALUES[key]:g} here, not {value}"
            )
        words.append(f"{key}={_number(value)}")
    return f"{parsed.name}:{','.join(words)}" if words else parsed.name


def _listed_engine(spec: str) -> str:
    """Return the spec of a listed engine; raise SpecError for an unknown name."""
    name = spec.partition(":")[2].strip()
    listed = listed_engines()
    if name not in listed:
        raise SpecError(f"there is no engine '{name[:40]}' here; engines: {', '.join(listed)}")
    return listed[name]


def _path_or_agent(path: str, kind: AgentKind, runs: Path) -> str:
    """Return the path of the network or loaded agent that a spec names; raise SpecError."""
    own = own_classes()
    if path in own:
        return path
    if kind.path == "FILE.py:NAME":
        listed = ", ".join(own) or "none"
        raise SpecError(f"there is no agent '{path[:40]}' among those that were loaded: {listed}")
    return _network(path, runs)


def _network(name: str, runs: Path) -> str:
    """Return the path of a known network; raise SpecError for an unknown name."""
    networks = known_networks(runs)
    if name not in networks:
        raise SpecError(f"there is no network '{name}'; there are {_listed(networks)}")
    return str(networks[name])


def check_for(spec: str, game: Game, runs: Path) -> str:
    """Return the worker's spec of an agent that can play a game; raise MeepleError.

    Builds the agent once, which detects most errors.
    """
    settled = settle(spec, runs)
    try:
        with compilation_deferred():
            agent(settled, game)
    except MeepleError as error:
        path, name = network_in(settled), network_in(spec)
        if path is None or name is None or path not in str(error):
            raise
        raise SpecError(str(error).replace(path, name)) from None  # no paths of the server
    return settled


def _number(value: Any) -> str:
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def _listed(networks: dict[str, Path]) -> str:
    return ", ".join(networks) or "none"
