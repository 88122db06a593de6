"""The client against a server that follows a script."""

import socket
import struct
import threading

import pytest

from meeple.errors import MeepleError
from meeple_jsettlers.client import Client

HELLO = ["> 9998|", "< 9998|2700,2.7.00,JM,;ch;", "< 1003|"]
WELCOME = [*HELLO, "< 1083|Friday,PL=4"]
AT_THE_TABLE = [*WELCOME, "> 1013|meeple,\t,\t,Friday", "< 1021|Friday"]


class Server:
    """Follows a script for each connection: "<" sends a line, ">" waits for one with this start."""

    def __init__(self, *scripts):
        self.faults = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._run, args=(scripts,), daemon=True)
        self._thread.start()

    def _run(self, scripts):
        for script in scripts:
            connection, _ = self._listening.accept()
            with connection, connection.makefile("rb") as received:
                for line in script:
                    data = line[2:].encode()
                    if line.startswith("<"):
                        connection.sendall(struct.pack(">H", len(data)) + data)
                    else:
                        self._expect(received, data)

    def _expect(self, received, start):
        length = received.read(2)
        text = received.read(int.from_bytes(length, "big"))
        if not text.startswith(start):
            self.faults.append(f"{text!r} instead of {start!r}")

    def close(self):
        self._thread.join(10)
        self._listening.close()
        assert self.faults == []


@pytest.fixture
def serve():
    """Return a function that starts a server with its scripts."""
    made = []

    def make(*scripts):
        made.append(Server(*scripts))
        return made[-1]

    yield make
    for server in made:
        server.close()


def no_agent(game, seed):
    raise AssertionError("no game begins")


def client(server, **options):
    said: list[str] = []
    made = Client("meeple", no_agent, port=server.port, say=said.append, retry=0, **options)
    return made, said


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (["> 9998|", "< 9998|1120,1.1.20,JM,"], "the server has version 1.1.20; this client needs"),
        ([*HELLO, "< 1069|4,That name is used."], "the server refuses: That name is used."),
        ([*HELLO, "< 1059|The server is full."], "refuses the connection: The server is full."),
        (
            [
                *AT_THE_TABLE,
                *(f"< 1012|Friday,player {chair},{chair},false" for chair in range(4)),
                "< 1017|Friday,player 0",
            ],
            "no chair is free at the table Friday",
        ),
        (
            [
                *AT_THE_TABLE,
                *(f"< 1012|Friday,player {chair},{chair},false" for chair in range(2)),
                "< 1017|Friday,player 0",
                "> 1012|Friday,meeple,2,false",
                "< 1012|Friday,player 2,2,false",
                "> 1012|Friday,meeple,3,false",
                "< 1012|Friday,player 3,3,false",
            ],
            "no chair is free at the table Friday",
        ),
        (
            [*HELLO, "< 1083|Friday,PL=6,PLB=t", "< 1069|Hello", "> 1013|", "< 1021|Friday"],
            "the game has the board of six",
        ),
        ([*HELLO, "< hello"], "no message of JSettlers"),
        ([*HELLO, "< 1023|Friday"], "a malformed message: BOT_JOIN_GAME_REQUEST"),
        ([*HELLO, "< 1021"], "a malformed message: JOIN_GAME_AUTH"),
        (["> 9998|", "< 9998"], "a malformed message: VERSION"),
    ],
    ids=[
        "old version", "name in use", "full server", "full table", "filling table", "other game",
        "no JSettlers", "no chair", "no name", "no version",
    ],
)  # fmt: skip
def test_a_server_that_does_not_let_us_play_is_named_in_a_sentence(serve, script, sentence):
    made, _ = client(serve(script), table="Friday")
    with pytest.raises(MeepleError, match=sentence):
        made.run()


def test_a_table_that_another_client_opens_at_once_is_joined(serve):
    script = [
        *HELLO,
        "< 1083",
        "> 1078|meeple,\t,\t,Friday,",
        "< 1069|11,It exists.",
        "> 1013|meeple",
    ]
    made, _ = client(serve([*script, "< 1069|23,The server is stopping."]), table="Friday")
    with pytest.raises(MeepleError, match="lost: The server is stopping"):
        made.run()


def test_a_message_for_people_or_of_another_game_is_ignored(serve):
    script = [*AT_THE_TABLE, "< 1010|Friday,hi", "< 1009|Saturday,0,0,0", "< 9999|1", "> 9999|1"]
    made, said = client(serve([*script, "< 1015|Friday"]), table="Friday")
    with pytest.raises(MeepleError, match="the connection was lost"):
        made.run()
    assert not any("ignored" in line for line in said)


