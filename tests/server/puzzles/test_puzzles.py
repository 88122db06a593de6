"""Puzzles through the server's routes: set near a rating, checked, rated once, solved on demand."""

import dataclasses
import json

import pytest

import meeple
from meeple.arena.puzzles import NOTE, Prover
from meeple.errors import MeepleError
from meeple.games.contract.records import record_of, replay
from meeple.rate_limit import Rate
from meeple.search.exact.solver import solve
from meeple.server.limits import ServerLimits
from meeple.server.puzzles.puzzles import shipped
from meeple.server.puzzles.stored import PuzzleStore
from meeple.server.store import GameStore
from tests.server.tables import serving

ANN, BOB = "ann-token-1", "bob-token-1"


def made_puzzle(moves, solution, rating, size=3):
    position = meeple.make("hex", size=size).start()
    for name in (*moves, *solution):
        position.play(position.parse_action(name))
    notes = {NOTE: {"proof": "proven", "rating": rating}}
    return record_of(position, ["a", "b"], len(moves), notes)


PUZZLES = [
    made_puzzle(["a1"], ["b2", "c1", "a2"], 1200),
    made_puzzle(["a2"], ["b2"], 1500),
    made_puzzle(["a3"], ["b2"], 2100),
]


@pytest.fixture
def client(tmp_path, pool, monkeypatch):
    monkeypatch.setattr("meeple.server.puzzles.puzzles.shipped", lambda: PUZZLES)
    with serving(tmp_path) as client:
        yield client


def ask(client, path, status=200, **wanted):
    answer = client.post(f"/api/puzzles/{path}", json={"person": ANN, **wanted})
    assert answer.status_code == status, answer.text
    return answer.json()


def puzzle_of(client, moves):
    """The puzzle of a position, found by asking on."""
    after = ""
    for _ in range(60):
        found = ask(client, "next", after=after)
        if found["moves"] == moves:
            return found
        after = found["id"]
    raise AssertionError(moves)


@pytest.mark.slow
def test_a_puzzle_is_sent_without_its_solution_and_right_moves_are_answered_until_it_is_solved(
    client,
):
    found = ask(client, "next")
    assert "solution" not in found
    assert "b2" not in json.dumps(found)
    assert found["you"] == {"rating": 1500, "deviation": 350, "tries": 0, "solved": 0}
    assert found["games"] == [["hex", "Hex", 3]]
    id = puzzle_of(client, ["a1"])["id"]
    assert ask(client, f"{id}/answer", moves=["b2"]) == {"right": True, "reply": "c1"}
    done = ask(client, f"{id}/answer", moves=["b2", "c1", "a2"])
    assert (done["right"], done["reply"], done["proof"]) == (True, None, "proven")
    assert done["change"] > 0
    assert done["you"]["solved"] == done["you"]["tries"] == 1
    assert ask(client, id)["rating"] < 1200


@pytest.mark.slow
def test_only_the_first_attempt_is_rated(client):
    id = puzzle_of(client, ["a2"])["id"]
    wrong = ask(client, f"{id}/answer", moves=["c3"])
    assert (wrong["right"], wrong["you"]["solved"]) == (False, 0)
    assert wrong["change"] < 0
    again = ask(client, f"{id}/answer", moves=["b2"])
    assert (again["right"], again["change"]) == (True, None)
    assert again["you"] == wrong["you"]
    assert ask(client, f"{id}/answer", person=BOB, moves=["b2"])["change"] > 0


def test_to_see_the_solution_counts_as_a_failure_unless_it_is_solved(client):
    id = puzzle_of(client, ["a1"])["id"]
    for moves in (["b2", "c1"], ["b2", "c2", "a2"], ["b2", "c1", "a2", "a3"]):
        assert not ask(client, f"{id}/answer", person=BOB, moves=moves)["right"]
    shown = ask(client, f"{id}/solution")
    assert shown["solution"] == ["b2", "c1", "a2"]
    assert shown["change"] < 0
    other = puzzle_of(client, ["a2"])["id"]
    ask(client, f"{other}/answer", moves=["b2"])
    assert ask(client, f"{other}/solution")["change"] is None


def test_a_damaged_address_and_a_game_without_puzzles_are_answered_with_a_sentence(client):
    for path, status in (("abc", 404), ("abc/solution", 404), ("x!", 422)):
        assert ask(client, path, status)["error"]
    assert ask(client, "next", 404, game="nim")["error"] == "there is no puzzle of nim here"


