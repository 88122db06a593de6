"""Whole tournaments on loopback, with clients that share no code with the host."""

import contextlib
import sqlite3
import time

import pytest

import meeple
from meeple.games.contract.board_game import owners
from meeple.games.contract.records import replay
from meeple_oht.rules import TournamentRules
from meeple_oht.standings import records_of, table_of
from meeple_oht.store import TournamentStore
from meeple_oht.tournament import league_pairs
from tests.oht.hosts import HostProcess, all_done, hosting, running, token_of
from tests.oht.plain_client import OldClient, PlainClient

pytestmark = pytest.mark.slow

SIZE = 3
ORDERS = {  # pure functions of the state, so that the table can be predicted
    "up": lambda cell: cell,
    "down": lambda cell: -cell,
    "middle": lambda cell: (abs(cell - 4), cell),
    "odd": lambda cell: (cell % 2, cell),
}


def by_order(name):
    """Moves to the first free cell in an order."""

    def move(state):
        free = [cell for cell, code in enumerate(state[1:]) if code == 0]
        return list(divmod(min(free, key=ORDERS[name]), SIZE))

    return move


def rubbish(state):
    return {"what": "is this?"}


def illegal(state):
    """Moves to an occupied cell if there is one."""
    taken = [cell for cell, code in enumerate(state[1:]) if code]
    return list(divmod(taken[0], SIZE)) if taken else [1, 1]


def slow(move):
    def later(state):
        time.sleep(0.04)
        return move(state)

    return later


MOVES = {
    "Ada": slow(by_order("middle")),
    "Bob": slow(by_order("up")),
    "Cid": by_order("down"),  # disconnects and reconnects
    "Dot": rubbish,
    "Eve": illegal,
    "Fay": by_order("odd"),  # uses the dialect of 2020
    "Gus": by_order("middle"),
    "Hal": by_order("up"),
}


def expected_wins(games):
    """Return the number of games that each player should win, by the rules."""
    won = dict.fromkeys(MOVES, 0)
    names = list(MOVES)
    for first, second in league_pairs(range(len(names))):
        for number in range(games):
            pair = names[first], names[second]
            won[pair[_winner([MOVES[name] for name in pair], 1 + number % 2)]] += 1
    return won


def _winner(moves, starter):
    """Return the winner, 0 or 1, by the rules or the other player's fault."""
    position = meeple.make("hex", size=SIZE, first=starter).start()
    while not position.is_over:
        mover = position.to_move
        cells = owners(position).ravel() + 1
        answer = moves[mover]([mover + 1, *cells.tolist()])
        action = SIZE * answer[0] + answer[1] if isinstance(answer, list) else -1
        if action not in position.legal_actions():
            return 1 - mover
        position.play(action)
    return int(position.payoffs[1] > 0.5)


class Returning(PlainClient):
    """Reconnects after each lost connection until it has its score."""

    score = None

    def run(self):
        end = time.monotonic() + 200
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                self.connect()
                with self.wire:
                    self.score = self.serve()
                if self.score is not None:
                    return
            time.sleep(0.05)


class ReturningOld(Returning, OldClient):
    """The same in the older dialect."""


class Leaving(Returning):
    """Disconnects at every fourth request and reconnects."""

    def send(self, value):
        if isinstance(value, list) and self.moves % 4 == 0:
            self.moves += 1
            self.wire.close()
            raise ConnectionError("left")
        super().send(value)


def finished(file):
    """Return the stored finished games with their moves."""
    with contextlib.closing(sqlite3.connect(file)) as base:
        games = base.execute(
            "SELECT id, series, number, winner, how FROM games WHERE state = 'done'"
        ).fetchall()
        moves = base.execute("SELECT game, ply, action FROM moves ORDER BY game, ply").fetchall()
    return {game[0]: (game, [move for move in moves if move[0] == game[0]]) for game in games}


def test_eight_clients_of_all_kinds_and_a_host_that_is_killed_twice(tmp_path):
    games = 2
    options = ("-o", f"size={SIZE}", "--games", games, "--seconds", 20)
    host = HostProcess(tmp_path, MOVES, *options, "--on-disconnect", "wait=60")
    kinds = {"Cid": Leaving, "Fay": ReturningOld}
    clients = {
        name: kinds.get(name, Returning)(host.ports[name == "Fay"], token_of(name), move)
        for name, move in MOVES.items()
    }
    threads = running(*(client.run for client in clients.values()))
    before: dict[int, tuple[object, list[object]]] = {}
    for count in (6, 25):
        while len(finished(host.file)) < count:
            time.sleep(0.02)
            assert host.process.poll() is None
        host.kill()
        kept = finished(host.file)
        assert before.items() <= kept.items()
        before = kept
        host.start()
    said, code = host.end()
    all_done(threads)
    assert code == 0, said
    assert before.items() <= finished(host.file).items()

    store = TournamentStore.open(host.file)
    table = table_of(store)
    won = expected_wins(games)
    each = games * (len(MOVES) - 1)
    assert {row.name: row.won for row in table.rows} == won
    assert {row.played for row in table.rows} == {each}
    assert {name: clients[name].score for name in MOVES} == {
        name: round(100 * count / each, 2) for name, count in won.items()
    }
    records = list(records_of(store))
    assert len(records) == len(MOVES) * (len(MOVES) - 1) // 2 * games
    for record in records:
        position = replay(record)
        assert position.is_over == ("lost_by" not in record.notes)
    kinds_of_faults = {(fault.uid, fault.kind) for fault in store.faults()}
    assert kinds_of_faults == {(4, "rubbish"), (5, "illegal")}
    store.close()


def test_a_plain_client_plays_a_whole_tournament(tmp_path):
    rules = TournamentRules(games=2, qualifiers=("random",), qualifier_games=4, wins=0)
    with hosting(tmp_path, ["Ada", "Bob"], rules, specs=["random"]) as host:
        client = PlainClient(host.port, token_of("Ada"), by_order("middle"))
        other = PlainClient(host.port, token_of("Bob"), by_order("up"))
        scores = []
        all_done(running(lambda: scores.append(client.run()), other.run))
        host.join()
    topics = [message["topic"] for message in client.heard]
    assert topics[:2] == ["authentication", "question"]
    assert topics[-2:] == ["tournament_over", "finish"]
    assert topics.count("series_start") == topics.count("series_over") == 3
    assert topics.count("game_start") == topics.count("game_over") == 8
    starts = [message for message in client.heard if message["topic"] == "series_start"]
    assert {(one["num_games"], *one["game_params"]) for one in starts} == {(4, 3), (2, 3)}
    starters = [m["start_player"] for m in client.heard if m["topic"] == "game_start"]
    assert starters == [1, 2] * 4
    league, series = 0, 0
    me = None
    for message in client.heard:
        if message["topic"] == "series_start":
            me, series = dict(message["player_id_map"])[message["unique_player_id"]], series + 1
        elif message["topic"] == "game_over" and series > 1:
            league += message["winner"] == me
    assert scores == [25.0 * league]


def test_the_league_is_a_round_robin_in_full_rounds():
    for count in range(2, 12):
        pairs = league_pairs(range(count))
        assert len({frozenset(pair) for pair in pairs}) == len(pairs) == count * (count - 1) // 2
        size = count // 2
        for first in range(0, len(pairs), size):
            players = [one for pair in pairs[first : first + size] for one in pair]
            assert len(set(players)) == len(players)
        for player in range(count):
            firsts = sum(pair[0] == player for pair in pairs)
            assert abs(2 * firsts - (count - 1)) <= 2
