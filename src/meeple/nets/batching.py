"""Questions of several threads to one network, joined in batches.

Each client (a thread of self-play) asks about the positions of its own search. What waits together
is computed together. Several predictors of the same network take turns, so that one batch is
gathered while another is computed.
"""

import collections
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from meeple.errors import Stopped

Answer = tuple[NDArray[np.float32], NDArray[np.float32] | None]  # policy [B, A]; value [B, P]


class Asked(Protocol):
    """A network as self-play asks it: a predictor, or a client of several."""

    def __call__(self, observations: NDArray[np.float32], legal: NDArray[np.bool_]) -> Answer:
        """Policies [B, A] and values [B, P] of observations [B, ...], see `Predictor`."""
        ...

    def refresh(self) -> None:
        """Take over the network's present weights."""
        ...


class _Question(NamedTuple):
    observations: NDArray[np.float32]
    legal: NDArray[np.bool_]
    answer: "Future[Answer]"


class Batching:
    """Predictors of one network, and the clients that ask them; close it when all is asked.

    A predictor that is free takes what waits once that is a fair share of all clients, or where no
    batch is being computed: then nothing would come of waiting. So however few clients still ask,
    each of them is answered.
    """

    def __init__(self, predictors: Sequence[Asked], clients: int, most: int) -> None:
        """Begins a thread for each predictor.

        Args:
            predictors: of the same network; so many batches are in flight at most.
            clients: threads that will ask.
            most: positions of a joined batch. A question with more is a batch of its own.
        """
        self.clients = tuple(_Client(self) for _ in range(clients))
        self.batches = self.questions = self.positions = 0  # computed so far
        self.in_flight = self.most_in_flight = 0  # batches
        self._most, self._share = most, -(-clients // len(predictors))
        self._waiting: collections.deque[_Question] = collections.deque()
        self._changed = threading.Condition()
        self._closed = False
        self._lanes = [(predictor, threading.Lock()) for predictor in predictors]
        self._threads = [
            threading.Thread(target=self._work, args=lane, name=f"network {number}", daemon=True)
            for number, lane in enumerate(self._lanes)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, observations: NDArray[np.float32], legal: NDArray[np.bool_]) -> Answer:
        """The network's answer, as a predictor gives it; any thread may ask.

        Raises what the network raised, for all questions of its batch, and Stopped once it is
        closed.
        """
        answer: Future[Answer] = Future()
        with self._changed:
            if self._closed:
                raise Stopped
            self._waiting.append(_Question(observations, legal, answer))
            self._changed.notify()
        return answer.result()

    def refresh(self) -> None:
        """Have all predictors take over the network's present weights, between their batches."""
        for predictor, lock in self._lanes:
            with lock:
                predictor.refresh()

    def close(self) -> None:
        """End the threads, after the batches in flight; who still waits gets Stopped."""
        with self._changed:
            self._closed = True
            waiting = list(self._waiting)
            self._waiting.clear()
            self._changed.notify_all()
        for question in waiting:
            question.answer.set_exception(Stopped())
        for thread in self._threads:
            thread.join()

    # ------------------------------------------------------------ a thread of the network

    def _work(self, predictor: Asked, lock: threading.Lock) -> None:
        while batch := self._take():
            try:
                with lock:
                    answers = _answers(predictor, batch)
            except BaseException as error:  # whoever asked has to know
                answers = []
                for question in batch:
                    question.answer.set_exception(error)
            with self._changed:
                self.in_flight -= 1
                self._changed.notify_all()
            for question, answer in zip(batch, answers, strict=False):
                question.answer.set_result(answer)

    def _take(self) -> list[_Question]:
        """Wait for the next batch and take it; none once all is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._is_due())
            if self._closed:
                return []
            batch = [self._waiting.popleft()]
            count = len(batch[0].observations)
            while self._waiting:
                count += len(self._waiting[0].observations)
                if count > self._most:
                    break
                batch.append(self._waiting.popleft())
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            self.batches += 1
            self.questions += len(batch)
            self.positions += sum(len(question.observations) for question in batch)
            return batch

    def _is_due(self) -> bool:
        waiting = len(self._waiting)
        return waiting >= self._share or (waiting > 0 and self.in_flight == 0)


class _Client:
    """A network as one thread asks it."""

    def __init__(self, batching: Batching) -> None:
        self._ask: Callable[..., Answer] = batching.ask
        self.refresh = batching.refresh

    def __call__(self, observations: NDArray[np.float32], legal: NDArray[np.bool_]) -> Answer:
        return self._ask(observations, legal)


def _answers(predictor: Asked, batch: Sequence[_Question]) -> list[Answer]:
    """Compute a batch, and part the answer among those who asked."""
    if len(batch) == 1:
        return [predictor(batch[0].observations, batch[0].legal)]
    policy, value = predictor(
        np.concatenate([question.observations for question in batch]),
        np.concatenate([question.legal for question in batch]),
    )
    ends = np.cumsum([len(question.observations) for question in batch])[:-1]
    policies = np.split(policy, ends)
    if value is None:
        return [(one, None) for one in policies]
    return list(zip(policies, np.split(value, ends), strict=True))
