"""A worker process: it remembers the games it thinks about, and answers one order after another.

Orders and answers are JSON, one message each. The process ends when its parent is gone.
"""

import contextlib
import itertools
import json
import os
import signal
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import psutil

from meeple.agents.agent import Agent, Analysis
from meeple.agents.minimax import MinimaxAgent
from meeple.agents.search_agent import SearchAgent
from meeple.agents.spec import agent, network_in, public
from meeple.errors import EngineError, MeepleError, UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.registry import load_file, make_from
from meeple.kernels import cache as kernel_cache
from meeple.server.thinking.thought import Totals, thought_of

SESSIONS = 32  # games that a worker remembers
MOST_BYTES = 800_000_000  # of memory in use: above it, the games not thought of for longest go
MOST_OF_ONE = 400_000_000  # bytes of one game's thoughts: a search ends there with what it has
LEAST_OF_ONE = MOST_OF_ONE // 10  # bytes that each thought may take in any case
FIRST_TO_END = "500"  # of 1000: how gladly Linux ends this process where there is no memory left
NICE = 5  # lets the server's own process go first
SATISFIED = 0.8  # of the time it was given: a search that ends sooner has nothing more to find
_GLANCE = 0.2  # seconds between two looks at whether something is compiled

_OURSELVES = psutil.Process()

THINKING, PREPARING = "thinking", "preparing"


def work(
    connection: Connection, flags: Sequence[int], index: int, game_files: Sequence[str]
) -> None:
    """The whole life of a process. `flags[index]` is the number of an order that is to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when this ends
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(OSError):  # where memory runs out, this ends and not the server
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END)
    orders: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, orders), daemon=True).start()
    for file in game_files:
        load_file(file)
    worker = Worker(connection, lambda number: flags[index] == number)
    while True:
        worker.answer(json.loads(orders.get()))


def _listen(connection: Connection, orders: "SimpleQueue[bytes]") -> None:
    """Take orders, also while one is worked on; end the process with its parent."""
    try:
        while True:
            orders.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


class Limit:
    """When a thought is to end: where somebody says so, or it has taken as much as it may."""

    def __init__(self, is_stopped: Callable[[], bool], bytes: int) -> None:
        """`bytes`: what it may take in addition to what is in use."""
        self._is_stopped = is_stopped
        self._most = _bytes_in_use() + bytes
        self.memory_full = False

    def __call__(self) -> bool:
        self.memory_full = self.memory_full or _bytes_in_use() > self._most
        return self.memory_full or self._is_stopped()


class Session:
    """One agent in one game."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.terms = _terms(order)
        game = make_from(order["game"], order["options"])
        self.position: Position = game.start(order["seed"])
        self.agent: Agent = agent(order["spec"], game, order["agent_seed"])
        self.totals = Totals()
        self.bytes = 0  # that its thoughts have taken
        self._seed = order["agent_seed"]
        self.agent.begin(self._seed)

    def go_to(self, actions: Sequence[int]) -> None:
        """Play what was played since; where moves were taken back, the agent begins anew."""
        known = self.position.actions
        pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(known, actions))
        shared = len(list(pairs))
        if shared == len(known) == len(actions):
            return
        self.totals = Totals()
        if shared < len(known):
            self.agent.begin(self._seed)
        for _ in known[shared:]:
            self.position.undo()
        for action in actions[shared:]:
            self.position.play(action)

    def choose(self, stop: Callable[[], bool]) -> dict[str, Any]:
        """The agent's action, and what it found."""
        action, found = self.agent.choose(self.position, stop), self.agent.analysis
        thought = None if found is None else self._thought(found)
        return {"action": int(action), "thought": thought}

    def analyse(self, seconds: float, whole: float, stop: Callable[[], bool]) -> dict[str, Any]:
        """What a search found in so many seconds more, or another agent in the whole of the time.

        `more`: whether it makes sense to ask again.
        """
        if isinstance(self.agent, MinimaxAgent) and self.agent.resumes:
            return self._look_ahead(self.agent, seconds, stop)
        if not isinstance(self.agent, SearchAgent):
            deadline = time.monotonic() + whole
            self.agent.choose(self.position, lambda: stop() or time.monotonic() >= deadline)
            found = self.agent.analysis
            return {"thought": None if found is None else self._thought(found), "more": False}
        limits = self.agent.simulations, self.agent.seconds  # of its spec, which are for a move
        self.agent.simulations, self.agent.seconds = None, seconds
        try:
            self.agent.choose(self.position, stop)
        finally:
            self.agent.simulations, self.agent.seconds = limits
        found = self.agent.analysis
        assert found is not None
        more = found.seconds >= SATISFIED * seconds
        total = self.totals.add(found, self.agent.begins_anew)
        return {"thought": self._thought(total), "more": more}

    def _look_ahead(
        self, agent: MinimaxAgent, seconds: float, stop: Callable[[], bool]
    ) -> dict[str, Any]:
        """A slice of minimax: by its table it comes back fast to where the last one ended."""
        limit, agent.seconds = agent.seconds, seconds
        try:
            agent.choose(self.position, stop)
        finally:
            agent.seconds = limit
        found = agent.analysis
        assert found is not None
        more = found.seconds >= SATISFIED * seconds
        return {"thought": self._thought(self.totals.add(found, False)), "more": more}

    def _thought(self, found: Analysis) -> dict[str, Any]:
        return thought_of(_shown(self.agent.spec), self.position, found)


