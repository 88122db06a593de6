"""The checks of `make chaos` detect their faults, and a short run of it passes."""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from typing import Any

import pytest

import meeple
from bench.chaos import secrecy
from bench.chaos.attacks import PING, TEXT, frame
from bench.chaos.findings import TRAINED, Findings, ProcessSample, QuietAnswer
from bench.chaos.people import MOST_HEARD, Heard, PlyAccount, World
from bench.chaos.programs import HostUnderTest, QuietClients
from bench.chaos.troubles import CALM, TROUBLES, Troubles
from meeple import kernels
from meeple.server.play.seats import Seat
from meeple.server.play.stored import new_stored, table_of
from meeple.server.play.views import view_of
from meeple.server.store import GameStore, Ply

pytestmark = pytest.mark.nightly("nothing is lost while processes die and others attack")


def view(ply, texts, first=0):
    events = [{"ply": at, "text": text} for at, text in texts.items()]
    return {"ply": ply, "events": {"from": first, "list": events}}


def test_lost_and_changed_moves_are_detected_and_undone_ones_are_not():
    account = PlyAccount()
    assert not account.take(view(2, {0: "a1", 1: "b2"}))
    assert account.take(view(1, {0: "a1"})) == "2 plies were acknowledged, and there are 1"
    assert not account.take(view(2, {0: "a1", 1: "b2"}))
    fault = account.take(view(3, {0: "a1", 1: "c3", 2: "d4"}))
    assert fault == "ply 1 differs from before"
    account = PlyAccount()
    account.take(view(3, {0: "a1", 1: "b2", 2: "c3"}))
    account.may_shrink = True
    assert not account.take(view(1, {}, first=1))
    assert not account.take(view(2, {1: "e5"}, first=1))
    assert account.told == {0: "a1", 1: "e5"}
    assert account.take(view(0, {}))


@pytest.fixture(scope="module")
def midway():
    """Return an unfinished game of Catan between players with a short lookahead."""
    game = meeple.make("catan", players=3)
    position, player = game.start(1_234_567), meeple.agent("weighted", game, 21)
    while len(position.actions) < 160 or not secrecy.hides(position, None):
        if position.to_move == kernels.CHANCE:
            position.play_chance()
        else:
            position.play(player.choose(position))
    return position


@pytest.fixture
def stored(midway, tmp_path):
    """Store that game in a database; return its id and table."""
    seats = [Seat("human", token=f"hash {seat}") for seat in range(3)]
    game = new_stored(midway.game.start(midway.seed), seats, {"help": True}, {})
    plies = [Ply(action) for action in midway.actions]
    store = GameStore(tmp_path)
    table = table_of(game, plies)
    store.add(game, plies)
    id = str(table.id)
    store.close()
    return id, table


def heard(id, table, seat, shown, **changes):
    message = {**view_of(table, frozenset(shown)), **changes}
    return Heard(id, tuple(seat), json.dumps(message))


def test_messages_with_hidden_information_are_detected(stored, tmp_path, monkeypatch):
    id, table = stored

    def faults_of(*messages):
        findings = Findings()
        secrecy.check(tmp_path, list(messages), findings)
        return " ".join(findings.faults), findings.counts

    faults, counts = faults_of(*(heard(id, table, you, you) for you in ((), (0,), (1,), (2,))))
    assert faults == ""
    assert counts["messages compared in a world that differs"] > 0
    others_cards = [heard(id, table, (), (seat,)) for seat in range(3)]
    assert "was not as the game stood" in faults_of(*others_cards)[0]
    with_seed = heard(id, table, (), (), summary=f"begun with {table.position.seed}")
    assert "the seed of table" in faults_of(with_seed)[0]

    def leaky(table, you, **more):  # fits the game, but not its other determinizations
        return {**view_of(table, you, **more), "guide": table.position.row.tobytes().hex()}

    monkeypatch.setattr(secrecy, "view_of", leaky)
    leaking = heard(id, table, (), (), guide=table.position.row.tobytes().hex())
    assert "tells what is hidden: guide" in faults_of(leaking)[0]


def life(bytes, files=lambda at: 40, seconds=1000):
    return [ProcessSample(at, int(bytes(at)), files(at)) for at in range(0, seconds, 5)]


def enough(**changes):
    """Return findings of a run in which every check has data."""
    found = {"answers": [QuietAnswer(0.0, 0.1, CALM)], "lives": [life(lambda at: 3e8)]}
    findings = Findings(**found | changes)
    findings.least |= TRAINED
    findings.counts.update(findings.least)
    findings.troubles[CALM] = 1
    return findings


