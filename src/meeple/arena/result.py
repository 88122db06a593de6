"""The result of a match: what each agent won, from which seats, and what that proves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    seats: tuple[SeatResult, ...]


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
                }
                for agent in self.agents
            ],
        }


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
    choices, seconds = 0, 0.0
    any_warm = any(outcome.warm for outcome in outcomes)
    for outcome in outcomes:
        lineup, payoffs = outcome.lineup, outcome.record.payoffs or ()
        shares = [0.0] * (max(lineup) + 1)
        for seat, holder in enumerate(lineup):
            shares[holder] += payoffs[seat]
        total.add(agent, shares)
        for seat in (seat for seat, holder in enumerate(lineup) if holder == agent):
            seats[seat].add(agent, shares)
            if outcome.warm or not any_warm:
                choices += outcome.played.choices[seat]
                seconds += outcome.played.seconds[seat]
    return AgentResult(
        spec=spec,
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        losses=total.games - total.wins - total.draws,
        share=total.share,
        interval=wilson_interval(total.points, total.games),
        ms_per_move=1000 * seconds / choices if choices else 0.0,
        seats=tuple(SeatResult(s.games, s.wins, s.draws, s.share) for s in seats),
    )


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