def test_each_type_of_unknown_messages_is_named_once_and_of_many_the_first(serve):
    unknown = [f"< {2000 + number // 2}|Friday,{number}" for number in range(60)]
    made, said = client(serve([*AT_THE_TABLE, *unknown, "< 1015|Friday"]), table="Friday")
    with pytest.raises(MeepleError, match="the connection was lost"):
        made.run()
    named = [line for line in said if "ignored" in line]
    assert len(named) == 10
    assert named[0] == "ignored messages that JSettlers 2.7.00 does not have: message 2000|Friday,0"


def test_a_lost_connection_leads_back_to_the_same_chair(serve):
    taken = [f"< 1012|Friday,robot {chair},{chair},true" for chair in (0, 1)]
    lost = [*AT_THE_TABLE, *taken, "< 1017|Friday,robot 0", "> 1012|Friday,meeple,2,false"]
    everyone = [*taken, *(f"< 1012|Friday,robot {chair},{chair},true" for chair in (2, 3))]
    back = [*AT_THE_TABLE, *everyone, "< 1025|Friday,15", "< 1017|Friday,robot 0"]
    back += ["> 1012|Friday,meeple,2,false"]
    end = ["< 1012|Friday,meeple,2,false", "< 1061|Friday,3,4,10,5,true,true,false,true"]
    made, said = client(serve(lost, [*back, *end, "> 1011|"]), table="Friday")
    made._retry = 10
    assert [vars(result)["points"] for result in made.run()] == [10]
    assert said[0].startswith("connection lost")
    assert said[-1] == "Friday: won with 10 points (robot 0 3, robot 1 4, meeple 10, robot 3 5)"


def test_a_robot_sits_where_it_is_invited(serve):
    script = ["> 9998|", "> 1022|meeple,secret,", "< 9998|2700,2.7.00,JM,;ch;", "< 1071|120,35"]
    script += ["< 1023|Monday,3,PL=4,RD=f", "> 1013|meeple,\t,\t,Monday", "< 1021|Monday"]
    script += ["> 1012|Monday,meeple,3,true", "< 1056|Monday", "> 1011|meeple,-,Monday"]
    made, _ = client(serve(script), cookie="secret", games=1)
    with pytest.raises(MeepleError, match="the connection was lost"):
        made.run()


def test_after_a_lost_connection_our_name_may_be_in_use_for_a_while(serve, monkeypatch):
    monkeypatch.setattr("meeple_jsettlers.client._IDLE", 0.05)
    used = [*WELCOME, "> 1013|", "< 1069|4,Please wait 30 seconds and try again."]
    lost = [*AT_THE_TABLE, "< 1017|Friday,meeple", "> 1012|Friday,meeple,0,false"]
    end = ["< 1012|Friday,meeple,0,false", "< 1061|Friday,10,4,3,5,false,true,true,true", "> 1011|"]
    back = [*AT_THE_TABLE, *end]
    made, said = client(serve(lost, used, used, back), table="Friday")
    made._retry = 10
    assert [result.won for result in made.run()] == [True]
    assert len(said) == 2


@pytest.mark.parametrize("robot", [False, True])
def test_a_game_that_is_gone_after_a_lost_connection_counts_as_lost(serve, robot):
    made, said = client(serve([*HELLO, "< 1083"]), table="Friday", cookie="x" if robot else None)
    made._retry, made._games = 10, 1
    made._seats["Friday"] = type("Begun", (), {"player": object(), "game": "Friday"})()
    made._wait_to_retry("it was cut")
    assert [vars(result) for result in made.run()] == [
        {"game": "Friday", "won": False, "points": 0, "scores": {}}
    ]
    assert said[0] == "connection lost (it was cut): trying again for 10 s"
    assert said[-1] == "Friday: lost with 0 points ()"


def test_what_does_not_greet_is_no_server(monkeypatch):
    monkeypatch.setattr("meeple_jsettlers.client._MAX_WELCOME_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = Client("meeple", no_agent, port=listening.getsockname()[1])
        with pytest.raises(MeepleError, match="does not greet as a server of JSettlers"):
            made.run()


def test_several_games_are_for_robots():
    with pytest.raises(MeepleError, match="a player plays one game"):
        Client("meeple", no_agent, games=2)


@pytest.mark.parametrize("name", ["a,b", "a|b", "x" * 31])
def test_a_name_that_the_protocol_cannot_carry_is_refused(name):
    with pytest.raises(MeepleError, match="at most 30 characters"):
        Client(name, no_agent)
