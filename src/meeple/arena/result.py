"""The result of a match: what each agent won, from which seats, and what that proves."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from meeple.arena.play import Played
from meeple.arena.seating import uneven
from meeple.arena.statistics import sign_test, wilson_interval
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.options import OptionValue

_TIE = 1e-9  # shares closer than this are equal


@dataclass(frozen=True)
class SeatResult:
    """How an agent did from one seat."""

    games: int
    wins: int
    draws: int
    share: float  # mean share of the win in these games; 0 where there are none


class Habit(NamedTuple):
    """How often something was done in a game, on average; None where there are no such games."""

    mean: float | None
    won: float | None  # in games that it won
    lost: float | None


@dataclass(frozen=True)
class AgentResult:
    """How one agent did in a match; an agent that holds several seats has the sum of their shares.

    A win is a game in which it has the greatest share alone, a draw one in which it ties for it.
    """

    spec: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float  # mean share of the win
    interval: tuple[float, float]  # Wilson, 95 %, of the share
    ms_per_move: (
        float  # wall clock, with a game at once for each worker; their first games left out
    )
    simulations_per_move: float  # of the same games; 0 where it does not search
    seats: tuple[SeatResult, ...]
    habits: Mapping[str, Habit]
    """What it did in a game from each seat that it held, by name, as the game counts it."""


@dataclass(frozen=True)
class MatchResult:
    """All of a match."""

    game: str
    options: Mapping[str, OptionValue]
    games: int  # played to the end
    seed: int
    agents: tuple[AgentResult, ...]
    records: tuple[GameRecord, ...]  # in the order of their numbers
    lineups: tuple[tuple[int, ...], ...]  # of each game: the agent in every seat
    uneven: int  # so many games are left over once every agent has had each seat equally often
    interrupted: bool  # Ctrl-C came before all games were played

    @property
    def different(self) -> int:
        """How many games differ from all others, by their moves; without chance and randomness,
        the same line-up plays the same game again.
        """
        return len({(record.seats, record.actions) for record in self.records})

    @property
    def p_value(self) -> float | None:
        """Of two agents: the chance that equals differ so much (sign test); else None."""
        if len(self.agents) != 2:
            return None
        return sign_test(self.agents[0].wins, self.agents[1].wins)

    def to_json(self) -> dict[str, Any]:
        """The result as JSON: game, options, games, seed, and each agent's figures."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "games": self.games,
            "seed": self.seed,
            "agents": [
                {
                    "spec": agent.spec,
                    "wins": agent.wins,
                    "draws": agent.draws,
                    "share": agent.share,
                    "interval": list(agent.interval),
                    "ms_per_move": agent.ms_per_move,
                    "simulations_per_move": agent.simulations_per_move,
                    **_habits_json(agent),
                }
                for agent in self.agents
            ],
        }


def _habits_json(agent: AgentResult) -> dict[str, Any]:
    """The habits of an agent, in games that have some."""
    if not agent.habits:
        return {}
    return {"habits": {name: habit._asdict() for name, habit in agent.habits.items()}}


@dataclass(frozen=True)
class Outcome:
    """One played game of a match, as its worker hands it over."""

    number: int
    lineup: tuple[int, ...]  # the agent in every seat
    played: Played
    record: GameRecord
    warm: bool  # not its worker's first game, whose time includes loading kernels


def count_match(
    game: Game, specs: Sequence[str], seed: int, outcomes: Sequence[Outcome], *, interrupted: bool
) -> MatchResult:
    """The result of a match from its games, in whatever order they ended."""
    outcomes = sorted(outcomes, key=lambda outcome: outcome.number)
    lineups = [outcome.lineup for outcome in outcomes]
    return MatchResult(
        game=game.name,
        options=game.options,
        games=len(outcomes),
        seed=seed,
        agents=tuple(_count_agent(i, spec, outcomes) for i, spec in enumerate(specs)),
        records=tuple(outcome.record for outcome in outcomes),
        lineups=tuple(lineups),
        uneven=uneven(lineups, len(specs)),
        interrupted=interrupted,
    )


def _count_agent(agent: int, spec: str, outcomes: Sequence[Outcome]) -> AgentResult:
    """The figures of one agent."""
    seats = [_Tally() for _ in (outcomes[0].lineup if outcomes else ())]
    total = _Tally()
    choices, seconds, simulations = 0, 0.0, 0
    habits = _Habits()
    any_warm = any(outcome.warm for outcome in outcomes)
    for outcome in outcomes:
        lineup, payoffs = outcome.lineup, outcome.record.payoffs or ()
        shares = [0.0] * (max(lineup) + 1)
        for seat, holder in enumerate(lineup):
            shares[holder] += payoffs[seat]
        wins = total.wins
        total.add(agent, shares)
        for seat in (seat for seat, holder in enumerate(lineup) if holder == agent):
            seats[seat].add(agent, shares)
            habits.add(outcome.played.habits, seat, won=total.wins > wins)
            if outcome.warm or not any_warm:
                choices += outcome.played.choices[seat]
                seconds += outcome.played.seconds[seat]
                simulations += outcome.played.simulations[seat]
    return AgentResult(
        spec=spec,
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        losses=total.games - total.wins - total.draws,
        share=total.share,
        interval=wilson_interval(total.points, total.games),
        ms_per_move=1000 * seconds / choices if choices else 0.0,
        simulations_per_move=simulations / choices if choices else 0.0,
        seats=tuple(SeatResult(s.games, s.wins, s.draws, s.share) for s in seats),
        habits=habits.result(),
    )


class _Habits:
    """Habits of an agent, gathered game by game."""

    def __init__(self) -> None:
        self._found: defaultdict[str, tuple[list[float], list[float]]]
        self._found = defaultdict(lambda: ([], []))

    def add(self, habits: Mapping[str, Sequence[float]], seat: int, *, won: bool) -> None:
        """Take in what a seat did in a game."""
        for name, numbers in habits.items():
            self._found[name][0 if won else 1].append(numbers[seat])

    def result(self) -> dict[str, Habit]:
        """Means over games."""
        return {
            name: Habit(_mean(won + lost), _mean(won), _mean(lost))
            for name, (won, lost) in self._found.items()
        }


def _mean(numbers: Sequence[float]) -> float | None:
    return fmean(numbers) if numbers else None


class _Tally:
    """Games counted one by one."""

    def __init__(self) -> None:
        self.games = self.wins = self.draws = 0
        self.points = 0.0

    def add(self, agent: int, shares: Sequence[float]) -> None:
        """Count a game in which each agent got its share."""
        mine = shares[agent]
        others = max(share for i, share in enumerate(shares) if i != agent)
        self.games += 1
        self.points += mine
        self.wins += mine > others + _TIE
        self.draws += abs(mine - others) <= _TIE

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.0
