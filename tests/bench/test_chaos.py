"""The checks of `make chaos` detect their faults, and a short run of it passes."""

import asyncio
import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from typing import Any

import pytest

import meeple
from bench.chaos import secrecy, trainer
from bench.chaos.attack import attack
from bench.chaos.attacks import (
    CONTINUATION,
    PING,
    SERVER_KINDS,
    TEXT,
    WIDE_BYTES,
    frame,
    wide_message,
    wide_object,
    wide_options,
)
from bench.chaos.findings import TRAINED, Findings, ProcessSample, QuietAnswer
from bench.chaos.people import MOST_HEARD, Heard, PlyAccount, World, long_game
from bench.chaos.programs import HostUnderTest, QuietClients, ServerUnderTest
from bench.chaos.table import AttackRow
from bench.chaos.troubles import CALM, TROUBLES, Troubles
from meeple import kernels
from meeple.games.contract.records import GameRecord, replay
from meeple.server.play.seats import Seat
from meeple.server.play.stored import new_stored, table_of
from meeple.server.play.views import view_of
from meeple.server.store import GameStore, Ply

pytestmark = pytest.mark.slow
AT_NIGHT = pytest.mark.nightly("nothing is lost while processes die and others attack")


def view(ply, texts, first=0):
    events = [{"ply": at, "text": text} for at, text in texts.items()]
    return {"ply": ply, "events": {"from": first, "list": events}}


def test_lost_acknowledged_move_is_detected():
    account = PlyAccount()
    assert not account.take(view(2, {0: "a1", 1: "b2"}))
    assert account.take(view(1, {0: "a1"})) == "2 plies were acknowledged, and there are 1"


def test_changed_move_is_detected():
    account = PlyAccount()
    account.take(view(2, {0: "a1", 1: "b2"}))
    fault = account.take(view(3, {0: "a1", 1: "c3", 2: "d4"}))
    assert fault == "ply 1 differs from before"


def test_later_and_undone_moves_are_not_losses():
    account = PlyAccount()
    account.take(view(2, {0: "a1", 1: "b2"}))
    assert not account.take(view(3, {2: "c3"}, first=2))
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


def test_messages_without_hidden_information_pass(stored, tmp_path):
    id, table = stored
    findings = Findings()
    messages = [heard(id, table, you, you) for you in ((), (0,), (1,), (2,))]
    secrecy.check(tmp_path, messages, findings)
    assert findings.faults == []
    assert findings.counts["messages compared in a world that differs"] > 0


def test_message_with_cards_of_another_player_is_detected(stored, tmp_path):
    id, table = stored
    findings = Findings()
    secrecy.check(tmp_path, [heard(id, table, (), (seat,)) for seat in range(3)], findings)
    assert any("was not as the game stood" in fault for fault in findings.faults)


def test_view_with_hidden_cards_is_detected(stored, tmp_path, monkeypatch):
    """A leak in the server: the message fits the game but not its other determinizations."""
    id, table = stored

    def leaky(table, you, **more):
        shown = view_of(table, you, **more)
        return {**shown, "guide": table.position.row.tobytes().hex()}

    monkeypatch.setattr(secrecy, "view_of", leaky)
    findings = Findings()
    message = heard(id, table, (), (), guide=table.position.row.tobytes().hex())
    secrecy.check(tmp_path, [message], findings)
    assert any("tells what is hidden: guide" in fault for fault in findings.faults)


def test_message_with_the_seed_is_detected(stored, tmp_path):
    id, table = stored
    findings = Findings()
    with_seed = heard(id, table, (), (), summary=f"begun with {table.position.seed}")
    secrecy.check(tmp_path, [with_seed], findings)
    assert any("the seed of table" in fault for fault in findings.faults)


@pytest.mark.parametrize(
    ("status", "words", "faults"),
    [
        (400, "there is no such game", 0),
        (503, "too many games wait: try again in a while", 0),
        (500, "Internal Server Error", 1),
        (503, "games cannot be read", 1),
    ],
)
def test_refusals_are_counted_and_unexplained_ones_are_faults(status, words, faults):
    findings = Findings()
    findings.refused(status, words)
    assert (findings.counts[f"status {status}"], len(findings.faults)) == (1, faults)


def life(bytes, files=lambda at: 40):
    return [ProcessSample(at, int(bytes(at)), files(at)) for at in range(0, 1000, 5)]


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        (life(lambda at: 3e8), None),
        (life(lambda at: 3e8 + min(at, 250) * 1e6), None),
        (life(lambda at: 3e8 + at * 1e6), "memory grew"),
        (life(lambda at: 3e8, lambda at: 40 + at // 10), "descriptors grew"),
    ],
)
def test_unbounded_growth_is_detected(samples, words):
    findings = Findings(lives=[samples], least={})
    findings.check(1.0)
    assert len(findings.faults) == (words is not None)
    assert words is None or words in findings.faults[0]


