"""The games of a match played one after the other, or side by side in threads."""

import queue
import threading
from collections.abc import Callable, Sequence

from meeple.agents.agent import Agent
from meeple.agents.spec import agent as make_agent
from meeple.arena.play import play_game
from meeple.arena.result import Outcome
from meeple.arena.schedule import Fixture
from meeple.errors import Stopped
from meeple.games.contract.game import Game, Position
from meeple.games.contract.records import record_of

OnPosition = Callable[[int, tuple[str, ...], Position], None]
Take = Callable[[Outcome], None]
_Done = queue.SimpleQueue[Outcome | BaseException | None]  # None: a thread has ended


class Worker:
    """One who plays games with agents of its own, of each as many as it may need in one game."""

    def __init__(
        self, game: Game, agents: Sequence[str | Agent], on_position: OnPosition | None = None
    ) -> None:
        seats = -(-game.players // len(agents))  # that an agent may hold in one game
        self._game, self._on_position = game, on_position
        self._agents = [
            [make_agent(agent, game) for _ in range(seats)] if isinstance(agent, str) else [agent]
            for agent in agents
        ]
        self._warm = False

    @property
    def specs(self) -> list[str]:
        """The agents by name."""
        return [copies[0].spec for copies in self._agents]

    def play(self, fixture: Fixture, stopped: Callable[[], bool] = lambda: False) -> Outcome:
        """Play a game to its end. Raises Stopped where `stopped` says so between two moves."""
        free = [list(copies) for copies in self._agents]
        seats = [free[agent].pop(0) for agent in fixture.lineup]
        names = tuple(self.specs[agent] for agent in fixture.lineup)

        def show(position: Position) -> None:
            if self._on_position:
                self._on_position(fixture.number, names, position)

        played = play_game(
            self._game,
            seats,
            fixture.seeds,
            opening=fixture.opening,
            on_position=show,
            stopped=stopped,
        )
        was_warm, self._warm = self._warm, True
        given = len(fixture.opening.actions) if fixture.opening else 0
        record = record_of(played.position, names, given)
        return Outcome(fixture.number, fixture.lineup, played, record, was_warm)


def play_all(fixtures: Sequence[Fixture], workers: Sequence[Worker], take: Take) -> bool:
    """Play all games and have `take` called with each as it ends, in this thread.

    One worker plays in this thread, several in threads of their own. Returns whether all were
    played, which Ctrl-C prevents.
    """
    if len(workers) > 1:
        return _play_in_threads(fixtures, workers, take)
    try:
        for fixture in fixtures:
            take(workers[0].play(fixture))
    except KeyboardInterrupt:
        return False
    return True


def _play_in_threads(fixtures: Sequence[Fixture], workers: Sequence[Worker], take: Take) -> bool:
    waiting: queue.SimpleQueue[Fixture] = queue.SimpleQueue()
    for fixture in fixtures:
        waiting.put(fixture)
    done: _Done = queue.SimpleQueue()
    stop = threading.Event()
    # Daemons: a second Ctrl-C ends the process without waiting for the moves being thought of.
    for worker in workers:
        arguments = (worker, waiting, done, stop)
        threading.Thread(target=_work, args=arguments, daemon=True).start()
    return _collect(done, len(workers), stop, take)


def _work(
    worker: Worker, waiting: queue.SimpleQueue[Fixture], done: _Done, stop: threading.Event
) -> None:
    """Play what waits until nothing does, or `stop` is set."""
    try:
        while not stop.is_set():
            done.put(worker.play(waiting.get_nowait(), stop.is_set))
    except queue.Empty:
        pass
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
            else:
                take(item)
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
