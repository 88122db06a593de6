"""The costs of faults, the admission of players, and refusals, with plain clients."""

import contextlib
import threading
import time

import pytest
from sqlalchemy.exc import OperationalError

import meeple
from meeple.errors import MeepleError, UsageError
from meeple_oht.rules import TournamentRules, parse_wait
from meeple_oht.standings import table_of
from meeple_oht.store import TournamentStore
from tests.oht.hosts import PATIENCE, HostThread, all_done, hosting, running, token_of
from tests.oht.plain_client import PlainClient
from tests.tiers import few_quick


def first_free(state):
    return list(divmod(state.index(0, 1) - 1, 3))


def nonsense(state):
    return "nonsense"


def taken(state):
    return [0, 0] if state[1] else [2, 2]


def played(folder, rules, move, **options):
    """Run a tournament of Ada, with this move, and Bob; return the faults and the table."""
    with hosting(folder, ["Ada", "Bob"], rules, tls=False, **options) as host:
        ada = PlainClient(host.port, token_of("Ada"), move, tls=False)
        bob = PlainClient(host.port, token_of("Bob"), first_free, tls=False)
        all_done(running(ada.run, bob.run))
        host.join()
    store = TournamentStore.open(host.file)
    found = [(fault.uid, fault.kind) for fault in store.faults()], table_of(store), ada
    games = store.games()
    store.close()
    return (*found, games)


@pytest.mark.parametrize(("move", "fault"), [(nonsense, "rubbish"), (taken, "illegal")])
@pytest.mark.parametrize("cost", ["lose", "retry", "random"])
def test_a_fault_has_its_configured_cost(tmp_path, move, fault, cost):
    rules = TournamentRules(games=2, seconds=PATIENCE, **{f"on_{fault}": cost})
    faults, table, ada, games = played(tmp_path, rules, move)
    assert set(faults) == {(1, fault)}
    errors = [message for message in ada.heard if message.get("level") == "error"]
    assert errors
    if cost == "random":
        assert {game.how for game in games} == {"rules"}
    else:
        assert {game.how for game in games} == {fault}
        assert {row.name: row.won for row in table.rows} == {"Bob": 2, "Ada": 0}
        assert len(faults) == (2 if cost == "lose" else 8)


@pytest.mark.parametrize("cost", few_quick(["random", "lose"]))
def test_a_timeout_loses_or_plays_a_random_move(tmp_path, cost):
    waits = iter([1.0])

    def late(state):
        time.sleep(next(waits, 0.0))
        return first_free(state)

    rules = TournamentRules(games=2, seconds=0.5, on_timeout=cost)
    faults, _, ada, games = played(tmp_path, rules, late)
    assert (1, "timeout") in faults
    assert "timeout" in {game.how for game in games} or cost == "random"
    assert ada.heard[-1]["topic"] == "finish"


def test_a_player_that_does_not_return_loses_and_the_league_continues(tmp_path):
    def leave(state):
        raise ConnectionError

    def stay_a_little():
        with contextlib.suppress(ConnectionError):
            ada.run()

    rules = TournamentRules(games=4, seconds=PATIENCE, wait=0.2)
    with hosting(tmp_path, ["Ada", "Bob"], rules, tls=False) as host:
        ada = PlainClient(host.port, token_of("Ada"), leave, tls=False)
        bob = PlainClient(host.port, token_of("Bob"), first_free, tls=False)
        all_done(running(stay_a_little, bob.run))
        host.join()
    store = TournamentStore.open(host.file)
    assert {game.how for game in store.games()} == {"disconnect"}
    assert {row.name: row.score for row in table_of(store).rows} == {"Ada": 0.0, "Bob": 100.0}
    store.close()


def test_practice_counts_nothing_and_ends_with_a_score(tmp_path):
    with hosting(tmp_path, ["Ada", "Bob"], TournamentRules(games=3, seconds=PATIENCE)) as host:
        client = PlainClient(host.port, token_of("Ada"), first_free, qualify=False)
        score = client.run()
        assert 0 <= score <= 100
        assert table_of(host.host.store).rows[0].state == "new"
        assert host.host.store.games() == []
    topics = [message["topic"] for message in client.heard]
    assert topics.count("game_over") == 3


def test_a_wrong_token_is_refused_by_a_protocol_message(tmp_path):
    with hosting(tmp_path, ["Ada", "Bob"]) as host:
        for token in ("not a token", 5, None, ""):
            client = PlainClient(host.port, token, first_free)
            assert client.run() is None
            assert client.heard[-1]["topic"] == "error"
            assert "not a token" not in client.heard[-1]["error"]


def test_a_second_connection_replaces_the_first(tmp_path):
    with hosting(tmp_path, ["Ada", "Bob"], tls=False) as host:
        first = PlainClient(host.port, token_of("Ada"), first_free, tls=False)
        thread = threading.Thread(target=first.run)
        thread.start()
        while not any(message["topic"] == "message" for message in first.heard):
            time.sleep(0.01)
        second = PlainClient(host.port, token_of("Ada"), first_free, tls=False)
        bob = PlainClient(host.port, token_of("Bob"), first_free, tls=False)
        all_done(running(second.run, bob.run))
        all_done([thread])
        host.join()
    assert first.heard[-1]["topic"] == "error"
    assert second.heard[-1]["topic"] == "finish"