def test_slow_and_wrong_answers_to_the_quiet_client_are_detected():
    answers = [
        QuietAnswer(0.0, 0.1, CALM),
        QuietAnswer(1.0, 1.5, "a flood", up=7.0),
        QuietAnswer(2.0, 0.1, CALM, "500"),
    ]
    findings = Findings(answers=answers, least={})
    findings.check(1.0)
    assert len(findings.faults) == 2
    assert "waited 1.50 s, during a flood, 7 s after a start" in findings.faults[0]
    assert findings.report()["quiet_client_ms"]["a flood"]["slowest"] == 1500.0


def test_plan_has_all_troubles_and_no_kill_in_its_last_half():
    plan = [trouble for trouble, _ in plain_troubles().plan(3600.0, 20.0)]
    assert len(plan) == 180
    assert set(plan) == set(TROUBLES)
    assert "kill" in plan[:90]
    assert "kill" not in plan[90:]


def test_short_plan_begins_with_a_trouble_other_than_a_flood():
    plan = [trouble for trouble, _ in plain_troubles().plan(60.0, 5.0)]
    assert len(plan) == 12
    assert {"kill", "worker killed", "connections cut", "disk full", CALM} == set(plan[:5])


def plain_troubles():
    troubles = Troubles.__new__(Troubles)
    troubles.rng, troubles.only = random.Random(3), ()
    troubles._history = [(0.0, CALM)]
    return troubles


def test_answer_is_assigned_to_the_trouble_of_its_request():
    troubles = plain_troubles()
    troubles._history += [(10.0, "disk full"), (20.0, CALM)]
    assert [troubles.at(moment) for moment in (5.0, 10.0, 19.9, 30.0)] == [
        CALM,
        "disk full",
        "disk full",
        CALM,
    ]


def enough():
    """Return findings of a run in which every check has data."""
    findings = Findings(answers=[QuietAnswer(0.0, 0.1, CALM)], lives=[life(lambda at: 3e8)])
    findings.least |= TRAINED
    findings.counts.update(findings.least)
    findings.troubles[CALM] = 1
    return findings


def test_run_with_data_for_every_check_passes():
    findings = enough()
    findings.check(1.0)
    assert findings.faults == []


@pytest.mark.parametrize("what", [what for what in enough().least if "life" not in what])
def test_check_without_data_is_a_fault(what):
    findings = enough()
    findings.counts[what] = 0
    findings.check(1.0)
    assert [f"too little was checked: {what}: 0, and" in fault for fault in findings.faults] == [
        True
    ]


def test_short_measurement_of_memory_is_a_fault():
    findings = enough()
    findings.lives = [[ProcessSample(at, 3 * 10**8, 40) for at in range(0, 30, 5)]]
    findings.check(1.0)
    assert "seconds of the longest life: 25, and 60" in findings.faults[0]


def test_trouble_without_an_answer_is_a_fault():
    findings = enough()
    findings.troubles.update(["flood of pings", "host: handshakes", "kill"])
    findings.answers.append(QuietAnswer(1.0, 0.1, "host: handshakes"))
    findings.check(1.0)
    assert [fault.partition(" ")[2] for fault in findings.faults] == [
        "no answer was looked at during flood of pings",
        "no answer was looked at during host: handshakes",
    ]


def test_attack_without_effect_is_a_fault():
    findings = Findings()
    findings.attacked("pings", Counter(sends=3))
    assert findings.faults == []
    findings.attacked("pings", Counter())
    assert "the attack by pings did nothing" in findings.faults[0]


def test_refusing_a_right_token_because_of_wrong_ones_is_a_fault():
    findings = Findings()
    findings.attacked("wrong tokens", Counter({"right tokens accepted": 2}))
    assert findings.faults == []
    findings.attacked(
        "wrong tokens", Counter({"right tokens refused": 2, "right tokens accepted": 1})
    )
    findings.attacked("wrong tokens", Counter({"wrong tokens refused": 2}))
    assert "2 right tokens at the address of wrong ones were refused" in findings.faults[0]
    assert "no right tokens at the address of wrong ones were looked at" in findings.faults[1]


def test_a_host_with_too_many_descriptors_is_a_fault():
    findings = Findings()
    host = HostUnderTest(findings)
    host.check_files(200)
    assert findings.faults == []
    host.check_files(4090)
    assert "the host had 4090 of 4096 descriptors open" in findings.faults[0]


def test_messages_are_stored_for_the_whole_run():
    world = World("http://nowhere", Findings(), 1)
    for number in range(10 * MOST_HEARD):
        world.note(str(number), [], "")
    late = sum(int(one.table) >= 5 * MOST_HEARD for one in world.heard)
    assert len(world.heard) == MOST_HEARD
    assert MOST_HEARD / 3 < late < 2 * MOST_HEARD / 3


