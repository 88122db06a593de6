"""Our client: retries, pinned certificates, dialects, lost states; files of players."""

import socket
import ssl
import stat
import time

import pytest

import meeple
from examples import oht_client
from meeple.errors import MeepleError, UsageError
from meeple_oht import connection
from meeple_oht.agent_client import AgentClient
from meeple_oht.certificate import certificate_beside, make_certificate
from meeple_oht.client import Client
from meeple_oht.connection import ConnectionEnded
from meeple_oht.players import RegisteredPlayer, find, read_players, write_players
from meeple_oht.rules import TournamentRules
from meeple_oht.store import TournamentStore
from meeple_oht.wire import dialect2020, frames
from meeple_oht.wire.boards import WireBoard
from meeple_oht.wire.messages import WireError
from tests.oht.hosts import PATIENCE, HostProcess, all_done, hosting, running, token_of

pytestmark = pytest.mark.slow


class RecordingClient(Client):
    """Plays on the first free cell and records the messages."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.heard = []

    def handle_series_start(self, unique_player_id, series_id, player_id_map, num_games, params):
        self.heard.append(("series", unique_player_id, series_id, num_games, tuple(params)))
        self.size = params[0]

    def handle_game_start(self, start_player):
        self.heard.append(("game", start_player))

    def handle_get_action(self, state):
        return divmod(list(state).index(0, 1) - 1, self.size)

    def handle_game_over(self, winner, end_state):
        self.heard.append(("over", winner))

    def handle_series_over(self, stats):
        self.heard.append(("series over", len(stats)))

    def handle_tournament_over(self, score):
        self.heard.append(("score", score))


@pytest.mark.parametrize("dialect", ["2023", "2020"])
@pytest.mark.parametrize("tls", [True, False])
def test_the_six_handlers_are_called_in_both_dialects(tmp_path, dialect, tls):
    rules = TournamentRules(games=2, seconds=PATIENCE)
    with hosting(tmp_path, ["Ada", "Bob"], rules, tls=tls, old=True) as host:
        clients = [
            RecordingClient(token_of(name), port=host.ports[way == "2020"], dialect=way, tls=tls)
            for name, way in (("Ada", dialect), ("Bob", "2023"))
        ]
        all_done(running(*(client.run for client in clients)))
        host.join()
    heard = clients[0].heard
    assert heard[0] == ("series", 1, 1, 2, (3,))
    assert [one[0] for one in heard[1:]] == ["game", "over", "game", "over", "series over", "score"]
    assert heard[-1] == ("score", 50 * sum(one == ("over", 1) for one in heard))


def test_a_certificate_may_be_pinned_and_passes_strict_checks(tmp_path, monkeypatch):
    other = tmp_path / "other.pem"
    other.write_bytes(make_certificate()[0])
    with hosting(tmp_path, ["Ada", "Bob"]) as host:
        pinned, _ = certificate_beside(host.file)
        for wrong in (other, tmp_path / "players.toml"):
            with pytest.raises(MeepleError, match="certificate"):
                RecordingClient(token_of("Ada"), port=host.port, certificate=wrong).run()
        with pytest.raises(MeepleError, match="no player's token"):
            RecordingClient("wrong token", port=host.port, certificate=pinned).run()
        context = ssl.create_default_context(cafile=pinned)
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        with (
            socket.create_connection(("127.0.0.1", host.port)) as plain,
            context.wrap_socket(plain) as wire,
        ):
            assert wire.recv(4096).endswith(b'{"topic":"authentication"}')
        monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.5)
        with pytest.raises(ConnectionEnded, match="sends nothing"):
            RecordingClient(token_of("Ada"), port=host.port, tls=False, retry=0.0).run()


def test_the_certificate_is_made_once_and_private(tmp_path):
    made = [path.read_bytes() for path in certificate_beside(tmp_path / "a.sqlite")]
    certificate, key = certificate_beside(tmp_path / "a.sqlite")
    assert [certificate.read_bytes(), key.read_bytes()] == made
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_a_client_gives_up_without_a_server():
    began = time.monotonic()
    with pytest.raises(ConnectionEnded, match="cannot reach"):
        RecordingClient("token", port=1, retry=0.4).run()
    assert time.monotonic() - began < PATIENCE
    with pytest.raises(UsageError, match="dialects are"):
        RecordingClient("token", dialect="1999")


def test_our_client_reconnects_after_the_host_was_killed(tmp_path):
    options = ("-o", "size=5", "--games", 2, "--seconds", 60)
    host = HostProcess(tmp_path, ["Ada", "Bob"], *options)
    clients = [
        AgentClient("uct:sims=4000", token_of(name), "127.0.0.1", host.ports[0])
        for name in ("Ada", "Bob")
    ]
    for client in clients:
        client.get_ready(meeple.make("hex", size=5))
    scores: list[float | None] = []
    threads = running(*(lambda client=client: scores.append(client.run()) for client in clients))
    store = TournamentStore.open(host.file)
    while not any(game.plies > 3 for game in store.games()):
        time.sleep(0.01)
    host.kill()
    before = {game.id: store.moves(game.id) for game in store.games()}
    host.start()
    assert host.end()[1] == 0
    all_done(threads)
    for id, moves in before.items():  # a game resumes from its stored moves
        assert store.moves(id)[: len(moves)] == moves
    assert not store.faults()
    assert sum(score or 0 for score in scores) == 100
    store.close()


def test_an_unreachable_state_loses_the_game():
    client = AgentClient("random", "token", "127.0.0.1", 1)
    client.handle_series_start(1, 1, ((1, 1), (2, 2)), 2, (0, "nim", {}))
    client.handle_game_start(1)
    board = WireBoard(meeple.make("nim"))
    start = board.state(board.begun_by(1).start(), 1)
    assert client.handle_get_action(start) is not None
    assert client.handle_get_action((1, *[5] * (len(start) - 1))) is None


def test_an_agent_follows_when_another_move_was_made_for_it():
    client = AgentClient("random", "token", "127.0.0.1", 1)
    client.handle_series_start(1, 1, ((1, 1), (2, 2)), 2, (4, "reversi", {"size": 4}))
    client.handle_game_start(1)
    board = WireBoard(meeple.make("reversi", size=4))
    position = board.begun_by(1).start()
    answer = client.handle_get_action(board.state(position, 1))
    assert answer is not None
    others = [
        action
        for action in position.legal_actions().tolist()
        if action != board.action(tuple(answer))
    ]
    position.play(others[0])
    position.play(int(position.legal_actions()[0]))
    answer = client.handle_get_action(board.state(position, 1))
    assert answer is not None
    assert board.action(tuple(answer)) in position.legal_actions()


def test_the_file_of_players_is_made_and_read(tmp_path):
    path = tmp_path / "players.toml"
    made = write_players(path, ['Ada "the first"', "Zoë", "C\\D"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_players(path) == made
    assert len({player.token for player in made}) == 3
    assert find(made, made[1].token) == made[1]
    assert find(made, "x") is find(made, "") is None
    assert made[0].token not in repr(made[0])
    with pytest.raises(UsageError, match="exists already"):
        write_players(path, ["a", "b"])
    alone = tmp_path / "alone.toml"
    only = write_players(alone, ["Ada"])
    with pytest.raises(MeepleError, match="from 2 to"):
        read_players(alone)
    for file in (path, alone):
        file.write_text(
            file.read_text() + '\n[[player]]\nname = "House"\nspec = "random"\n', "utf-8"
        )
    assert read_players(alone) == (*only, RegisteredPlayer("House", "", "random"))
    assert read_players(path)[-1] == RegisteredPlayer("House", "", "random")
    assert find(read_players(path), "") is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[player]]\nname = 'Ada'\ntoken = 'secret-one'\n", "from 2 to"),
        ("nonsense", "not TOML"),
        ("[player]\nname = 'Ada'\n", "player"),
        ("[[player]]\nname = 'Ada'\n", "needs a token or a spec"),
        ("[[player]]\nname = 'Ada'\ntoken = 'short'\n", "8 to 200"),
        ("[[player]]\nname = ''\ntoken = 'secret-one'\n", "printable"),
        ("[[player]]\nname = 'Ada'\nspec = 'uct'\nmore = 1\n", "needs a token or a spec"),
        ("[[player]]\nname='A'\ntoken='secret-one'\n" * 2, "two players are called A"),
        (
            "[[player]]\nname='A'\ntoken='secret-one'\n[[player]]\nname='B'\ntoken='secret-one'\n",
            "B has the same token as A",
        ),
    ],
)
def test_an_invalid_file_of_players_is_refused_without_revealing_tokens(tmp_path, text, words):
    path = tmp_path / "players.toml"
    path.write_text(text)
    with pytest.raises(MeepleError, match=words) as error:
        read_players(path)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("text", ["a token \udcff", "\ud800"])
def test_a_token_or_name_that_is_not_text_is_refused(text):
    with pytest.raises(UsageError, match="the token is not text"):
        Client(text)
    with pytest.raises(UsageError, match="the name is not text"):
        Client("a token", name=text)
    players = (RegisteredPlayer("Ada", token_of("Ada")), RegisteredPlayer("Bob", token_of("Bob")))
    assert find(players, text) is None


def test_lone_surrogates_of_a_server_are_refused_in_both_dialects():
    for content in (rb'{"topic": "error", "error": "\uD800"}', rb'["\ud83d\ud83d\ude00"]'):
        with pytest.raises(WireError, match="UTF-8 cannot hold"):
            frames.parse(content)
    assert frames.parse(rb'["\ud83d\ude00", "\\ud800"]') == ["\U0001f600", "\\ud800"]
    with pytest.raises(WireError, match="UTF-8 cannot hold"):
        dialect2020.parse(r"(3, '\ud800', {})")
    assert dialect2020.parse(r"(3, 'hex', {1: 2})") == (3, "hex", {1: 2})


def test_the_example_client_plays_a_tournament(tmp_path, capsys):
    with hosting(
        tmp_path, ["Ada"], TournamentRules(games=2, seconds=PATIENCE), specs=["random"]
    ) as host:
        own = oht_client.Middle(token_of("Ada"), port=host.port)
        own.run()
        host.join()
    assert "My score is" in capsys.readouterr().out