def test_qualifiers_allow_a_limited_number_of_attempts(tmp_path):
    rules = TournamentRules(
        games=2, qualifiers=("uct:sims=200",), qualifier_games=2, wins=2, attempts=2, register=1e-3
    )
    with hosting(tmp_path, ["Ada", "Bob"], rules, tls=False) as host:
        for attempt in range(2):
            client = PlainClient(host.port, token_of("Ada"), nonsense, tls=False)
            assert client.run() == 0.0
            assert f"({1 - attempt} left)" in str(client.heard) or attempt == 1
        client = PlainClient(host.port, token_of("Ada"), nonsense, tls=False)
        assert client.run() is None
        assert "not qualified in 2 attempts" in client.heard[-1]["error"]


def test_the_league_begins_without_missing_players(tmp_path):
    rules = TournamentRules(games=2, seconds=PATIENCE, register=0.5)
    with hosting(tmp_path, ["Ada", "Bob", "Cid"], rules, tls=False, specs=["random"]) as host:
        ada = PlainClient(host.port, token_of("Ada"), first_free, tls=False)
        all_done(running(ada.run))
        host.join()
    store = TournamentStore.open(host.file)
    assert {row.name: row.played for row in table_of(store).rows} == {
        "Ada": 2, "Bob": 0, "Cid": 0, "agent 0": 2,
    }  # fmt: skip
    store.close()


def test_players_removed_from_the_list_are_not_waited_for(tmp_path):
    rules = TournamentRules(games=2, seconds=PATIENCE)
    with hosting(tmp_path, ["Ada", "Bob", "Cid"], rules, tls=False):
        pass
    with hosting(tmp_path, ["Ada", "Cid", "Dot"], rules, tls=False) as host:
        clients = [
            PlainClient(host.port, token_of(name), first_free, tls=False)
            for name in ("Ada", "Cid", "Dot")
        ]
        all_done(running(*(client.run for client in clients)))
        host.join()
    store = TournamentStore.open(host.file)
    rows = {row.name: (row.uid, row.played) for row in table_of(store).rows}
    assert rows == {"Ada": (1, 4), "Bob": (2, 0), "Cid": (3, 4), "Dot": (4, 4)}
    store.close()


def test_no_token_is_logged(tmp_path, caplog):
    caplog.set_level("DEBUG")
    with hosting(tmp_path, ["Ada", "Bob"], TournamentRules(games=2), tls=False) as host:
        for token in ("a-wrong-token", token_of("Ada")):
            PlainClient(host.port, token, nonsense, qualify=False, tls=False).run()
    assert "a wrong token" in caplog.text
    assert "a-wrong-token" not in caplog.text
    assert token_of("Ada") not in caplog.text


def test_another_tournament_is_not_continued(tmp_path):
    with (
        hosting(tmp_path, ["Ada", "Bob"], TournamentRules(games=2)),
        pytest.raises(MeepleError, match=r"process (\d+ )?is the host of the tournament"),
        hosting(tmp_path, ["Ada", "Bob"]),  # one host at a time
    ):
        pass
    with (
        pytest.raises(UsageError, match="games: 2, not 4"),
        hosting(tmp_path, ["Ada", "Bob"], TournamentRules(games=4)),
    ):
        pass
    with (
        pytest.raises(UsageError, match="holds a tournament of hex"),
        hosting(
            tmp_path, ["Ada", "Bob"], TournamentRules(games=2), game=meeple.make("hex", size=4)
        ),
    ):
        pass
    (tmp_path / "no.sqlite").write_text("this is no database, " * 100)
    with pytest.raises(MeepleError, match="cannot be used"):
        TournamentStore.open(tmp_path / "no.sqlite")


def test_a_failing_write_stops_the_host_with_an_error(tmp_path, monkeypatch):
    rules = TournamentRules(games=2, seconds=PATIENCE)
    host = HostThread(tmp_path, ["Ada"], rules, tls=False, specs=["random"])

    def refuse(*arguments):
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(host.host.store, "add_move", refuse)
    client = PlainClient(host.port, token_of("Ada"), first_free, tls=False)
    with contextlib.suppress(ConnectionError):
        client.run()
    with pytest.raises(MeepleError, match="cannot be written: database or disk is full"):
        host.join()
    assert "the host stops" in str(client.heard[-1])
    assert not any(message["topic"] == "game_over" for message in client.heard)


def test_a_failing_agent_of_the_host_loses_and_the_league_continues(tmp_path):
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    count = 0\n    def choose(self, position):\n        Bad.count += 1\n"
        "        if Bad.count > 1:\n            raise ValueError('no')\n"
        "        return int(position.legal_actions()[0])\n"
    )
    spec = f"agent:{tmp_path}/bad.py:Bad"
    rules = TournamentRules(games=2, seconds=PATIENCE)
    with hosting(tmp_path, ["Ada"], rules, tls=False, specs=[spec]) as host:
        score = PlainClient(host.port, token_of("Ada"), first_free, tls=False).run()
        host.join()
    assert score == 100.0


def test_impossible_rules_are_refused():
    with pytest.raises(UsageError, match="must be lose, retry or random"):
        TournamentRules(on_illegal="cry")
    with pytest.raises(UsageError, match="must be lose or random"):
        TournamentRules(on_timeout="retry")
    with pytest.raises(UsageError, match="no player can win"):
        TournamentRules(qualifiers=("random",), qualifier_games=2, wins=3)
    assert parse_wait("lose") == 0
    assert parse_wait("wait=2.5") == 2.5
    for word in ("wait", "wait=-1", "wait=nan", "go"):
        with pytest.raises(UsageError, match="wait=SECONDS"):
            parse_wait(word)
    rules = TournamentRules(qualifiers=("random",), games=4)
    assert TournamentRules.from_json(rules.to_json()) == rules
    with pytest.raises(MeepleError, match="does not know the rule handicap"):
        TournamentRules.from_json({**rules.to_json(), "handicap": 1})  # of a newer version
