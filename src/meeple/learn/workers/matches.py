"""Matches of a run's network in a thread of the trainer, while the cluster plays and learns on."""

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from meeple.arena.lockstep import Stop
from meeple.learn.evaluation.evaluated import evaluated_network
from meeple.learn.evaluation.matches import Matches
from meeple.learn.run.run import NetworkRun
from meeple.nets.architecture import Weights
from meeple.nets.inference import Predictor


class MatchesBeside:
    """Rounds of matches, each by the network as it was when the round began."""

    def __init__(self, run: NetworkRun, stop: Stop) -> None:
        self._run, self._stop = run, stop
        weights = run.network.weights
        tensors = {name: array.copy() for name, array in weights.tensors.items()}
        self._weights = Weights(weights.architecture, tensors)
        self._predictor = Predictor(self._weights, run.state.format)
        evaluated = evaluated_network(run, self._predictor)
        self._matches = Matches(evaluated, run.config.matches, run.state.seconds)
        self._thread = ThreadPoolExecutor(1, "matches")
        self._round: Future[dict[str, float]] | None = None

    def figures(self, seconds: float, *, at_end: bool) -> Mapping[str, float]:
        """The figures of a round that is over, where there is one; begins the next where it is due.

        At the end of a run it waits.
        """
        found = self._finished(wait=at_end)
        if self._round is None and self._matches.is_due(seconds, at_end=at_end):
            for name, array in self._run.network.weights.tensors.items():
                self._weights.tensors[name][...] = array
            self._predictor.refresh()
            self._round = self._thread.submit(self._matches.play, seconds, self._stop)
            found = {**found, **self._finished(wait=at_end)}
        return found

    def close(self) -> None:
        """Wait for the round that is being played; `stop` ends it soon."""
        self._thread.shutdown(cancel_futures=True)

    def _finished(self, *, wait: bool) -> dict[str, float]:
        if self._round is None or not (wait or self._round.done()):
            return {}
        round_, self._round = self._round, None
        return round_.result()
