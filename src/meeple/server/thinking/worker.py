"""A worker process: holds a session for each game, and answers one order after another.

Orders and answers are JSON, one message each. The process ends with its parent.
"""

import contextlib
import itertools
import json
import math
import os
import signal
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import psutil

from meeple.agents.agent import Agent, Analysis
from meeple.agents.engine.listed import list_engines
from meeple.agents.minimax import MinimaxAgent
from meeple.agents.networks import PATHS, Catalogue
from meeple.agents.search_agent import SearchAgent
from meeple.agents.spec import agent, network_in
from meeple.agents.states import StatesAgent
from meeple.errors import EngineError, MeepleError, UsageError
from meeple.games.contract.game import Position
from meeple.games.contract.registry import load_file, make_from
from meeple.kernels import cache as kernel_cache
from meeple.sentences import as_json, say
from meeple.server.limits import LIMITS, ServerLimits
from meeple.server.thinking.quick_games import QuickPlay
from meeple.server.thinking.thought import Totals, thought_of

OOM_SCORE_ADJ = "500"  # of 1000: when memory runs out, Linux kills this process before the server
NICE = 5  # lower priority than the server's own process
MIN_SECONDS = 0.01  # of a search that is continued
SATISFIED = 0.8  # fraction of the given time; a search that ends earlier is complete
_POLL_SECONDS = 0.2  # between two checks for newly compiled kernels

_OURSELVES = psutil.Process()

THINKING, PREPARING = "thinking", "preparing"


