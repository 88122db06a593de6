"""SGF of sites and programs is read, and our records survive writing and reading."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord, record_of, replay
from meeple.protocols.records import sgf
from tests.protocols.records.playing import random_game, reading

# Little Golem, game 1139802, as downloaded: PB moves first, in nodes named W.
GOLEM = (
    "(;FF[4]EV[hex.ch.23.1.1]PB[Daniel Sepczuk]PW[Maciej Celuch]SZ[13]RE[W]GC[ game #1139802]"
    "SO[http://www.littlegolem.com];W[mf];B[swap];W[kj];B[ie];W[fh];B[ed];W[cd];B[cb];W[dd];B[fb]"
    ";W[db];B[ii];W[ef];B[dj];W[ld];B[kd];W[hi];B[hl];W[ej];B[dk];W[el];B[fg];W[dg];B[dh];W[eh]"
    ";B[eg];W[kf];B[ke];W[le];B[lc];W[gf];B[gg];W[hf];B[ig];W[hg];B[gh];W[hh];B[fk];W[resign])"
)
# A game of Gomoku Quest that White wins by a diagonal row.
QUEST = (
    "(;GM[4]SZ[15]RE[W+]\nPB[kamikuzu (1419)]\nPW[:OyajiBot (1463)]\n;B[hh];W[ii];B[ig];W[jg]"
    ";B[gi];W[jf];B[jh];W[if];B[gh];W[ih];B[ge];W[hf];B[gf];W[gg];B[hi];W[he];B[kh];W[hd];B[hc]"
    ";W[ie];B[kg];W[fh];B[fj];W[jd])"
)
HEX, HEX_3, GOMOKU, REVERSI = "(;GM[11]SZ[5]", "(;GM[11]SZ[3]", "(;GM[4]SZ[15]", "(;GM[2]"
SWAPPED = f"{HEX};B[b4];W[swap-pieces]"
LONG_ROW = "".join(f";B[{column}a];W[{column}o]" for column in "abcef") + ";B[da];W[oo]"

read, only, refused = reading(sgf.find)

READ = {
    "Little Golem: a swap and a resignation": (
        GOLEM,
        {
            "game": "hex",
            "options": {"size": 13, "swap": True, "first": 1},
            "seats": ("Daniel Sepczuk", "Maciej Celuch"),
            "payoffs": None,
            "resigned": 0,  # the last node is W's, that is, PB's; and RE[W]
        },
    ),
    "Little Golem: the result names players, not the colours of nodes": (
        "(;FF[4]EV[hex.ld]PB[first]PW[second]SZ[13]RE[B+R];W[ac];B[dj])",
        {"resigned": 1},
    ),
    "Little Golem: unescaped names": (
        r"(;FF[4]EV[null]PB[lazy\player]PW[Shumacher;]]SZ[11]RE[B]GC[game #1804563]"
        "SO[https://www.littlegolem.net];W[ad];B[swap];W[eg];B[resign])",
        {"seats": ("lazy\\player", "Shumacher;]"), "moves": "a4 swap e7", "event": None},
    ),
    "cells are a letter and a number in any case": (
        f"{HEX};B[B4];W[e1])",
        {"moves": "b4 e1", "options": {"size": 5, "swap": False, "first": 1}},
    ),
    "Hex has 11 rows by default": (
        "(;GM[11];B[k11])",
        {"options": {"size": 11, "swap": False, "first": 1}},
    ),
    "a swap of pieces mirrors the first stone": (f"{SWAPPED};B[b4])", {"moves": "b4 swap b4"}),
    "a swap of pieces keeps the colours": (
        f"{SWAPPED};B[c1];W[a5];B[e4])",
        {"moves": "b4 swap c1 a5 e4"},
    ),
    "a swap of sides mirrors the game": (
        f"{HEX};B[b4];W[swap-sides];W[a3];B[e1];W[d5])",
        {"moves": "b4 swap c1 a5 e4"},
    ),
    "after a swap of sides the result refers to the new colours": (
        f"{HEX}RE[B+R];B[c3];W[swap-sides];W[a1])",
        {"resigned": 0},
    ),
    # As programs of the Computer Olympiad write games: the players exchange colours.
    "White moves again after a swap, and has the first stone and its colour": (
        f"{HEX};B[b2];W[swap-pieces];W[c3];B[d2])",
        {"moves": "b2 swap c3 b4"},
    ),
    "a swap of sides, as above": (
        f"{HEX};B[b2];W[swap-sides];W[c3];B[d2])",
        {"moves": "b2 swap c3 b4"},
    ),
    "White joins left and right even if White begins": (
        f"{HEX_3}PB[b]PW[w];W[a2];B[b1];W[b2];B[a1];W[c2])",
        {"payoffs": (1.0, 0.0), "seats": ("w", "b")},  # W's row from a to c wins
    ),
    "set-up stones become the opening": (
        f"{HEX}AB[c3][d2]AW[a1];W[e5])",
        {"moves": "c3 a1 d2 e5", "opening": 3},
    ),
    "a set-up that White begins": (f"{HEX}AW[a1][a2]AB[c3];B[e5])", {"plies": 4}),
    "a game of Gomoku with its winner": (
        QUEST,
        {"payoffs": (0.0, 1.0), "seats": ("kamikuzu (1419)", ":OyajiBot (1463)")},
    ),
    "cells of two letters count rows from the top": (
        f"{GOMOKU};B[hh];W[ii];B[ig];W[jg])",
        {"moves": "h8 i9 i7 j7"},
    ),
    "cells in the notation of players count rows from the bottom": (
        f"{GOMOKU};B[H8];W[I7];B[I9];W[J9])",
        {"moves": "h8 i9 i7 j7"},
    ),
    "a longer row that did not end the game determines the rule": (
        f"{GOMOKU}{LONG_ROW})",
        {"rule": "standard"},
    ),
    "the named row": (
        "(;GM[4]SZ[9]RU[exact 4 in a row];B[aa])",
        {"options": {"size": 9, "in_a_row": 4, "rule": "standard", "opening": "none"}},
    ),
    "Edax: its first move is in the first node, with the standard discs as set-up": (
        "(;FF[4]GM[2]AP[edax:4.4]PC[Edax]DT[2021-10-01]PB[me]PW[edax]SZ[8]AB[D5][E4]AW[D4][E5]"
        "PL[B]RE[Void]B[f5];W[d6];B[c3];W[f3];)",
        {"moves": "f5 d6 c3 f3", "place": "Edax", "result": "Void"},
    ),
    "Reversi: cells of two letters": ("(;GM[2]SZ[8];B[fe];W[df])", {"moves": "f5 d6"}),
    "control characters are not part of a name": (
        f"{HEX}PB[a\x00b\x1b[2J\\]c];B[a1])",
        {"seats": ("a b [2J]c", "player 2")},
    ),
    "the main line of variations": (
        f"{HEX};B[a1](;W[b2];B[c3](;W[d4])(;W[e5]))(;W[a2];B[zz9]))",
        {"moves": "a1 b2 c3 d4"},
    ),
    "an empty size": ("(;GM[11]SZ[];B[a1])", {"moves": "a1"}),
    "a second size": ("(;GM[11]SZ[7]SZ[8];B[a1])", {"moves": "a1"}),
    "Gomoku: the komi of editors for Go": (f"{GOMOKU}KM[6.5];B[hh])", {"moves": "h8"}),
    "Hex: the komi of editors for Go": (f"{HEX}KM[6.5];B[c4])", {"moves": "c4"}),
    **{
        f"Gomoku: the rule {said}": (f"{GOMOKU}RU[{said}];B[hh])", {"rule": rule})
        for said, rule in {
            "0": "freestyle", "1": "standard", "4": "renju", "Freestyle": "freestyle",
            "free style": "freestyle", "Standard Gomoku": "standard", "exactly five": "standard",
            "Renju rules": "renju",
        }.items()
    },
    **{
        f"Hex: the rule {said}": (f"{HEX}RU[{said}];B[a1])", {"swap": swap})
        for said, swap in {"swap": True, "Pie rule": True, "no swap": False}.items()
    },
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), READ.values(), ids=READ)
def test_games_of_sites_and_programs_are_read(text, expected):
    record = only(text)
    known = {**vars(record), "options": dict(record.options), "payoffs": record.payoffs}
    known |= {"moves": " ".join(record.actions), "plies": len(record.actions)}
    for name, value in expected.items():
        found = known[name] if name in known else {**record.notes, **record.options}.get(name)
        assert found == value, name


def test_every_move_of_a_long_game_is_read():
    actions = only(GOLEM).actions
    assert actions[:4] == ("m6", "swap", "k10", "i5")
    assert len(actions) == 38


ENDINGS = {
    **dict.fromkeys(["B+", "B", "b+", "B+1", "Black wins"], ((1.0, 0.0), True)),
    **dict.fromkeys(["W+", "W", "W+12.5"], ((0.0, 1.0), True)),
    **dict.fromkeys(["0", "Draw"], ((0.5, 0.5), True)),
    **dict.fromkeys(["B+R", "B+T", "B+F"], ((1.0, 0.0), False)),
    **dict.fromkeys(["W+Resign", "W+Time"], ((0.0, 1.0), False)),
    **dict.fromkeys(["Void", "?", ""], (None, False)),
}


@pytest.mark.parametrize(("said", "expected"), ENDINGS.items(), ids=ENDINGS)
@pytest.mark.parametrize("game", [HEX, GOMOKU, REVERSI])
def test_a_declared_result_of_a_game_that_stopped_early_counts_and_survives(game, said, expected):
    record = only(f"{game}RE[{said}])")
    assert record.payoffs is None
    assert (record.shares, record.is_declared) == expected
    again = only(sgf.write(record))
    assert (again.shares, again.is_declared) == expected
    assert GameRecord.from_json(record.to_json()).shares == expected[0]


def test_colours_of_a_result_are_those_after_a_swap_and_of_who_begins():
    assert only(f"{HEX}RE[B+];W[a1];B[b2])").shares == (0.0, 1.0)
    assert only(f"{HEX}RE[B+];B[c3];W[swap-sides];W[a1])").shares == (0.0, 1.0)


@pytest.mark.parametrize(("said", "right"), [("B+", False), ("0", False), ("W+", True)])
def test_the_rules_win_over_a_declared_result_with_a_notice(said, right):
    found = sgf.find(QUEST.replace("RE[W+]", f"RE[{said}]"))
    [record] = found.records()
    assert record.shares == (0.0, 1.0)
    assert not record.is_declared
    notice = f"it declares RE[{said}], but by the rules the result is: White wins (1 game)"
    assert found.notices() == ([] if right else [notice])


@pytest.mark.parametrize("shares", [[1], [2, -1], [0.3, 0.3], "x", [True, False], [None, 1]])
def test_malformed_shares_of_a_record_do_not_count(shares):
    record = record_of(meeple.make("hex").start(), "ab", notes={"declared": shares})
    assert record.shares is None


@pytest.mark.parametrize(
    ("game", "said"),
    [(4, said) for said in ("2", "5", "8", "9", "caro", "swap2", "freestyle caro", "无禁手")]
    + [(11, "misere"), (2, "anti")],
)
def test_an_unknown_rule_is_refused_unless_it_is_given(game, said):
    text = f"(;GM[{game}]SZ[8]RU[{said}])"
    assert f"the rule '{said}', which is not known: if it is one of" in refused(text)
    given = {4: {"rule": "standard"}, 11: {"swap": "on"}, 2: {"payoff": "discs"}}[game]
    [record] = sgf.find(text, given=given).records()
    assert record.options.items() >= ({"swap": True} if game == 11 else given).items()


def test_a_given_rule_applies_to_files_that_state_none_and_to_no_other():
    [record] = sgf.find("(;GM[4];B[hh])", given={"rule": "renju"}).records()
    assert record.options["rule"] == "renju"
    with pytest.raises(MeepleError, match="by the rule renju, not freestyle as you gave"):
        list(sgf.find("(;GM[4]RU[4])", given={"rule": "freestyle"}).records())


@pytest.mark.parametrize(
    ("game", "said"), [("2", "KM[6.5]"), ("2", "KM[x]"), ("4", "HA[2]"), ("11", "HA[2]")]
)
def test_komi_in_a_game_of_points_and_a_handicap_without_stones_are_refused(game, said):
    assert said in refused(f"(;GM[{game}]{said};B[c4])")
    assert only(f"(;GM[{game}]{said[:3]}0];B[c4])").actions


def test_a_forced_pass_may_be_omitted():
    games = (random_game("reversi", seed, size=4) for seed in range(200))
    passing = next(record for record in games if "pass" in record.actions)
    text = sgf.write(passing)
    assert "PA" in text
    left_out = text.replace(";W[PA]", "").replace(";B[PA]", "")
    assert "PA" not in left_out
    assert only(left_out).actions == passing.actions


@given(
    st.sampled_from(
        [
            ("hex", {"size": 3, "swap": True}),
            ("hex", {"size": 7}),
            ("gomoku", {"size": 6, "in_a_row": 4}),
            ("gomoku", {"size": 8, "in_a_row": 4, "rule": "standard"}),
            ("gomoku", {"size": 5, "rule": "renju"}),
            ("reversi", {"size": 4}),
            ("reversi", {"size": 8, "payoff": "discs"}),
        ]
    ),
    st.integers(0, 10**6),
    st.integers(0, 60),
)
@settings(max_examples=60)
def test_records_of_random_play_survive_writing_and_reading(game, seed, plies):
    name, options = game
    record = random_game(name, seed, plies, **options)
    assert read(sgf.write(record)) == [record]


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=40))
def test_names_and_comments_may_contain_any_character(words):
    position = meeple.make("hex", size=5).start()
    position.play(3)
    notes = {"comments": {"0": words, "1": f"{words} [;)\\ {words}"}, "event": words}
    record = record_of(position, [words, words], notes=notes)
    if words == "null":
        return
    assert read(sgf.write(record)) == [record]


@pytest.mark.parametrize("notes", [{"resigned": 0}, {"resigned": 1}, {"time": 0}])
def test_the_ending_of_a_game_survives_writing_and_reading(notes):
    record = record_of(meeple.make("hex", size=5).start(), ["a", "b"], notes=notes)
    assert only(sgf.write(record)).notes == notes


def test_a_collection_keeps_its_order():
    games = [record_of(meeple.make(name).start(), ["a", "b"]) for name in sgf.GAMES]
    assert read("".join(map(sgf.write, games))) == games


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("nim", {}, "no SGF for nim, only for hex, gomoku, reversi"),
        ("gomoku", {"opening": "swap"}, "no SGF of a game whose players chose colours"),
        ("hex", {"first": 2}, "no SGF of a game of Hex that player 2 begins"),
    ],
)
def test_games_without_an_sgf_are_refused_by_name(game, options, words):
    record = record_of(meeple.make(game, **options).start(), ["a", "b"])
    with pytest.raises(MeepleError, match=words):
        sgf.write(record)


def test_a_faulty_game_keeps_its_position_among_the_others():
    good = "(;GM[11]SZ[5];B[a1])"
    found = sgf.find(good + "(;GM[11]SZ[5];B[zz9])" + good)
    games = list(found.games)
    assert found.total == 3
    assert [isinstance(game, MeepleError) for game in games] == [False, True, False]
    assert str(games[1]).startswith("game 2, move 1, B[zz9]")


def test_a_record_of_illegal_moves_is_not_written():
    record = record_of(meeple.make("hex").start(), ["a", "b"])
    with pytest.raises(MeepleError, match="action 2 of the record"):
        sgf.write(dataclasses.replace(record, actions=("a1", "a1")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{HEX};B[c3];W[d4];B[c3])", "move 3, B[c3]: the rules do not allow it there"),
        (f"{HEX};B[c3];W[f1])", "move 2, W[f1]: there is no such cell on a board of 5 x 5"),
        (f"{HEX};B[a1])" * 2 + f"{HEX};W[zz9])", "game 3, move 1, W[zz9]"),
        ("(;GM[4];B[aa];B[bb])", "move 2, B[bb]: it is the turn of White"),
        (f"{HEX_3};B[a1];W[b1];B[a2];W[b2];B[a3];W[b3])", "move 6, W[b3]: it comes after the end"),
        ("(;GM[2];B[PA])", "move 1, B[PA]: a player who can move must not pass"),
        ("(;GM[1]SZ[19];B[pd])", "it has GM[1]; there must be GM[11]"),
        ("(;GM[Othello]TY[8];)", "it has GM[Othello]: this is GGF"),
        (
            "(;FF[4]EV[havannah.in.4]SO[http://www.littlegolem.com];W[E1])",
            "it does not say which game it is; there must be GM",
        ),
        *((f"(;GM[11]SZ[{size}];B[a1])", "") for size in ("0", "1", "99", "x", "13:9")),
    ],
)
def test_an_error_says_which_move_or_property_is_wrong(text, words):
    assert words in refused(text)


def test_too_many_games_are_refused():
    with pytest.raises(MeepleError, match="these are 3 games; at most 2 are read at once"):
        sgf.find("(;GM[11])" * 3, most=2)


@pytest.mark.parametrize(
    "text",
    [
        "", "no game", "(", "(;", "()", "(;)", "(;GM[11]", "(;GM[11]SZ[5];B[a1)",
        "\x00\x01\x02\xff" * 100, "\ud800(;GM[11];B[\ud800])", "(;" * 50_000,
        "(;GM[11]" + "(;B[a1]" * 20_000 + ")" * 20_001, "(;GM[11];" + "B" * 100_000 + "[a1])",
        "(;GM[11];B[" + "a" * 900_000 + "])", "[" * 900_000, "(;GM[11]PB[" + "]" * 100_000,
        ";" * 900_000, "(;GM[2]SZ[1]AB[a1])", "(;GM[Othello]BO[8])", "(;GM[11];B[a1]W[a2])",
        "(;GM[11];B[a1][a2])", "(;GM[11]AE[z1])",
    ],
)  # fmt: skip
def test_hostile_texts_give_an_error(text):
    refused(text)


@given(st.text(st.sampled_from("(;)[]\\BWGMSZABCaeg135:/ \n")), st.sampled_from(["11", "4", "2"]))
@settings(max_examples=200)
def test_every_text_gives_a_game_or_an_error(text, game):
    try:
        records = read(f"(;GM[{game}]{text}")
    except MeepleError:
        return
    for record in records:
        replay(GameRecord.from_json(record.to_json()))
