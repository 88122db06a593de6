"""Games that people played are reviewed when they end, while nothing else is to be done."""

import time

import pytest
from sqlalchemy import text

from meeple.server import app as application
from meeple.server.limits import ServerLimits
from meeple.server.services import Services
from tests.server.pools import AnalysingPool
from tests.server.tables import ME, agent, at, begin, desk, messages_until_end, my_turn, serving

PATIENCE = 60.0  # seconds, on a busy machine


@pytest.fixture
def pool(monkeypatch):
    made = AnalysingPool()
    monkeypatch.setattr(application, "Pool", lambda *_: made)
    return made


def finished(client, seats=(ME, ME), **more):
    """Play a game of Nim to its end; return the table's id and tokens."""
    made = begin(client, list(seats), **more)
    with at(client, made["id"], made["tokens"].values()) as page:
        while page.view["status"] != "over":
            if page.view["actions"]:
                page.play(page.view["actions"][0]["name"])
            else:
                page.until(my_turn)
    return made["id"], made["tokens"]


def review_of(client, id):
    services: Services = client.app.state.services
    return services.reviews._reviews.get(id)


def wait_until(happens):
    ends = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < ends
        time.sleep(0.005)


def reviewed(client, *seats, **more):
    """Play a game to its end and wait for its review; return the table's id and tokens."""
    id, tokens = finished(client, seats or (ME, ME), **more)
    wait_until(lambda: (found := review_of(client, id)) is not None and found.done)
    return id, tokens


def sweep(client, id, ready=True):
    with desk(client) as socket:
        wish = {"type": "sweep", "source": {"table": id}, "seconds": 0.1, "ready": ready}
        socket.send_json(wish)
        return messages_until_end(socket)


def test_a_finished_game_is_reviewed_before_it_is_asked_for(client, pool):
    id, _ = reviewed(client)
    searched = len(pool.tasks)
    *values, review, done = sweep(client, id)
    assert [value["ply"] for value in values] == list(range(10))
    assert review["type"] == "review"
    assert len(review["moves"]) == 9
    assert done["type"] == "done"
    assert len(pool.tasks) == searched  # nothing is searched again
    again = sweep(client, id, ready=False)
    assert len(pool.tasks) > searched
    assert [{**message, "id": 0} for message in again] == [*values, review, done]


@pytest.mark.parametrize("change", ["nothing", "evaluator", "version"])
def test_a_review_survives_a_restart_unless_the_evaluator_or_the_version_is_another(
    tmp_path, pool, monkeypatch, change
):
    with serving(tmp_path) as client:
        services: Services = client.app.state.services
        with services.resources.store.engine.begin() as connection:
            connection.execute(text("DROP TABLE reviews"))  # of a database of an older server
    with serving(tmp_path) as client:
        id, _ = reviewed(client)
        first = sweep(client, id)
    searched = len(pool.tasks)
    if change == "version":
        monkeypatch.setattr("meeple.server.analysis.reviews.version", lambda: "0.0")
    elif change == "evaluator":
        monkeypatch.setattr(
            "meeple.server.analysis.analyst.default_evaluator", lambda *_: "uct:sims=77"
        )
    with serving(tmp_path) as client:
        again = sweep(client, id)
    if change == "nothing":
        assert again == first
    assert [message["type"] for message in again] == [message["type"] for message in first]
    assert (len(pool.tasks) > searched) == (change != "nothing")


def test_a_game_that_an_agent_ends_is_reviewed_and_one_of_agents_alone_is_not(client, pool):
    id, _ = reviewed(client, ME, agent(), options={"stones": 2})
    assert sweep(client, id)[-1]["type"] == "done"
    made = begin(client, [agent(), agent()])
    with at(client, made["id"]) as page:
        page.until(lambda view: view["status"] == "over")
    assert review_of(client, made["id"]) is None


def test_a_reader_gets_a_review_in_the_making_to_its_end(client, pool, monkeypatch):
    loads = iter([(0, 0)] * 4)
    monkeypatch.setattr(AnalysingPool, "load", property(lambda pool: next(loads, (1, 1))))
    id, _ = finished(client)
    wait_until(lambda: (found := review_of(client, id)) is not None and found.begun)
    assert not review_of(client, id).done  # it waits for an idle pool
    *values, review, done = sweep(client, id)
    assert [value["ply"] for value in values] == list(range(10))
    assert (review["type"], done["type"]) == ("review", "done")


def test_a_review_is_dropped_where_agents_never_rest(tmp_path, pool, monkeypatch):
    monkeypatch.setattr(AnalysingPool, "load", property(lambda pool: (1, 1)))
    with serving(tmp_path, ServerLimits(review_patience_seconds=0.0)) as client:
        id, _ = finished(client)
        wait_until(lambda: review_of(client, id) is None)
        assert sweep(client, id)[-1]["type"] == "done"  # a click still begins one


def test_no_review_is_made_where_none_may_wait(tmp_path, pool):
    with serving(tmp_path, ServerLimits(max_waiting_reviews=0)) as client:
        id, _ = finished(client)
        assert review_of(client, id) is None


def test_a_move_that_is_taken_back_makes_the_review_void(client, pool):
    id, tokens = reviewed(client)
    first = review_of(client, id)
    with at(client, id, tokens.values()) as page:
        page.say("undo")
        page.until(lambda view: view["status"] == "playing")
        assert sweep(client, id)[-1]["type"] == "done"
        page.play(page.view["actions"][0]["name"])
    assert review_of(client, id) is first  # the same moves again


def test_a_failed_review_is_forgotten(client, pool):
    pool.busy = True
    id, _ = finished(client)
    wait_until(lambda: review_of(client, id) is None)
    pool.busy = False
    assert sweep(client, id)[-1]["type"] == "done"
