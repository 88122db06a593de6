"""Chat at a table: who writes, who reads, and its limits."""

from meeple.rate_limit import Rate
from meeple.server.play.chat import MAX_LINES, Chat
from tests.server.tables import FRIEND, ME, NIM, at, begin, two_people

FAST = Rate(1000.0, 10_000.0)


def test_players_and_spectators_read_what_a_player_writes(client):
    table, mine, theirs = two_people(client)
    with at(client, table, mine) as me, at(client, table, theirs) as friend:
        me.say("chat", text="  <b>hello</b> ")
        for player in (me, friend):
            (line,) = player.message("chat")["lines"]
            assert (line["seat"], line["text"]) == (0, "<b>hello</b>")
        friend.say("chat", text="hi")
        assert [line["seat"] for line in me.message("chat")["lines"]] == [1]
        with at(client, table) as spectator:
            assert not spectator.view["can"]["chat"]
            lines = spectator.message("chat")["lines"]
            assert [line["text"] for line in lines] == ["<b>hello</b>", "hi"]
            spectator.say("chat", text="psst")
            assert "look on" in spectator.message("error")["text"]


def test_lines_and_names_that_are_empty_long_or_have_control_characters_are_refused(client):
    made = begin(client, [ME, FRIEND])
    with at(client, made["id"], made["tokens"].values()) as me:
        for text in ("", "   ", "x" * 301, "two\nlines", "bell\a", "\u202egnp.exe"):
            me.say("chat", text=text)
            assert "not understood" in me.message("error")["text"], text
    for name in ("x" * 41, "two\nlines", "Ann\u202e", "\x1b[31mAnn"):
        seats = [{**ME, "name": name}, FRIEND]
        assert client.post("/api/tables", json={**NIM, "seats": seats}).status_code == 422
        wanted = {"invite": made["invites"]["1"], "name": name}
        assert client.post(f"/api/tables/{made['id']}/claim", json=wanted).status_code == 422


def test_a_seat_that_writes_too_fast_is_refused_and_others_are_not(client):
    table, mine, theirs = two_people(client)
    with at(client, table, mine) as me, at(client, table, theirs) as friend:
        for _ in range(9):
            me.say("chat", text="spam")
        assert "too fast" in me.message("error")["text"]
        friend.say("chat", text="please stop")
        while friend.message("chat")["lines"][0]["text"] != "please stop":
            pass


def test_only_the_last_lines_are_stored_and_they_count_as_memory():
    chat = Chat()
    assert chat.cost == 0
    for number in range(MAX_LINES + 5):
        chat.add(number % 2, f"line {number}", FAST)
    assert [line["id"] for line in chat.lines] == list(range(6, MAX_LINES + 6))
    assert chat.lines[0]["text"] == "line 5"
    assert chat.cost > MAX_LINES * len("line 5")
