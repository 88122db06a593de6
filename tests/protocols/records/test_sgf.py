"""SGF of sites and programs is read, and our records survive writing and reading."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meeple
from meeple.errors import MeepleError
from meeple.games.contract.records import GameRecord, record_of, replay
from meeple.protocols.records import sgf
from tests.protocols.records.playing import reading

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

read, only, refused = reading(sgf.find)


def random_game(data, name, **options):
    position = meeple.make(name, **options).start()
    plies = data.draw(st.integers(0, 60))
    while not position.is_over and len(position.actions) < plies:
        position.play(data.draw(st.sampled_from(position.legal_actions().tolist())))
    return position


class TestLittleGolem:
    def test_a_game_with_a_swap_and_a_resignation_is_read(self):
        record = only(GOLEM)
        assert record.game == "hex"
        assert dict(record.options) == {"size": 13, "swap": True, "first": 1}
        assert record.seats == ("Daniel Sepczuk", "Maciej Celuch")
        assert record.actions[:4] == ("m6", "swap", "k10", "i5")
        assert len(record.actions) == 38
        assert record.payoffs is None
        assert record.notes["resigned"] == 0  # the last node is W's, that is, PB's; and RE[W]

    def test_the_result_names_players_not_the_colours_of_nodes(self):
        text = "(;FF[4]EV[hex.ld]PB[first]PW[second]SZ[13]RE[B+R];W[ac];B[dj])"
        assert only(text).notes["resigned"] == 1

    def test_unescaped_names_are_read(self):
        record = only(
            r"(;FF[4]EV[null]PB[lazy\player]PW[Shumacher;]]SZ[11]RE[B]GC[game #1804563]"
            "SO[https://www.littlegolem.net];W[ad];B[swap];W[eg];B[resign])"
        )
        assert record.seats == ("lazy\\player", "Shumacher;]")
        assert record.actions == ("a4", "swap", "e7")
        assert "event" not in record.notes

    def test_another_game_of_the_site_is_refused(self):
        words = "it does not say which game it is; there must be GM"
        assert words in refused("(;FF[4]EV[havannah.in.4]SO[http://www.littlegolem.com];W[E1])")


class TestHex:
    def test_cells_are_a_letter_and_a_number_in_any_case(self):
        record = only("(;GM[11]SZ[5];B[B4];W[e1])")
        assert record.actions == ("b4", "e1")
        assert dict(record.options) == {"size": 5, "swap": False, "first": 1}

    def test_the_board_has_11_rows_by_default(self):
        assert only("(;GM[11];B[k11])").options["size"] == 11

    def test_a_swap_of_pieces_mirrors_the_first_stone(self):
        position = replay(only("(;GM[11]SZ[5];B[b4];W[swap-pieces];B[b4])"))
        assert [position.action_name(a) for a in position.actions] == ["b4", "swap", "b4"]

    def test_a_swap_of_sides_mirrors_the_game(self):
        pieces = only("(;GM[11]SZ[5];B[b4];W[swap-pieces];B[c1];W[a5];B[e4])")
        sides = only("(;GM[11]SZ[5];B[b4];W[swap-sides];W[a3];B[e1];W[d5])")
        assert sides.actions == pieces.actions

    def test_after_a_swap_of_sides_the_result_refers_to_the_new_colours(self):
        record = only("(;GM[11]SZ[5]RE[B+R];B[c3];W[swap-sides];W[a1])")
        assert record.notes["resigned"] == 0

    def test_white_joins_left_and_right_even_if_white_begins(self):
        record = only("(;GM[11]SZ[3]PB[b]PW[w];W[a2];B[b1];W[b2];B[a1];W[c2])")
        assert record.payoffs == (1.0, 0.0)  # W's row from a to c wins, and W is seat 0
        assert record.seats == ("w", "b")

    def test_setup_stones_become_the_opening(self):
        record = only("(;GM[11]SZ[5]AB[c3][d2]AW[a1];W[e5])")
        assert record.actions == ("c3", "a1", "d2", "e5")
        assert record.opening == 3

    def test_a_setup_that_white_begins_is_ordered_accordingly(self):
        record = only("(;GM[11]SZ[5]AW[a1][a2]AB[c3];B[e5])")
        assert len(record.actions) == 4

    def test_a_late_setup_is_refused(self):
        assert "after move 1" in refused("(;GM[11]SZ[5];B[a1];AW[a2])")

    def test_white_moving_again_after_a_swap_has_taken_the_first_stone_and_its_colour(self):
        """As programs of the Computer Olympiad write games: the players exchange colours."""
        olympiad = only("(;GM[11]SZ[5];B[b2];W[swap-pieces];W[c3];B[d2])")
        sides = only("(;GM[11]SZ[5];B[b2];W[swap-sides];W[c3];B[d2])")
        assert olympiad.actions == sides.actions == ("b2", "swap", "c3", "b4")


class TestResults:
    """Of games that stopped early; the first seat is Black."""

    @pytest.mark.parametrize(
        ("said", "shares", "declared"),
        [
            ("B+", (1.0, 0.0), True),
            ("W+", (0.0, 1.0), True),
            ("B", (1.0, 0.0), True),
            ("W", (0.0, 1.0), True),
            ("b+", (1.0, 0.0), True),
            ("B+1", (1.0, 0.0), True),
            ("W+12.5", (0.0, 1.0), True),
            ("Black wins", (1.0, 0.0), True),
            ("0", (0.5, 0.5), True),
            ("Draw", (0.5, 0.5), True),
            ("B+R", (1.0, 0.0), False),
            ("W+Resign", (0.0, 1.0), False),
            ("B+T", (1.0, 0.0), False),
            ("W+Time", (0.0, 1.0), False),
            ("B+F", (1.0, 0.0), False),
            ("Void", None, False),
            ("?", None, False),
            ("", None, False),
        ],
    )
    @pytest.mark.parametrize("game", ["(;GM[11]SZ[5]", "(;GM[4]SZ[15]", "(;GM[2]"])
    def test_a_declared_result_counts_and_survives(self, game, said, shares, declared):
        record = only(f"{game}RE[{said}])")
        assert record.payoffs is None
        assert (record.shares, record.is_declared) == (shares, declared)
        again = only(sgf.write(record))
        assert (again.shares, again.is_declared) == (shares, declared)
        assert GameRecord.from_json(record.to_json()).shares == shares

    def test_colours_of_a_result_are_those_after_a_swap_and_of_who_begins(self):
        assert only("(;GM[11]SZ[5]RE[B+];W[a1];B[b2])").shares == (0.0, 1.0)
        assert only("(;GM[11]SZ[5]RE[B+];B[c3];W[swap-sides];W[a1])").shares == (0.0, 1.0)

    @pytest.mark.parametrize(("said", "right"), [("B+", False), ("0", False), ("W+", True)])
    def test_the_rules_win_over_a_declared_result_with_a_notice(self, said, right):
        found = sgf.find(QUEST.replace("RE[W+]", f"RE[{said}]"))
        [record] = found.records()
        assert record.shares == (0.0, 1.0)
        assert not record.is_declared
        notice = f"it declares RE[{said}], but by the rules the result is: player 2 wins (1 game)"
        assert found.notices() == ([] if right else [notice])

    @pytest.mark.parametrize("shares", [[1], [2, -1], [0.3, 0.3], "x", [True, False], [None, 1]])
    def test_malformed_shares_of_a_record_do_not_count(self, shares):
        record = record_of(meeple.make("hex").start(), "ab", notes={"declared": shares})
        assert record.shares is None


def test_control_characters_are_not_part_of_a_name():
    assert only("(;GM[11]SZ[5]PB[a\x00b\x1b[2J\\]c];B[a1])").seats[0] == "a b [2J]c"


class TestRules:
    @pytest.mark.parametrize(
        ("said", "rule"),
        [
            ("0", "freestyle"),
            ("1", "standard"),
            ("4", "renju"),
            ("Freestyle", "freestyle"),
            ("free style", "freestyle"),
            ("Standard Gomoku", "standard"),
            ("exactly five", "standard"),
            ("Renju rules", "renju"),
        ],
    )
    def test_the_rule_of_gomoku_is_a_name_or_the_number_of_the_gomocup(self, said, rule):
        assert only(f"(;GM[4]SZ[15]RU[{said}];B[hh])").options["rule"] == rule

    @pytest.mark.parametrize(
        ("game", "said"),
        [(4, said) for said in ("2", "5", "8", "9", "caro", "swap2", "freestyle caro", "无禁手")]
        + [(11, "misere"), (2, "anti")],
    )
    def test_an_unknown_rule_is_refused_unless_it_is_given(self, game, said):
        text = f"(;GM[{game}]SZ[8]RU[{said}])"
        assert f"the rule '{said}', which is not known: if it is one of" in refused(text)
        given = {4: {"rule": "standard"}, 11: {"swap": "on"}, 2: {"payoff": "discs"}}[game]
        [record] = sgf.find(text, given=given).records()
        assert record.options.items() >= ({"swap": True} if game == 11 else given).items()

    def test_a_given_rule_applies_to_files_that_state_none_and_to_no_other(self):
        [record] = sgf.find("(;GM[4];B[hh])", given={"rule": "renju"}).records()
        assert record.options["rule"] == "renju"
        with pytest.raises(MeepleError, match="by the rule renju, not freestyle as you gave"):
            list(sgf.find("(;GM[4]RU[4])", given={"rule": "freestyle"}).records())

    @pytest.mark.parametrize(
        ("said", "swap"), [("swap", True), ("Pie rule", True), ("no swap", False)]
    )
    def test_the_swap_rule_of_hex_is_stated(self, said, swap):
        assert only(f"(;GM[11]SZ[5]RU[{said}];B[a1])").options["swap"] is swap

    @pytest.mark.parametrize(
        ("game", "said"), [("2", "KM[6.5]"), ("2", "KM[x]"), ("4", "HA[2]"), ("11", "HA[2]")]
    )
    def test_komi_in_a_game_of_points_and_a_handicap_without_stones_are_refused(self, game, said):
        assert said in refused(f"(;GM[{game}]{said};B[c4])")
        assert only(f"(;GM[{game}]{said[:3]}0];B[c4])").actions

    @pytest.mark.parametrize("game", ["4", "11"])
    def test_komi_of_editors_for_go_means_nothing_without_points(self, game):
        assert only(f"(;GM[{game}]KM[6.5];B[c4])").actions


class TestGomoku:
    def test_a_game_is_read_with_its_winner(self):
        record = only(QUEST)
        assert record.actions[:4] == ("h8", "i9", "i7", "j7")  # rows from the top, as in `hh`
        assert record.payoffs == (0.0, 1.0)
        assert record.seats == ("kamikuzu (1419)", ":OyajiBot (1463)")

    def test_names_in_the_notation_of_players_count_rows_from_the_bottom(self):
        nodes = ";B[H8];W[I7];B[I9];W[J9];B[G7];W[J10];B[J8]"
        assert only(f"(;GM[4]SZ[15]{nodes})").actions == only(QUEST).actions[:7]

    def test_a_longer_row_that_did_not_end_the_game_determines_the_rule(self):
        nodes = "".join(f";B[{column}a];W[{column}o]" for column in "abcef") + ";B[da];W[oo]"
        assert only(f"(;GM[4]SZ[15]{nodes})").options["rule"] == "standard"

    def test_the_named_rule_applies(self):
        assert only("(;GM[4]SZ[9]RU[exact 4 in a row];B[aa])").options == {
            "size": 9,
            "in_a_row": 4,
            "rule": "standard",
            "opening": "none",
        }


class TestReversi:
    def test_a_game_written_by_edax_is_read(self):
        # Its first move is in the first node, with the standard discs as setup.
        record = only(
            "(;FF[4]GM[2]AP[edax:4.4]PC[Edax]DT[2021-10-01]PB[me]PW[edax]SZ[8]AB[D5][E4]AW[D4][E5]"
            "PL[B]RE[Void]B[f5];W[d6];B[c3];W[f3];)"
        )
        assert record.actions == ("f5", "d6", "c3", "f3")
        assert record.notes["place"] == "Edax"
        assert record.notes["result"] == "Void"

    def test_cells_of_two_letters_are_read(self):
        assert only("(;GM[2]SZ[8];B[fe];W[df])").actions == ("f5", "d6")

    def test_a_game_named_without_a_number_is_another_format(self):
        assert refused("(;GM[Othello]TY[8];)").startswith("it has GM[Othello]: this is GGF")

    def test_a_forced_pass_may_be_omitted(self, passing):
        text = sgf.write(passing)
        assert "PA" in text
        left_out = text.replace(";W[PA]", "").replace(";B[PA]", "")
        assert "PA" not in left_out
        assert only(left_out).actions == passing.actions

    def test_a_pass_with_legal_moves_is_refused(self):
        words = "move 1, B[PA]: a player who can move must not pass"
        assert refused("(;GM[2];B[PA])") == words

    @pytest.fixture
    def passing(self):
        """A record of a short game with a forced pass."""
        import numpy as np

        for seed in range(200):
            rng = np.random.default_rng(seed)
            position = meeple.make("reversi", size=4).start()
            while not position.is_over:
                position.play(int(rng.choice(position.legal_actions())))
            record = record_of(position, ["a", "b"])
            if "pass" in record.actions:
                return record
        raise AssertionError("no game with a pass")


class TestRoundTrips:
    @given(st.data(), st.integers(3, 7), st.booleans())
    @settings(max_examples=20)
    def test_hex(self, data, size, swap):
        self.comes_back(random_game(data, "hex", size=size, swap=swap))

    @given(st.data(), st.integers(4, 8), st.sampled_from(["freestyle", "standard"]))
    @settings(max_examples=20)
    def test_gomoku(self, data, size, rule):
        self.comes_back(random_game(data, "gomoku", size=size, in_a_row=4, rule=rule))

    @given(st.data(), st.integers(5, 8))
    @settings(max_examples=10)
    def test_renju(self, data, size):
        self.comes_back(random_game(data, "gomoku", size=size, rule="renju"))

    @given(st.data(), st.sampled_from([4, 6, 8]), st.sampled_from(["win", "discs"]))
    @settings(max_examples=20)
    def test_reversi(self, data, size, payoff):
        self.comes_back(random_game(data, "reversi", size=size, payoff=payoff))

    def comes_back(self, position):
        record = record_of(position, ["puct:net,sims=400", "human"])
        assert read(sgf.write(record)) == [record]

    @given(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=40))
    def test_names_and_comments_may_contain_any_character(self, words):
        position = meeple.make("hex", size=5).start()
        position.play(3)
        notes = {"comments": {"0": words, "1": f"{words} [;)\\ {words}"}, "event": words}
        record = record_of(position, [words, words], notes=notes)
        if words == "null":
            return
        assert read(sgf.write(record)) == [record]

    @pytest.mark.parametrize("notes", [{"resigned": 0}, {"resigned": 1}, {"time": 0}])
    def test_the_ending_of_a_game_survives_writing_and_reading(self, notes):
        record = record_of(meeple.make("hex", size=5).start(), ["a", "b"], notes=notes)
        assert only(sgf.write(record)).notes == notes

    def test_a_collection_keeps_its_order(self):
        games = [record_of(meeple.make(name).start(), ["a", "b"]) for name in sgf.GAMES]
        assert read("".join(map(sgf.write, games))) == games

    def test_a_game_without_an_sgf_is_refused_by_name(self):
        record = record_of(meeple.make("nim").start(), ["a", "b"])
        with pytest.raises(MeepleError, match=r"no SGF for nim, only for hex, gomoku, reversi"):
            sgf.write(record)

    def test_a_game_with_a_choice_of_colours_is_refused(self):
        record = record_of(meeple.make("gomoku", opening="swap").start(), ["a", "b"])
        with pytest.raises(MeepleError, match="no SGF of a game whose players chose colours"):
            sgf.write(record)

    def test_a_game_of_hex_that_player_2_begins_is_refused(self):
        record = record_of(meeple.make("hex", first=2).start(), ["a", "b"])
        with pytest.raises(MeepleError, match="no SGF of a game of Hex that player 2 begins"):
            sgf.write(record)

    def test_a_faulty_game_keeps_its_position_among_the_others(self):
        good = "(;GM[11]SZ[5];B[a1])"
        found = sgf.find(good + "(;GM[11]SZ[5];B[zz9])" + good)
        games = list(found.games)
        assert found.total == 3
        assert [isinstance(game, MeepleError) for game in games] == [False, True, False]
        assert str(games[1]).startswith("game 2, move 1, B[zz9]")

    def test_a_record_of_illegal_moves_is_not_written(self):
        record = record_of(meeple.make("hex").start(), ["a", "b"])
        with pytest.raises(MeepleError, match="action 2 of the record"):
            sgf.write(dataclasses.replace(record, actions=("a1", "a1")))


class TestErrors:
    def test_an_error_names_the_illegal_move(self):
        words = "move 3, B[c3]: the rules do not allow it there"
        assert refused("(;GM[11]SZ[5];B[c3];W[d4];B[c3])") == words

    def test_an_error_names_a_cell_off_the_board(self):
        words = "move 2, W[f1]: there is no such cell on a board of 5 x 5"
        assert refused("(;GM[11]SZ[5];B[c3];W[f1])") == words

    def test_an_error_names_the_game_of_a_collection(self):
        good = "(;GM[11]SZ[5];B[a1])"
        assert refused(good + good + "(;GM[11]SZ[5];W[zz9])").startswith("game 3, move 1, W[zz9]")

    def test_an_error_names_a_move_out_of_turn(self):
        assert refused("(;GM[4];B[aa];B[bb])") == "move 2, B[bb]: it is the turn of player 2"

    def test_an_error_names_a_move_after_the_end(self):
        nodes = ";B[a1];W[b1];B[a2];W[b2];B[a3];W[b3]"
        assert "move 6, W[b3]: it comes after the end" in refused(f"(;GM[11]SZ[3]{nodes})")

    @pytest.mark.parametrize("size", ["0", "1", "99", "x", "13:9", "", "7]SZ[8"])
    def test_an_impossible_board_is_refused(self, size):
        if size in ("", "7]SZ[8"):
            assert only(f"(;GM[11]SZ[{size}];B[a1])")
        else:
            refused(f"(;GM[11]SZ[{size}];B[a1])")

    def test_go_is_refused_with_the_supported_games(self):
        assert refused("(;GM[1]SZ[19];B[pd])").startswith("it has GM[1]; there must be GM[11]")

    def test_too_many_games_are_refused(self):
        with pytest.raises(MeepleError, match="these are 3 games; at most 2 are read at once"):
            sgf.find("(;GM[11])" * 3, most=2)

    def test_the_main_line_of_variations_is_the_game(self):
        record = only("(;GM[11]SZ[5];B[a1](;W[b2];B[c3](;W[d4])(;W[e5]))(;W[a2];B[zz9]))")
        assert record.actions == ("a1", "b2", "c3", "d4")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "no game",
            "(",
            "(;",
            "()",
            "(;)",
            "(;GM[11]",
            "(;GM[11]SZ[5];B[a1)",
            "\x00\x01\x02\xff" * 100,
            "\ud800(;GM[11];B[\ud800])",
            "(;" * 50_000,
            "(;GM[11]" + "(;B[a1]" * 20_000 + ")" * 20_001,
            "(;GM[11];" + "B" * 100_000 + "[a1])",
            "(;GM[11];B[" + "a" * 900_000 + "])",
            "[" * 900_000,
            "(;GM[11]PB[" + "]" * 100_000,
            ";" * 900_000,
            "(;GM[2]SZ[1]AB[a1])",
            "(;GM[Othello]BO[8])",
            "(;GM[11];B[a1]W[a2])",
            "(;GM[11];B[a1][a2])",
            "(;GM[11]AE[z1])",
        ],
    )
    def test_hostile_texts_give_an_error(self, text):
        refused(text)

    @given(
        st.text(st.sampled_from("(;)[]\\BWGMSZABCaeg135:/ \n")), st.sampled_from(["11", "4", "2"])
    )
    @settings(max_examples=200)
    def test_every_text_gives_a_game_or_an_error(self, text, game):
        try:
            records = read(f"(;GM[{game}]{text}")
        except MeepleError:
            return
        for record in records:
            replay(GameRecord.from_json(record.to_json()))
