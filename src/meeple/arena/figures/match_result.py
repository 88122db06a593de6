"""The result of a match: shares of the agents by seat, with intervals and tests."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from meeple.arena.figures.columns import cells, heads
from meeple.arena.figures.costs import Costs, costs_of, faults_as_text, first_faults
from meeple.arena.figures.counted import Counted, counted
from meeple.arena.figures.sprt import SequentialTest, decision
from meeple.arena.figures.statistics import mean_of, sign_test, wilson_interval
from meeple.arena.games.outcome import Outcome
from meeple.arena.plan.seating import uneven
from meeple.games.contract.game import Game
from meeple.games.contract.game_words import as_word
from meeple.games.contract.records import GameRecord
from meeple.games.contract.result import SHARE_TOLERANCE
from meeple.options import OptionValue
from meeple.tables import data_frame, html_table

_FRAME = "spec games wins draws losses share low high ms_per_move simulations_per_move"
"""The columns of a data frame of a match."""


@dataclass
class SeatResult:
    """The result of an agent from one seat, or from all."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    points: float = 0.0  # sum of the shares of the win

    @property
    def share(self) -> float:
        """Mean share of the win in these games; 0 if there are none."""
        return self.points / self.games if self.games else 0.0

    def add(self, agent: int, shares: Mapping[int, float]) -> None:
        """Count a game, or a deal, with these shares of the agents."""
        mine = shares[agent]
        others = max(share for other, share in shares.items() if other != agent)
        self.games += 1
        self.points += mine
        self.wins += mine > others + SHARE_TOLERANCE
        self.draws += abs(mine - others) <= SHARE_TOLERANCE


class Habit(NamedTuple):
    """The mean number of occurrences in a game; None without such games."""

    mean: float | None
    won: float | None  # in games that it won
    lost: float | None


@dataclass(frozen=True)
class AgentResult(Costs):
    """The result of one agent; an agent that holds several seats has the sum of their shares.

    A win is a game in which only this agent has the greatest share, a draw one with a tie for it.
    In a game for one side all figures are of deals that two agents played, and there are no seats.
    """

    spec: str
    games: int  # or deals
    wins: int
    draws: int
    losses: int
    share: float  # mean share of the win
    interval: tuple[float, float]  # Wilson, 95 %, of the share
    seats: tuple[SeatResult, ...]
    habits: Mapping[str, Habit]
    """The habits that the game counts (`habits`), by name."""
    points: float | None = None  # mean of its sides, in a game of points
    points_interval: tuple[float, float] | None = None  # 95 %, of this mean

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON, with `faults` and `habits` if there are any."""
        names = ("spec", "games", "wins", "draws", "share")
        points = {name: getattr(self, name) for name in ("points", "points_interval")}
        habits = {name: habit._asdict() for name, habit in self.habits.items()}
        return {
            **{name: getattr(self, name) for name in names},
            "interval": list(self.interval),
            **{name: value for name, value in points.items() if value is not None},
            **super().to_json(),
            **({"habits": habits} if habits else {}),
        }


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The result of a match; its text is the table that `meeple match` prints."""

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

    def __repr__(self) -> str:
        return "\n".join([self._heading, *lines_of(self)])

    def _repr_html_(self) -> str:
        """Return a table of the agents, for notebooks."""
        figures = [vars(agent) | {"share_interval": agent.interval} for agent in self.agents]
        for one in figures:
            del one["interval"]  # here of the share
            for name in ("points", "points_interval"):
                if one[name] is None:
                    del one[name]
        rows = [[one["spec"], *cells(one)] for one in figures]
        return html_table(["agent", *heads(figures[0])], rows, self._heading)

    @property
    def _heading(self) -> str:
        options = "".join(f" {name}={as_word(value)}" for name, value in self.options.items())
        return f"{self.game}{options}, {games_in_words(self)}, seed {self.seed}"

    def to_pandas(self) -> Any:
        """Return a data frame with a row for each agent: spec, counts, share, interval and costs.

        Raises:
            UsageError: pandas is not installed.
        """
        frame = data_frame(
            {**vars(agent), "low": agent.interval[0], "high": agent.interval[1]}
            for agent in self.agents
        )
        return frame[_FRAME.split()]

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
            "agents": [agent.to_json() for agent in self.agents],
            **tested,
        }


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
    results = list(counted(outcomes))
    lineups = [outcome.lineup for outcome in outcomes]
    return MatchResult(
        game=game.name,
        options=game.options,
        games=len(outcomes),
        seed=seed,
        agents=tuple(_count_agent(i, spec, results, outcomes) for i, spec in enumerate(specs)),
        records=tuple(outcome.record for outcome in outcomes),
        lineups=tuple(lineups),
        uneven=uneven(lineups, len(specs)),
        interrupted=interrupted,
        sprt=sprt,
        faults=tuple(first_faults(outcomes).values()),
    )


