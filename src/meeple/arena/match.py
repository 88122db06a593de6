"""A match: games between the same agents in rotated seats."""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from meeple.agents.agent import Agent
from meeple.arena.figures.match_result import MatchResult, count_match
from meeple.arena.figures.sprt import Hypotheses, SequentialTest
from meeple.arena.games.digests import digest
from meeple.arena.games.forfeit import FaultRule
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.runner import Counter, Runner
from meeple.arena.games.store import Store, Terms
from meeple.arena.games.workers import OnPosition
from meeple.arena.plan.openings import Opening, opening_terms
from meeple.arena.plan.schedule import Fixture, round_length, schedule
from meeple.errors import UsageError
from meeple.executors.place import Place, place_of
from meeple.games.contract.game import Game
from meeple.games.contract.records import GameRecord

GAMES = 200  # default number of games
MAX_SPRT_GAMES = 40_000  # default maximum of a sequential test


def match(
    game: Game,
    agents: Sequence[str | Agent],
    games: int = GAMES,
    seed: int = 7,
    *,
    openings: bool | Sequence[Opening] = False,
    sprt: Hypotheses | None = None,
    rule: FaultRule | None = None,
    run: str | Path | None = None,
    workers: int | None = None,
    on: Place | str | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_game: Callable[[int, GameRecord], None] | None = None,
    on_position: OnPosition | None = None,
    on_round: Callable[[SequentialTest], None] | None = None,
) -> MatchResult:
    """Play `games` games between agents, in rotated seats.

    Every game draws its seeds from `seed` and its own number alone, so the result is the same for
    any number of workers, provided the agents do not stop by the clock.

    Args:
        agents: two or more, at most one a seat: specs, or agents (each worker needs agents of its
            own, so with ready-made ones there is one worker). With fewer agents than seats, they
            share the seats as evenly as possible.
        openings: whether each round of line-ups begins with different first moves, so that
            deterministic agents play different games, or the openings to use; see
            `meeple.arena.plan.openings`.
        sprt: stop when the sequential test decides, at the latest after `games` games; for two
            agents. Games after the deciding one are not counted.
        rule: the consequence of a failing agent.
        run: a folder in which the games are stored. The same match resumes from these games, also
            with a larger `games`.
        workers: threads that play; by default one a core, or one if an agent stops by the clock
            or is human, so that games do not compete for time.
        on: "ray", "ray://HOST:PORT" or a `Place`: a Ray cluster that plays instead of this
            process; by default with a worker for each of its processors.
        progress: called with the number of finished games and the number of all games.
        on_game: called in this thread with the number, from 0, and the record of a finished game.
        on_position: called with the number, the specs by seat and the position, from the opening
            on. It implies one worker and games in order.
        on_round: called with the state of the sequential test after each round of line-ups.

    Ctrl-C ends the match with the games played so far.

    Raises:
        UsageError, SpecError: An argument is wrong.
        RunError: The folder cannot be used, or holds another match.
        CheckpointError: A network cannot be loaded.
    """
    _check(game, agents, games, sprt)
    rule = rule or FaultRule()
    counter = Counter(games, progress, on_game and (lambda one: on_game(one.number, one.record)))
    test = None
    if sprt is not None:
        test = _OrderedTest(sprt, round_length(len(agents), game.players), on_round)

    def take(outcome: Outcome) -> bool:
        counter.take(outcome)
        return test is not None and test.take(outcome)

    with contextlib.ExitStack() as stack:
        store = None
        if run is not None:
            terms = _terms(game, agents, seed, openings, rule)
            store = stack.enter_context(Store(run, terms))
        runner = Runner(
            game,
            agents,
            workers=workers,
            rule=rule,
            store=store,
            on_position=on_position,
            on=place_of(on),
        )
        stack.enter_context(runner)
        fixtures: Iterable[Fixture] = schedule(
            game, range(len(agents)), games, seed, opened=openings
        )
        whole = runner.play(fixtures, take)
        specs = runner.specs
    counted = counter.in_order
    if test is not None and test.decided:
        counted = [outcome for outcome in counted if outcome.number < test.counted]
    return count_match(
        game, specs, seed, counted, interrupted=not whole, sprt=test.test if test else None
    )


class _OrderedTest:
    """Passes games to a sequential test in the order of their numbers.

    So the decision does not depend on the number of workers.
    """

    def __init__(
        self,
        hypotheses: Hypotheses,
        length: int,
        on_round: Callable[[SequentialTest], None] | None,
    ) -> None:
        self.test = SequentialTest(hypotheses)
        self.counted = 0  # games, in whole rounds
        self._length, self._on_round = length, on_round
        self._waiting: dict[int, float] = {}  # the first agent's share, by number

    @property
    def decided(self) -> bool:
        return self.test.accepted is not None

    def take(self, outcome: Outcome) -> bool:
        """Count a game; return whether the test has decided."""
        self._waiting[outcome.number] = outcome.share_of(0)
        while not self.decided:
            numbers = range(self.counted, self.counted + self._length)
            if not all(number in self._waiting for number in numbers):
                break
            self.test.add([self._waiting.pop(number) for number in numbers])
            self.counted += self._length
            if self._on_round:
                self._on_round(self.test)
        return self.decided


def _terms(
    game: Game,
    agents: Sequence[str | Agent],
    seed: int,
    openings: bool | Sequence[Opening],
    rule: FaultRule,
) -> Terms:
    """Return the settings that the games of a match depend on."""
    return {
        "kind": "match",
        "game": game.name,
        "options": dict(game.options),
        "agents": [agent if isinstance(agent, str) else agent.spec for agent in agents],
        "files of agents": [digest(agent) if isinstance(agent, str) else "" for agent in agents],
        "seed": seed,
        "openings": opening_terms(openings),
        "on_fault": rule.on_fault,
        "move_seconds": rule.move_seconds,
    }


def _check(game: Game, agents: Sequence[str | Agent], games: int, sprt: Hypotheses | None) -> None:
    if not 2 <= len(agents) <= game.players:
        most = "2" if game.players == 2 else f"2 to {game.players}"
        raise UsageError(
            f"a match of {game.name} takes {most} agents, not {len(agents)}"
            + ("; more of them meet in a tournament" if len(agents) > game.players else "")
        )
    if games < 1:
        raise UsageError(f"games must be at least 1, not {games}")
    if sprt is not None and len(agents) != 2:
        raise UsageError(
            f"a sequential test compares 2 agents, not {len(agents)}; 2 of them share the "
            f"{game.players} seats of {game.name}"
        )
    ready_made = [agent for agent in agents if not isinstance(agent, str)]
    if ready_made and len(agents) < game.players:
        raise UsageError("ready-made agents need one for each seat; give specs instead")
    if len({id(agent) for agent in ready_made}) < len(ready_made):
        raise UsageError("one agent cannot sit in two seats; make one for each")