def test_game_begun_midway_has_hidden_cards():
    position = replay(GameRecord.from_json(secrecy.game_with_hidden_cards(1)))
    assert position.to_move == 0
    assert secrecy.hides(position, 0)
    assert secrecy.hides(position, None)
    assert not secrecy.hides(position.game.start(1), None)


class Told(World):
    """A `World` whose server returns scripted facts about a run, one after another."""

    def __init__(self, facts):
        super().__init__("http://nowhere", Findings(), 1)
        self.facts, self.asked = iter(facts), []

    async def ask(self, method, path, **more):
        self.asked.append((method, path))
        return next(self.facts) if method == "GET" else {}


def trained_by(monkeypatch, *facts):
    """Return the findings about a run with these facts, as (status, episodes)."""
    killed = []

    def kill(served):
        killed.append(served)
        return 1

    monkeypatch.setattr(trainer, "PAUSE", 0.0)
    monkeypatch.setattr(trainer, "kill_trainers", kill)
    world = Told({"status": status, "episodes": episodes} for status, episodes in facts)
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(trainer.PageTrainer(world, ServerUnderTest.__new__(ServerUnderTest)).work())
    return world.findings, killed


def test_trainer_is_killed_after_a_save_and_its_run_is_checked(monkeypatch):
    running = [("running", 0), *[("running", 8 + at) for at in range(trainer.LOOKS)]]
    findings, killed = trained_by(monkeypatch, *running, ("failed", 9))
    assert len(killed) == 1
    assert findings.counts["runs looked at after a kill"] == 1
    assert findings.counts["episodes trained"] == 9
    assert findings.faults == []


def test_episodes_lost_after_a_kill_are_detected(monkeypatch):
    findings, _ = trained_by(monkeypatch, ("stopped", 20), ("failed", 12))
    assert "20 episodes had been trained on, and now there are 12" in findings.faults[0]


# ------------------------------------------------------------ attacks


def test_frames_are_as_in_rfc_6455():
    assert frame(PING) == b"\x89\x80\0\0\0\0"
    assert frame(CONTINUATION, last=False) == b"\x00\x80\0\0\0\0"
    assert frame(TEXT, b"x" * 200)[:4] == b"\x81\xfe\x00\xc8"
    assert frame(TEXT, b"x" * 70_000)[:10] == b"\x81\xff" + (70_000).to_bytes(8, "big")


def test_wide_bodies_are_json_of_the_maximum_size():
    assert 970_000 < len(wide_object(WIDE_BYTES)) < 990_000
    assert len(json.loads(wide_options(90_000))["options"]) == 90_000
    assert len(json.loads(wide_message(1000))) == 1004


@contextlib.contextmanager
def credulous():
    """Start a server that reads all bytes and accepts every WebSocket; return its URL."""

    def serve(line):
        with contextlib.suppress(OSError), line:
            while data := line.recv(65536):
                if data.startswith(b"GET /ws/"):
                    line.sendall(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
                elif data.startswith(b"POST"):
                    line.sendall(b"HTTP/1.1 422 no\r\nContent-Length: 0\r\n\r\n")

    def accept():
        with contextlib.suppress(OSError):
            while True:
                line, _ = listener.accept()
                threading.Thread(target=serve, args=(line,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("kind", SERVER_KINDS)
def test_each_attack_sends_requests(kind):
    done: Counter[str] = Counter()
    seconds = 0.1
    with credulous() as url:
        while not done.total() and seconds < 60:  # a busy machine needs longer
            done = attack(kind, url, "127.0.0.3", 1, seconds)
            seconds *= 2
    assert done.total() > 0


def test_a_row_of_the_table_has_the_median_and_the_slowest_answer():
    row = AttackRow("pings", waits=[0.1, 0.2, 7.0], faults=["no answer", "503"])
    assert row.words() == "| pings | 3 | 0.200 s | 7.00 s | 0 |  | 2: no answer |"
    assert AttackRow("pings").words() == "| pings | 0 | none | none | 0 |  |  |"
    ended = AttackRow("handshakes", waits=[0.5], files=900, ended_in=1.25)
    assert ended.words() == "| handshakes | 1 | 0.500 s | 0.50 s | 900 | 1.2 s |  |"


@AT_NIGHT
def test_single_attack_is_measured(tmp_path):
    file = tmp_path / "rows.json"
    words = ["--attacks", "half-open", "--seconds", "2", "--patience", "120", "--json", str(file)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.chaos", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (row,) = json.loads(file.read_text())
    assert row["done"]["connections"] > 0
    assert row["waits"]
    assert "| half-open |" in done.stdout


@AT_NIGHT
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


def test_long_game_is_long():
    record = GameRecord.from_json(long_game(300))
    assert len(replay(record).actions) == 300


@AT_NIGHT
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
