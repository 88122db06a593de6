"""The explorer counts moves from a position over all paths that lead to it."""

import itertools

import numpy as np
import pytest

import meeple
from meeple.arena.explorer import explore, played_game
from meeple.errors import IllegalAction, MeepleError, Stopped
from meeple.games.contract.records import GameRecord, record_of
from meeple.protocols.records import formats
from tests.protocols.records.playing import WTHOR, needs_wthor, random_game

GOMOKU = meeple.make("gomoku", size=5, in_a_row=4)
REVERSI4 = meeple.make("reversi", size=4)
REVERSI = meeple.make("reversi", size=8)


def line(game, moves):
    position = game.start()
    for name in moves.split():
        position.play(position.parse_action(name))
    return position.actions


def record(game, moves, **notes):
    position = game.start()
    for action in line(game, moves):
        position.play(action)
    return record_of(position, ["a", "b"], notes=notes)


def games(game, *lines, **notes):
    return [played_game(game, record(game, line, **notes), f"{n}") for n, line in enumerate(lines)]


def counted(explored):
    return {one.name: one.games for one in explored.nexts}


def test_moves_are_counted_from_the_start_and_from_later_positions():
    played = games(GOMOKU, "c3 a1 b2", "c3 a1 d4", "c3 b1", "a1 c3")
    found = explore(GOMOKU, played, symmetries=False)
    assert (found.reached, counted(found)) == (4, {"c3": 3, "a1": 1})
    found = explore(GOMOKU, played, line(GOMOKU, "c3 a1"), symmetries=False)
    assert (found.reached, counted(found)) == (2, {"b2": 1, "d4": 1})


def test_transposed_positions_are_counted_together():
    played = games(GOMOKU, "c3 a1 b2 e5", "b2 a1 c3 e4")
    found = explore(GOMOKU, played, line(GOMOKU, "c3 a1 b2"), symmetries=False)
    assert counted(found) == {"e4": 1, "e5": 1}


def test_mirrored_positions_count_together_in_the_orientation_of_the_query():
    played = games(GOMOKU, "c3 a1 b2", "c3 e1 d2", "c3 e5 d4", "c3 a5 b5")
    found = explore(GOMOKU, played, line(GOMOKU, "c3 a1"))
    assert counted(found) == {"b2": 3, "b1": 1} or counted(found) == {"b2": 3, "a2": 1}
    assert found.reached == 4


def test_symmetric_moves_count_as_the_most_frequent_one():
    played = games(REVERSI, "f5 d6", "f5 f6", "d3 c5", "c4 e3", "e6 f6")
    found = explore(REVERSI, played)
    assert counted(found) == {"f5": 5}
    assert sum(counted(explore(REVERSI, played, symmetries=False)).values()) == 5
    after = explore(REVERSI, played, line(REVERSI, "f5"))
    assert sum(counted(after).values()) == 5
    assert after.nexts[0].name == "d6"  # c5 after d3 and e3 after c4 are mirror images


def test_share_is_the_movers_in_games_with_a_known_result():
    won = "c3 a1 c2 a2 c4 a3 c5"
    played = games(GOMOKU, won, won) + games(GOMOKU, "c3 a1 c2") + games(
        GOMOKU, "c3 a1 b1", resigned=0
    )  # fmt: skip
    [first] = explore(GOMOKU, played).nexts
    assert (first.games, first.decided) == (4, 3)
    assert first.share == pytest.approx(2 / 3)
    assert first.interval[0] < 2 / 3 < first.interval[1]
    [second] = explore(GOMOKU, played, line(GOMOKU, "c3"), symmetries=False).nexts
    assert second.share == pytest.approx(1 / 3)  # the mover's share


def test_years_lengths_and_examples_are_reported():
    played = games(GOMOKU, "c3 a1", date="1988-01-02") + games(GOMOKU, *["c3 a1 b1"] * 4, date="x")
    [first] = explore(GOMOKU, played).nexts
    told = first.to_json()
    assert told["years"] == [1988, 1988]
    assert told["plies"] == pytest.approx(14 / 5)
    assert told["examples"] == [{"game": name, "ply": 0} for name in ("0", "0", "1")]


def test_what_cannot_be_explored_is_refused_and_work_can_be_stopped():
    with pytest.raises(MeepleError, match="catan cannot be explored"):
        explore(meeple.make("catan"), [])
    with pytest.raises(IllegalAction):
        explore(GOMOKU, [], [3, 3])
    wrong = GameRecord("gomoku", dict(GOMOKU.options), ("a", "b"), 0, ("a1", "a1"), None)
    with pytest.raises(IllegalAction):
        played_game(GOMOKU, wrong, "wrong")
    with pytest.raises(Stopped):
        explore(GOMOKU, games(GOMOKU, "a1"), stop=lambda: True)


def test_counts_agree_with_a_plain_count_over_random_games():
    records = [random_game("hex", seed, size=3) for seed in range(200)]
    game = meeple.make("hex", size=3)
    played = [played_game(game, one, str(n)) for n, one in enumerate(records)]
    found = explore(game, played, line(game, "b2"), symmetries=False)
    plain = [one.actions[1] for one in records if one.actions[0] == "b2"]
    assert counted(found) == {name: plain.count(name) for name in set(plain)}
    turned = explore(game, played, line(game, "b2"))
    assert turned.reached == found.reached  # the centre is invariant under all symmetries
    assert sum(counted(turned).values()) == sum(counted(found).values())
    assert len(turned.nexts) < len(found.nexts)
    randomly = (random_game("reversi", seed, size=4) for seed in itertools.count())
    passed = next(one for one in randomly if "pass" in one.actions)
    played = [played_game(REVERSI4, passed, "only")]
    assert explore(REVERSI4, played, played[0].actions[: passed.actions.index("pass") + 1]).reached


@needs_wthor
@pytest.mark.slow
def test_first_moves_of_tournament_games_are_equal_by_symmetry():
    records = formats.read_all(WTHOR / "WTH_1980.wtb")
    played = [played_game(REVERSI, one, str(n), 6) for n, one in enumerate(records)]
    found = explore(REVERSI, played)
    assert [one.games for one in found.nexts] == [len(records)]
    replies = explore(REVERSI, played, [found.nexts[0].action])
    assert {one.name for one in replies.nexts} <= {"d6", "f6", "f4"}
    assert np.isclose(sum(one.games for one in replies.nexts), len(records))
