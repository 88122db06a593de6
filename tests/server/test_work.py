"""Work in threads: bounded, fairly distributed, and never blocking the rest."""

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import meeple
from meeple.games.contract.records import record_of
from meeple.server import work
from meeple.server.errors import Busy
from meeple.server.limits import LIMITS, LaneLimits
from meeple.server.play import tables
from meeple.server.work import Lane, caller_now
from tests.server.clocks import Clock
from tests.server.tables import ME, agent, at, begin, serving

pytestmark = pytest.mark.anyio
PATIENCE = 60.0  # seconds, on a busy machine


@pytest.fixture
def gate():
    """Work that waits until the gate is opened."""
    opened = threading.Event()
    yield opened
    opened.set()


def lane(waiting=8, each=4, **more):
    return Lane("test", LaneLimits(1, waiting, each), **more)


async def submit(lane, caller, call, *args):
    caller_now.set(caller)
    return await lane.do(call, *args)


async def submitted(lane, waiting):
    while lane.load[0] != waiting:
        await asyncio.sleep(0)


async def test_a_call_returns_its_result_or_raises_its_exception():
    assert await lane().do(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await lane().do(divmod, 7, 0)


async def test_the_last_of_many_calls_and_of_a_callers_calls_are_asked_to_retry(gate):
    full = lane(waiting=4, each=2)
    tasks = [asyncio.create_task(submit(full, "greedy", gate.wait, PATIENCE)) for _ in range(3)]
    await submitted(full, 2)
    with pytest.raises(Busy):
        await submit(full, "greedy", gate.wait)
    others = [submit(full, f"modest {number}", gate.wait, PATIENCE) for number in range(2)]
    tasks += map(asyncio.create_task, others)
    await submitted(full, 4)
    with pytest.raises(Busy, match="try again"):
        await submit(full, "late", gate.wait)
    gate.set()
    assert await asyncio.gather(*tasks) == [True] * 5


async def test_the_caller_with_the_least_use_is_next(gate, monkeypatch):
    """The duration of calls counts, not their number."""
    costs = {"heavy": 5.0, "light": 1.0, "first": 0.0}
    monkeypatch.setattr(work, "_timed", lambda call: (costs[call()], None, None))
    done = []

    def note(caller):
        gate.wait(PATIENCE)
        done.append(caller)
        return caller

    shared = lane()
    callers = ["first", *["heavy"] * 3, *["light"] * 3]
    tasks = []
    for number, caller in enumerate(callers):
        tasks.append(asyncio.create_task(submit(shared, caller, note, caller)))
        await submitted(shared, number)
    gate.set()
    await asyncio.gather(*tasks)
    assert done == ["first", "heavy", "light", "light", "light", "heavy", "heavy"]


def test_the_use_of_a_caller_is_forgotten_over_time():
    clock = Clock()
    one = lane(now=clock)
    one._used.charge("somebody", 8.0)
    clock.now += work.HALF_LIFE
    assert one._used.of("somebody") == pytest.approx(4.0)
    clock.now += 20 * work.HALF_LIFE
    one._used.charge("another", 1.0)
    assert set(one._used._used) == {"another"}


async def test_a_cancelled_call_leaves_the_queue(gate):
    one = lane()
    first = asyncio.create_task(one.do(gate.wait, PATIENCE))
    second = asyncio.create_task(one.do(gate.wait, PATIENCE))
    await submitted(one, 1)
    second.cancel()
    await submitted(one, 0)
    gate.set()
    assert await first


# ------------------------------------------------------------ routes


SOON_LONG = replace(LIMITS, long_plies=150)
NO_LONG_LANE = LaneLimits(1, 0, 0)
NO_LONG_GAMES = replace(SOON_LONG, long_lane=NO_LONG_LANE)


def long_record(plies=500):
    """Return an unfinished game of Nim, one stone at a time."""
    position = meeple.make("nim", stones=1000).start()
    for _ in range(plies):
        position.play(0)
    return record_of(position, ["", ""]).to_json()


def new_game(client, **more):
    return client.post("/api/tables", json={"seats": [ME, agent()], **more})


@pytest.fixture
def held_up(gate, monkeypatch):
    """Make new games from records wait for the gate."""
    begun = tables._new_game

    def wait(wanted, runs):
        if wanted.record:
            gate.wait(PATIENCE)
        return begun(wanted, runs)

    monkeypatch.setattr(tables, "_new_game", wait)


@pytest.mark.slow
def test_long_records_do_not_delay_new_games_hints_or_tables(tmp_path, pool, held_up, gate):
    with serving(tmp_path, SOON_LONG) as client, ThreadPoolExecutor(9) as people:
        made = begin(client, [ME, agent()])
        record = long_record()
        posted = [
            people.submit(new_game, client, game="nim", record=record, options={}) for _ in range(9)
        ]
        while client.app.state.services.resources.work.long.load != (8, 1):
            time.sleep(0.01)
        busy = new_game(client, game="nim", record=record)
        assert (busy.status_code, "try again" in busy.json()["error"]) == (503, True)
        assert new_game(client, game="nim", options={"stones": 9}).status_code == 200
        with at(client, made["id"], made["tokens"].values()) as me:
            me.say("hint")
            assert me.message("hint")["actions"]
        gate.set()
        assert [one.result().status_code for one in posted] == [200] * 9


@pytest.mark.slow
def test_a_long_game_that_cannot_be_loaded_yet_is_requested_again(tmp_path, pool):
    with serving(tmp_path, SOON_LONG) as client:
        long = new_game(client, game="nim", record=long_record()).json()["id"]
        short = begin(client, [ME, agent()])["id"]
    with serving(tmp_path, NO_LONG_GAMES) as client:
        assert client.get(f"/api/tables/{long}").status_code == 503
        with client.websocket_connect("ws://127.0.0.1/ws/table") as socket:
            socket.send_text(json.dumps({"type": "watch", "table": long}))
            assert socket.receive()["code"] == 4503  # no final error: the page connects again
        assert client.get(f"/api/tables/{short}").status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/records", lambda record: {"text": record}),
        ("/api/positions", lambda record: {"source": {"record": record}}),
        ("/api/scenes", lambda record: {"source": {"record": record}, "ply": 3}),
        ("/api/tables", lambda record: {"game": "nim", "seats": [ME, agent()], "record": record}),
    ],
)
def test_every_route_of_a_long_record_can_be_busy(tmp_path, pool, monkeypatch, path, body):
    with serving(tmp_path, NO_LONG_GAMES) as client:
        assert client.post(path, json=body(long_record())).status_code == 503
        assert client.post(path, json=body(long_record(5))).status_code == 200
    with serving(tmp_path, SOON_LONG) as client:
        (id,) = client.post("/api/records", json={"text": long_record()}).json()["ids"]
        assert client.get(f"/api/tables/{id}").status_code == 200
        monkeypatch.setattr(client.app.state.services.resources.work.long, "_limits", NO_LONG_LANE)
        for part in (f"tables/{id}/replay", f"tables/{id}/record", f"records?ids={id}"):
            assert client.get(f"/api/{part}").status_code == 503
