"""Matches of a run's network beside its training on a cluster."""

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from meeple.executors.executor import Stop
from meeple.learn.evaluation.matches import network_matches
from meeple.learn.run.run import NetworkRun
from meeple.nets.architecture import Weights
from meeple.nets.inference import Predictor


class MatchesBeside:
    """Matches in a thread beside training; a round plays the network of its beginning."""

    def __init__(self, run: NetworkRun, stop: Stop) -> None:
        self._run, self._stop = run, stop
        weights = run.network.weights
        tensors = {name: array.copy() for name, array in weights.tensors.items()}
        self._weights = Weights(weights.architecture, tensors)
        self._predictor = Predictor(self._weights, run.state.format)
        self._matches = network_matches(run, self._predictor)
        self._thread = ThreadPoolExecutor(1, "matches")
        self._round: Future[dict[str, float]] | None = None

    def figures(self, seconds: float, *, at_end: bool) -> Mapping[str, float]:
        """Return the figures of a finished round; start the next round if it is due.

        `seconds`: of training so far. At the end of the run it waits for the round.
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
