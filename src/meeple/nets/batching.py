"""Batching: requests of several threads to one network, computed together.

Each client is a thread of self-play that requests the positions of its search. Waiting requests are
joined into a batch. Several predictors of the same network alternate, so that one batch is
gathered while another is computed.
"""

import collections
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meeple.errors import Stopped
from meeple.nets.inference import Predictor

Prediction = tuple[NDArray[np.float32], NDArray[np.float32] | None]  # policy [B, A]; value [B, P]


class _Request(NamedTuple):
    observations: NDArray[np.float32]
    legal: NDArray[np.bool_]
    result: "Future[Prediction]"


class Batching:
    """Predictors of one network and the clients that call them; close it after use.

    A free predictor takes the waiting requests when they come from a fair share of the clients, or
    when no batch is being computed, since waiting longer would gain nothing. So requests are
    answered even if few clients are left.
    """

    def __init__(self, predictors: Sequence[Predictor], clients: int, max_positions: int) -> None:
        """Start a thread for each predictor of a network; each has one batch at most in flight.

        `clients`: number of threads that send requests; `max_positions`: of a joined batch, while a
        larger request is a batch of its own.
        """
        self.batches = self.requests = self.positions = 0  # computed so far
        self.in_flight = self.max_in_flight = 0  # batches
        self._max_positions, self._fair_share = max_positions, -(-clients // len(predictors))
        self._waiting: collections.deque[_Request] = collections.deque()
        self._changed = threading.Condition()
        self._closed = False
        self._lanes = [(predictor, threading.Lock()) for predictor in predictors]
        self._threads = [
            threading.Thread(target=self._work, args=lane, name=f"network {number}", daemon=True)
            for number, lane in enumerate(self._lanes)
        ]
        for thread in self._threads:
            thread.start()

    def __call__(self, observations: NDArray[np.float32], legal: NDArray[np.bool_]) -> Prediction:
        """Return the prediction of the network; any thread may call this.

        Raises:
            Stopped: this object is closed.
            Exception: what the predictor raised, for all requests of the batch.
        """
        result: Future[Prediction] = Future()
        with self._changed:
            if self._closed:
                raise Stopped
            self._waiting.append(_Request(observations, legal, result))
            self._changed.notify()
        return result.result()

    def refresh(self) -> None:
        """Let all predictors read the network's current weights, between their batches."""
        for predictor, lock in self._lanes:
            with lock:
                predictor.refresh()

    def close(self) -> None:
        """End the threads after the batches in flight; waiting requests raise Stopped."""
        with self._changed:
            self._closed = True
            waiting = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
        for request in waiting:
            request.result.set_exception(Stopped())
        for thread in self._threads:
            thread.join()

    # ------------------------------------------------------------ thread of a predictor

    def _work(self, predictor: Predictor, lock: threading.Lock) -> None:
        while batch := self._next_batch():
            try:
                with lock:
                    predictions = _predictions(predictor, batch)
            except BaseException as error:  # the clients raise it
                predictions = []
                for request in batch:
                    request.result.set_exception(error)
            with self._changed:
                self.in_flight -= 1
                self._changed.notify_all()
            for request, prediction in zip(batch, predictions, strict=False):
                request.result.set_result(prediction)

    def _next_batch(self) -> list[_Request]:
        """Wait for the next batch and return it; [] after `close`."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._is_due())
            if self._closed:
                return []
            batch = [self._waiting.popleft()]
            count = len(batch[0].observations)
            while self._waiting:
                count += len(self._waiting[0].observations)
                if count > self._max_positions:
                    break
                batch.append(self._waiting.popleft())
            self.in_flight += 1
            self.max_in_flight = max(self.max_in_flight, self.in_flight)
            self.batches += 1
            self.requests += len(batch)
            self.positions += sum(len(request.observations) for request in batch)
            return batch

    def _is_due(self) -> bool:
        waiting = len(self._waiting)
        return waiting >= self._fair_share or (waiting > 0 and self.in_flight == 0)


PolicyValueFunction = Predictor | Batching  # a network as self-play calls it


def _predictions(predictor: Predictor, batch: Sequence[_Request]) -> list[Prediction]:
    """Compute a batch, and split the result by request."""
    if len(batch) == 1:
        return [predictor(batch[0].observations, batch[0].legal)]
    policy, value = predictor(
        np.concatenate([request.observations for request in batch]),
        np.concatenate([request.legal for request in batch]),
    )
    ends = np.cumsum([len(request.observations) for request in batch])[:-1]
    policies = np.split(policy, ends)
    if value is None:
        return [(one, None) for one in policies]
    return list(zip(policies, np.split(value, ends), strict=True))
