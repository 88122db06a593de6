"""The order of tasks is fair by caller, and long searches give way."""

from collections import OrderedDict
from typing import Any

import pytest

from meeple.server.limits import LIMITS
from meeple.server.thinking.job import AgentTask, PoolJob, WorkerSlot
from meeple.server.thinking.turns import Turns
from meeple.server.thinking.worker import THINKING
from tests.server.clocks import Clock


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def turns(clock):
    return Turns(LIMITS, lambda key: not key.startswith("cup"), clock)


@pytest.fixture
def job(clock):
    def made(key, caller, *, seconds=None, ran=0.0):
        answer: Any = None
        task = AgentTask(key, "hex", {}, 0, (), "random", 1, caller=caller)
        return PoolJob(task, seconds, None, answer, 0.5, since=clock(), ready=clock(), ran=ran)

    return made


def worker(job=None, *, resumes=True, remembers=()):
    process: Any = None
    if job is not None:
        job.state, job.resumes = THINKING, resumes
    return WorkerSlot(process, job, OrderedDict.fromkeys(remembers))


def used(turns, job, seconds):
    """Charge a caller by a task that ran."""
    job.begun = turns._now() - seconds
    turns.charge(job)


def test_the_caller_who_used_least_is_next_and_then_the_longest_waiting_task(turns, clock, job):
    used(turns, job("a:0", "greedy"), 5.0)
    many = [job(f"a:{number}", "greedy") for number in range(40)]
    clock.now += 1.0
    late = [job("b:0", "modest"), job("c:0", "other")]
    idle = [worker()]
    assert turns.next_for(idle[0], idle, [*many, *late]) is late[0]
    assert turns.next_for(idle[0], idle, [*many, late[1]]) is late[1]
    assert turns.next_for(idle[0], idle, many) is many[0]


def test_a_running_task_counts_before_it_ends(turns, clock, job):
    running, first, second = job("a:0", "greedy"), job("a:1", "greedy"), job("b:0", "modest")
    running.begun = clock()
    clock.now += 3.0
    places = [worker(running), worker()]
    assert turns.next_for(places[1], places, [first, second]) is second


def test_moves_that_no_client_waits_for_come_after_people_but_before_the_greedy(turns, job):
    cup, person, greedy = job("cup:0", "host"), job("a:0", "person"), job("b:0", "greedy")
    used(turns, job("a:1", "person"), LIMITS.unwatched_seconds - 1)
    used(turns, job("b:1", "greedy"), LIMITS.unwatched_seconds + 1)
    idle = [worker()]
    assert turns.next_for(idle[0], idle, [greedy, cup, person]) is person
    assert turns.next_for(idle[0], idle, [greedy, cup]) is cup


def test_cups_share_the_workers_and_their_moves_are_not_charged_to_what_people_do(turns, job):
    used(turns, job("cup 1:0", "host"), 20.0)
    idle = [worker()]
    cups = [job("cup 1:0", "host"), job("cup 2:0", "another")]
    assert turns.next_for(idle[0], idle, cups) is cups[1]
    people = [job("a:0", "host"), job("b:0", "another")]
    assert turns.next_for(idle[0], idle, people) is people[0]


def test_a_task_waits_a_while_for_the_worker_with_its_tree(turns, clock, job):
    one, places = job("a:0", "any"), [worker(), worker(remembers=["a:0"])]
    assert turns.next_for(places[0], places, [one]) is None
    assert turns.next_for(places[1], places, [one]) is one
    clock.now += one.patience
    assert turns.next_for(places[0], places, [one]) is one


def test_analyses_leave_a_worker_for_moves(turns, job):
    places = [worker(job("analysis 1", "a", seconds=0.25)), worker()]
    assert turns.next_for(places[1], places, [job("analysis 2", "b", seconds=0.25)]) is None


@pytest.mark.parametrize(
    ("waiting", "after", "resumes", "expected"),
    [
        (("b:0", "modest"), 0.4, True, False),  # its turn is not over
        (("b:0", "modest"), 0.8, True, True),
        (("b:0", "modest"), 1.9, False, False),  # it has to end its search then
        (("b:0", "modest"), 2.1, False, True),
        (("a:1", "greedy"), 1.9, True, False),  # another task of the caller
        (("a:1", "greedy"), 2.1, True, True),
        (("a:1", "greedy"), 60.0, False, False),
        (("cup:0", "modest"), 5.0, True, False),  # no client waits for it
    ],
)
def test_a_search_gives_way_after_its_turn(turns, clock, job, waiting, after, resumes, expected):
    running = job("a:0", "greedy")
    used(turns, job("a:0", "greedy"), 2.0)
    running.begun = clock()
    clock.now += after
    places = [worker(running, resumes=resumes)]
    found = turns.to_interrupt(places, [job(*waiting)])
    assert found is (places[0] if expected else None)


def test_a_search_does_not_give_way_to_a_caller_who_used_more(turns, clock, job):
    running, waiting = job("a:0", "modest"), job("b:0", "greedy")
    used(turns, job("b:1", "greedy"), 30.0)
    running.begun = clock()
    clock.now += 20.0
    assert turns.to_interrupt([worker(running)], [waiting]) is None


def test_an_unwatched_search_gives_way_to_people_who_wait(turns, clock, job):
    running, waiting = job("cup:0", "host"), job("a:0", "busy")
    used(turns, job("a:1", "busy"), LIMITS.unwatched_seconds - 1)
    running.begun = clock()
    clock.now += LIMITS.turn_seconds + 0.1
    places = [worker(running)]
    assert turns.to_interrupt(places, [waiting]) is places[0]


def test_the_search_of_the_caller_who_used_most_gives_way(turns, clock, job):
    one, other = job("a:0", "greedy"), job("b:0", "modest")
    used(turns, job("a:1", "greedy"), 10.0)
    one.begun = other.begun = clock()
    clock.now += 5.0
    places = [worker(other), worker(one)]
    assert turns.to_interrupt(places, [job("c:0", "new")]) is places[1]
    one.gives_way = True
    assert turns.to_interrupt(places, [job("c:0", "new")]) is places[0]
