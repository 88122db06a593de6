"""Lessons through the routes of the server."""

import pytest

from meeple.games.contract.lessons import lesson_of
from meeple.games.contract.registry import make


def answered(client, game, step, action):
    return client.post(f"/api/lessons/{game}", json={"step": step, "action": action}).json()


@pytest.mark.parametrize("game", ["hex", "nim"])
@pytest.mark.slow
def test_a_lesson_is_learned_through_the_server(client, game):
    contents = client.get(f"/api/lessons/{game}").json()
    lesson = lesson_of(make(game))
    assert lesson is not None
    assert contents["steps"] == len(lesson.steps)
    assert contents["rules"] == list(lesson.rules)
    for number, step in enumerate(lesson.steps):
        shown = client.post(f"/api/lessons/{game}", json={"step": number}).json()
        assert (shown["text"], shown["reply"], shown["is_task"]) == (step.text, None, True)
        replies = [answered(client, game, number, one["id"]) for one in shown["actions"]]
        right = [reply for reply in replies if reply["reply"]["is_right"]]
        wrong = [reply for reply in replies if not reply["reply"]["is_right"]]
        assert right
        assert all(not reply["actions"] for reply in right)
        assert all(reply["actions"] == shown["actions"] for reply in wrong)
        assert all(reply["scene"] == shown["scene"] for reply in wrong)


def test_an_illegal_answer_and_a_missing_lesson_are_refused(client):
    answer = client.post("/api/lessons/hex", json={"step": 1, "action": 0})
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert client.post("/api/lessons/hex", json={"step": 50}).status_code == 404
    assert client.get("/api/lessons/chess").status_code == 400
    games = client.get("/api/games").json()["games"]
    taught = {game["name"] for game in games if game["has_lesson"]}
    assert taught >= {"nim", "ledge", "hex", "gomoku", "reversi", "catan", "catan-reduced"}