def _terms(order: dict[str, Any]) -> list[Any]:
    """What a session is made for."""
    return [order[name] for name in ("game", "options", "seed", "spec", "agent_seed")]


def _shown(spec: str) -> str:
    """A spec with the name of its network in place of the path."""
    return _without_path(spec, spec)


def _without_path(words: str, spec: str) -> str:
    """Words with the name of a spec's network in place of its path, or of an engine in place of its
    command, which pages need not know.
    """
    words = words.replace(spec, public(spec))
    path = network_in(spec)
    return words if path is None else words.replace(path, Path(path).stem)


class Worker:
    """What a process remembers, and how it answers."""

    def __init__(self, connection: Connection, is_stopped: Callable[[int], bool]) -> None:
        """`is_stopped` tells whether the order of a number is to stop; it is asked often."""
        self._connection = connection
        self._is_stopped = is_stopped
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._sending = threading.Lock()

    def answer(self, order: dict[str, Any]) -> None:
        """Work on an order and send what came of it: the last of its messages has no `state`."""
        key, number = order["key"], order["number"]

        def stop() -> bool:
            return self._is_stopped(number)

        for forgotten in order["forget"]:
            self._sessions.pop(forgotten, None)
        try:
            reply = self._think(order, stop)
        except MeepleError as error:
            self._sessions.pop(key, None)
            reply = {"error": _without_path(str(error), order["spec"]), "stopped": stop()}
            if isinstance(error, EngineError):
                reply["fault"] = error.fault
        except MemoryError:
            os._exit(1)  # what is left of it is of no use
        except Exception as error:  # of an agent or a game, which may be anybody's
            traceback.print_exc()
            self._sessions.pop(key, None)
            what = f"{type(error).__name__}: {error}"
            what = _without_path(f"{order['spec']} failed: {what}", order["spec"])
            reply = {"error": what, "stopped": stop()}
        self._send(reply)
        self._make_room()

    def _think(self, order: dict[str, Any], stop: Callable[[], bool]) -> dict[str, Any]:
        session = self._session(order)
        self._send({"state": THINKING})
        if session.position.to_move < 0:
            raise UsageError("there is nothing to choose here: no player is to move")
        limit = Limit(stop, max(MOST_OF_ONE - session.bytes, LEAST_OF_ONE))
        before = _bytes_in_use()
        if order["seconds"] is None:
            reply = session.choose(limit)
        else:
            reply = session.analyse(order["seconds"], order["whole"], limit)
        session.bytes += max(0, _bytes_in_use() - before)
        if limit.memory_full and reply["thought"] is not None:
            reply["thought"]["memory_full"] = True
            reply["more"] = False
        return reply

    def _session(self, order: dict[str, Any]) -> Session:
        """The session of an order, at its position."""
        key = order["key"]
        session = self._sessions.get(key)
        if session is None or session.terms != _terms(order):
            self._sessions.pop(key, None)  # gone before its successor comes
            with self._announced():
                session = self._sessions[key] = Session(order)
        self._sessions.move_to_end(key)
        session.go_to(order["actions"])
        return session

    @contextlib.contextmanager
    def _announced(self) -> Iterator[None]:
        """Tell the parent where kernels are compiled inside, which may take half a minute."""
        compiled, done = len(kernel_cache.newly_compiled()), threading.Event()

        def look() -> None:
            while not done.wait(_GLANCE):
                if len(kernel_cache.newly_compiled()) > compiled:
                    self._send({"state": PREPARING})
                    return

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _send(self, message: dict[str, Any]) -> None:
        with self._sending:
            self._connection.send_bytes(json.dumps(message, allow_nan=False).encode())

    def _make_room(self) -> None:
        """Forget the sessions that were not used for longest, as far as memory needs it.

        Where one alone takes too much, it goes as well: its next search begins with nothing.
        """
        sessions = self._sessions
        while len(sessions) > SESSIONS or (sessions and _bytes_in_use() > MOST_BYTES):
            sessions.popitem(last=False)


def _bytes_in_use() -> int:
    """The memory of this process."""
    return int(_OURSELVES.memory_info().rss)
