"""Networks as agents from Python: `meeple.load`, and the analysis of a position by any agent."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from meeple.agents.agent import Agent, Analysis
from meeple.agents.network_files import network_facts
from meeple.agents.networks import find_checkpoint
from meeple.agents.spec import LIMITS
from meeple.agents.spec import agent as make_agent
from meeple.agents.spec_syntax import quoted
from meeple.errors import UsageError
from meeple.games.contract.game import Game, Position
from meeple.games.contract.registry import make_from
from meeple.games.contract.result import percent
from meeple.tables import data_frame, html_table

HEADS = ("action", "visits", "policy", "value")  # of the table of an analysis


class LoadedAgent:
    """An agent that plays with a network, and the game that the network was trained for."""

    def __init__(self, game: Game, inner: Agent) -> None:
        self.game = game
        self._inner = inner

    @property
    def spec(self) -> str:
        """The spec of the agent, such as "puct:hex7,sims=400"."""
        return self._inner.spec

    @property
    def analysis(self) -> Analysis | None:
        """How the agent made its last choice."""
        return self._inner.analysis

    def begin(self, seed: int) -> None:
        """Forget the game before; all randomness to come depends on the seed."""
        self._inner.begin(seed)

    def choose(self, position: Position, stop: Callable[[], bool] | None = None) -> int:
        """Return a legal action for the player to move; the position is not changed."""
        return self._inner.choose(position, stop)

    def __repr__(self) -> str:
        return f"<{self.spec} for {self.game!r}>"


def load(
    network: str | os.PathLike[str], game: Game | None = None, seed: int = 0, **options: Any
) -> LoadedAgent:
    """Return the agent that plays with a network at its best: `meeple.load("hex7", sims=100)`.

    Args:
        network: a file, the folder of a run, or the name of a network that ships.
        game: the game to play; None: the one that the network was trained for.
        seed: of all randomness of the agent.
        options: keys of the agent's spec, which replace those of the usual one. Networks with a
            policy play by `puct:NETWORK,sims=400`, value networks by `states:NETWORK`, weights of
            patterns by `minimax:eval=NETWORK,depth=6`.

    Raises:
        CheckpointError, RunError: there is no such network.
        OptionError: the network is of a game that is not loaded; give `game`.
        SpecError: an option is wrong.
    """
    facts = network_facts(find_checkpoint(network))
    played = make_from(facts.game, dict(facts.options)) if game is None else game
    template = facts.kind.strongest.split(",")
    if not options.keys().isdisjoint(LIMITS):
        template = [part for part in template if not part.startswith(LIMITS)]
    spec = ",".join(template).format(quoted(os.fspath(network)))
    spec = ",".join([spec, *(f"{key}={quoted(str(value))}" for key, value in options.items())])
    return LoadedAgent(played, make_agent(spec, played, seed))


@dataclass(frozen=True, repr=False)
class PositionAnalysis:
    """An agent's analysis of a position, as a table of its actions."""

    position: Position
    spec: str
    action: int  # the agent's choice
    analysis: Analysis

    def rows(self) -> list[dict[str, Any]]:
        """Return the actions, the agent's choice first, then by visits and policy.

        Each has its name, visits, policy, and `value`: the share of the win that the player to move
        expects after it, or NaN.
        """
        found, mover = self.analysis, self.position.to_move
        values = found.action_values
        order = np.lexsort((-found.policy, -found.visits, found.actions != self.action))
        return [
            {
                "action": self.position.action_name(int(found.actions[at])),
                "visits": int(found.visits[at]),
                "policy": float(found.policy[at]),
                "value": float("nan") if values is None else float(values[at, mover]),
            }
            for at in order
        ]

    def to_pandas(self) -> Any:
        """Return the rows as a data frame. Raises UsageError if pandas is not installed."""
        return data_frame(self.rows())

    def __repr__(self) -> str:
        lines = [
            f"{action:<12}{visits:>10}{policy:>10}{value:>10}"
            for action, visits, policy, value in (HEADS, *self._texts())
        ]
        return "\n".join([self._heading, *lines])

    def _repr_html_(self) -> str:
        """Return the table, for notebooks."""
        return html_table(HEADS, self._texts(), self._heading)

    @property
    def _heading(self) -> str:
        value = self.analysis.value
        game = self.position.game
        shares = (
            ""
            if value is None
            else f"; {game.worth_name}: "
            + ", ".join(
                f"{game.player_name(seat)} {game.worth(value, seat)}" for seat in range(game.seats)
            )
        )
        proven = ", proven" if self.analysis.proven else ""
        return f"{self.spec}, {self.analysis.seconds:.2f} s{shares}{proven}"

    def _texts(self) -> list[tuple[str, str, str, str]]:
        return [
            (
                row["action"],
                f"{row['visits']:,}",
                f"{100 * row['policy']:.1f} %",
                "" if np.isnan(row["value"]) else percent(row["value"]),
            )
            for row in self.rows()
        ]


def analyse(
    position: Position, agent: str | Agent = "uct:sims=10000", seed: int = 0
) -> PositionAnalysis:
    """Let an agent choose in a position, and return its analysis as a table.

    Args:
        position: the position, which is not changed.
        agent: a spec or an agent.
        seed: of an agent given by its spec.

    Raises:
        UsageError: nobody is to move, or the agent gives no analysis.
        SpecError: the spec is wrong.
    """
    if position.to_move < 0:
        raise UsageError("there is nothing to analyse: no player is to move")
    chooser = make_agent(agent, position.game, seed) if isinstance(agent, str) else agent
    action = chooser.choose(position)
    if chooser.analysis is None:
        raise UsageError(f"{chooser.spec} gives no analysis; try uct:sims=1000")
    return PositionAnalysis(position.copy(), chooser.spec, int(action), chooser.analysis)