def _count_agent(
    agent: int, spec: str, results: Sequence[Counted], outcomes: Sequence[Outcome]
) -> AgentResult:
    seated = results and not results[0].is_deal
    seats = [SeatResult() for _ in (outcomes[0].lineup if seated else ())]
    total = SeatResult()
    habits: defaultdict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for result in results:
        shares, wins = result.of_agents, total.wins
        total.add(agent, shares)
        for number in result.numbers:
            outcome = outcomes[number]
            for seat in (seat for seat, holder in enumerate(outcome.lineup) if holder == agent):
                if seats:
                    seats[seat].add(agent, shares)
                for name, counts in outcome.habits.items():
                    if seat < len(counts):  # that of a par has none
                        habits[name][total.wins == wins].append(counts[seat])  # won, and lost
    made = [points for result in results for holder, points in result.points if holder == agent]
    return AgentResult(
        spec=spec,
        games=total.games,
        wins=total.wins,
        draws=total.draws,
        losses=total.games - total.wins - total.draws,
        share=total.share,
        interval=wilson_interval(total.points, total.games),
        seats=tuple(seats),
        habits={
            name: Habit(_mean(won + lost), _mean(won), _mean(lost))
            for name, (won, lost) in habits.items()
        },
        **mean_of("points", made),
        **vars(costs_of(agent, outcomes)),
    )


def _mean(numbers: Sequence[float]) -> float | None:
    return fmean(numbers) if numbers else None


def games_in_words(result: MatchResult) -> str:
    """Return the number of games, and of the deals that they were played on: "8 games, 4 deals"."""
    counted, games = result.agents[0], f"{result.games} games"
    return games if counted.seats or not counted.games else f"{games}, {counted.games} deals"


def lines_of(result: MatchResult) -> list[str]:
    """Return the result of a match as lines: one on each agent, and one on its significance."""
    if not result.games:
        return ["No game was finished."]
    width = max(len(agent.spec) for agent in result.agents)
    lines = [_line(agent, width) for agent in result.agents]
    if result.uneven and not result.agents[0].seats:
        lines.append("A game that has no second on the same deal is not counted.")
    elif result.uneven:
        lines.append(
            f"Seats are uneven: games beyond an equal number in every seat: {result.uneven}."
        )
    if result.different <= result.games // 2:
        lines.append(
            f"Only {result.different} of the games are different, so the intervals are too narrow; "
            "use --openings to make them differ."
        )
    if result.p_value is not None and result.sprt is None:
        lines.append(
            "Between equal agents, a result this uneven has probability "
            f"{result.p_value:.2g} (sign test)."
        )
    if result.sprt is not None:
        lines.append(decision(result.sprt))
    return lines


def habits_as_text(result: MatchResult) -> list[str]:
    """Return a table of each agent's habits, or one line if the game has no habits."""
    if not result.agents[0].habits:
        return [f"{result.game} has no statistics of play."]
    lines = ["Mean a game and seat: all games, games won, games lost"]
    for agent in result.agents:
        lines.append(agent.spec)
        lines += [f"  {name:<34}{_figures(habit)}" for name, habit in agent.habits.items()]
    return lines


def _figures(habit: Habit) -> str:
    return "".join("       -" if number is None else f"{number:8.2f}" for number in habit)


def _line(agent: AgentResult, width: int) -> str:
    low, high = (100 * end for end in agent.interval)
    seats = ", ".join(
        f"{100 * seat.share:.0f} % in seat {number}"
        for number, seat in enumerate(agent.seats, start=1)
        if seat.games
    )
    seats += "; " if seats else ""
    by_time = "seconds=" in agent.spec and agent.simulations_per_move > 0
    made = f", {agent.simulations_per_move:,.0f} simulations/move" if by_time else ""
    points = _points(agent)
    failed = f"; {faults_as_text(agent.faults)}" if agent.faults else ""
    return (
        f"{agent.spec:<{width}}  {100 * agent.share:5.1f} % (95 %: {low:.1f} to {high:.1f})  "
        f"{agent.wins} won, {agent.draws} drawn, {agent.losses} lost; {seats}{points}"
        f"{agent.ms_per_move:.2f} ms/move{made}{failed}"
    )


def _points(agent: AgentResult) -> str:
    if agent.points is None:
        return ""
    ends = agent.points_interval
    between = f" (95 %: {ends[0]:.2f} to {ends[1]:.2f})" if ends else ""
    return f"{agent.points:.2f} points{between}; "
