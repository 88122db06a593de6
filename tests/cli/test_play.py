"""Sessions of `meeple play` with input on stdin: games, commands, errors, saving, resuming."""

import json
from pathlib import Path

import pytest

from meeple.cli.play import First, around_you, seats_of, split_specs
from meeple.games.catan.rules.state import RESOURCES
from meeple.games.contract.records import read_records, replay
from meeple.games.contract.registry import make
from tests.games import race
from tests.roots import EXAMPLE_GAMES

NIM = ("play", "nim", "-o", "stones=7", "--seed", "1", "--hint", "uct:sims=300")


def between(text, start, end):
    return text.split(start, 1)[1].split(end, 1)[0]


def test_a_whole_game_is_played_between_two_people(meeple):
    out = meeple.done(*NIM, "--seats", "human,human", lines=["take 3", "take 2", "take 2"])
    assert "player 2, your move (Enter: help): take 2\n\n2  oo..\n" in out
    assert "player 1 (human) wins." in out


def test_partners_are_named_before_the_game(meeple):
    out = meeple.done("play", EXAMPLE_GAMES["whist"], "--seed", 1, lines=[""])
    assert "\nTeams: player 1, player 3; player 2, player 4\n" in out


def test_perfect_play_from_the_winning_side_beats_a_search_and_is_reported(meeple):
    """In Nim 5 with takes of up to 3, leave 4, then complement the reply to 4."""
    lines = ["take 1", "take 3", "take 2", "take 1"]  # after the first, one of these wins
    out = meeple.done(*("play", "nim", "-o", "stones=5", "--against", "uct:sims=200"), lines=lines)
    assert "your winning chance 100 %" in out
    assert "simulations" in out


def test_undo_reverts_your_move_and_the_reply(meeple):
    _, out, _ = meeple(*NIM, "--against", "random", lines=["undo", "take 2", "undo"])
    assert out.count("There is no move of yours to take back.") == 1
    reply = between(out, "plays ", "\n")
    assert f"Taken back: {reply}, take 2\n\n7  ooooo oo\n" in out


def test_a_finished_game_can_be_undone(meeple):
    lines = ["take 3", "take 3", "take 1", "undo", "quit"]
    _, out, _ = meeple(*NIM, "--seats", "human,human", lines=lines)
    assert "wins.\nThe game is over; undo or save FILE (Enter: leave): undo\n" in out
    assert "Taken back: take 1" in out


def test_minimax_gives_hints_and_analyses_without_unknown_chances(meeple):
    words = ["play", "reversi", "-o", "size=6", "--against", "random", "--seed", "1"]
    lines = ["hint", "analyse"]
    _, out, err = meeple(*words, "--hint", "minimax:depth=4", lines=lines)
    assert "Hint: " in out
    assert "expects " in out
    assert "nan" not in (out + err).lower()


def test_a_hint_names_the_winning_move_and_an_analysis_every_move(meeple):
    _, out, _ = meeple(*NIM, "--against", "random", lines=["hint", "analyse"])
    assert "Hint: take 3 (100 %), " in out  # leaves 4, a loss for the player to move
    assert "winning chance: player 1 100 %, player 2 0 %" in out
    assert all(f"\n  take {count} " in out for count in (1, 2, 3))
    assert "\nexpects take 3" in out


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("castle", "'castle' is neither a legal move nor a command. Type a move, such as "),
        ("a1", "a1 is not legal now. Type a move"),
        ("", "Type a move, such as "),
        ("save", "Name the file: save FILE"),
    ],
)
def test_invalid_input_is_answered_with_the_allowed_input_and_loses_nothing(meeple, line, sentence):
    lines = ["a1", line, "b2"]
    out = meeple.done("play", "hex", "-o", "size=3", "--seats", "human,human", lines=lines)
    assert sentence in out
    assert "2  .(O)." in out  # the next line is again player 2's move


def test_moves_lists_all_legal_moves_and_help_every_command(meeple):
    _, out, _ = meeple(*NIM, "--against", "random", lines=["moves", "help"])
    assert "take 1  take 2  take 3\n" in out
    for command in ("moves", "hint", "analyse", "undo", "save", "resign", "help", "quit"):
        assert f"\n  {command} " in out


def test_resigning_gives_the_win_to_the_opponent(meeple, tmp_path):
    file = tmp_path / "game.jsonl"
    out = meeple.done(*NIM, "--against", "random", "--save", file, lines=["take 1", "resign"])
    assert "player 1 (you) gave up; player 2 (random) wins." in out
    assert json.loads(file.read_text())["notes"] == {"resigned": 0}