def work(
    connection: Connection,
    flags: Sequence[int],
    index: int,
    game_files: Sequence[str],
    engines: Mapping[str, str],
    runs: Path | None,
    limits: ServerLimits,
) -> None:
    """Run a worker process; `flags[index]` is the number of the order to stop.

    Specs may name the listed `engines`, and the networks of `runs`, a folder of runs.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE_ADJ)
    orders: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, orders), daemon=True).start()
    for file in game_files:
        load_file(file)
    list_engines(engines)
    worker = AgentWorker(connection, lambda number: flags[index] == number, Catalogue(runs), limits)
    while True:
        worker.answer(json.loads(orders.get()))


def _listen(connection: Connection, orders: "SimpleQueue[bytes]") -> None:
    """Queue incoming orders; end the process with its parent."""
    try:
        while True:
            orders.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


class StopCondition:
    """The stop condition of a search: a request to stop, or the memory limit."""

    def __init__(self, is_stopped: Callable[[], bool], bytes: int) -> None:
        """Create the condition; `bytes` may be used in addition to the current memory."""
        self._is_stopped = is_stopped
        self._most = _bytes_in_use() + bytes
        self.memory_full = False

    def __call__(self) -> bool:
        self.memory_full = self.memory_full or _bytes_in_use() > self._most
        return self.memory_full or self._is_stopped()


class AgentSession:
    """One agent in one game."""

    def __init__(self, order: dict[str, Any], catalogue: Catalogue = PATHS) -> None:
        self.terms = _terms(order)
        game = make_from(order["game"], order["options"])
        self.position: Position = game.start(order["seed"])
        self.agent: Agent = agent(order["spec"], game, order["agent_seed"], catalogue)
        self.totals = Totals()
        self.bytes = 0  # memory that its searches have used
        self._seed, self._catalogue = order["agent_seed"], catalogue
        self._quick: QuickPlay | None = None
        self.agent.begin(self._seed)

    def go_to(self, actions: Sequence[int]) -> None:
        """Go to the position after `actions`; the agent starts anew if moves were taken back."""
        known = self.position.actions
        pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(known, actions))
        shared = len(list(pairs))
        if shared == len(known) == len(actions):
            return
        self.totals, self._quick = Totals(), None
        if shared < len(known):
            self.agent.begin(self._seed)
        for _ in known[shared:]:
            self.position.undo()
        for action in actions[shared:]:
            self.position.play(action)

    @property
    def resumes(self) -> bool:
        """Whether a search that was stopped can be continued."""
        agent = self.agent
        return isinstance(agent, SearchAgent) or (isinstance(agent, MinimaxAgent) and agent.resumes)

    def choose(self, stop: Callable[[], bool], spent: float = 0.0) -> dict[str, Any]:
        """Return the agent's action and its search result.

        Args:
            stop: ends the search early.
            spent: seconds of the same choice before it was interrupted.

        Returns:
            The `action`, the `thought`, and `more`: whether the search was stopped before its
            limits, and may be continued.
        """
        agent = self.agent
        if not isinstance(agent, SearchAgent | MinimaxAgent) or not self.resumes:
            action, found = agent.choose(self.position, stop), agent.analysis
            thought = None if found is None else self._thought(found)
            return {"action": int(action), "thought": thought, "more": False}
        if not spent:
            self.totals = Totals()
        before, limits = self.totals.simulations, dict[str, Any]()
        if agent.seconds is not None:
            limits["seconds"] = max(MIN_SECONDS, agent.seconds - spent)
        if isinstance(agent, SearchAgent) and agent.simulations is not None:
            limits["simulations"] = max(1, agent.simulations - before)
        action, found = self._search(limits, stop)
        begins_anew = isinstance(agent, SearchAgent) and agent.begins_anew
        total = self.totals.add(found, begins_anew)
        if spent and begins_anew:
            action = int(total.principal_variation[0])
        reached = (
            found.seconds >= limits.get("seconds", math.inf)
            or found.simulations >= limits.get("simulations", math.inf)
            or found.proven
        )
        thought = self._thought(total if spent else found)
        return {"action": int(action), "thought": thought, "more": stop() and not reached}

    def _search(self, limits: dict[str, Any], stop: Callable[[], bool]) -> tuple[int, Analysis]:
        """Search with limits in place of the agent's, which are for a move."""
        agent = self.agent
        own = {name: getattr(agent, name) for name in limits}
        vars(agent).update(limits)
        try:
            action = agent.choose(self.position, stop)
        finally:
            vars(agent).update(own)
        assert agent.analysis is not None
        return action, agent.analysis

    def analyse(self, seconds: float, whole: float, stop: Callable[[], bool]) -> dict[str, Any]:
        """Continue a search by `seconds`, or run another agent for `whole` seconds.

        Returns:
            The search result, and `more`: whether a further call can improve it.
        """
        if isinstance(self.agent, StatesAgent):
            self.agent.drop_plan()  # which would be carried out without an analysis
        if not self.resumes:
            deadline = time.monotonic() + whole
            self.agent.choose(self.position, lambda: stop() or time.monotonic() >= deadline)
            found = self.agent.analysis
            return {"thought": None if found is None else self._thought(found), "more": False}
        limits: dict[str, Any] = {"seconds": seconds}
        if isinstance(self.agent, SearchAgent):
            limits["simulations"] = None
        _, found = self._search(limits, stop)
        more = found.seconds >= SATISFIED * seconds
        begins_anew = isinstance(self.agent, SearchAgent) and self.agent.begins_anew
        total = self.totals.add(found, begins_anew)
        return {"thought": self._thought(total), "more": more}

    def play_quick_games(
        self, most: int, seconds: float, stop: Callable[[], bool]
    ) -> dict[str, Any]:
        """Continue to play quick games, up to `most`; the result is as for `analyse`."""
        if self._quick is None:
            self._quick = QuickPlay(self.position, self._seed)
        thought = self._quick.play(most, seconds, stop)
        return {"thought": thought, "more": thought["games"] < most}

    def _thought(self, found: Analysis) -> dict[str, Any]:
        return thought_of(self.agent.spec, self.position, found, self._catalogue)


def _terms(order: dict[str, Any]) -> list[Any]:
    """Return the parts of an order that a session depends on."""
    return [order[name] for name in ("game", "options", "seed", "spec", "agent_seed")]


