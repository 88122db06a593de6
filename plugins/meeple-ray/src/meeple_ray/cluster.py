"""A Ray cluster (https://docs.ray.io) and processes on it; the one file that imports Ray.

Only actors of Ray are used. They belong to the process that joined the cluster, and end with it.
"""

import contextlib
import os
import re
import secrets
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from meeple.errors import RunError, UsageError
from meeple.executors.backend import Place
from meeple_ray.output import Output
from meeple_ray.remote import NOTHING, Answer, Remote, identity

PATIENCE = 5.0  # seconds of trying to connect to a cluster
WAIT = 15.0  # seconds without an answer after which a message says so
STORE_BYTES = 80 * 2**20  # of shared memory of a local cluster; containers often have 64 MB
BESIDE = "beside"  # concurrency group of calls that do not wait for earlier ones
ONE_THREAD = dict.fromkeys(
    ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
"""A worker has one processor. Ray sets only OMP_NUM_THREADS."""

Reference = Any  # Ray's, of a future answer or of a stored value


class Lost(RunError):
    """An answer was lost with its process or machine, or for lack of memory there."""


class RayActor(Remote):
    """The actor that Ray starts in a process on a node."""

    def __init__(self) -> None:
        self._output = Output()

    def new_output(self) -> str:
        return self._output.new_text()

    def begin_beside(self, order: Mapping[str, Any], peers: Mapping[str, Any]) -> Answer:
        """Call `begin` with handles of other processes, as the argument "peers"."""
        found = {name: Peer(handle) for name, handle in peers.items()}
        return self.begin({**order, "arguments": {**order["arguments"], "peers": found}})

    def where(self) -> dict[str, Any]:
        import ray

        return {**super().where(), "node": ray.get_runtime_context().get_node_id()}

    def asks_for_token(self) -> bool:
        """Return whether the node requires the cluster's token."""
        import ray._raylet

        mode: Any = ray._raylet
        return bool(mode.get_authentication_mode() != mode.AuthenticationMode.DISABLED)


class Peer:
    """Another process of the cluster; any thread may call it."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def ask(self, method: str, *arguments: Any) -> Any:
        """Call a method and wait for its result. Raises what it raised.

        If the other process is dead, this one ends too: their owner restarts both.
        """
        import ray

        try:
            return ray.get(self._handle.call.remote(method, *arguments)).result()
        except ray.exceptions.RayTaskError:
            raise
        except ray.exceptions.RayError:
            os._exit(1)


@dataclass(frozen=True)
class Needs:
    """The resources of a process on its node."""

    processors: int = 1
    accelerators: float = 0  # a fraction shares one with other processes
    here: bool = False  # whether it must run on this machine
    threads: int = 1  # of Numba, OpenMP and BLAS
    at_once: int = 1  # concurrent calls

    def options(self) -> dict[str, Any]:
        """Return the options of a Ray actor.

        Without `num_cpus` Ray reserves no processor. Ray must not restart actors, since a new one
        needs its order first.
        """
        return {
            "num_cpus": self.processors,
            "num_gpus": self.accelerators,
            "max_restarts": 0,
            "max_concurrency": self.at_once,
            "enable_task_events": False,  # only a dashboard reads them, and they use memory
            "runtime_env": {"env_vars": dict.fromkeys(ONE_THREAD, str(self.threads))},
        }


@dataclass(frozen=True)
class Machine:
    """A machine of the cluster."""

    id: str  # Ray's identifier
    name: str
    address: str
    processors: int
    accelerators: int
    alive: bool


@dataclass(eq=False)
class Actor:
    """A process on the cluster. Each method returns the reference of an `Answer`."""

    handle: Any = field(repr=False)

    def do(self, jobs: Sequence[Any]) -> Reference:
        """Queue a batch of jobs.

        Raises:
            RunError: this machine has no memory for the data, as in all calls.
        """
        with _room():
            return self.handle.do.remote(jobs)

    def call(self, method: str, *arguments: Any) -> Reference:
        """Queue a call; a reference among the arguments is replaced by its value."""
        with _room():
            return self.handle.call.remote(method, *arguments)

    def call_beside(self, method: str, *arguments: Any) -> Reference:
        """Start a call that runs beside the queued ones."""
        with _room():
            return self.handle.call.options(concurrency_group=BESIDE).remote(method, *arguments)


class Cluster:
    """A cluster that this process has joined; `close` ends what was started there."""

    def __init__(self, place: Place) -> None:
        """Join the cluster of a place, or start one of this machine.

        Args:
            place: of the cluster.

        Raises:
            UsageError: this process is on another cluster.
            RunError: the cluster cannot be used.
        """
        _set_environment(place)
        import ray

        self.place = place
        self._ray: Any = ray
        self._actors: list[Actor] = []
        self._is_trusted = place.without_token
        self._is_own = not ray.is_initialized()
        try:
            self._connect()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill all started processes, and leave the cluster."""
        for actor in list(self._actors):
            self.end(actor)
        if self._is_own and self._ray.is_initialized():
            self._ray.shutdown()

    @property
    def processors(self) -> int:
        """Number of processors of all machines."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    @property
    def accelerators(self) -> int:
        """Number of accelerators of all machines."""
        return int(self._ray.cluster_resources().get("GPU", 0))

    def nodes(self) -> list[Machine]:
        """Return the machines, dead ones included."""
        return [
            Machine(
                id=str(node.get("NodeID", "")),
                name=str(node.get("NodeManagerHostname", "")),
                address=str(node.get("NodeManagerAddress", "")),
                processors=int(node.get("Resources", {}).get("CPU", 0)),
                accelerators=int(node.get("Resources", {}).get("GPU", 0)),
                alive=bool(node.get("Alive")),
            )
            for node in self._ray.nodes()
        ]

    def check(self, workers: int | None) -> None:
        """Check that the cluster has enough processors and can start a process on this machine.

        Raises:
            UsageError: there are fewer processors than workers.
            RunError: no process can be started.
        """
        self.check_processors(workers or 1)
        actor, reference = self.start(Needs(processors=0, here=True), NOTHING, {})
        try:
            self.answer(reference).result()
        finally:
            self.end(actor)

    def check_processors(self, workers: int) -> None:
        """Raise UsageError if there are fewer processors than workers."""
        if self.processors < workers:
            raise UsageError(
                f"{self.place.name} has {self.processors} processors, and {workers} workers were "
                "asked for: one each"
            )

    # ------------------------------------------------------------ processes

    def start(
        self,
        needs: Needs,
        target: str,
        arguments: Mapping[str, Any],
        peers: Mapping[str, Actor] | None = None,
    ) -> tuple[Actor, Reference]:
        """Start a process with the object of a target.

        Args:
            needs: resources of the process.
            target: see `meeple_ray.remote`.
            arguments: of the target.
            peers: processes that it may call; the target gets them as the argument "peers", a
                `Peer` by name.

        Returns:
            The process and the reference of its first answer.

        Raises:
            RunError: the cluster has no authentication, and the place does not accept that.
        """
        actor = self._new_actor(needs)
        if not self._is_trusted:
            self._check_token(actor)
        order = {
            "target": target,
            "arguments": arguments,
            "identity": identity(),
            "folder": str(Path.cwd()),
        }
        if peers is None:
            return actor, actor.handle.begin.remote(order)
        handles = {name: peer.handle for name, peer in peers.items()}
        return actor, actor.handle.begin_beside.remote(order, handles)

    def end(self, actor: Actor) -> None:
        """Kill a process."""
        if actor in self._actors:
            self._actors.remove(actor)
            if self._ray.is_initialized():
                self._ray.kill(actor.handle)

    def put(self, value: Any) -> Reference:
        """Store a value in the cluster's memory for as long as its reference exists here.

        Raises:
            RunError: there is no memory for it.
        """
        with _room():
            return self._ray.put(value)

    def first_of(self, references: Sequence[Reference], timeout: float) -> Reference | None:
        """Return a reference whose answer has arrived; None after `timeout` seconds."""
        ready, _ = self._ray.wait(list(references), num_returns=1, timeout=timeout)
        return ready[0] if ready else None

    def answer(self, reference: Reference) -> Answer:
        """Wait for the answer of a reference.

        Raises:
            Lost: the process died, or there was no memory for the answer.
            Exception: the process raised it, by a defect.
        """
        errors = self._ray.exceptions
        try:
            found = self._ray.get(reference)
        except (errors.OutOfDiskError, errors.ObjectStoreFullError) as error:  # there, or here
            raise Lost(_reason(error)) from None
        except errors.RayTaskError:
            raise
        except errors.RayError as error:
            raise Lost(_reason(error)) from None
        assert isinstance(found, Answer)
        return found

    def _new_actor(self, needs: Needs) -> Actor:
        options = needs.options()
        if needs.here:
            from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

            here = self._ray.get_runtime_context().get_node_id()
            options["scheduling_strategy"] = NodeAffinitySchedulingStrategy(here, soft=False)
        made = self._ray.remote(concurrency_groups={BESIDE: 1})(RayActor)
        actor = Actor(made.options(**options).remote())
        self._actors.append(actor)
        return actor

    # ------------------------------------------------------------ joining

    def _connect(self) -> None:
        """Join the cluster of the place, or start one of this machine."""
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        place = self.place
        if place.host is None:
            if not self._is_own:  # this process is on a cluster already
                return
            self._init(
                address="local", object_store_memory=STORE_BYTES, include_dashboard=False, **quiet
            )
            return
        try:
            socket.create_connection((place.host.strip("[]"), place.port), PATIENCE).close()
        except OSError as error:
            reason = error.strerror or str(error) or type(error).__name__
            raise RunError(f"there is no Ray cluster at {place.name}: {reason}") from None
        if not self._is_own:
            there = self._ray.get_runtime_context().gcs_address
            if not there.endswith(f":{place.port}"):
                raise UsageError(f"this process is on the Ray cluster at {there}, not {place.name}")
            return
        self._init(address=f"{place.host}:{place.port}", **quiet)

    def _init(self, **options: Any) -> None:
        name = self.place.name
        try:
            with _silence():
                self._ray.init(**options)
            # Ray prints the deaths of workers to stdout, without an option to turn that off.
            # `Place.say` reports them.
            self._ray._private.worker.print_to_stdstream = lambda *data, **how: None
        except self._ray.exceptions.AuthenticationError as error:
            raise RunError(
                f"{name} asks for its token, and the one here is none or another: put the "
                f"cluster's into RAY_AUTH_TOKEN or ~/.ray/auth_token, with RAY_AUTH_MODE=token "
                f"({_first_line(error)})"
            ) from None
        except ConnectionError:
            raise RunError(
                f"{name} answers, but does not let this machine in: it must be a node of that "
                "cluster, with the same token in RAY_AUTH_TOKEN or ~/.ray/auth_token and "
                "RAY_AUTH_MODE=token"
            ) from None
        except (RuntimeError, ValueError, self._ray.exceptions.RayError) as error:
            line = _first_line(error)
            if "ersion mismatch" in str(error):
                line = "it runs another version of Ray or Python than this machine: " + line
            raise RunError(f"{name} cannot be used: {line}") from None

    def _check_token(self, actor: Actor) -> None:
        """Refuse a cluster without authentication before any work runs there."""
        if not self._first_word(actor.handle.asks_for_token.remote()):
            raise RunError(
                f"{self.place.name} has no token, so that anybody who reaches it may run programs "
                "there: start it with RAY_AUTH_MODE=token, or say --without-token"
            )
        self._is_trusted = True

    def _first_word(self, reference: Reference) -> Any:
        """Return the first answer of the first process."""
        told = False
        while self.first_of([reference], WAIT) is None:
            if not told:
                self.place.say("Waiting for a free processor of the cluster.")
            told = True
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.OutOfMemoryError as error:
            name = self.place.name
            raise RunError(f"no worker can be started on {name}: {_reason(error)}") from None
        except self._ray.exceptions.RayError as error:
            raise RunError(
                f"no worker can be started on {self.place.name}: Meeple and meeple-ray must be "
                "installed on all its machines, and all must have been started with the same token "
                f"and RAY_AUTH_MODE ({_reason(error)})"
            ) from None


def _set_environment(place: Place) -> None:
    """Set the environment variables that Ray reads at its import, unless the user set them.

    A local cluster gets a random token that is stored nowhere. A cluster that does not let this
    machine in is reported after `PATIENCE` instead of 20 seconds.
    """
    given = os.environ
    given.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if place.host is not None:
        given.setdefault("RAY_NUM_REDIS_GET_RETRIES", f"{PATIENCE:.0f}")  # one a second
    if "ray" in sys.modules:
        return
    named = {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"}
    if place.host is None and not named & given.keys():
        given["RAY_AUTH_MODE"], given["RAY_AUTH_TOKEN"] = "token", secrets.token_hex(32)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Discard what Ray's threads write to stderr, a line for each attempt to connect."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


@contextlib.contextmanager
def _room() -> Iterator[None]:
    """Raise RunError with a sentence if Ray has no memory for a value."""
    import ray

    try:
        yield
    except (ray.exceptions.OutOfDiskError, ray.exceptions.ObjectStoreFullError) as error:
        raise RunError(_reason(error)) from None


def _reason(error: BaseException) -> str:
    """Return one line about an error of Ray."""
    import ray

    text = str(error)
    if isinstance(error, ray.exceptions.OutOfMemoryError):
        found = re.search(r"node \(IP: ([^,\s]+), .*? was (.+?) used / (.+?) limit", text)
        where = f" {found[1]} ({found[2]} of {found[3]} in use)" if found else ""
        return f"the memory of the machine{where} ran out, and Ray ended processes there"
    if isinstance(error, ray.exceptions.OutOfDiskError):
        return "the shared memory of a machine is full, and so is the disk that stands in for it"
    if isinstance(error, ray.exceptions.ObjectStoreFullError):
        return "the shared memory of a machine is full: start Ray with more --object-store-memory"
    return [type(error).__name__, *text.strip().splitlines()][-1].strip()
