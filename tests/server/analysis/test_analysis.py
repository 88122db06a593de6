"""Any position can be viewed and searched by players with access, and by no others."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

import meeple
from meeple.agents.evaluators import described
from meeple.agents.words import method_in_words
from meeple.errors import MeepleError
from meeple.games.catan.game import Catan
from meeple.games.contract.records import record_of
from meeple.games.contract.registry import make_from
from meeple.server import app as application
from meeple.server.analysis.sources import GameSource, Lines
from meeple.server.play.levels import default_evaluator
from tests import conformance
from tests.server.pools import AnalysingPool
from tests.server.tables import ME, at, begin, desk, messages_until_end

CATAN = {"game": "catan", "options": {"players": 3}}
SGF = "(;GM[11]SZ[5]PB[Ann]PW[Bob];B[c3];W[d4];B[b2])"


@pytest.fixture
def pool(monkeypatch):
    made = AnalysingPool()
    monkeypatch.setattr(application, "Pool", lambda *_: made)
    return made


def ask(client, path, tokens=(), status=200, **body):
    headers = {"X-Seat-Tokens": ",".join(tokens)}
    answer = client.post(f"/api/{path}", json=body, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json() if status == 200 else answer.json()["error"]


def wait_for(happens):
    while not happens():
        time.sleep(0.005)


def analyse(socket, source, ply, spec="uct:sims=50", **more):
    wish = {"type": "analyse", "source": source, "ply": ply, "spec": spec, "seconds": 1}
    socket.send_json({**wish, **more})


def random_game(name, seed=0, plies=10_000, **options):
    return conformance.played(meeple.make(name, **options), seed, plies)


def line_of(**source):
    return Lines().of_text(GameSource(**source))


# ------------------------------------------------------------ sources


@pytest.mark.parametrize(
    ("game", "text", "names"),
    [
        ("nim", "take 1 take 3", ["take 1", "take 3"]),
        ("nim", "1. take 1, take 3\n2... take 2", ["take 1", "take 3", "take 2"]),
        ("nim", "", []),
        ("hex", "1.c4 d5 2. E3; a1,", ["c4", "d5", "e3", "a1"]),
    ],
)
def test_moves_are_parsed_in_several_notations(game, text, names):
    assert [ply.name for ply in line_of(game=game, moves=text).texts()] == names


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"game": "nim", "moves": "take 9"}, "move 1, player 1 to move: 'take 9' is not legal"),
        ({"game": "hex", "moves": ["a1", "a1"]}, "move 2, player 2 to move: 'a1' is not legal"),
        ({"game": "nim", "options": {"stones": 1}, "moves": "take 1 take 1"}, "after the end"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"record": "hello"}, "no format of game records"),
        ({"record": "{}"}, "needs the fields"),
        ({"record": " "}, "there is no game in this text"),
        ({"game": "hex", "keep": 3}, "there is no ply 3"),
    ],
)
def test_an_invalid_source_is_refused_with_a_reason(source, words):
    with pytest.raises(MeepleError, match=words):
        line_of(**source)


@pytest.mark.parametrize("source", [{}, {"game": "hex", "record": "x"}, {"record": "x", "seed": 1}])
def test_a_request_accepts_exactly_one_source(source):
    with pytest.raises(ValueError, match="source"):
        GameSource(**source)


@pytest.mark.parametrize("name", ["reversi", "catan", "catan-reduced"])
def test_any_ply_of_a_record_can_be_shown(name):
    played = random_game(name, seed=5, plies=60)
    line = line_of(record=record_of(played, [""] * played.game.players).to_json())
    assert line.actions == played.actions
    fresh = played.game.start(5)
    for ply in (0, 60, 12, 11, 13, 59, 0):
        fresh = played.game.start(5)
        for action in played.actions[:ply]:
            fresh.play(action)
        with line.at(ply) as position:
            assert position.row.tobytes() == fresh.row.tobytes()
            assert line.movers[ply] == position.to_move


@pytest.mark.parametrize("text", [SGF, record_of(random_game("hex", size=5), "ab").to_json()])
def test_a_byte_order_mark_before_a_record_is_ignored(text):
    bare, marked = line_of(record=text), line_of(record="\ufeff" + text)
    assert marked.actions == bare.actions
    assert marked.seats == bare.seats


def test_a_record_reports_the_number_of_further_records():
    one = record_of(random_game("hex", size=5), "ab").to_json()
    assert line_of(record=f"{one}\n\n{one}\n{one}\n").more == 2
    assert line_of(record=SGF + SGF).more == 1


def test_sgf_is_a_record_of_which_any_ply_can_be_shown_and_varied(client, pool):
    told = ask(client, "positions", source={"record": SGF})
    assert (told["game"], told["seats"]) == ("hex", ["Ann", "Bob"])
    assert [ply["name"] for ply in told["plies"]] == ["c3", "d4", "b2"]
    source = {"record": SGF, "keep": 1, "then": ["e5", "a1"]}
    varied = ask(client, "positions", source=source)
    assert [ply["name"] for ply in varied["plies"]] == ["c3", "e5", "a1"]
    seen = ask(client, "scenes", source={"record": SGF}, ply=2)
    assert seen["scene"]["pieces"].count("p0") == seen["scene"]["pieces"].count("p1") == 1
    assert len(seen["actions"]) == 23
    assert (seen["to_move"], seen["mover"], seen["over"]) == (0, "player 1", False)
    assert ask(client, "positions", source={"record": SGF}) == told, "a variation changes nothing"


def test_outcomes_of_a_chance_node_have_their_probabilities(client, pool):
    played = random_game("catan-reduced", seed=1, plies=200)
    ply = next(n for n, step in enumerate(played.steps()) if step.before.view(np.int8)[0] == -1)
    record = record_of(played, [""] * played.game.players).to_json()
    seen = ask(client, "scenes", source={"record": record}, ply=ply)
    assert seen["to_move"] == -1
    assert sum(action["probability"] for action in seen["actions"]) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    ("moves", "names"),
    [("f5d6c3", ["f5", "d6", "c3"]), ("-" * 27 + "OX------XO" + "-" * 27 + " O;", [])],
)
def test_transcripts_and_boards_can_be_typed(client, pool, moves, names):
    told = ask(client, "positions", source={"game": "reversi", "moves": moves})
    assert [ply["name"] for ply in told["plies"]] == names
    assert ("board" in told["options"]) == (not names)


# ------------------------------------------------------------ analyses


def test_an_analysis_sends_results_until_the_last_without_file_paths(client, pool):
    with desk(client) as socket:
        analyse(socket, {"game": "nim", "moves": "take 1"}, 1, id=7)
        *thoughts, done = messages_until_end(socket)
    assert [thought["final"] for thought in thoughts] == [False, True]
    assert {message["id"] for message in [*thoughts, done]} == {7}
    assert thoughts[0]["spec"] == "uct:sims=50"
    assert thoughts[0]["names"] == ["take 1", "take 2", "take 3"]
    (task,) = pool.tasks
    assert (task.game, task.actions) == ("nim", (0,))


def test_the_strongest_agent_is_the_default_evaluator_and_is_named(client, pool):
    nim = {"game": "nim", "options": {"stones": 3}}
    with desk(client) as socket:
        socket.send_json({"type": "analyse", "source": nim, "ply": 0, "seconds": 0.1})
        *thoughts, _ = messages_until_end(socket)
        socket.send_json({"type": "sweep", "source": nim, "seconds": 0.1})
        *values, _, _ = messages_until_end(socket)
    game = make_from("nim", {"stones": 3})
    judge = default_evaluator(game, Path())
    words = method_in_words(judge)
    assert thoughts[-1]["spec"] == judge
    assert {message["judge"] for message in [*thoughts, *values]} == {words}
    levels = ask(client, "levels", **nim)
    assert levels["judge"] == {"spec": judge, "words": described(game, judge)}


def test_a_new_request_a_stop_and_the_end_of_the_socket_end_the_analysis(client, pool):
    pool.quiet = True
    with desk(client) as socket:
        analyse(socket, {"game": "nim"}, 0, id=1)
        wait_for(lambda: pool.tasks)
        pool.quiet = False
        analyse(socket, {"game": "nim"}, 0, id=2)
        assert {message["id"] for message in messages_until_end(socket)} == {2}
        assert pool.closed[0] == pool.tasks[0].key
        assert pool.tasks[0].key in pool.stopped
        pool.quiet = True
        analyse(socket, {"game": "nim"}, 0, id=3)
        wait_for(lambda: pool.tasks[2:])
        socket.send_json({"type": "stop", "id": 4})
        assert messages_until_end(socket) == [{"type": "done", "id": 4}]
        assert pool.closed[-1] == pool.tasks[2].key
        analyse(socket, {"game": "nim"}, 0)
        wait_for(lambda: pool.tasks[3:])
    wait_for(lambda: pool.closed[3:])
    assert pool.tasks[3].key in pool.stopped


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"spec": "human"}, "cannot play here"),
        ({"spec": "puct:/etc/passwd,sims=1"}, "there is no network"),
        ({"ply": 5}, "there is no ply 5"),
        (
            {"source": {"game": "nim", "options": {"stones": 1}, "moves": "take 1"}, "ply": 1},
            "over",
        ),
        ({"source": {"table": "nowhere"}}, "there is no game"),
        ({"seconds": 10_000}, "seconds"),
        ({"other": 1}, "other"),
        ({"spec": "random"}, "random reports no analysis"),
    ],
)
def test_an_impossible_request_is_refused_with_a_reason(client, pool, wish, words):
    with desk(client) as socket:
        analyse(socket, **{"source": {"game": "nim"}, "ply": 0, **wish})
        (error,) = messages_until_end(socket)
        assert error["type"] == "error"
        assert words in error["text"]
        analyse(socket, {"game": "nim"}, 0)
        assert messages_until_end(socket)[-1]["type"] == "done"


def test_a_busy_pool_is_reported(client, pool):
    pool.busy = True
    with desk(client) as socket:
        analyse(socket, {"game": "nim"}, 0, id=3)
        (error,) = messages_until_end(socket)
    assert error == {"type": "error", "text": "all workers are busy", "busy": True, "id": 3}


def test_a_sweep_finds_the_losing_moves(client, pool):
    # In Nim with takes of 1 to 3, facing a multiple of 4 loses (Bouton, 1902).
    source = {
        "game": "nim",
        "options": {"stones": 9},
        "moves": "take 1 take 1 take 1 take 2 take 3 take 1",
    }
    with desk(client) as socket:
        socket.send_json({"type": "sweep", "source": source, "spec": "perfect", "seconds": 0.1})
        *values, review, done = messages_until_end(socket)
    assert done["type"] == "done"
    left = [9, 8, 7, 6, 4, 1, 0]
    assert [value["ply"] for value in values] == list(range(7))
    for value, stones in zip(values, left, strict=True):
        mover = value["ply"] % 2
        assert value["value"][mover] == (stones % 4 != 0)
    assert [value["loss"] for value in values] == [0, 0, 1, 0, 0, 0, None]
    assert values[2]["best"] == "take 3"
    assert [value["chance"] for value in values] == [1, 0, 1, 1, 0, 1, None]
    grades = ["best", "best", "blunder", "best", "best", "best"]
    assert [move["grade"] for move in review["moves"]] == grades
    assert review["accuracy"] == [pytest.approx(200 / 3, abs=0.1), 100.0]


# ------------------------------------------------------------ access to hidden information


def catan_table(client, **more):
    seats = [ME, ME, {"kind": "agent", "spec": "weighted"}]
    made = begin(client, seats, **CATAN, **more)
    return made["id"], made["tokens"]


def test_only_the_player_to_move_may_analyse_a_game_with_hidden_cards(client, pool):
    id, tokens = catan_table(client)
    source = {"table": id}
    mover = ask(client, "scenes", [tokens["0"]], source=source, ply=0)
    assert (mover["to_move"], mover["seat"]) == (0, 0)
    assert ask(client, "scenes", tokens.values(), source=source, ply=0, seat=2) == mover
    for held in ([], [tokens["1"]]):
        words = ask(client, "scenes", held, status=403, source=source, ply=0)
        assert "only the player to move" in words
        with desk(client) as socket:
            analyse(socket, source, 0, spec="weighted", tokens=held)
            assert messages_until_end(socket)[0]["type"] == "error"
    assert "hidden" in ask(client, "positions", status=403, source=source)
    assert not pool.tasks
    tried = {**source, "then": [mover["actions"][0]["name"]]}
    words = ask(client, "scenes", list(tokens.values()), status=403, source=tried, ply=1)
    assert "no moves can be tried out" in words


def test_a_sweep_of_a_game_with_hidden_cards_has_only_the_callers_turns(client, pool):
    id, tokens = catan_table(client)
    with at(client, id, tokens.values()) as page:
        while page.view["ply"] < 12:
            ply = page.view["ply"]
            if page.view["actions"]:
                page.say("play", ply=ply, actions=[page.view["actions"][0]["id"]])
            page.until(lambda view, ply=ply: view["ply"] > ply)
    plies = ask(client, "positions", tokens.values(), source={"table": id})["plies"]
    with desk(client) as socket:
        wish = {"type": "sweep", "source": {"table": id}, "spec": "uct:sims=5", "seconds": 0.1}
        socket.send_json({**wish, "tokens": [tokens["0"]]})
        *values, _, _ = messages_until_end(socket)
    own = [ply["ply"] for ply in plies if ply["seat"] == 0]
    assert [value["ply"] for value in values if value["ply"] < len(plies)] == own


def test_no_response_about_a_game_in_progress_has_its_seed(client, pool):
    seed = 1_234_567_891
    id, tokens = catan_table(client, seed=seed)
    held = list(tokens.values())
    answers = [
        ask(client, "positions", held, source={"table": id}),
        ask(client, "scenes", held, source={"table": id}, ply=0),
    ]
    with desk(client) as socket:
        analyse(socket, {"table": id}, 0, spec="uct:sims=5", tokens=held)
        answers += messages_until_end(socket)
    assert answers[-1]["type"] == "done"
    assert str(seed) not in json.dumps(answers)
    assert all(not ply["name"] for ply in answers[0]["plies"])
    assert answers[0]["statistics"] == []


def test_players_who_agreed_on_no_help_may_analyse_after_the_end(client, pool):
    made = begin(client, [ME, ME], help=False)
    source = {"table": made["id"]}
    with at(client, made["id"], made["tokens"].values()) as page:
        page.play("take 1")
        words = ask(client, "scenes", made["tokens"].values(), status=403, source=source, ply=0)
        assert "when it is over" in words
        tokens = made["tokens"].values()
        ask(client, "scenes", tokens, 403, source=source, ply=0, explain=True)
        ask(client, "positions", status=403, source=source)
        page.say("resign")
        page.until(lambda view: view["status"] == "over")
    told = ask(client, "positions", source=source)
    assert told["over"]
    assert "resigned" in told["result"]
    assert ask(client, "scenes", source=source, ply=1)["to_move"] == 1


def test_a_game_without_hidden_information_is_open_to_all_and_may_be_varied(client, pool):
    made = begin(client, [ME, {"kind": "agent", "spec": "random"}])
    source = {"table": made["id"], "keep": 0, "then": ["take 2", "take 2"]}
    seen = ask(client, "scenes", source=source, ply=2)
    stones = [cell["piece"] for cell in seen["scene"]["rows"][0]["cells"]]
    assert stones.count("stone") == 5


# ------------------------------------------------------------ explanations


def test_explanations_come_with_a_scene_that_asks_for_them(client, pool):
    source = {"game": "hex", "options": {"size": 3}, "moves": "b2"}
    plain = ask(client, "scenes", source=source, ply=1)
    assert plain["explanations"] == []
    told = ask(client, "scenes", source=source, ply=1, explain=True)["explanations"]
    assert {one["kind"] for one in told} == {"bridge", "winning chain"}
    assert set(told[0]) == {"kind", "sentence", "spots", "player", "shape", "at"}


def test_statistics_are_computed_once_for_a_game(monkeypatch, client, pool):
    counted, real = [], Catan.statistics

    def count(position):
        counted.append(1)
        return real(position)

    monkeypatch.setattr(Catan, "statistics", staticmethod(count))
    played = random_game("catan", seed=1, players=2, victory_points=3)
    record = record_of(played, ["A", "B"]).to_json()
    first = ask(client, "positions", source={"record": record})
    assert ask(client, "positions", source={"record": record}) == first
    titles = [table["title"] for table in first["statistics"]]
    assert titles[:3] == ["Throws", "Robber", "Trade"]
    assert all(len(row) == 2 for table in first["statistics"] for row in table["rows"].values())
    assert counted == [1]


# ------------------------------------------------------------ agents without an analysis


def test_a_sweep_leaves_out_positions_of_which_the_agent_reports_nothing(client, pool):
    source = {"game": "nim", "options": {"stones": 9}, "moves": "take 1 take 1 take 1"}
    pool.silent = {1}
    wish = {"type": "sweep", "source": source, "spec": "perfect", "seconds": 0.1}
    with desk(client) as socket:
        socket.send_json(wish)
        *values, review, _ = messages_until_end(socket)
        socket.send_json({**wish, "spec": "random"})
        assert "reports no analysis" in messages_until_end(socket)[-1]["text"]
    assert [value["ply"] for value in values] == [0, 2, 3]
    assert [move["ply"] for move in review["moves"]] == [0, 2]
