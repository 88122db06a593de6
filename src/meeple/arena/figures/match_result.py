"""The result of a match: shares of the agents by seat, with intervals and tests."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from meeple.arena.figures.costs import costs_of, first_faults
from meeple.arena.figures.sprt import SequentialTest
from meeple.arena.figures.statistics import sign_test, wilson_interval
from meeple.arena.games.outcome import Outcome
from meeple.arena.plan.seating import uneven
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord
from meeple.games.contract.result import SHARE_TOLERANCE
from meeple.options import OptionValue


@dataclass(frozen=True)
class SeatResult:
    """The result of an agent from one seat."""

    games: int
    wins: int
    draws: int
    share: float  # mean share of the win in these games; 0 if there are none


class Habit(NamedTuple):
    """The mean number of occurrences in a game; None without such games."""

    mean: float | None
    won: float | None  # in games that it won
    lost: float | None


@dataclass(frozen=True)
class AgentResult:
    """The result of one agent; an agent that holds several seats has the sum of their shares.

    A win is a game in which only this agent has the greatest share, a draw one with a tie for it.
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
    simulations_per_move: float  # of the same games; 0 if it does not search
    seats: tuple[SeatResult, ...]
    habits: Mapping[str, Habit]
    """The habits that the game counts (`habits`), by name."""
    faults: Mapping[str, int]
    """Games that it lost by failing, by kind (errors.FAULTS), without zeros."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match."""

    game: str
    options: Mapping[str, OptionValue]
    games: int  # played to the end
    seed: int
    agents: tuple[AgentResult, ...]
    records: tuple[GameRecord, ...]  # in the order of their numbers
    lineups: tuple[tuple[int, ...], ...]  # of each game: the agent in each seat
    uneven: int  # games beyond an equal number for each agent in each seat
    interrupted: bool  # Ctrl-C came before all games were played
    sprt: SequentialTest | None = None  # its state after these games
    faults: tuple[str, ...] = ()  # the first message of each agent and kind of fault

    @property
    def different(self) -> int:
        """The number of different games, by their moves.

        Without chance and randomness, the same line-up repeats the same game.
        """
        return len({(record.seats, record.actions) for record in self.records})

    @property
    def p_value(self) -> float | None:
        """The two-sided p-value of the sign test for two agents; else None."""
        if len(self.agents) != 2:
            return None
        return sign_test(self.agents[0].wins, self.agents[1].wins)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON, with `sprt` if there was a sequential test."""
        tested = {} if self.sprt is None else {"sprt": self.sprt.to_json()}
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
                    **({"faults": dict(agent.faults)} if agent.faults else {}),
                    **_habits_json(agent),
                }
                for agent in self.agents
            ],
            **tested,
        }


def _habits_json(agent: AgentResult) -> dict[str, Any]:
    """Return the field of an agent's habits; empty in games without habits."""
    if not agent.habits:
        return {}
    return {"habits": {name: habit._asdict() for name, habit in agent.habits.items()}}


def count_match(
    game: Game,
    specs: Sequence[str],
    seed: int,
    outcomes: Sequence[Outcome],
    *,
    interrupted: bool,
    sprt: SequentialTest | None = None,
) -> MatchResult:
    """Return the result of a match from its games, in any order."""
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
        sprt=sprt,
        faults=tuple(first_faults(outcomes).values()),
    )


def _count_agent(agent: int, spec: str, outcomes: Sequence[Outcome]) -> AgentResult:
    seats = [_Tally() for _ in (outcomes[0].lineup if outcomes else ())]
    total = _Tally()
    habits = _Habits()
    for outcome in outcomes:
        shares = [0.0] * (max(outcome.lineup) + 1)
        for holder, share in zip(outcome.lineup, outcome.shares, strict=True):
            shares[holder] += share
        wins = total.wins
        total.add(agent, shares)
        for seat in (seat for seat, holder in enumerate(outcome.lineup) if holder == agent):
            seats[seat].add(agent, shares)
            habits.add(outcome.habits, seat, won=total.wins > wins)
    costs = costs_of(agent, outcomes)
    return AgentResult(
        spec=spec,
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        losses=total.games - total.wins - total.draws,
        share=total.share,
        interval=wilson_interval(total.points, total.games),
        ms_per_move=costs.ms_per_move,
        simulations_per_move=costs.simulations_per_move,
        seats=tuple(SeatResult(s.games, s.wins, s.draws, s.share) for s in seats),
        habits=habits.result(),
        faults=costs.faults,
    )


class _Habits:
    """Sums of an agent's habits over games."""

    def __init__(self) -> None:
        self._found: defaultdict[str, tuple[list[float], list[float]]]
        self._found = defaultdict(lambda: ([], []))

    def add(self, habits: Mapping[str, Sequence[float]], seat: int, *, won: bool) -> None:
        """Add the habits of a seat in one game."""
        for name, numbers in habits.items():
            self._found[name][0 if won else 1].append(numbers[seat])

    def result(self) -> dict[str, Habit]:
        """Return the means over games."""
        return {
            name: Habit(_mean(won + lost), _mean(won), _mean(lost))
            for name, (won, lost) in self._found.items()
        }


def _mean(numbers: Sequence[float]) -> float | None:
    return fmean(numbers) if numbers else None


class _Tally:
    """Counts of wins, draws and shares."""

    def __init__(self) -> None:
        self.games = self.wins = self.draws = 0
        self.points = 0.0

    def add(self, agent: int, shares: Sequence[float]) -> None:
        """Count a game with these shares of the agents."""
        mine = shares[agent]
        others = max(share for i, share in enumerate(shares) if i != agent)
        self.games += 1
        self.points += mine
        self.wins += mine > others + SHARE_TOLERANCE
        self.draws += abs(mine - others) <= SHARE_TOLERANCE

    @property
    def share(self) -> float:
        return self.points / self.games if self.games else 0.0
