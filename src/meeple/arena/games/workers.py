"""A worker of the arena: plays games with its own agents."""

import contextlib
from collections.abc import Callable, Sequence

from meeple.agents.agent import Agent
from meeple.agents.spec import agent as make_agent
from meeple.arena.games.conditions import Conditions, specs_of
from meeple.arena.games.forfeit import fault_of, notes_of
from meeple.arena.games.outcome import Outcome
from meeple.arena.games.play import Played, play_game
from meeple.arena.plan.schedule import Fixture
from meeple.errors import EngineError, MeepleError
from meeple.executors.executor import Stop
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import record_of
from meeple.kernels import CHANCE

Take = Callable[[Outcome], bool]  # returns whether to stop playing


class Worker:
    """Plays games with its own agents, one for each seat that an agent may hold in one game.

    An agent given by spec is built on first use, and again after a failure.
    """

    def __init__(self, conditions: Conditions, agents: Sequence[str | Agent]) -> None:
        self._conditions = conditions
        self._given = agents
        self._made: list[list[Agent]] = [[] for _ in agents]
        self._warm: set[int] = set()  # agents that have played here

    def prepare(self) -> None:
        """Build one of each agent now, so that errors of specs are raised."""
        for agent in range(len(self._given)):
            self._copy(agent, 0)

    def warm_up(self, agents: Sequence[int]) -> None:
        """Let each of these agents choose once, so that its kernels and networks are loaded.

        This does not affect games: an agent starts each game from the game's seeds.
        """
        position = self._conditions.game.start(0)
        while not position.is_over and position.to_move == CHANCE:
            position.play_chance()
        for agent in agents if not position.is_over else ():
            made = self._copy(agent, 0)
            made.begin(0)
            made.choose(position)
            self._warm.add(agent)

    def play(self, fixture: Fixture, stopped: Stop = lambda: False) -> Outcome:
        """Play a game to its end; raise Stopped if `stopped` returns true between two moves."""
        conditions = self._conditions
        specs = specs_of(self._given)
        names = tuple(specs[agent] for agent in fixture.lineup)

        def show(position: Position) -> None:
            if conditions.on_position:
                conditions.on_position(fixture.number, names, position)

        seats: list[Agent] = []
        try:
            for seat, agent in enumerate(fixture.lineup):
                seats.append(self._copy(agent, fixture.lineup[:seat].count(agent)))
        except EngineError as error:
            if not conditions.rule.forgives(error):
                raise
            played = _not_begun(conditions.game, fixture, error, len(seats))
        else:
            played = play_game(
                conditions.game,
                seats,
                fixture.seeds,
                opening=fixture.opening,
                on_position=show,
                stopped=stopped,
                rule=conditions.rule,
            )
        warm = self._warm.issuperset(fixture.lineup)
        self._warm.update(fixture.lineup)
        if played.fault is not None:
            self._drop(fixture.lineup[played.fault.seat])
        return _outcome(fixture, played, names, warm)

    def close(self) -> None:
        """Close the agents that were built here."""
        for agent in range(len(self._given)):
            self._drop(agent)

    def _copy(self, agent: int, index: int) -> Agent:
        given = self._given[agent]
        if not isinstance(given, str):
            return given
        made = self._made[agent]
        while len(made) <= index:
            made.append(make_agent(given, self._conditions.game))
        return made[index]

    def _drop(self, agent: int) -> None:
        made, self._made[agent] = self._made[agent], []
        for copy in made:
            close = getattr(copy, "close", None)
            if callable(close):
                with contextlib.suppress(MeepleError):  # it is gone either way
                    close()


def _not_begun(game: Game, fixture: Fixture, error: EngineError, seat: int) -> Played:
    """Return a game that an agent lost because it did not start."""
    opening = fixture.opening
    position = game.start(fixture.seeds[0]) if opening is None else opening.position(game)
    none = (0,) * len(fixture.lineup)
    return Played(position, none, (0.0,) * len(none), none, {}, fault_of(error, seat))


def _outcome(fixture: Fixture, played: Played, names: tuple[str, ...], warm: bool) -> Outcome:
    given = len(fixture.opening.actions) if fixture.opening else 0
    notes = None if played.fault is None else notes_of(played.fault)
    return Outcome(
        number=fixture.number,
        lineup=fixture.lineup,
        record=record_of(played.position, names, given, notes),
        choices=played.choices,
        seconds=played.seconds,
        simulations=played.simulations,
        habits={name: [float(x) for x in counts] for name, counts in played.habits.items()},
        fault=played.fault,
        warm=warm,
    )
