"""Games played one after the other, or side by side in threads: kernels let go of the GIL."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from meeple.agents.agent import Agent
from meeple.agents.spec import agent as make_agent
from meeple.arena.forfeit import FaultRule, fault_of, notes_of
from meeple.arena.outcome import Outcome
from meeple.arena.play import Played, play_game
from meeple.arena.schedule import Fixture
from meeple.errors import EngineError, MeepleError, Stopped
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import record_of

OnPosition = Callable[[int, tuple[str, ...], Position], None]
Take = Callable[[Outcome], bool]  # returns whether that was enough, and no more need be played
Stop = Callable[[], bool]
Play = Callable[["Worker", Fixture, Stop], Outcome]
_Done = queue.SimpleQueue[Outcome | BaseException | None]  # None: a thread has ended


class Worker:
    """One who plays games with agents of its own, of each as many as it may need in one game.

    An agent by spec is made when it is needed first, and again after it has failed.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[str | Agent],
        rule: FaultRule,
        on_position: OnPosition | None = None,
    ) -> None:
        self._game, self._rule, self._on_position = game, rule, on_position
        self._given = agents
        self._made: list[list[Agent]] = [[] for _ in agents]
        self._warm: set[int] = set()  # agents that have played here

    def prepare(self) -> None:
        """Make one of each agent now, so that what is wrong with a spec is said."""
        for agent in range(len(self._given)):
            self._copy(agent, 0)

    @property
    def specs(self) -> list[str]:
        """The agents by name."""
        return [agent if isinstance(agent, str) else agent.spec for agent in self._given]

    def play(self, fixture: Fixture, stopped: Stop = lambda: False) -> Outcome:
        """Play a game to its end. Raises Stopped where `stopped` says so between two moves."""
        names = tuple(self.specs[agent] for agent in fixture.lineup)

        def show(position: Position) -> None:
            if self._on_position:
                self._on_position(fixture.number, names, position)

        seats: list[Agent] = []
        try:
            for seat, agent in enumerate(fixture.lineup):
                seats.append(self._copy(agent, fixture.lineup[:seat].count(agent)))
        except EngineError as error:
            if not self._rule.forgives(error):
                raise
            played = _not_begun(self._game, fixture, error, len(seats))
        else:
            played = play_game(
                self._game,
                seats,
                fixture.seeds,
                opening=fixture.opening,
                on_position=show,
                stopped=stopped,
                rule=self._rule,
            )
        warm = self._warm.issuperset(fixture.lineup)
        self._warm.update(fixture.lineup)
        if played.fault is not None:
            self._drop(fixture.lineup[played.fault.seat])
        return _outcome(fixture, played, names, warm)

    def close(self) -> None:
        """Let go of all agents that were made here."""
        for agent in range(len(self._given)):
            self._drop(agent)

    def _copy(self, agent: int, index: int) -> Agent:
        given = self._given[agent]
        if not isinstance(given, str):
            return given
        made = self._made[agent]
        while len(made) <= index:
            made.append(make_agent(given, self._game))
        return made[index]

    def _drop(self, agent: int) -> None:
        made, self._made[agent] = self._made[agent], []
        for copy in made:
            close = getattr(copy, "close", None)
            if callable(close):
                with contextlib.suppress(MeepleError):  # it is gone either way
                    close()


def _not_begun(game: Game, fixture: Fixture, error: EngineError, seat: int) -> Played:
    """A game that was lost as an agent did not start."""
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


def play_all(
    fixtures: Iterable[Fixture], workers: Sequence[Worker], play: Play, take: Take
) -> bool:
    """Play games, and have `take` called with each as it ends, in this thread, until one is enough.

    One worker plays in this thread, several in threads of their own. `play` has a worker play a
    fixture. Where several play, `take` is also told of games that were near their end when it had
    enough. Returns whether all were played, or enough, which Ctrl-C prevents.
    """
    if len(workers) > 1:
        return _play_in_threads(fixtures, workers, play, take)
    try:
        for fixture in fixtures:
            if take(play(workers[0], fixture, lambda: False)):
                break
    except KeyboardInterrupt:
        return False
    return True


class _Waiting:
    """Fixtures that threads take one by one."""

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        self._fixtures = iter(fixtures)
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Fixture]:
        return self

    def __next__(self) -> Fixture:
        with self._lock:
            return next(self._fixtures)


def _play_in_threads(
    fixtures: Iterable[Fixture], workers: Sequence[Worker], play: Play, take: Take
) -> bool:
    waiting = _Waiting(fixtures)
    done: _Done = queue.SimpleQueue()
    stop = threading.Event()
    # Daemons: a second Ctrl-C ends the process without waiting for the moves being thought of.
    for worker in workers:
        arguments = (worker, waiting, play, done, stop)
        threading.Thread(target=_work, args=arguments, daemon=True).start()
    return _collect(done, len(workers), stop, take)


def _work(
    worker: Worker, waiting: _Waiting, play: Play, done: _Done, stop: threading.Event
) -> None:
    """Play what waits until nothing does, or `stop` is set."""
    try:
        while not stop.is_set():
            fixture = next(waiting, None)
            if fixture is None:
                break
            done.put(play(worker, fixture, stop.is_set))
    except BaseException as error:  # handed to the thread that waits, which raises it
        if not (stop.is_set() and isinstance(error, Stopped)):
            done.put(error)
    done.put(None)


def _collect(done: _Done, working: int, stop: threading.Event, take: Take) -> bool:
    """Take what so many threads have done until all have ended; False after Ctrl-C."""
    interrupted = False
    failure: BaseException | None = None
    while working:
        try:
            item = done.get()
            if item is None:
                working -= 1
            elif isinstance(item, BaseException):
                failure = failure or item
                stop.set()
            elif take(item):
                stop.set()
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            stop.set()
        except BaseException:  # of a caller's hook: the workers must not go on unseen
            stop.set()
            raise
    if failure:
        raise failure
    return not interrupted