LEAKS = [life(lambda at: 3e8 + at * 1e6)], [life(lambda at: 3e8, lambda at: 40 + at // 10)]
FAULTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "nothing": ({}, []),
    "memory that stops growing": ({"lives": [life(lambda at: 3e8 + min(at, 250) * 1e6)]}, []),
    "memory that grows": ({"lives": LEAKS[0]}, ["memory grew"]),
    "descriptors that grow": ({"lives": LEAKS[1]}, ["descriptors grew"]),
    "a short life": (
        {"lives": [life(lambda at: 3e8, seconds=30)]},
        ["seconds of the longest life: 25, and 60"],
    ),
    "a slow and a wrong answer": (
        {
            "answers": [
                QuietAnswer(0.0, 0.1, CALM),
                QuietAnswer(1.0, 1.5, "a flood", up=7.0),
                QuietAnswer(2.0, 0.1, CALM, "500"),
            ]
        },
        ["waited 1.50 s, during a flood, 7 s after a start", "500"],
    ),
    "troubles without an answer": (
        {
            "troubles": Counter(["flood of pings", "host: handshakes", "kill"]),
            "answers": [QuietAnswer(1.0, 0.1, CALM), QuietAnswer(1.0, 0.1, "host: handshakes")],
        },
        ["looked at during flood of pings", "looked at during host: handshakes"],
    ),
}


@pytest.mark.parametrize(("changes", "faults"), FAULTS.values(), ids=FAULTS)
def test_faults_of_a_run_are_found(changes, faults):
    findings = enough(**changes)
    findings.check(1.0)
    assert len(findings.faults) == len(faults)
    assert all(words in said for words, said in zip(faults, findings.faults, strict=True))


@pytest.mark.parametrize("what", [what for what in enough().least if "life" not in what])
def test_check_without_data_is_a_fault(what):
    findings = enough()
    findings.counts[what] = 0
    findings.check(1.0)
    [fault] = findings.faults
    assert f"too little was checked: {what}: 0, and" in fault


@pytest.mark.parametrize(
    ("kind", "done", "faults"),
    [
        ("pings", {"sends": 3}, []),
        ("pings", {}, ["the attack by pings did nothing"]),
        ("wrong tokens", {"right tokens accepted": 2}, []),
        ("wrong tokens", {"right tokens refused": 2}, ["2 right tokens at the address of wrong"]),
        ("wrong tokens", {"wrong tokens refused": 2}, ["no right tokens at the address of wrong"]),
    ],
)
def test_attack_without_effect_or_on_the_innocent_is_a_fault(kind, done, faults):
    findings = Findings()
    findings.attacked(kind, Counter(done))
    assert len(findings.faults) == len(faults)
    assert all(words in said for words, said in zip(faults, findings.faults, strict=True))


@pytest.mark.parametrize(
    ("status", "words", "faults"),
    [
        (400, "there is no such game", 0),
        (503, "too many games wait: try again in a while", 0),
        (500, "Internal Server Error", 1),
    ],
)
def test_refusals_are_counted_and_unexplained_ones_are_faults(status, words, faults):
    findings = Findings()
    findings.refused(status, words)
    assert (findings.counts[f"status {status}"], len(findings.faults)) == (1, faults)


def test_plan_has_all_troubles_and_no_kill_in_its_last_half():
    troubles = Troubles.__new__(Troubles)
    troubles.rng, troubles.only = random.Random(3), ()
    plan = [trouble for trouble, _ in troubles.plan(3600.0, 20.0)]
    assert len(plan) == 180
    assert set(plan) == set(TROUBLES)
    assert "kill" in plan[:90]
    assert "kill" not in plan[90:]
    short = [trouble for trouble, _ in troubles.plan(60.0, 5.0)]
    assert {"kill", "worker killed", "connections cut", "disk full", CALM} == set(short[:5])


def test_messages_are_stored_for_the_whole_run():
    world = World("http://nowhere", Findings(), 1)
    for number in range(10 * MOST_HEARD):
        world.note(str(number), [], "")
    late = sum(int(one.table) >= 5 * MOST_HEARD for one in world.heard)
    assert len(world.heard) == MOST_HEARD
    assert MOST_HEARD / 3 < late < 2 * MOST_HEARD / 3


def test_frames_are_as_in_rfc_6455():
    assert frame(PING) == b"\x89\x80\0\0\0\0"
    assert frame(TEXT, b"x" * 200)[:4] == b"\x81\xfe\x00\xc8"
    assert frame(TEXT, b"x" * 70_000)[:10] == b"\x81\xff" + (70_000).to_bytes(8, "big")


def test_host_is_attacked_during_games_of_quiet_players():
    findings = Findings()
    answers: list[dict[str, Any]] = []

    async def scenario():
        host = HostUnderTest(findings)
        await host.start()
        quiet = QuietClients([host.url], answers.append)
        task = asyncio.create_task(quiet.run())
        try:
            while {answer["kind"] for answer in answers} != {"move", "connection"}:
                await asyncio.sleep(0.1)
            done = await host.attack("wrong tokens", 2.0, 1)
            assert await quiet.answered_since(time.time(), 120.0)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            host.look()
            host.stop()
        return done, host.samples

    done, samples = asyncio.run(scenario())
    assert done["connections"] > 0
    assert [answer["fault"] for answer in answers if answer["fault"]] == []
    assert samples[0].files > 0
    assert findings.faults == []


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are counted where there are such")
def test_nothing_is_lost_in_a_short_run_of_chaos(tmp_path):
    """Nothing is lost, leaked or unexplained. Its speed depends on other load of the machine."""
    file = tmp_path / "report.json"
    words = ["--minutes", "0.3", "--people", "4", "--patience", "120", "--quiet"]
    words += ["--no-train", "--no-greedy"]
    done = subprocess.run(
        [sys.executable, "-m", "bench.chaos", *words, "--seed", "7", "--json", str(file)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "default"},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    counts = json.loads(file.read_text())["counts"]
    assert counts["servers killed"] >= 1
    assert counts["workers killed"] >= 1
    assert counts["plies looked for at the end"] >= 10
    assert counts["messages compared in a world that differs"] >= 10