def test_the_end_of_the_input_saves_the_game_and_it_can_be_resumed(meeple, tmp_path):
    file = tmp_path / "game.jsonl"
    out = meeple.done(*NIM, "--seats", "human,human", "--save", file, lines=["take 2"])
    assert f"meeple play --resume {file}" in out
    out = meeple.done("play", "--resume", file, "--save", file, lines=["take 3", "take 2"])
    assert "\n5  ooooo ..\n" in out
    (record,) = read_records(file)
    assert record.actions == ("take 2", "take 3", "take 2")
    assert replay(record).payoffs.tolist() == [1, 0]


def test_ctrl_c_saves_the_game(meeple, monkeypatch, tmp_path):
    file = tmp_path / "game.jsonl"
    lines = iter(["take 2"])

    def typed(prompt):
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", typed)
    code, _, err = meeple(*NIM, "--seats", "human,human", "--save", file)
    assert (code, err) == (130, "Stopped.\n")
    assert read_records(file)[0].actions == ("take 2",)


def test_a_file_of_other_games_is_never_overwritten(meeple, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("precious\n")
    lines = ["take 1", f"save {file}", f"save {tmp_path / 'no' / 'game'}", "take 1"]
    code, out, _ = meeple(*NIM, "--seats", "human,human", lines=lines)
    assert f"{file} exists already; name another file" in out
    assert "the game cannot be saved to" in out
    assert "\n5  ooooo .\n" in out
    code, _, err = meeple(*NIM, "--seats", "human,human", "--save", file)
    assert code == 1
    assert "exists already" in err
    assert file.read_text() == "precious\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["play"], "name a game, such as meeple play hex"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "nim", "--against", "xyz"], "there is no agent 'xyz'"),
        (["play", "nim", "--hint", "xyz"], "there is no agent 'xyz'"),
        (["play", "nim", "--seats", "random,random"], "no seat is human"),
        (["play", "nim", "--seats", "human,random,random"], "has 2 seats, and 3 were given"),
        (["play", "nim", "--seats", "human,human", "--against", "random"], "give one of them"),
        (["play", "nim", "--first", "me"], "--first"),
        (["play", "catan", *["--against", "random"] * 2], "has 4 seats, and 3 were given"),
    ],
)
def test_invalid_arguments_are_refused_with_a_message(meeple, arguments, sentence):
    assert sentence in meeple.refused(*arguments)


def test_a_resumed_game_uses_the_settings_of_its_record(meeple, tmp_path):
    file = tmp_path / "game.jsonl"
    meeple(*NIM, "--seats", "human,human", "--save", file, lines=["take 2"])
    assert "holds a game of nim, not of hex" in meeple("play", "hex", "--resume", file)[2]
    words = ("play", "nim", "-o", "stones=3", "--resume", file)
    assert "the options are the record's" in meeple(*words)[2]


def test_the_default_opponent_is_a_beginner_and_the_strongest_gives_hints(meeple, tmp_path):
    file = tmp_path / "game.jsonl"
    _, out, _ = meeple("play", "catan-reduced", "--save", str(file), lines=["hint", "quit"])
    assert "Hint: settlement " in out
    assert "the level Beginner (sensible moves without looking ahead); " in out
    assert "the strongest is --against states:catan-reduced" in out
    seats = json.loads(file.read_text().splitlines()[-1])["seats"]
    assert seats == ["human", *["weighted"] * 3]


def test_seats_are_split_between_agents_and_not_within_a_spec():
    text = "human,uct:sims=100,threads=2,policy:runs/a,b,epsilon=0.1,random"
    uct, policy = "uct:sims=100,threads=2", "policy:runs/a,b,epsilon=0.1"
    assert split_specs(text) == ["human", uct, policy, "random"]


def test_first_selects_your_seat_among_any_number_of_players():
    game = make("hex", size=3, first=2)
    assert seats_of(game, None, ["random"], None, First.YOU, 0) == ["random", "human"]
    assert seats_of(game, None, ["random"], None, First.THEM, 0) == ["human", "random"]
    assert around_you(2, ["random"], First.THEM, 0) == ["random", "human"]
    assert around_you(4, ["random"], First.YOU, 0) == ["human", "random", "random", "random"]
    assert around_you(3, ["uct", "random"], First.THEM, 0) == ["uct", "random", "human"]
    seats = {around_you(3, ["random"], First.RANDOM, seed).index("human") for seed in range(40)}
    assert seats == {0, 1, 2}


