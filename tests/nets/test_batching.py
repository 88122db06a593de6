"""Requests of many threads are joined in batches, and each gets its own answer."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from meeple.errors import NetworkError, Stopped
from meeple.nets.batching import Batching
from meeple.nets.inference import Predictor
from meeple.nets.network import ActorNetwork
from tests.nets.small import FLAT, TOWER, assert_near, changed, random_batch

LONG = 30.0  # seconds; a test that waits this long has failed


class Network:
    """Answers each request with its numbers; it can be blocked, and records its batches."""

    def __init__(self, held=False):
        self.sizes, self.refreshed = [], 0
        self.entered, self.go = threading.Semaphore(0), threading.Event()
        if not held:
            self.go.set()

    def __call__(self, observations, legal):
        self.sizes.append(len(observations))
        self.entered.release()
        assert self.go.wait(LONG)
        if (observations[:, 0] == 13).any():
            raise NetworkError
        return observations[:, :1].copy(), observations[:, 1:].copy()

    def refresh(self):
        self.refreshed += 1


@pytest.fixture
def batching():
    """Build batching objects, and close them at the end of the test."""
    made: list[Batching] = []

    def make(networks, clients, max_positions=64):
        made.append(Batching(networks, clients, max_positions))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def pool():
    with ThreadPoolExecutor(8) as pool:
        yield pool


@pytest.fixture
def occupied(batching, pool):
    """Return a network whose first batch is blocked, and what joins the requests to it."""

    def make(clients, max_positions=64):
        network = Network(held=True)
        shared = batching([network], clients, max_positions)
        first = pool.submit(shared, *question(0))
        assert network.entered.acquire(timeout=LONG)
        return network, shared, first

    return make


def question(number, size=1):
    observations = np.full((size, 2), number, dtype=np.float32)
    observations[:, 1] = np.arange(size)
    return observations, np.ones((size, 3), dtype=np.bool_)


def is_answer(answer, number, size=1):
    return (answer[0] == number).all() and answer[1][:, 0].tolist() == list(range(size))


def until(holds):
    """Wait until a condition holds."""
    for _ in range(int(LONG * 1000)):
        if holds():
            return
        threading.Event().wait(0.001)
    raise AssertionError("the condition never holds")


def until_waiting(batching, count):
    until(lambda: len(batching._waiting) == count)


def test_many_threads_get_their_own_answers(batching, pool):
    networks = [Network(), Network()]
    shared = batching(networks, 8, max_positions=20)

    def play(number):
        rng = np.random.default_rng(number)
        for turn in range(200):
            size = int(rng.integers(0, 30))  # sometimes more than the maximum of a batch
            asked = question(1000 * number + turn + 20, size)
            assert is_answer(shared(*asked), 1000 * number + turn + 20, size)

    list(pool.map(play, range(8)))
    assert shared.requests == 8 * 200
    assert shared.positions == sum(map(sum, (network.sizes for network in networks)))
    assert shared.in_flight == 0


@pytest.mark.parametrize("architecture", [FLAT, TOWER, changed(TOWER, critic=False)])
def test_a_joined_batch_gives_the_results_of_single_requests(batching, pool, architecture):
    weights = ActorNetwork(architecture, seed=0).weights
    alone = Predictor(weights, "float32")
    shared = batching([Predictor(weights, "float32") for _ in range(2)], 4)
    asked = [random_batch(architecture, size=size) for size in (3, 17, 8, 1)]
    for _ in range(20):
        found = pool.map(lambda batch: shared(*batch), asked)
        for one, batch in zip(found, asked, strict=True):
            assert_near(one, alone(*batch))


def test_waiting_requests_are_joined_up_to_the_largest_batch(occupied, pool):
    network, shared, first = occupied(6, max_positions=10)
    others = []
    for number in range(1, 6):
        others.append(pool.submit(shared, *question(number, 4)))
        until_waiting(shared, number)
    network.go.set()
    assert is_answer(first.result(LONG), 0)
    for number, other in enumerate(others, start=1):
        assert is_answer(other.result(LONG), number, 4)
    assert network.sizes == [1, 8, 8, 4]
    assert shared.batches == 4


def test_two_batches_are_in_flight_and_the_next_is_gathered_meanwhile(batching, pool):
    networks = [Network(held=True), Network(held=True)]
    shared = batching(networks, 4)
    asked = [pool.submit(shared, *question(0))]
    until(lambda: networks[0].sizes or networks[1].sizes)
    asked.append(pool.submit(shared, *question(1)))
    until_waiting(shared, 1)  # below its fair share, the request waits for another
    asked.append(pool.submit(shared, *question(2)))
    for network in networks:
        assert network.entered.acquire(timeout=LONG)
    assert shared.in_flight == 2
    asked.append(pool.submit(shared, *question(3)))
    until_waiting(shared, 1)
    for network in networks:
        network.go.set()
    for number, one in enumerate(asked):
        assert is_answer(one.result(LONG), number)
    assert sorted(networks[0].sizes + networks[1].sizes) == [1, 1, 2]
    assert shared.max_in_flight == 2


@pytest.mark.parametrize("asking", [1, 2, 3])
def test_ended_clients_delay_no_other_client(batching, pool, asking):
    shared = batching([Network(), Network()], 64)

    def play(number):
        for turn in range(20, 70):
            assert is_answer(shared(*question(turn)), turn)

    list(pool.map(play, range(asking), timeout=LONG))


def test_an_error_reaches_every_client_of_its_batch_and_none_of_the_next(occupied, pool):
    network, shared, first = occupied(4)
    others = [pool.submit(shared, *question(12 + n)) for n in (1, 2, 3)]
    until_waiting(shared, 3)
    network.go.set()
    assert is_answer(first.result(LONG), 0)
    for other in others:
        with pytest.raises(NetworkError, match="not finite"):
            other.result(LONG)
    assert is_answer(shared(*question(5)), 5)


def test_requests_that_cannot_be_joined_fail_for_every_client(occupied, pool):
    network, shared, _ = occupied(3)
    others = [pool.submit(shared, *question(1))]
    others.append(pool.submit(shared, np.zeros((1, 5), np.float32), question(2)[1]))
    until_waiting(shared, 2)
    network.go.set()
    for other in others:
        with pytest.raises(ValueError):
            other.result(LONG)


def test_closing_wakes_waiting_clients_and_refuses_new_ones(occupied, pool):
    network, shared, first = occupied(3)
    others = [pool.submit(shared, *question(n)) for n in (1, 2)]
    until_waiting(shared, 2)
    closing = pool.submit(shared.close)
    for other in others:
        with pytest.raises(Stopped):
            other.result(LONG)
    network.go.set()
    closing.result(LONG)
    assert is_answer(first.result(LONG), 0)  # its computation had started
    with pytest.raises(Stopped):
        shared(*question(1))
    shared.close()


def test_a_refresh_reaches_all_predictors_after_their_batches(batching, pool):
    networks = [Network(held=True), Network(held=True)]
    shared = batching(networks, 2)
    asked = pool.submit(shared, *question(0))
    until(lambda: networks[0].sizes or networks[1].sizes)
    refreshing = pool.submit(shared.refresh)
    busy = next(network for network in networks if network.sizes)
    assert busy.refreshed == 0
    busy.go.set()
    refreshing.result(LONG)
    asked.result(LONG)
    assert [network.refreshed for network in networks] == [1, 1]
