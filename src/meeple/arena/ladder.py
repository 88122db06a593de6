"""The ladder of a game: ratings of the levels and networks that ship, on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from meeple.agents.ladders import RANDOM
from meeple.agents.levels import levels_for
from meeple.agents.networks import shipped_for
from meeple.arena.games.conditions import Conditions
from meeple.arena.tournament import Pairing, Tournament, play_tournament
from meeple.errors import UsageError
from meeple.games.contract.game import Game

GAMES = 100  # default number of games of each pair


@dataclass(frozen=True)
class Rung:
    """An agent of the ladder."""

    name: str  # of its level or its network, else its spec
    spec: str


def rungs_of(game: Game, more: Sequence[str] = ()) -> list[Rung]:
    """Return random play, a game's levels, its networks with and without search, and `more`."""
    found = {RANDOM: Rung("Random play", RANDOM)}
    found |= {level.spec: Rung(level.name, level.spec) for level in levels_for(game).levels}
    for network, learned in shipped_for(game).items():
        for name, spec in learned.kind.rated(network):
            found.setdefault(spec, Rung(name, spec))
    for spec in more:
        found.setdefault(spec, Rung(spec, spec))
    return list(found.values())


@dataclass(frozen=True)
class LadderResult:
    """The result of a ladder."""

    rungs: tuple[Rung, ...]  # in the order of the tournament's agents
    tournament: Tournament

    @property
    def anchor(self) -> int:
        """The agent whose rating is 0: `random`, or the weakest if `random` is missing."""
        specs = [rung.spec for rung in self.rungs]
        return specs.index(RANDOM) if RANDOM in specs else self.order()[0]

    def order(self) -> list[int]:
        """The agents, the weakest first."""
        return self.tournament.standings.ranking()[::-1]

    def rating(self, agent: int) -> tuple[float, float, float]:
        """Return an agent's rating against the anchor, and the ends of its 95 % interval."""
        return self.tournament.standings.ratings.difference(agent, self.anchor)

    def to_json(self) -> dict[str, Any]:
        """Return the ladder as JSON, the weakest agent first."""
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
        costs, made = self.tournament.costs[agent], self.tournament.standings.points_of(agent)
        return {
            "name": self.rungs[agent].name,
            "spec": self.rungs[agent].spec,
            "rating": round(rating, 1),
            "interval": [round(low, 1), round(high, 1)],
            **made,
            "ms_per_move": round(costs.ms_per_move, 3),
            **({"faults": dict(costs.faults)} if costs.faults else {}),
        }


def play_ladder(
    conditions: Conditions, more: Sequence[str] = (), games: int = GAMES
) -> LadderResult:
    """Play a round robin between a game's levels, the networks that ship, and the specs of `more`.

    With more than two seats each table has two agents, which share the seats: among much stronger
    agents two weak ones would win no game, and could not be compared. Games always begin from
    openings, since deterministic agents would repeat one game. The errors are those of
    `play_tournament`.
    """
    rungs = rungs_of(conditions.game, more)
    if len(set(more)) < len(more):
        raise UsageError("a ladder takes each agent once, and one is named twice")
    conditions = replace(conditions, openings=conditions.openings or True)
    pairing = Pairing("round-robin" if len(conditions.game.sides) == 2 else "pairs")
    result = play_tournament(conditions, [rung.spec for rung in rungs], games, pairing)
    return LadderResult(tuple(rungs), result)