DICE = Path(race.__file__)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "undone"), [("human,random,human", False), ("human,human,human", True)]
)
def test_undo_reverts_dice_unless_an_agent_plays(meeple, seats, undone):
    """The dice repeat, because they depend on the game's seed: a player would know them."""
    words = ("play", DICE, "--seats", seats, "--seed", "4")
    _, out, _ = meeple(*words, lines=["move", "undo", "move"])
    refusal = "the game has an agent, and dice or cards were drawn since."
    assert (refusal in out, "Taken back" in out) == (not undone, undone)
    if undone:
        taken = between(out, "Taken back: ", "\n").split(", ")
        assert taken[-1] == "move"
        assert any(name.startswith("a ") for name in taken)
        held = out.split("your move (Enter: help): move\n\n")[1:]
        assert len({part.split("\n", 1)[0] for part in held}) == 1


@pytest.mark.slow
def test_chance_is_shown_and_three_seats_take_turns(meeple):
    words = ("play", DICE, "--seats", "human,random,human", "--seed", "3")
    out = meeple.done(*words, lines=["move"] * 40)
    assert out.count("chance: a ") >= 3
    assert "player 2 (random) plays " in out
    assert "player 3, your move (Enter: help): " in out
    assert out.count(" wins.") == 1


# ---------------------------------------------------------------- menus, in Catan

CATAN = ("play", "catan", "--seed", "3", "-o", "board=beginner", "-o", "players=2")
OPEN = (*CATAN, "-o", "hidden_hands=off")


def test_a_menu_entry_is_selected_by_its_number_and_wrong_ones_are_answered(meeple):
    """The setup, a roll by Enter as the only move, and a group that is opened and closed."""
    setup = ["?", "27", "9", "r 99", "39", "9", "8", "36", "45", "40", "51"]
    lines = [*setup, "", "1", "", "end turn"]
    _, out, _ = meeple(*OPEN, "--seats", "human,human", lines=lines)
    assert "S2 is a settlement of player 2" in out
    assert "\n  undo  " in out
    assert "player 1, place a settlement (0-53; Enter: help): 27\n" in out
    assert "player 1 built a settlement at 27\n" in out
    assert "'9' is neither a legal move nor a command. Type a choice (33, 39), a move such" in out
    assert "player 1, place a road (33, 39; Enter: help): r 99\n" in out
    assert "player 1, your move (Enter: roll the dice): \nplayer 1 rolled " in out
    assert "; Enter: back, ?: help): \n" in out
    assert "player 2, your move (Enter: roll the dice): " in out


def test_only_changed_parts_of_a_drawing_are_printed_again(meeple):
    lines = ["27", "39", "9", "8", "36", "45", "40", "51", "", "board"]
    _, out, _ = meeple(*OPEN, "--seats", "human,human", lines=lines)
    rolled, _, again = out.partition("player 1 rolled ")[2].partition("board\n")
    assert "longest road: nobody" in rolled
    assert "desert" not in rolled
    assert "desert" in again


def test_moves_of_others_are_printed_one_line_a_turn(meeple):
    _, out, _ = meeple(*CATAN, "--against", "random", lines=["27", "39"])
    assert out.count("player 2 built a settlement at ") == 1
    assert out.count("; built a road at ") == 2


def test_undo_reverts_all_actions_of_an_input_line(meeple, tmp_path):
    file = tmp_path / "game.jsonl"
    setup = ["s 27", "r 39", "s 9", "r 8", "s 36", "r 45", "s 40", "r 51", "roll"]
    meeple(*OPEN, "--seats", "human,human", "--save", file, lines=setup)
    words = ("play", "--resume", file)
    position = replay(read_records(file)[0])
    own, other = (
        next(r for r, count in zip(RESOURCES, hand.tolist(), strict=True) if count)
        for hand in position.state.hand[:2]
    )
    offer = f"1 {own} for 1 {next(r for r in (other, *RESOURCES) if r != own)}"
    _, out, _ = meeple(*words, lines=[offer, "refuse", "undo", "undo", "undo", "undo"])
    assert "player 1 offered 1 " in out
    assert "Taken back: refuse" in out
    assert f"Taken back: propose, ask {offer.split()[-1]}, offer {own}\n" in out
    assert "Taken back: rolled " in out  # by the rules only: the expected line is no longer known


def test_players_who_share_a_screen_do_not_see_each_others_hands(meeple):
    words = ("play", "catan", "-o", "players=2", "--seats", "human,human", "--seed", "3")
    _, out, _ = meeple(*words, lines=["1", "road 2", "", "12", "quit"])
    asked = out.index("player 2, when only you see the screen (Enter: go on)")
    assert "player 1 holds" in out[:asked]
    assert "player 2 holds" not in out[:asked]
    assert "player 1 holds" not in out[asked:]
    assert "player 2 built a settlement at 12" in out
    _, out, _ = meeple(*NIM, "--seats", "human,human", lines=["take 2", "quit"])
    assert "when only you see" not in out  # Nim has no hidden information