class TestStore:
    @pytest.fixture
    def store(self, tmp_path):
        games = GameStore(tmp_path)
        store = PuzzleStore(games.engine, ServerLimits(max_solvers=2))
        store.add(PUZZLES)
        yield store
        games.close()

    def test_puzzles_are_stored_once_and_keep_their_ratings(self, store):
        id = store.next(ANN, "").id
        store.rate(ANN, id, True)
        rating = store.get(id).rating
        store.add(PUZZLES)
        assert store.games() == {"hex": 3}
        assert store.get(id).rating == rating

    def test_untried_puzzles_come_first_and_then_the_oldest_ones(self, store, monkeypatch):
        monkeypatch.setattr("meeple.server.puzzles.stored.NEAREST", 1)
        order = []
        for _ in range(3):
            puzzle = store.next(ANN, "hex")
            order.append(puzzle.moves[0])
            store.rate(ANN, puzzle.id, True)
        assert order == ["a2", "a3", "a1"]  # 1500 is nearest; then, rated higher, 2100
        assert store.next(ANN, "hex").moves == ["a2"]

    def test_a_new_person_replaces_one_with_a_single_attempt_and_no_other(self, store):
        first = store.next(ANN, "hex").id
        for person in (ANN, BOB, "cid-token-1"):
            store.rate(person, first, True)
        assert [store.solver(person).tries for person in (ANN, BOB, "cid-token-1")] == [0, 1, 1]
        for person in (BOB, "cid-token-1"):
            store.rate(person, store.next(person, "hex").id, True)
        result = store.rate(ANN, first, True)
        assert (result.is_first, result.change) == (False, 0.0)
        assert [store.solver(person).tries for person in (ANN, BOB, "cid-token-1")] == [0, 2, 2]

    def test_made_up_people_of_an_address_count_once_for_a_puzzle(self, store):
        id = store.next(ANN, "").id
        store.rate(ANN, id, True, "1.2.3.4")
        rating = store.get(id).rating
        for number in range(5):
            store.rate(f"made-up-{number}", id, False, "1.2.3.4")
        assert (store.get(id).rating, store.get(id).tries) == (rating, 1)
        store.rate("another-person", id, False, "5.6.7.8")
        assert store.get(id).rating > rating

    def test_an_address_brings_a_limited_number_of_people(self, tmp_path):
        games = GameStore(tmp_path / "other")
        store = PuzzleStore(games.engine, ServerLimits(new_solvers=Rate(1e-9, 2.0), max_raters=1))
        store.add(PUZZLES)
        id = store.next(ANN, "").id
        results = [store.rate(f"made-up-{n}", id, True, "1.2.3.4") for n in range(3)]
        assert [result.is_first for result in results] == [True, True, False]
        assert store.rate(ANN, id, True, "5.6.7.8").is_first
        games.close()

    def test_a_record_that_is_no_puzzle_is_refused(self, store):
        record = record_of(meeple.make("hex").start(), ["a", "b"])
        with pytest.raises(MeepleError, match="no puzzle"):
            store.add([record])


@pytest.mark.slow
def test_the_puzzles_that_ship_are_legal_games_of_three_kinds(tmp_path):
    records = shipped()
    for record in records:
        replay(record)
    store = GameStore(tmp_path)
    puzzles = PuzzleStore(store.engine)
    puzzles.add(records)
    assert set(puzzles.games()) == {"hex", "gomoku", "reversi"}
    assert sum(puzzles.games().values()) == len(records)
    store.close()


@pytest.mark.slow
def test_one_move_alone_wins_at_each_step_of_the_puzzles_that_ship():
    """By the exact solver, or where that is too large by the search that the puzzle names."""
    for record in shipped()[::5]:
        opening = dataclasses.replace(
            record, actions=record.actions[: record.opening], payoffs=None
        )
        position = replay(opening)
        prover = Prover(position.game, 20_000)
        for number, name in enumerate(record.actions[record.opening :]):
            action = position.parse_action(name)
            if number % 2 == 0 and record.game == "gomoku":
                assert prover.winning(position) == [action]
            elif number % 2 == 0:
                assert solve(position).winning_actions == [action]
            position.play(action)
