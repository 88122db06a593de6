"""The workers of a run of self-play on a Ray cluster, as the trainer uses them.

The trainer alone writes the run's folder and counts games. A process that dies is replaced: a
player gets the newest network, the learner the last saved state and the updates since then, the
buffer the positions in the folder and those that are not saved yet.
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np

from meeple.errors import RunError, UsageError
from meeple.executors.backend import Place
from meeple.executors.executor import Executor, Stop
from meeple.learn.config import Config
from meeple.learn.fit.learner import STOP_GRACE_SECONDS, Losses, Update, subsample
from meeple.learn.run.cluster import Counts, Role, Snapshot
from meeple.learn.run.metrics import Reporter
from meeple.learn.run.run import NetworkRun
from meeple.learn.selfplay.episode import EpisodeNumbers, Wave
from meeple.learn.selfplay.replay import step_bytes
from meeple.learn.selfplay.trajectory import Trajectory, joined
from meeple.learn.values.run import ValuesRun
from meeple.learn.workers.contract import SelfPlayWorkers
from meeple.learn.workers.labels import LabelWorkers
from meeple.nets.training_state import restore_training_state, training_state
from meeple.tensor_file import Tensors
from meeple_ray.cluster import Cluster, Needs, Reference
from meeple_ray.executor import AHEAD, WorkerState
from meeple_ray.learning import buffer as buffer_process
from meeple_ray.learning import learner as learner_process
from meeple_ray.learning.labels import ClusterLabelWorkers
from meeple_ray.learning.matches import MatchesBeside
from meeple_ray.learning.players import Generations, InferenceServices, Players
from meeple_ray.learning.report import ClusterReport, counts_before
from meeple_ray.learning.wire import to_plain
from meeple_ray.same_files import hashes_of_files
from meeple_ray.service import Service, ServiceLost

PART_BYTES = 8 * 2**20  # of batches that are sent to the learner at a time
SHARED_UPDATE_SECONDS = 1.0  # approximate duration of one update from several waves
MAX_IN_FLIGHT_SHARE = 0.02  # of a run's episodes
MAX_DEATHS = 5  # of a service in one update, after which the run ends with an error
SHARED_ACCELERATOR = 0.5  # part of an accelerator that learner and inference get if they share it

State = tuple[dict[str, Any], Tensors]  # of network and optimizer, see `training_state`
Found = TypeVar("Found")


@contextlib.contextmanager
def training(place: Place, workers: int | None) -> Iterator["ClusterBackend"]:
    """Join a cluster for training, see `meeple.executors.backend`."""
    with contextlib.closing(Cluster(place)) as cluster:
        cluster.check(workers)
        yield ClusterBackend(cluster, workers)


@dataclass(frozen=True)
class ClusterBackend:
    """Starts workers on a cluster, see `contract.TrainingBackend`."""

    cluster: Cluster  # it is not closed here
    workers: int | None = None
    """Players, by default one for each processor but one; or processes that label games, by default
    one for each processor."""
    ahead: int = AHEAD
    """Waves in flight per player; 1 with one player gives the same results as one process."""
    inference: int | None = None
    """Processes that compute the network for the players; None: depends on the accelerators."""

    def selfplay(self, run: NetworkRun, reporter: Reporter, stop: Stop) -> SelfPlayWorkers:
        if run.state.episodes < run.config.taught:
            raise UsageError(
                f"a teacher plays in one process: train without --on until episode "
                f"{run.config.taught:,}, then resume on the cluster"
            )
        return ClusterWorkers(run, reporter, stop, self)

    def labels(
        self, run: ValuesRun, snapshot: Callable[[], Snapshot], reporter: Reporter, stop: Stop
    ) -> LabelWorkers:
        return ClusterLabelWorkers(run, snapshot, reporter, self.cluster, self.workers)


class ClusterWorkers:
    """Workers of self-play on a cluster, see `contract.SelfPlayWorkers`."""

    _players: Players | None = None
    _matches: MatchesBeside | None = None
    _networks: InferenceServices | None = None
    _services: tuple[Service, ...] = ()

    def __init__(
        self, run: NetworkRun, reporter: Reporter, stop: Stop, backend: ClusterBackend
    ) -> None:
        """Start the workers.

        Args:
            run: the run.
            reporter: receives the state of the cluster, and messages.
            stop: turns true if the run is to stop.
            backend: the cluster, and the numbers of processes.

        Raises:
            UsageError: the cluster has too few processors.
            RunError: the cluster cannot be used.
            Stopped: `stop` turned true.
        """
        self._run, self._stop, self._say = run, stop, reporter.message
        self._saved: State = _copied(training_state(run.network, run.optimizer))
        self._updates: list[Update] = []  # since `_saved`
        self._stored_steps = 0
        self._generations = Generations(run.folder.path, run.game)
        self._cluster, episodes = backend.cluster, run.state.episodes
        before = counts_before(run.folder.path, episodes, episodes)
        self._report = ClusterReport(run.folder.path, self._cluster, before, reporter)
        try:
            self._start(backend)
        except BaseException:
            self.close()
            raise

    def _start(self, backend: ClusterBackend) -> None:
        run, cluster, log = self._run, self._cluster, self._report.logs.write
        count, spare = shared_out(cluster.processors, backend.workers)
        cluster.check_processors(count)
        inference = backend.inference
        if inference is None:
            inference = inference_processes(run.config, cluster.accelerators)
        share = accelerator_share(cluster.accelerators, inference)
        arguments: dict[str, Any] = {
            "config": run.config.model_dump(mode="json"),
            "files": hashes_of_files(),
        }
        self._start_services(arguments, Needs(processors=spare, accelerators=share))
        arguments["format"] = run.state.format
        self._networks = InferenceServices(cluster, inference, count, share, arguments, log)
        self._players = Players(
            cluster,
            count,
            backend.ahead,
            run.folder.path,
            arguments,
            look=self._look,
            peers=self._networks.peers,
            log=log,
            most=most_waves(run.config, count, backend.ahead),
        )
        self._retry(lambda: None, new=self._services)
        self._matches = MatchesBeside(run, self._stop)
        self._publish(run.state.episodes, run.network.weights.tensors)

    def _start_services(self, arguments: Mapping[str, Any], learner_needs: Needs) -> None:
        """Launch learner and buffer in parallel; `_retry` waits for them."""
        log = self._report.logs.write

        def service(name: str, needs: Needs, target: str) -> Service:
            return Service(self._cluster, name, needs, target, dict(arguments), log)

        self._learner = service("learner", learner_needs, learner_process.LEARNER_TARGET)
        on_this_node = Needs(processors=0, here=True)
        self._buffer = service("buffer", on_this_node, buffer_process.BUFFER_TARGET)
        self._services = (self._learner, self._buffer)
        self._run.buffer.clear()  # the buffer process has the positions
        for one in self._services:
            one.launch()

    @property
    def players(self) -> Executor[EpisodeNumbers, Wave]:
        """The player processes."""
        return self._playing

    @property
    def _playing(self) -> Players:
        assert self._players is not None, "not started"
        return self._players

    @property
    def _inference(self) -> InferenceServices:
        assert self._networks is not None, "not started"
        return self._networks

    @property
    def stored_steps(self) -> int:
        return self._stored_steps

    def learn(self, update: Update, trajectories: Sequence[Trajectory]) -> Losses:
        self._run.note(trajectories)
        to_add = list(trajectories)

        def work() -> Losses:
            if to_add:
                plain = to_plain(joined(to_add))
                to_add.clear()  # a restarted buffer gets them with all unsaved ones
                self._stored_steps = self._ask(self._buffer, "add", plain)
            return self._learn(update, subsample(trajectories))

        losses = self._retry(work)
        self._updates.append(update)
        each = losses.seconds / (update.last - update.first)
        self._playing.together = SHARED_UPDATE_SECONDS / max(each, 1e-9)
        return losses

    def fetch(self) -> None:
        self._saved = _copied(self._retry(lambda: self._learner.ask("state")))
        self._updates.clear()
        run, (metadata, tensors) = self._run, _copied(self._saved)
        name = "the learner's network"
        restore_training_state(name, metadata, tensors, run.network, run.optimizer)

    def matches(
        self, seconds: float, save: Callable[[], None], *, at_end: bool
    ) -> Mapping[str, float]:
        assert self._matches is not None, "not started"
        return self._matches.figures(seconds, at_end=at_end)

    def close(self) -> None:
        if self._players is not None:
            states = self._players.workers()
            self._players.close()
            counts = self._show(states, running=False)
            self._say(
                f"{self._cluster.place.name}: games begun {counts.begun}, finished "
                f"{counts.finished}, stored {counts.stored}, learned from {counts.trained}; lost "
                f"with their workers and begun again {counts.lost}, given up {counts.dropped}"
            )
        for service in self._services:
            service.end()
        if self._networks is not None:
            self._networks.close()
        if self._matches is not None:
            self._matches.close()

    # ------------------------------------------------------------ state of the cluster

    def _look(self) -> None:
        if self._report.is_due():
            self._show(self._playing.workers())

    def _show(self, states: Sequence[WorkerState], *, running: bool = True) -> Counts:
        players, episodes = self._playing, self._run.state.episodes
        waits = players.account.finished == 0
        services: list[tuple[Role, Service, int, bool]] = [
            ("learner", self._learner, episodes, waits),
            ("buffer", self._buffer, episodes, waits),
            *(("inference", one, 0, waits) for one in self._inference.services),
        ]
        now = Snapshot(episodes, episodes, episodes)
        return self._report.write(states, services, players.account, now, running=running)

    # ------------------------------------------------------------ learning

    def _learn(self, update: Update, held_out: Sequence[Trajectory]) -> Losses:
        """Send an update to the learner, and publish its network.

        Args:
            update: the update.
            held_out: positions on which the network is evaluated before.
        """
        plain = to_plain(joined(held_out)) if held_out else None
        begun = self._learner.start("begin", asdict(update), plain)
        batch = self._run.config.training.batch_size * step_bytes(self._run.unsaved)
        part = max(1, PART_BYTES // batch)
        learning: Reference | None = None
        for first in range(0, update.batches, part):
            batches = self._sampled(update, first, min(part, update.batches - first))
            if learning is not None:
                self._result(self._learner, learning)
            learning = self._learner.start("learn", batches)
        ended = self._learner.start("end")
        unseen = self._result(self._learner, begun)
        if learning is not None:
            self._result(self._learner, learning)
        found = self._result(self._learner, ended)
        self._publish(update.last, found["tensors"])
        return Losses({**found["means"], **unseen}, found["seconds"], found["threads"])

    def _sampled(self, update: Update, first: int, count: int) -> Reference:
        """Return the reference of sampled batches; a buffer that died is restarted."""
        found: list[Reference] = []

        def sample() -> None:
            found[:] = [self._buffer.start("sample", update.first, first, count)]
            self._result(self._buffer, found[0])

        self._retry(sample)
        return found[0]

    def _publish(self, generation: int, tensors: Mapping[str, Any]) -> None:
        copies = {name: np.array(array) for name, array in tensors.items()}
        self._run.network.set_weights(copies)
        self._generations.save(self._run.network.weights, generation)
        network = {"generation": generation, "tensors": copies}
        self._inference.publish(network)
        self._playing.publish(network)

    def _ask(self, service: Service, method: str, *arguments: Any) -> Any:
        return self._result(service, service.start(method, *arguments))

    def _result(self, service: Service, reference: Reference) -> Any:
        """Return the result of a call of a service.

        Raises:
            Stopped: the run is to stop, and the call takes over `STOP_GRACE_SECONDS`.
        """
        deadline = time.monotonic() + STOP_GRACE_SECONDS
        return service.result(reference, lambda: time.monotonic() > deadline and self._stop())

    # ------------------------------------------------------------ services that died

    def _retry(self, work: Callable[[], Found], new: Sequence[Service] = ()) -> Found:
        """Call `work`, and again after each death of a service, which is restarted.

        Args:
            work: the calls of services.
            new: services that have not begun yet.

        Raises:
            RunError: services died `MAX_DEATHS` times.
        """
        dead, reason = list(new), ""
        for _ in range(MAX_DEATHS + len(new)):
            try:
                while dead:
                    self._restart(dead[0])
                    dead.pop(0)
                return work()
            except ServiceLost as lost:
                reason = f"the {lost.service.name} dies again and again: {lost}"
                if lost.service not in dead:
                    dead.append(lost.service)
                    self._say(f"The {lost.service.name} was lost, and is begun again: {lost}")
        raise RunError(reason)

    def _restart(self, service: Service) -> None:
        """Start a service, and restore its state."""
        service.begin(self._stop)
        if service is self._buffer:
            run = self._run
            for name, count in zip(run.state.replay, run.state.cases, strict=True):
                trajectory = run.folder.load_trajectory(name, count, run.unsaved)
                service.ask("add", to_plain(trajectory))
            self._stored_steps = service.ask("add", to_plain(run.unsaved))
        else:
            service.ask("restore", *self._saved)
            for update in self._updates:
                self._learn(update, ())


def shared_out(processors: int, workers: int | None) -> tuple[int, int]:
    """Return the number of players, and the processors reserved for the learner: 1 or 0.

    It is 0 if the players use all processors.
    """
    count = workers or max(1, processors - 1)
    return count, 1 if processors > count else 0


def inference_processes(config: Config, accelerators: int) -> int:
    """Return the default number of inference processes.

    One of several accelerators is the learner's. Computing an mlp takes less time than a request.
    """
    if config.network.kind == "mlp":
        return 0
    return max(accelerators - 1, min(accelerators, 1))


def accelerator_share(accelerators: int, inference: int) -> float:
    """Return the part of an accelerator that the learner and each inference process get."""
    return min(1.0 if accelerators > inference else SHARED_ACCELERATOR, accelerators)


def most_waves(config: Config, players: int, ahead: int) -> int:
    """Return the maximum number of waves in a batch of a player.

    The network of a wave is then behind by at most `MAX_IN_FLIGHT_SHARE` of the run, which has no
    measurable cost (README.md, "Old networks").
    """
    in_flight = players * ahead * config.selfplay.games
    return max(1, int(MAX_IN_FLIGHT_SHARE * config.run.episodes / in_flight))


def _copied(state: State) -> State:
    """Copy a state; its metadata become what a file would return."""
    metadata, tensors = state
    return json.loads(json.dumps(metadata)), {k: np.array(v) for k, v in tensors.items()}
