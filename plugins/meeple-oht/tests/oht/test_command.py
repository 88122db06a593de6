"""The commands of `meeple oht` and their output."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

from meeple.games.contract.records import read_records
from meeple_oht.cli.command import _joining, _token
from meeple_oht.cli.screen import drawn, progress
from meeple_oht.players import read_players
from meeple_oht.rules import TournamentRules
from meeple_oht.standings import ratings_of, table_of
from meeple_oht.store import TournamentStore
from tests.oht.hosts import PATIENCE, HostProcess, hosting, token_of
from tests.oht.stored import stored

pytestmark = pytest.mark.slow


def test_the_printed_line_with_which_a_player_joins_is_understood(command):
    program, *words = shlex.split(_joining(1, True))
    assert program == "meeple"
    assert "FILE" in command(*words)[2]


def test_two_agents_and_one_of_the_host_join(command, tmp_path):
    rules = TournamentRules(games=2, seconds=PATIENCE)
    with hosting(tmp_path, ["Ada", "Bob"], rules, specs=["random"]) as host:
        (tmp_path / "ada").write_text(token_of("Ada") + "\n")
        bob = subprocess.Popen(
            [sys.executable, "-m", "meeple", "oht", "join", "--port", str(host.port), "random"],
            env={**os.environ, "MEEPLE_OHT_TOKEN": token_of("Bob")},
            stdout=subprocess.PIPE,
            text=True,
        )
        words = ["--port", host.port, "--token", tmp_path / "ada", "-o", "size=3"]
        code, out, err = command("oht", "join", *words, "uct:sims=50", "--json")
        said, _ = bob.communicate(timeout=PATIENCE)
        host.join()
    assert code == 0, err
    score = json.loads(out)["score"]
    assert "series of 2 games of Hex, size 3" in said
    assert "Score: " in said
    code, out, _ = command("oht", "table", host.file, "--json", "--save", "games.jsonl")
    table = json.loads(out)
    assert table["phase"] == "over"
    assert {row["name"]: row["score"] for row in table["rows"]}["Ada"] == score
    assert len(table["ratings"]) == 3
    records = read_records("games.jsonl")
    assert len(records) == 6
    assert {name for record in records for name in record.seats} == {"Ada", "Bob", "agent 0"}
    code, out, _ = command("oht", "table", host.file)
    assert "over: 6 of 6 games" in out
    assert "rating" in out


def test_the_host_stops_cleanly_and_resumes(command, monkeypatch, tmp_path):
    host = HostProcess(tmp_path, ["Ada", "Bob"], "--games", "2", "-o", "size=3")
    heard: list[str] = []

    def join():
        from meeple_oht.agent_client import AgentClient

        token, port = token_of("Ada"), host.ports[0]
        AgentClient("random", token, "127.0.0.1", port, say=heard.append).run()

    ada = threading.Thread(target=join, daemon=True)
    ada.start()
    assert host.process.stdout is not None
    while "1 connected" not in host.process.stdout.readline():
        pass
    host.process.send_signal(signal.SIGINT)
    said, code = host.end()
    assert code == 130
    assert "registration" in said
    host.start()
    monkeypatch.setenv("MEEPLE_OHT_TOKEN", token_of("Bob"))
    code, _, err = command("oht", "join", "--port", host.ports[0], "random", "--quiet")
    assert code == 0, err
    assert host.end()[1] == 0
    ada.join(PATIENCE)
    assert any("the host stops" in words for words in heard)
    assert any(words.startswith("tournament over") for words in heard)


def test_players_receive_tokens(command):
    code, out, _ = command("oht", "token", "players.toml", "Ada", "Bob")
    assert (code, "2 players" in out) == (0, True)
    code, _, err = command("oht", "token", "players.toml", "Ada", "Bob")
    assert (code, "exists already" in err) == (2, True)
    code, out, _ = command("oht", "token", "one.toml", "Ada")
    assert (code, "one player" in out, "needs two" in out) == (0, True, True)


NAMES = {
    'O\'Brien "Bo"': "token-O-Brien-Bo.txt",
    "../../etc/passwd": "token-etc-passwd.txt",
    "etc\\passwd": "token-etc-passwd-2.txt",
    "Ada": "token-Ada.txt",
    "ada": "token-ada-2.txt",
    "Ada-2": "token-Ada-2-2.txt",
    "Jörg": "token-Jörg.txt",
    "Jo\u0308rg": "token-Jörg-2.txt",
    "हिन्दी": "token-हिन्दी.txt",
    "...": "token-player.txt",
    "=1+1": "token-1-1.txt",
    "🎲": "token-player-2.txt",
    "\ufb2c" * 40: "token-" + "\u05e9\u05bc\u05c1" * 13 + "\u05e9.txt",
}
"""Names of players, and the files of their tokens."""


def test_each_player_has_a_private_file_of_their_own_token(command):
    code, out, err = command("oht", "token", "players.toml", *NAMES, "--split", "tokens")
    assert (code, f"{len(NAMES)} files" in out) == (0, True), err
    files = {path.name: path for path in Path("tokens").iterdir()}
    assert files.keys() == set(NAMES.values())
    assert {path.name for path in Path().iterdir()} == {"players.toml", "tokens"}
    for player in read_players("players.toml"):
        file = files[NAMES[player.name]]
        assert _token(file) == player.token
        assert player.token not in out
        if os.name == "posix":
            assert file.stat().st_mode & 0o077 == Path("tokens").stat().st_mode & 0o077 == 0


def test_the_tokens_of_an_existing_file_are_split_but_not_into_a_folder_with_files(command):
    lines = ["[[player]]", 'name = "Ada"', 'token = "abcdefgh"']
    lines += ["[[player]]", 'name = "The house"', 'spec = "random"']
    Path("players.toml").write_text("\n".join(lines))
    code, out, _ = command("oht", "token", "players.toml", "--split", "tokens")
    assert (code, "one file" in out) == (0, True)
    assert [path.name for path in Path("tokens").iterdir()] == ["token-Ada.txt"]
    Path("tokens/token-Ada.txt").write_text("older")
    for words in (["players.toml"], ["others.toml", "Ada"]):
        code, _, err = command("oht", "token", *words, "--split", "tokens")
        assert (code, "no empty folder" in err, err.count("\n")) == (2, True, 1)
    assert Path("tokens/token-Ada.txt").read_text() == "older"
    assert not Path("others.toml").exists()


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["join", "random", "--port", "1"], 2, "a token is needed"),
        (["join", "random"], 2, "is not text"),
        (["join", "nobody", "--token", "token"], 2, "there is no agent 'nobody'"),
        (["join", "random", "--token", "token", "--dialect", "1"], 2, "dialects are"),
        (["join", "random", "--token", "nowhere"], 1, "cannot read the token"),
        (["join", "random", "--token", "token", "--port", "1", "--retry", "0"], 1, "cannot reach"),
        (["host", "--players", "nowhere.toml"], 1, "oht token"),
        (["token", "others.toml"], 2, "--split"),
        (["token", "others.toml", "--split", "tokens"], 1, "there is no file"),
        (["token", "others.toml", "a\nb", "--split", "tokens"], 1, "printable"),
        (["token", "others.toml", "Ada", "Ada", "--split", "tokens"], 1, "two players are called"),
        (["token", "others.toml", "Ada", "--split", "token"], 2, "no empty folder"),
        (["token", "others.toml", "Ada", "--split", "token/deeper"], 1, "cannot use"),
        (["host", "--players", "p", "--on-illegal", "cry"], 2, "lose, retry or random"),
        (["host", "--players", "p", "--on-disconnect", "cry"], 2, "wait=SECONDS"),
        (["host", "--players", "p", "--log", "cry"], 2, "debug, info"),
        (["host", "--players", "p", "--qualifier", "cry"], 2, "there is no agent"),
        (["host", "--players", "players.toml", "-g", "catan"], 2, "two players"),
        (["host", "--players", "players.toml", "--key", "k"], 2, "belong together"),
        (["table", "nowhere.sqlite"], 1, "there is no file"),
        (["page", "nowhere.sqlite"], 1, "there is no file"),
    ],
)
def test_wrong_usage_is_reported_in_a_sentence(command, monkeypatch, words, code, sentence):
    monkeypatch.delenv("MEEPLE_OHT_TOKEN", raising=False)
    with open("token", "w") as file:
        file.write("a token")
    command("oht", "token", "players.toml", "Ada", "Bob")
    if sentence == "is not text":
        monkeypatch.setitem(os.environ, "MEEPLE_OHT_TOKEN", "a token \udcff")
    found, _, err = command("oht", *words)
    assert (found, err.count("\n")) == (code, 1), err
    assert sentence in err


def test_the_page_stays_after_the_end_until_ctrl_c(tmp_path):
    players = tmp_path / "players.toml"
    players.write_text(
        "".join(f'[[player]]\nname = "{name}"\nspec = "random"\n' for name in ("Ann", "Bob"))
    )
    command = [sys.executable, "-m", "meeple", "oht", "host", "--players", str(players), "--plain"]
    command += ["-o", "size=3", "--port", "0", "--port-2020", "0", "--page", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        said = next(line for line in host.stdout if "stays at" in line)
        (url,) = (word for word in said.split() if word.startswith("http"))
        with urllib.request.urlopen(url, timeout=PATIENCE) as page:
            assert "tournament" in page.read().decode()
        host.send_signal(signal.SIGINT)
        assert host.wait(PATIENCE) == 0


def test_the_terminal_shows_the_table_and_ratings_rank_the_players_as_it_does(tmp_path):
    store = TournamentStore.open(stored(tmp_path))
    table = table_of(store)
    assert progress(table) == "league: 2 of 6 games; Ada leads"
    assert len(drawn(table).rows) == 3
    store.end_game(3, 1, "rules")  # Cid beats Ada: the same score, from fewer games
    table, ratings = table_of(store), ratings_of(store)
    rows = table.rows
    store.close()
    scores = {row.name: row.score for row in rows}
    shown = [scores[ratings.names[agent]] for agent in ratings.ranking()]
    assert shown == [row.score for row in rows]
    assert [figures["score"] for figures in ratings.to_json()] == [scores[n] for n in ratings.names]
