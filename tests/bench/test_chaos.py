"""What `make chaos` does finds what it is there to find, and a minute of it passes."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pytest

import meeple
from bench.chaos import secrecy
from bench.chaos.findings import Answer, Findings, Sample
from bench.chaos.people import Account, Heard, long_game
from bench.chaos.troubles import CALM, Troubles
from meeple import kernels
from meeple.games.contract.records import GameRecord, replay
from meeple.server.play.seats import Seat
from meeple.server.play.stored import new_stored, table_of
from meeple.server.play.views import view_of
from meeple.server.store import Ply, Store


def view(ply, texts, first=0):
    events = [{"ply": at, "text": text} for at, text in texts.items()]
    return {"ply": ply, "events": {"from": first, "list": events}}


def test_a_move_that_was_acknowledged_and_is_gone_is_found():
    account = Account()
    assert not account.take(view(2, {0: "a1", 1: "b2"}))
    assert account.take(view(1, {0: "a1"})) == "2 plies were acknowledged, and there are 1"


def test_a_move_that_is_told_otherwise_is_found():
    account = Account()
    account.take(view(2, {0: "a1", 1: "b2"}))
    fault = account.take(view(3, {0: "a1", 1: "c3", 2: "d4"}))
    assert fault == "ply 1 is told otherwise than before"


def test_what_comes_after_and_what_is_taken_back_is_no_loss():
    account = Account()
    account.take(view(2, {0: "a1", 1: "b2"}))
    assert not account.take(view(3, {2: "c3"}, first=2))
    account.may_shrink = True
    assert not account.take(view(1, {}, first=1))
    assert not account.take(view(2, {1: "e5"}, first=1))
    assert account.told == {0: "a1", 1: "e5"}
    assert account.take(view(0, {}))


def may_be_otherwise(position):
    """Whether an onlooker does not know all hands."""
    twins = secrecy.other_worlds(position, None, kernels.new_rng(5))
    return any(not np.array_equal(twin.row, position.row) for twin in twins)


@pytest.fixture(scope="module")
def midway():
    """A game of Catan between players that look ahead a little, not yet over."""
    game = meeple.make("catan", players=3)
    position, player = game.start(1_234_567), meeple.agent("weighted", game, 21)
    while len(position.actions) < 160 or not may_be_otherwise(position):
        if position.to_move == kernels.CHANCE:
            position.play_chance()
        else:
            position.play(player.choose(position))
    return position


@pytest.fixture
def stored(midway, tmp_path):
    """The id of that game in a database, and its table."""
    seats = [Seat("human", token=f"hash {seat}") for seat in range(3)]
    game = new_stored(midway.game.start(midway.seed), seats, {"help": True}, {})
    plies = [Ply(action) for action in midway.actions]
    store = Store(tmp_path)
    table = table_of(game, plies)
    store.add(game, plies)
    id = str(table.id)
    store.close()
    return id, table


def heard(id, table, seat, shown, **changes):
    message = {**view_of(table, frozenset(shown)), **changes}
    return Heard(id, tuple(seat), json.dumps(message))


def test_messages_that_tell_nothing_hidden_pass(stored, tmp_path):
    id, table = stored
    findings = Findings()
    messages = [heard(id, table, you, you) for you in ((), (0,), (1,), (2,))]
    secrecy.check(tmp_path, messages, findings)
    assert findings.faults == []
    assert findings.counts["in a world that differs"] > 0


def test_a_message_with_anothers_cards_is_found(stored, tmp_path):
    id, table = stored
    findings = Findings()
    secrecy.check(tmp_path, [heard(id, table, (), (seat,)) for seat in range(3)], findings)
    assert any("was not as the game stood" in fault for fault in findings.faults)


def test_a_view_that_shows_hidden_cards_is_found(stored, tmp_path, monkeypatch):
    """A leak in the server itself: the message is as the game stood, but not in another world."""
    id, table = stored

    def leaky(table, you, **more):
        shown = view_of(table, you, **more)
        return {**shown, "guide": table.position.row.tobytes().hex()}

    monkeypatch.setattr(secrecy, "view_of", leaky)
    findings = Findings()
    message = heard(id, table, (), (), guide=table.position.row.tobytes().hex())
    secrecy.check(tmp_path, [message], findings)
    assert any("tells what is hidden: guide" in fault for fault in findings.faults)


def test_a_message_with_the_seed_is_found(stored, tmp_path):
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
def test_refusals_are_counted_and_those_that_explain_nothing_are_faults(status, words, faults):
    findings = Findings()
    findings.refused(status, words)
    assert (findings.counts[f"status {status}"], len(findings.faults)) == (1, faults)


def life(bytes, files=lambda at: 40):
    return [Sample(at, int(bytes(at)), files(at)) for at in range(0, 1000, 5)]


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        (life(lambda at: 3e8), None),
        (life(lambda at: 3e8 + min(at, 250) * 1e6), None),
        (life(lambda at: 3e8 + at * 1e6), "memory grew"),
        (life(lambda at: 3e8, lambda at: 40 + at // 10), "descriptors grew"),
    ],
)
def test_what_grows_for_ever_is_found(samples, words):
    findings = Findings(lives=[samples])
    findings.counts["moves"] = 1
    findings.check(1.0)
    assert len(findings.faults) == (words is not None)
    assert words is None or words in findings.faults[0]


def test_a_slow_answer_and_a_wrong_one_to_the_quiet_client_are_found():
    answers = [
        Answer(0.0, 0.1, CALM),
        Answer(1.0, 1.5, "a flood", up=7.0),
        Answer(2.0, 0.1, CALM, "500"),
    ]
    findings = Findings(answers=answers)
    findings.counts["moves"] = 1
    findings.check(1.0)
    assert len(findings.faults) == 2
    assert "waited 1.50 s, during a flood, 7 s after a start" in findings.faults[0]
    assert findings.report()["quiet_client_ms"]["a flood"]["slowest"] == 1500.0


def test_a_plan_has_all_troubles_and_leaves_the_server_alive_in_its_last_half():
    troubles = Troubles.__new__(Troubles)
    troubles.rng, troubles.only = random.Random(3), ()
    plan = [trouble for trouble, _ in troubles.plan(3600.0, 20.0)]
    assert len(plan) == 180
    assert len(set(plan)) == 11
    assert "kill" in plan[:90]
    assert "kill" not in plan[90:]


def test_the_long_game_is_one():
    record = GameRecord.from_json(long_game(300))
    assert len(replay(record).actions) == 300


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are counted where there are such")
def test_a_minute_of_chaos(tmp_path):
    """Nothing is lost, told, or left unexplained. How fast it is depends on who else is here."""
    file = tmp_path / "report.json"
    words = ["--minutes", "1", "--people", "4", "--patience", "120", "--quiet", "--no-train"]
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
