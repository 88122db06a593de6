"""A match: games between the same agents in rotated seats."""

from collections.abc import Callable, Sequence
from typing import Any

from meeple.agents.agent import Agent
from meeple.agents.own import Chooser, as_agent
from meeple.arena.figures.counted import counted
from meeple.arena.figures.match_result import MatchResult, count_match
from meeple.arena.figures.sprt import Hypotheses, SequentialTest
from meeple.arena.games.conditions import Conditions
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.runner import GameCollector, Runner
from meeple.arena.plan.schedule import round_length, schedule
from meeple.errors import UsageError
from meeple.games.contract.game import Game
from meeple.options import whole_number

GAMES = 200  # default number of games
MAX_SPRT_GAMES = 40_000  # default maximum of a sequential test

OnRound = Callable[[SequentialTest], None]
"""Called with the state of the sequential test after each round of line-ups."""


def match(
    game: Game,
    agents: Sequence[str | Agent | Chooser],
    games: int = GAMES,
    seed: int = 7,
    *,
    sprt: Hypotheses | None = None,
    on_round: OnRound | None = None,
    **conditions: Any,
) -> MatchResult:
    """Play `games` games between agents, in rotated seats.

    Ctrl-C ends the match with the games played so far.

    Args:
        game: the game.
        agents: two or more, at most one a seat: specs, agents, or any objects with a method
            `choose(position)` that returns an action or its name. Each worker needs agents of its
            own, so with ready-made ones there is one worker. With fewer agents than seats, they
            share the seats as evenly as possible.
        games: number of games; a stored match resumes also with a larger one.
        seed: of all games.
        sprt: stop when the sequential test decides, at the latest after `games` games; for two
            agents. Games after the deciding one are not counted.
        on_round: called with the state of the sequential test after each round of line-ups.
        conditions: the other fields of `meeple.arena.games.conditions.Conditions`: `openings`,
            `rule`, `run`, `workers`, `on`, `progress`, `on_game`, `on_position`.

    Raises:
        UsageError, SpecError: An argument is wrong.
        RunError: The folder cannot be used, or holds another match.
        CheckpointError: A network cannot be loaded.
    """
    return play_match(
        Conditions(game, seed, **conditions), agents, games, sprt=sprt, on_round=on_round
    )


def play_match(
    conditions: Conditions,
    agents: Sequence[str | Agent | Chooser],
    games: int = GAMES,
    *,
    sprt: Hypotheses | None = None,
    on_round: OnRound | None = None,
) -> MatchResult:
    """Play a match under conditions; arguments and errors are those of `match`."""
    game, games = conditions.game, whole_number(games, "games", 1)
    _check(game, agents, sprt)
    ready = [agent if isinstance(agent, str) else as_agent(agent) for agent in agents]
    collector = GameCollector(conditions, games)
    test = None
    if sprt is not None:
        test = _OrderedTest(sprt, round_length(len(agents), game), on_round)

    def take(outcome: Outcome) -> bool:
        collector.take(outcome)
        return test is not None and test.take(outcome)

    fixtures = schedule(
        game, range(len(agents)), games, conditions.seed, opened=conditions.openings
    )
    with Runner(conditions, ready, "match") as runner:
        whole = runner.play(fixtures, take)
    counted = collector.in_order
    if test is not None and test.decided:
        counted = [outcome for outcome in counted if outcome.number < test.counted]
    return count_match(
        game,
        runner.specs,
        conditions.seed,
        counted,
        interrupted=not whole,
        sprt=test.test if test else None,
    )


class _OrderedTest:
    """Passes games to a sequential test in the order of their numbers.

    So the decision does not depend on the number of workers.
    """

    def __init__(self, hypotheses: Hypotheses, length: int, on_round: OnRound | None) -> None:
        self.test = SequentialTest(hypotheses)
        self.counted = 0  # games, in whole rounds
        self._length, self._on_round = length, on_round
        self._waiting: dict[int, Outcome] = {}  # by number

    @property
    def decided(self) -> bool:
        return self.test.accepted is not None

    def take(self, outcome: Outcome) -> bool:
        """Count a game; return whether the test has decided."""
        self._waiting[outcome.number] = outcome
        while not self.decided:
            numbers = range(self.counted, self.counted + self._length)
            if not all(number in self._waiting for number in numbers):
                break
            results = counted(self._waiting.pop(number) for number in numbers)
            self.test.add([result.of_agents[0] for result in results])
            self.counted += self._length
            if self._on_round:
                self._on_round(self.test)
        return self.decided


def _check(game: Game, agents: Sequence[str | Agent | Chooser], sprt: Hypotheses | None) -> None:
    sides = len(game.sides)
    if not 2 <= len(agents) <= sides:
        most = "2" if sides == 2 else f"2 to {sides}"
        raise UsageError(
            f"a match of {game.name} takes {most} agents, not {len(agents)}"
            + ("; `meeple tournament` takes more" if len(agents) > sides else "")
        )
    if sprt is not None and len(agents) != 2:
        raise UsageError(
            f"a sequential test compares 2 agents, not {len(agents)}; 2 of them share the "
            f"{sides} seats of {game.name}"
        )
    ready_made = [agent for agent in agents if not isinstance(agent, str)]
    if ready_made and len(agents) < game.players:
        raise UsageError("ready-made agents need one for each seat; give specs instead")
    if len({id(agent) for agent in ready_made}) < len(ready_made):
        raise UsageError("one agent cannot sit in two seats; make one for each")
