"""Values as a method of the training loop: rounds of labels, a fit, and games of the gate.

The first round fits a network to the results of games of quick players, or starts from another
network. Each later round labels actions with the incumbent network, fits the newest network
further, and accepts it as the new incumbent if the gate finds it no weaker.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from meeple.arena.games.lockstep import BatchPlayer, states_player
from meeple.errors import CheckpointError, RunError, Stopped
from meeple.executors.executor import Stop
from meeple.learn.config import at_progress
from meeple.learn.evaluation.matches import Matches
from meeple.learn.evaluation.results import ALONE
from meeple.learn.fit.learner import Losses
from meeple.learn.methods.gate import DifferenceTest, GateMatch, passes
from meeple.learn.methods.labelling import Labelling, past_of_round, publish
from meeple.learn.methods.method import Method
from meeple.learn.run.cluster import Snapshot
from meeple.learn.run.metrics import Reporter
from meeple.learn.values.fitting import fit_network
from meeple.learn.values.jobs import SeedStream, read_shard
from meeple.learn.values.run import ValuesRun
from meeple.learn.workers.contract import TrainingBackend
from meeple.learn.workers.labels import LabelWorkers
from meeple.nets.training import Recipe
from meeple.search.values.examples import joined_examples
from meeple.search.values.features import features_of
from meeple.search.values.file import KIND, compiled, load_network
from meeple.search.values.labels import NETWORK, OTHER, PAST, Settings, quick_policy
from meeple.search.values.network import Weights, Widths, untrained, widened, widths_of
from meeple.tensor_file import SavedWeights


@dataclass
class ValuesRound:
    """A round; the phases of the loop fill in its results."""

    number: int
    seconds: dict[str, float] = field(default_factory=dict)  # by activity
    results: dict[str, Any] = field(default_factory=dict)  # for the history of the run

    @contextlib.contextmanager
    def timed(self, activity: str) -> Iterator[None]:
        """Measure the seconds of a `with` block that is not interrupted."""
        began = time.perf_counter()
        yield
        self.seconds[activity] = time.perf_counter() - began


class ValuesMethod(Method[ValuesRun, ValuesRound]):
    """Fit a value network to labelled actions of decisions.

    A killed run resumes with the files of its round: existing shards and an existing candidate are
    not made again.
    """

    def __init__(
        self, run: ValuesRun, reporter: Reporter, stop: Stop, backend: TrainingBackend
    ) -> None:
        super().__init__(run, reporter, stop, backend)
        self._doing = ""  # what the trainer itself does, while the workers wait
        self._labelled = self.run.labelled(run.state.episodes + 1)  # games by round
        ways = {ALONE: lambda games: self._player(run.state.incumbent)}
        self._matches = Matches(run, ways, lambda: self._player(0))

    def open(self) -> None:
        self._workers: LabelWorkers = self._backend.labels(
            self.run, self._snapshot, self._reporter, self._stop
        )
        self._open.callback(self._workers.close)
        self._labelling = Labelling(
            self.run, self._workers, self._labelled, self._reporter, self._is_stopped
        )

    def _is_stopped(self) -> bool:
        self._workers.look()
        return self._stop()

    # ------------------------------------------------------------ phases

    def collect(self) -> ValuesRound:
        """Label the games of the next round, unless its network was fitted already."""
        run, labels = self.run, self.run.config.labels
        round_ = ValuesRound(run.state.episodes)
        number = round_.number
        if number == 0:
            if run.config.run.start is None:
                quick = quick_policy(run.game)
                settings = Settings(labels.results_share, 1, 0, 0, quick, labels.slips)
                with round_.timed("labelling"):
                    networks = publish(self._workers, self.run)
                    self._labelling.label(number, networks, settings, labels.results)
        elif not self.run.candidate(number).exists():
            past = past_of_round(run, number)
            with round_.timed("labelling"):
                networks = publish(self._workers, self.run, self._incumbent, past=past)
                self._labelling.label(number, networks, self._settings(number), labels.games)
        return round_

    def fit(self, batch: ValuesRound) -> Losses:
        """Fit the network of the round, and save it as the candidate."""
        number, candidate = batch.number, self.run.candidate(batch.number)
        if number == 0:
            weights = self._fit_first(batch)
            self._save(self.run.checkpoint(0), weights, batch.results)
        elif not candidate.exists():
            rounds = self.run.config.labels.rounds
            begin = load_network(self._newest(number)).weights
            weights = self._fit(batch, begin, range(max(1, number + 1 - rounds), number + 1))
            self._save(candidate, weights, batch.results)
        else:
            batch.results |= load_network(candidate).extra
        return Losses({}, batch.seconds.get("learning", 0.0), threads=1)

    def gate(self, batch: ValuesRound) -> Mapping[str, float]:
        """Accept the candidate if it is no weaker than the incumbent; the first always."""
        state, number = self.run.state, batch.number
        if number > 0:
            with batch.timed("gate"):
                batch.results |= self._play_gate(number)
            if batch.results["accepted"]:
                weights = load_network(self.run.candidate(number)).weights
                self._save(self.run.checkpoint(number), weights, batch.results)
        if batch.results.get("accepted", True):
            state.incumbent = number
        seconds = {activity: round(spent, 3) for activity, spent in batch.seconds.items()}
        entry = {"round": number, **batch.results, "seconds": seconds}
        state.history.append(entry)
        return metrics_of_round(entry)

    def evaluate(self, save: Callable[[], None]) -> Mapping[str, float]:
        seconds = self.run.state.seconds
        save()  # before the round is reported
        if not self._matches.is_due(seconds, at_end=self.is_over):
            return {}
        with self._busy("playing matches"):
            return self._matches.play(seconds, self._is_stopped)

    def metrics(self, batch: ValuesRound, losses: Losses) -> Mapping[str, float]:
        return {}

    def must_save(self, batch: ValuesRound) -> bool:
        return True

    # ------------------------------------------------------------ display

    def _snapshot(self) -> Snapshot:
        state, games = self.run.state, self._labelled
        fitted = [
            count
            for number, count in games.items()
            if number < state.episodes or self.run.candidate(number).exists()
        ]
        return Snapshot(games.total(), sum(fitted), state.incumbent, self._doing)

    @contextlib.contextmanager
    def _busy(self, doing: str) -> Iterator[None]:
        """Show what the trainer itself does in a `with` block."""
        self._doing = doing
        self._workers.look()
        try:
            yield
        finally:
            self._doing = ""

    def _player(self, number: int) -> BatchPlayer:
        return states_player(self.run.checkpoint(number), self.run.game)

    # ------------------------------------------------------------ labels and fit

    @property
    def _incumbent(self) -> Path:
        return self.run.checkpoint(self.run.state.incumbent)

    def _newest(self, number: int) -> Path:
        """Return the network of the round before, accepted or not."""
        before = self.run.candidate(number - 1)
        return before if before.exists() else self._incumbent

    def _settings(self, number: int) -> Settings:
        """Return how the decisions of a later round are labelled."""
        labels = self.run.config.labels
        return Settings(
            labels.share,
            labels.siblings,
            labels.playouts,
            round(at_progress(labels.horizon, self.run.progress)),
            quick_policy(self.run.game) if number <= labels.quick_rounds else NETWORK,
            labels.slips,
            labels.lookahead,
        )

    def _fit_first(self, batch: ValuesRound) -> Weights:
        """Return the network of the first round: fitted to results, or the one to start from."""
        config, game = self.run.config, self.run.game
        if config.run.start is not None:
            batch.results["start"] = config.run.start
            return start_weights(self.run, config.run.start)
        begin = untrained(features_of(game), config.widths, config.run.seed)
        return self._fit(batch, begin, [0])

    def _fit(self, batch: ValuesRound, begin: Weights, rounds: Sequence[int]) -> Weights:
        """Fit to the labels of some rounds. Raises Stopped, and RunError without labels."""
        training = self.run.config.training
        with batch.timed("learning"), self._busy("fitting the network"):
            shards = [path for number in rounds for path in self.run.shards(number)]
            if not shards:
                raise RunError(
                    f"round {batch.number}: no decision was labelled; raise labels.share or games"
                )
            held = shards[training.held - 1 :: training.held] or shards[-1:]
            learned = [path for path in shards if path not in held] or shards
            rate = at_progress(training.learning_rate, self.run.progress)
            weights, found = fit_network(
                training,
                Recipe("adam", rate, loss_weights={"siblings": training.siblings}),
                begin,
                (
                    joined_examples([read_shard(path) for path in learned]),
                    joined_examples([read_shard(path) for path in held]),
                ),
                (self.run.config.run.seed, SeedStream.FIT, batch.number),
                self._reporter.message,
                self._is_stopped,
            )
        batch.results |= found
        return weights

    def _save(self, path: Path, weights: Weights, results: dict[str, Any]) -> None:
        game = self.run.game
        SavedWeights(weights, game.name, dict(game.options), dict(results)).write(path, KIND)

    # ------------------------------------------------------------ gate

    def _opponents(self) -> Iterator[tuple[str, int, Path | None]]:
        """Yield the opponents of the gate: name, policy, and file if it is a past network."""
        yield "quick players", quick_policy(self.run.game), None
        yield "the incumbent", OTHER, None
        past = self.run.past
        count = min(self.run.config.gate.past, len(past))
        for part in range(1, count + 1):
            number = past[len(past) * part // (count + 1)]
            yield f"past network {part}", PAST, self.run.checkpoint(number)

    def _play_gate(self, number: int) -> dict[str, Any]:
        """Play against the opponents until one is better. Raises Stopped."""
        gate = self.run.config.gate
        if gate.games == 0:
            return {"accepted": True, "games": []}
        candidate, incumbent = self.run.candidate(number), self._incumbent
        verdicts = []
        for index, (opponent, policy, past) in enumerate(self._opponents()):
            networks = publish(self._workers, self.run, candidate, incumbent, past)
            rng = np.random.default_rng((self.run.config.run.seed, SeedStream.GATE, number, index))
            test, seed = DifferenceTest(gate.gain, gate.error), int(rng.integers(2**62))
            match = GateMatch((opponent, policy), networks, seed, gate.games, test)
            verdict = match.play(self._workers, self._is_stopped)
            if self._is_stopped():
                raise Stopped
            self._reporter.message(f"round {number}: {verdict.words()}")
            verdicts.append(verdict)
            if verdict.accepted is False:
                break
        return {
            "accepted": passes(verdicts),
            "games": [{**v._asdict(), "share": round(v.share, 4)} for v in verdicts],
        }


def start_weights(run: ValuesRun, start: str) -> Weights:
    """Return the weights of a file, of the newest network of a run, or of a shipped network.

    A narrower network than that of the run is widened.

    Raises:
        CheckpointError: they are of another game, or of larger widths than the run.
    """
    path = run.folder.catalogue.find(start)
    compiled(path, run.game)  # checks the game
    weights = load_network(path).weights
    try:
        return widened(weights, features_of(run.game), run.config.widths, run.config.run.seed)
    except ValueError:
        raise CheckpointError(
            f"{path} has {_widths(widths_of(weights))}, the run {_widths(run.config.widths)}"
        ) from None


def _widths(widths: Widths) -> str:
    """Return widths as in a configuration: `site = 32, seat = 64, ...`."""
    return ", ".join(f"{name} = {width}" for name, width in widths._asdict().items())


def metrics_of_round(entry: Mapping[str, Any]) -> dict[str, float]:
    """Return the metrics of a round by name, from its entry in the history of the run."""
    figures = {f"time/{name}_seconds": float(value) for name, value in entry["seconds"].items()}
    if "after" in entry:
        after, labels = entry["after"], entry["labels"]
        figures |= {"unseen/shares": after["entropy"], "labels/learned": float(labels)}
        if after["possible"]:
            figures |= {"unseen/gained": after["gained"], "unseen/siblings": after["siblings"]}
    if entry.get("games"):
        figures["gate/accepted"] = float(entry["accepted"])
        for verdict in entry["games"]:
            figures[f"gate/{verdict['opponent']}"] = verdict["share"]
    return figures
