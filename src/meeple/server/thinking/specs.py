"""The agents that a page may name: networks by name, never by path, with limits of their cost."""

from pathlib import Path

from meeple.agents.engine.listed import listed_engines
from meeple.agents.kinds import AGENTS, NETWORK_KEYS, AgentKind
from meeple.agents.networks import Catalogue
from meeple.agents.own import own_classes
from meeple.agents.spec import ENGINE, agent, parse
from meeple.errors import SpecError
from meeple.games.contract.game import Game
from meeple.kernels.table import compilation_deferred
from meeple.options import File
from meeple.server.errors import refusal

BARRED = ("human", "strategy")  # one needs a terminal, the other names a file
MAX_OPTION_VALUES: dict[str, float] = {
    "sims": 500_000, "seconds": 60, "threads": 2, "leaves": 256, "depth": 64,
    "determinizations": 256, "plies": 10_000,
}  # fmt: skip
"""The maximum of each numeric option, since clients share the machine."""


def agent_names() -> list[str]:
    """Return the agents that a page may name; engines only if the server has a list of them."""
    barred = BARRED if listed_engines() else (*BARRED, ENGINE)
    return [name for name in AGENTS if name not in barred]


def settle(spec: str, runs: Path) -> str:
    """Return a page's spec for a worker, a listed engine by its command; raise SpecError.

    The worker finds networks by their names in the same folder of runs.
    """
    name = spec.partition(":")[0].strip()
    if name not in agent_names():
        raise refusal(SpecError, "agent_not_here", agent=name[:40], known=", ".join(agent_names()))
    if name == ENGINE:
        return _listed_engine(spec)
    parsed, catalogue = parse(spec), Catalogue(runs)
    kind = AGENTS[parsed.name]
    if parsed.path is not None:
        _check_path(parsed.path, kind, catalogue)
    for key, value in parsed.options.items():
        if key in NETWORK_KEYS:
            catalogue.check(str(value))
        elif isinstance(kind.keys[key], File):
            raise refusal(SpecError, "file_not_here", agent=parsed.name, key=key)
        elif key in MAX_OPTION_VALUES and float(value) > MAX_OPTION_VALUES[key]:
            raise refusal(
                SpecError,
                "value_too_large",
                agent=parsed.name,
                key=key,
                most=MAX_OPTION_VALUES[key],
                value=value,
            )
    return spec


def _listed_engine(spec: str) -> str:
    """Return the spec of a listed engine; raise SpecError for an unknown name."""
    name = spec.partition(":")[2].strip()
    listed = listed_engines()
    if name not in listed:
        raise refusal(SpecError, "no_engine", engine=name[:40], known=", ".join(listed))
    return listed[name]


def _check_path(path: str, kind: AgentKind, catalogue: Catalogue) -> None:
    """Raise SpecError unless a spec names a known network or a loaded agent."""
    own = own_classes()
    if path in own:
        return
    if kind.path == "FILE.py:NAME":
        listed = ", ".join(own) or "none"
        raise refusal(SpecError, "no_loaded_agent", agent=path[:40], known=listed)
    catalogue.check(path)


def check_for(spec: str, game: Game, runs: Path) -> str:
    """Return the worker's spec of an agent that can play a game; raise MeepleError.

    Builds the agent once, which detects most errors.
    """
    settled = settle(spec, runs)
    with compilation_deferred():
        agent(settled, game, catalogue=Catalogue(runs))
    return settled
