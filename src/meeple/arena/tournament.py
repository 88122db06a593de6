"""Tournaments: round robin, pairs, gauntlet, or Swiss."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from meeple.arena.figures.columns import cells, heads
from meeple.arena.figures.costs import Costs, costs_of, first_faults
from meeple.arena.figures.counted import counted
from meeple.arena.figures.standings import Entry, Scores, Standings
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.runner import GameCollector, Runner
from meeple.arena.plan.groups import (
    FORMATS,
    Format,
    Group,
    Swiss,
    gauntlet,
    round_robin,
    usual_rounds,
)
from meeple.arena.plan.schedule import Fixture, schedule
from meeple.arena.plan.seating import uneven
from meeple.arena.plan.seeds import seeds_of
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.options import whole_number
from meeple.tables import data_frame, html_table


@dataclass(frozen=True)
class Pairing:
    """The format of a tournament."""

    format: Format = "round-robin"
    first: int = 1  # of a gauntlet: number of first agents that meet all others
    rounds: int | None = None  # of a Swiss; None: `usual_rounds`

    def check(self, agents: int, players: int) -> None:
        """Raise UsageError for a wrong setting."""
        if self.format not in FORMATS:
            raise UsageError(f"format must be one of {', '.join(FORMATS)}, not '{self.format}'")
        if self.rounds is not None and self.format != "swiss":
            raise UsageError(f"rounds are of the format swiss, not of {self.format}")
        if self.first != 1 and self.format != "gauntlet":
            raise UsageError(f"first is of the format gauntlet, not of {self.format}")
        most = agents - 1 + agents % 2
        if self.rounds is not None and (self.rounds < 1 or (players == 2 and self.rounds > most)):
            raise UsageError(
                f"a Swiss of {agents} agents has from 1 to {most} rounds, not {self.rounds}: then "
                "all have met"
            )


@dataclass(frozen=True, repr=False)
class Tournament:
    """The result of a tournament; agent i of the standings is the i-th spec."""

    game: Game
    games_per_group: int
    seed: int
    pairing: Pairing
    standings: Standings
    outcomes: tuple[Outcome, ...]  # of the same games as the standings' entries
    costs: tuple[Costs, ...]  # of each agent
    uneven: int  # games beyond an equal number for each agent of a group in each seat
    interrupted: bool

    def __repr__(self) -> str:
        lines = []
        for agent in self._ranked():
            figures = map(" ".join, zip(heads(agent), cells(agent), strict=True))
            lines.append(f"{agent['place']}. {agent['spec']}  {', '.join(figures)}")
        return "\n".join([self._heading, *lines])

    def _repr_html_(self) -> str:
        """Return a table of the agents, the best first, for notebooks."""
        agents = self._ranked()
        rows = [[str(agent["place"]), agent["spec"], *cells(agent)] for agent in agents]
        return html_table(["", "agent", *heads(agents[0])], rows, self._heading)

    @property
    def _heading(self) -> str:
        games = len(self.standings.entries)
        return f"{self.game.title}: {self.pairing.format}, {games} games, seed {self.seed}"

    def _ranked(self) -> list[dict[str, Any]]:
        """Return the agents as in `to_json`, the best first."""
        agents = self.to_json()["agents"]
        return [agents[agent] for agent in self.ranking()]

    def to_pandas(self) -> Any:
        """Return a data frame with the fields of the agents in `to_json`, the best agent first.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame(self._ranked())

    @property
    def faults(self) -> dict[tuple[int, str], str]:
        """The first message of each agent and kind of fault."""
        return first_faults(self.outcomes)

    def ranking(self) -> list[int]:
        """Return the agents, the best first: by rating, or in a Swiss by score, then rating."""
        return self.standings.ranking()

    def to_json(self) -> dict[str, Any]:
        """Return all but the games as JSON; `matrix[i][j]` is agent i's share against j."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "format": self.pairing.format,
            "games_per_group": self.games_per_group,
            "games": len(self.standings.entries),
            "seed": self.seed,
            "agents": [
                {"spec": figures.pop("name"), **figures, **costs.to_json()}
                for figures, costs in zip(self.standings.to_json(), self.costs, strict=True)
            ],
            "matrix": self.standings.matrix_json(),
        }


def tournament(
    game: Game,
    specs: Sequence[str],
    games: int = 50,
    seed: int = 7,
    *,
    pairing: Pairing | None = None,
    **conditions: Any,
) -> Tournament:
    """Play a tournament between agents, and rate them.

    By default a failing agent loses its game. Games are numbered across all groups. Ctrl-C ends the
    tournament with the games played so far.

    Args:
        game: the game.
        specs: two or more different agents.
        games: number of games of each group of agents (of each pair, for two players).
        seed: of all games.
        pairing: the format; by default a round robin.
        conditions: the other fields of `meeple.arena.games.conditions.Conditions`, as in
            `meeple.match`.

    Raises:
        UsageError, SpecError: An argument is wrong.
        RunError: The folder cannot be used, or holds another tournament.
        CheckpointError: A network cannot be loaded.
    """
    return play_tournament(Conditions(game, seed, **conditions), specs, games, pairing)


def play_tournament(
    conditions: Conditions,
    specs: Sequence[str],
    games: int = 50,
    pairing: Pairing | None = None,
) -> Tournament:
    """Play a tournament under conditions; arguments and errors are those of `tournament`."""
    if len(specs) < 2:
        raise UsageError(f"a tournament takes at least 2 agents, not {len(specs)}")
    if len(set(specs)) < len(specs):
        raise UsageError("a tournament takes each agent once, and one is named twice")
    games = whole_number(games, "games", 1)
    pairing = pairing or Pairing()
    pairing.check(len(specs), len(conditions.game.sides))
    if conditions.rule.on_fault is None:
        conditions = replace(conditions, rule=replace(conditions.rule, on_fault="lose"))
    plan = _Plan(conditions, len(specs), games, pairing)
    collector = GameCollector(conditions, plan.games_in_all())
    settings = {"games": games, **asdict(pairing)}
    with Runner(conditions, specs, "tournament", settings) as runner:
        whole = all(runner.play(fixtures, collector.take) for fixtures in plan.stages(collector))
    return plan.tournament(specs, collector.in_order, interrupted=not whole)


@dataclass
class _Plan:
    """The schedule of a tournament: stages of games; a stage depends on the results before it."""

    conditions: Conditions
    agents: int
    games: int  # of a group
    pairing: Pairing
    groups: list[Group] = field(default_factory=list)  # all so far
    swiss: Swiss | None = None

    def __post_init__(self) -> None:
        players = len(self.conditions.game.sides)
        if self.pairing.format == "round-robin":
            self.groups = round_robin(self.agents, players)
        elif self.pairing.format == "pairs":
            self.groups = round_robin(self.agents, 2)
        elif self.pairing.format == "gauntlet":
            self.groups = gauntlet(self.agents, players, self.pairing.first)
        else:
            self.swiss = Swiss(self.agents, players, self.conditions.seed)

    @property
    def rounds(self) -> int:
        return self.pairing.rounds or usual_rounds(self.agents, len(self.conditions.game.sides))

    def games_in_all(self) -> int:
        groups = len(self.groups) if self.swiss is None else self.rounds * self.swiss.tables
        return groups * self.games

    def stages(self, collector: GameCollector) -> Iterator[Iterator[Fixture]]:
        """Yield the games of each stage; results of earlier stages are read from the collector."""
        if self.swiss is None:
            yield self._fixtures(0)
            return
        for _ in range(self.rounds):
            begun = len(self.groups)
            self.groups += self.swiss.pair()
            yield self._fixtures(begun)
            self.swiss.score(self._mean_shares(collector.outcomes, begun))

    def _fixtures(self, begun: int) -> Iterator[Fixture]:
        """Yield the games of the groups from index `begun` on."""
        conditions = self.conditions
        for index, group in list(enumerate(self.groups))[begun:]:
            seed = seeds_of(conditions.seed, index, count=1)[0]
            yield from schedule(
                conditions.game,
                group,
                self.games,
                seed,
                first=index * self.games,
                opened=conditions.openings,
            )

    def _mean_shares(self, outcomes: Sequence[Outcome], begun: int) -> Iterator[tuple[int, float]]:
        """Yield each agent of the groups from index `begun` on, with its mean share there."""
        for index, group in list(enumerate(self.groups))[begun:]:
            numbers = range(index * self.games, (index + 1) * self.games)
            results = list(counted(one for one in outcomes if one.number in numbers))
            for agent in group:
                shares = [result.of_agents[agent] for result in results]
                yield agent, sum(shares) / max(1, len(shares))

    def tournament(
        self, specs: Sequence[str], outcomes: Sequence[Outcome], *, interrupted: bool
    ) -> Tournament:
        """Return the result."""
        entries = [Entry(outcome.lineup, outcome.record) for outcome in outcomes]
        swiss = self.swiss
        scores = None
        if swiss is not None:
            scores = Scores(tuple(swiss.scores.tolist()), tuple(swiss.byes.tolist()))
        return Tournament(
            game=self.conditions.game,
            games_per_group=self.games,
            seed=self.conditions.seed,
            pairing=self.pairing,
            standings=Standings(specs, entries, scores),
            outcomes=tuple(outcomes),
            costs=tuple(costs_of(agent, outcomes) for agent in range(self.agents)),
            uneven=self._uneven(outcomes),
            interrupted=interrupted,
        )

    def _uneven(self, outcomes: Sequence[Outcome]) -> int:
        """Return the number of games beyond an equal number for each agent in each seat."""
        lineups: dict[int, list[tuple[int, ...]]] = {}
        for outcome in outcomes:
            index = outcome.number // self.games
            group = self.groups[index]
            lineup = tuple(group.index(agent) for agent in outcome.lineup)
            lineups.setdefault(index, []).append(lineup)
        return max(
            (uneven(played, len(self.groups[index])) for index, played in lineups.items()),
            default=0,
        )
