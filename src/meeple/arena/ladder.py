"""The ladder of a game: what the project's own agents are worth there, on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meeple.agents.ladders import RANDOM
from meeple.agents.levels import ladder_for
from meeple.agents.networks import shipped_for
from meeple.arena.openings import Opening
from meeple.arena.tournament import Progress, Tournament, play_tournament
from meeple.errors import UsageError
from meeple.executors.place import Place
from meeple.games.contract.game import Game

GAMES = 100  # of each pair, where nothing else is said
NETWORK = {"Network {} alone": "policy:{}", "Network {}": "puct:{},sims=400"}
"""How a network that ships takes part: names and specs, with its own name in them."""


@dataclass(frozen=True)
class Rung:
    """An agent that takes part."""

    name: str  # of its level, or of its network; its spec where it is neither
    spec: str


def rungs_of(game: Game, more: Sequence[str] = ()) -> list[Rung]:
    """The levels of a game, the networks that ship for it, alone and with a search, and `more`."""
    found = {level.spec: Rung(level.name, level.spec) for level in ladder_for(game).levels}
    for network in shipped_for(game):
        for name, spec in NETWORK.items():
            rung = Rung(name.format(network), spec.format(network))
            found.setdefault(rung.spec, rung)
    for spec in more:
        found.setdefault(spec, Rung(spec, spec))
    return list(found.values())


@dataclass(frozen=True)
class LadderResult:
    """The ladder as it was played."""

    rungs: tuple[Rung, ...]  # in the order of the tournament's agents
    tournament: Tournament

    @property
    def anchor(self) -> int:
        """The agent whose rating is 0: `random`, or the weakest where it does not take part."""
        specs = [rung.spec for rung in self.rungs]
        return specs.index(RANDOM) if RANDOM in specs else self.order()[0]

    def order(self) -> list[int]:
        """The agents, the weakest first."""
        return self.tournament.standings.ranking()[::-1]

    def rating(self, agent: int) -> tuple[float, float, float]:
        """An agent's Elo points above the anchor, and the ends of the 95 % interval."""
        return self.tournament.standings.ratings.difference(agent, self.anchor)

    def to_json(self) -> dict[str, Any]:
        """The ladder as JSON, the weakest first."""
        played = self.tournament
        return {
            "game": played.game.name,
            "options": dict(played.game.options),
            "anchor": self.rungs[self.anchor].spec,
            "games_per_group": played.games_per_group,
            "games": len(played.outcomes),
            "seed": played.seed,
            "agents": [self._rung(agent) for agent in self.order()],
        }

    def _rung(self, agent: int) -> dict[str, Any]:
        rating, low, high = self.rating(agent)
        costs = self.tournament.costs[agent]
        return {
            "name": self.rungs[agent].name,
            "spec": self.rungs[agent].spec,
            "rating": round(rating, 1),
            "interval": [round(low, 1), round(high, 1)],
            "ms_per_move": round(costs.ms_per_move, 3),
            **({"faults": dict(costs.faults)} if costs.faults else {}),
        }


def play_ladder(
    game: Game,
    more: Sequence[str] = (),
    games: int = GAMES,
    seed: int = 7,
    *,
    openings: bool | Sequence[Opening] = True,
    run: str | Path | None = None,
    workers: int | None = None,
    on: Place | str | None = None,
    progress: Progress | None = None,
) -> LadderResult:
    """Let the project's own agents of a game, and `more` specs, play a round robin.

    It is a tournament with openings: agents without any randomness would repeat one game. What is
    raised, and the other arguments, are those of `play_tournament`.
    """
    rungs = rungs_of(game, more)
    if len(set(more)) < len(more):
        raise UsageError("a ladder takes each agent once, and one is named twice")
    result = play_tournament(
        game,
        [rung.spec for rung in rungs],
        games,
        seed,
        openings=openings,
        run=run,
        workers=workers,
        on=on,
        progress=progress,
    )
    return LadderResult(tuple(rungs), result)