class AgentWorker:
    """The sessions of a process; answers orders."""

    def __init__(
        self,
        connection: Connection,
        is_stopped: Callable[[int], bool],
        catalogue: Catalogue = PATHS,
        limits: ServerLimits = LIMITS,
    ) -> None:
        """Create a worker; `is_stopped` returns whether to stop an order, by its number."""
        self._connection, self._catalogue, self._limits = connection, catalogue, limits
        self._is_stopped = is_stopped
        self._sessions: OrderedDict[str, AgentSession] = OrderedDict()
        self._sending = threading.Lock()

    def answer(self, order: dict[str, Any]) -> None:
        """Execute an order and send its messages; the last one, the result, has no `state`."""
        key, number = order["key"], order["number"]

        def stop() -> bool:
            return self._is_stopped(number)

        for forgotten in order["forget"]:
            self._sessions.pop(forgotten, None)
        try:
            reply = self._think(order, stop)
        except MeepleError as error:
            self._sessions.pop(key, None)
            reply = {"error": str(error), "stopped": stop()}
            if isinstance(error, EngineError):
                reply["fault"] = error.fault
        except MemoryError:
            os._exit(1)  # the process may be in an inconsistent state
        except Exception as error:  # from a third-party agent or game
            traceback.print_exc()
            self._sessions.pop(key, None)
            what = f"{order['spec']} failed: {type(error).__name__}: {error}"
            reply = {"error": what, "stopped": stop()}
        self._send(reply)
        self._make_room()

    def _think(self, order: dict[str, Any], stop: Callable[[], bool]) -> dict[str, Any]:
        session = self._session(order)
        self._send({"state": THINKING, "resumes": session.resumes})
        if session.position.to_move < 0:
            raise UsageError("there is nothing to choose here: no player is to move")
        limits = self._limits
        room = max(limits.max_agent_bytes - session.bytes, limits.min_search_bytes)
        limit = StopCondition(stop, room)
        before = _bytes_in_use()
        if order["seconds"] is None:
            reply = session.choose(limit, order["spent"])
        elif order.get("games") is not None:
            reply = session.play_quick_games(order["games"], order["seconds"], limit)
        else:
            reply = session.analyse(order["seconds"], order["whole"], limit)
        session.bytes += max(0, _bytes_in_use() - before)
        if limit.memory_full and reply["thought"] is not None:
            reply["thought"]["memory_full"] = True
            reply["more"] = False
        return reply

    def _session(self, order: dict[str, Any]) -> AgentSession:
        """Return the session of an order, at the order's position."""
        key = order["key"]
        session = self._sessions.get(key)
        if session is None or session.terms != _terms(order):
            self._sessions.pop(key, None)  # free its memory before the new one is made
            with self._preparation_reported(network_in(order["spec"])):
                session = self._sessions[key] = AgentSession(order, self._catalogue)
        self._sessions.move_to_end(key)
        session.go_to(order["actions"])
        return session

    @contextlib.contextmanager
    def _preparation_reported(self, network: str | None) -> Iterator[None]:
        """Report to the parent which kernels are compiled in this block, or network loaded."""
        compiled, done = len(kernel_cache.newly_compiled()), threading.Event()

        def look() -> None:
            told = ""
            while not done.wait(_POLL_SECONDS):
                step = _step(kernel_cache.newly_compiled()[compiled:], network)
                if step != told:
                    self._send({"state": PREPARING, "step": step})
                    told = step

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _send(self, message: dict[str, Any]) -> None:
        with self._sending:
            self._connection.send_bytes(as_json(message).encode())

    def _make_room(self) -> None:
        """Drop the least recently used sessions beyond the limits of number and memory.

        This may drop the last one, whose next search then begins with an empty tree.
        """
        sessions, limits = self._sessions, self._limits
        while len(sessions) > limits.max_agents or (
            sessions and _bytes_in_use() > limits.max_worker_bytes
        ):
            sessions.popitem(last=False)


def _step(compiled: Sequence[str], network: str | None) -> str:
    """Return what is being prepared, after the first kernels that were compiled for it."""
    if compiled:
        kernel = compiled[-1].rpartition(".")[2].strip("_").replace("_", " ")
        return say("server.compiling_kernel", n=len(compiled), kernel=kernel)
    return say("server.loading_the_network", network=Path(network).name) if network else ""


def _bytes_in_use() -> int:
    """Return the resident memory of this process."""
    return int(_OURSELVES.memory_info().rss)
