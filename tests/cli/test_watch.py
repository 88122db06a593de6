"""`meeple watch`: games of agents, recorded games, and stepping through them."""

import io

import pytest

from meeple.cli.watch import KEYS, step
from meeple.games.contract.records import record_of, to_lines
from meeple.games.contract.registry import make


@pytest.fixture
def games(tmp_path):
    """A file with a game of Nim and one of Hex."""
    records = []
    for name, options, moves in [
        ("nim", {"stones": 5}, ["take 3", "take 2"]),
        ("hex", {"size": 3}, ["b2", "a1", "c1", "c3", "a3"]),
    ]:
        position = make(name, **options).start()
        for move in moves:
            position.play(position.parse_action(move))
        records.append(record_of(position, ["Ann", "Bob"]))
    file = tmp_path / "games.jsonl"
    file.write_text(to_lines(records))
    return file


def test_agents_play_a_game_to_its_end_with_every_board_drawn(meeple):
    out = meeple.done("watch", "nim", "random", "random", "-o", "stones=3", "-o", "take=1")
    assert out == (
        "nim stones=3 take=1 heaps=empty misere=off: player 1 (random), player 2 (random)\n"
        "3  ooo\n\n"
        "1. player 1 (random) plays take 1\n"
        "2  oo.\n\n"
        "2. player 2 (random) plays take 1\n"
        "1  o.\n\n"
        "3. player 1 (random) plays take 1\n"
        "0  .\n"
        "Result: player 1 (random) wins.\n\n"
    )


def test_the_same_seed_shows_the_same_game(meeple):
    games = [
        meeple("watch", "hex", "random", "random", "-o", "size=3", "--seed", seed)[1]
        for seed in (4, 4, 5)
    ]
    assert games[0] == games[1] != games[2]


def test_a_recorded_game_is_replayed_with_the_players_of_each_move(meeple, games):
    out = meeple.done("watch", games, "--game", 1)
    assert "1. player 1 (Ann): take 3\n2  oo...\n" in out
    assert out.endswith("2. player 2 (Bob): take 2\n0  ..\nResult: player 2 (Bob) wins.\n\n")


def test_the_winning_chain_of_a_recorded_game_is_shown(meeple, games):
    assert "1  O .[X] 1\n 2  .[X].  2\n  3 (X)." in meeple("watch", games, "--game", 2)[1]


def test_a_file_of_several_games_is_listed(meeple, games):
    _, out, _ = meeple("watch", games)
    assert "1  nim  Ann - Bob  0 1  (2 plies)" in out
    assert "2  hex  Ann - Bob  1 0  (5 plies)" in out
    assert "--game 1" in out


def test_a_tampered_game_is_refused_before_it_is_shown(meeple, games):
    games.write_text(games.read_text().replace('"b2", "a1"', '"b2", "b2"'))
    assert "action 2 of the record" in meeple.refused("watch", games, "--game", 2, code=1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nim", "random"], "nim needs 2 agents, one a seat, not 1"),
        (["nim", "human", "random"], "use meeple play"),
        (["nim", "random", "random", "--game", "1"], "name a file in place of the game"),
        (["nowhere"], "there is no game and no file 'nowhere'"),
        (["nim", "random", "random", "--delay", "1e18"], "less than or equal to 60"),
    ],
)
def test_invalid_arguments_are_refused_with_a_message(meeple, words, sentence):
    assert sentence in meeple.refused("watch", *words)


def test_a_missing_game_number_is_reported_with_the_number_of_games(meeple, games):
    code, _, err = meeple("watch", games, "--game", 3)
    assert code == 2
    assert "holds 2 games; there is no game 3" in err


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        (["", "", ""], ["zero", "one", "two", "three"]),
        (["", "b", "b", "q"], ["zero", "one", "zero", "zero"]),
        (["e", "1", "q"], ["zero", "three", "one"]),
        (["2", "what?", "q"], ["zero", "two", "two"]),
        (["99", "", "unread"], ["zero", "three"]),
    ],
)
def test_a_viewer_steps_forward_and_back(monkeypatch, capsys, keys, shown):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
    step(iter(["zero", "one", "two", "three"]))
    out = capsys.readouterr().out.replace(KEYS, "")
    assert out.split() == shown


def test_a_game_with_descriptions_of_events_prints_them(meeple, tmp_path):
    words = ("catan", *["weighted"] * 2, "-o", "players=2", "-o", "max_turns=2", "--seed", "3")
    _, live, _ = meeple("watch", *words)
    position = make("catan", players=2, max_turns=2).start(3)
    for _ in range(8):
        position.play(position.legal_actions()[0])
    file = tmp_path / "catan.jsonl"
    file.write_text(to_lines([record_of(position, ["Ann", "Bob"])]))
    _, recorded, _ = meeple("watch", file)
    for text in (live, recorded):
        assert "1. player 1 built a settlement at " in text
        assert "8. player 1 built a road at " in text
