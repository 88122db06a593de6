"""Which agents the page may name: paths become names that the server knows, costs have limits."""

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
"""What a key may be at most here, where many share the machine."""


def known_networks(runs: Path) -> dict[str, Path]:
    """The networks that ship, and those of the runs in a folder, by name; a run's is its newest.

    Those that a study trained there are called STUDY/NAME.
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
    """What a run's network is called here: as the run, unless a network that ships has that name,
    by which levels mean the one that was measured.
    """
    return f"runs/{name}" if name in shipped_networks() else name


def agent_names() -> list[str]:
    """The agents that may be named; engines where the server was given a list of them."""
    barred = BARRED if listed_engines() else (*BARRED, ENGINE)
    return [name for name in AGENTS if name not in barred]


def settle(spec: str, runs: Path) -> str:
    """The spec with the path of its network, for a worker. Raises SpecError in a sentence."""
    name = spec.partition(":")[0].strip()
    if name not in agent_names():
        raise SpecError(f"'{name[:40]}' cannot play here; agents: {', '.join(agent_names())}")
    if name == ENGINE:
        return _listed_engine(spec)
    parsed = parse(spec)
    kind = AGENTS[parsed.name]
    words: list[str] = []
    if parsed.path is not None:
        words.append(_place(parsed.path, kind, runs))
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
    """What a name of the list of engines stands for. Raises SpecError for anything else."""
    name = spec.partition(":")[2].strip()
    listed = listed_engines()
    if name not in listed:
        raise SpecError(f"there is no engine '{name[:40]}' here; engines: {', '.join(listed)}")
    return listed[name]


def _place(path: str, kind: AgentKind, runs: Path) -> str:
    """Where what a spec names in the place of a path is. Raises SpecError."""
    own = own_classes()
    if path in own:
        return path
    if kind.path == "FILE.py:NAME":
        listed = ", ".join(own) or "none"
        raise SpecError(f"there is no agent '{path[:40]}' among those that were loaded: {listed}")
    return _network(path, runs)


def _network(name: str, runs: Path) -> str:
    """The place of a network that is known here by this name. Raises SpecError."""
    networks = known_networks(runs)
    if name not in networks:
        raise SpecError(f"there is no network '{name}'; there are {_listed(networks)}")
    return str(networks[name])


def check_for(spec: str, game: Game, runs: Path) -> str:
    """The settled spec of an agent that can play a game. Raises MeepleError in a sentence.

    It is made and thrown away: most of what can be wrong shows then.
    """
    settled = settle(spec, runs)
    try:
        with compilation_deferred():
            agent(settled, game)
    except MeepleError as error:
        path, name = network_in(settled), network_in(spec)
        if path is None or name is None or path not in str(error):
            raise
        raise SpecError(str(error).replace(path, name)) from None  # no places of the server's
    return settled


def _number(value: Any) -> str:
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def _listed(networks: dict[str, Path]) -> str:
    return ", ".join(networks) or "none"
