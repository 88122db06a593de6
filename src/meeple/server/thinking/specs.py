"""The agents that a page may name: by `check_read`, without paths, with limits of their cost."""

from pathlib import Path

from meeple.agents.engine.listed import listed_engines
from meeple.agents.kinds import AGENTS
from meeple.agents.networks import Catalogue
from meeple.agents.own import own_classes
from meeple.agents.spec import ENGINE, agent, check_read
from meeple.errors import NotAllowed, SpecError
from meeple.games.contract.game import Game
from meeple.kernels.table import compilation_deferred
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
    """Return a page's spec for a worker, which applies the same rule; raise SpecError."""
    name = spec.partition(":")[0].strip()
    if name not in agent_names():
        raise refusal(SpecError, "agent_not_here", agent=name[:40], known=", ".join(agent_names()))
    try:
        parsed = check_read(spec, Catalogue(runs))
    except NotAllowed as error:
        known = ", ".join([*listed_engines(), *own_classes()]) or "-"
        raise refusal(SpecError, "not_loaded", named=error.named[:80], known=known) from None
    for key, value in parsed.options.items():
        if key in MAX_OPTION_VALUES and float(value) > MAX_OPTION_VALUES[key]:
            raise refusal(
                SpecError,
                "value_too_large",
                agent=parsed.name,
                key=key,
                most=MAX_OPTION_VALUES[key],
                value=value,
            )
    return spec


def check_opponent(spec: str, runs: Path) -> None:
    """Raise SpecError for the opponent of a run in training; engines are for tables only."""
    if spec.partition(":")[0].strip() == ENGINE:
        known = ", ".join(name for name in agent_names() if name != ENGINE)
        raise refusal(SpecError, "agent_not_here", agent=ENGINE, known=known)
    settle(spec, runs)


def check_for(spec: str, game: Game, runs: Path) -> str:
    """Return the worker's spec of an agent that can play a game; raise MeepleError.

    Builds the agent once, which detects most errors.
    """
    settled = settle(spec, runs)
    with compilation_deferred():
        agent(settled, game, catalogue=Catalogue(runs))
    return settled
