"""The rules of a table: whose turn it is, undo, resignation, the end."""

import pytest

import meeple
from meeple.errors import IllegalAction
from meeple.games.contract.registry import load_game_file
from meeple.server.errors import Forbidden
from meeple.server.play.history import History
from meeple.server.play.seats import Seat, digest
from meeple.server.play.stored import new_stored, table_of, terms_of
from meeple.server.play.taking_back import undo_goal
from tests.roots import EXAMPLE_GAMES
from tests.server.tables import begun_table

HERE = frozenset((0,))
THERE = frozenset((1,))
BOTH = frozenset((0, 1))


def play(table, name):
    table.play(BOTH, table.ply, [table.position.parse_action(name)])


def test_a_token_acts_only_for_its_seat():
    table = begun_table()
    assert table.seats_of(["token-1"]) == THERE
    assert table.seats_of(["guessed", "token-0"]) == HERE
    assert table.seats_of([digest("token-0")]) == frozenset()


def test_only_the_player_to_move_may_move_and_only_at_the_displayed_position():
    table = begun_table()
    with pytest.raises(Forbidden, match="not your turn"):
        table.play(THERE, 0, [0])
    with pytest.raises(Forbidden, match="has changed"):
        table.play(HERE, 1, [0])
    table.play(HERE, 0, [0])
    assert table.ply == 1


def test_a_sequence_of_actions_is_played_whole_or_not_at_all():
    table = begun_table("catan", seed=5, players=2)
    first = int(table.position.legal_actions()[0])
    with pytest.raises(IllegalAction):
        table.play(BOTH, 0, [first, first])
    assert (table.ply, table.history.told) == (0, [])
    table = begun_table()
    with pytest.raises(IllegalAction, match="end a turn"):
        table.play(BOTH, 0, [0, 0])  # into another player's turn
    assert table.ply == 0


def test_a_game_ends_by_its_rules_and_is_reopened_if_its_last_move_is_undone():
    table = begun_table(stones=2)
    play(table, "take 2")
    assert table.is_over
    assert table.result == {"payoffs": [1.0, 0.0], "how": "rules"}
    assert table.result_text() == "player 1 wins"
    with pytest.raises(Forbidden, match="over"):
        table.play(BOTH, 1, [0])
    table.take_back(0)
    assert (table.is_over, table.result) == (False, None)


def test_undo_returns_to_the_last_move_of_the_requesting_player():
    table = begun_table(stones=9)
    for name in ("take 1", "take 2", "take 3"):
        play(table, name)
    assert undo_goal(table, THERE) == 1
    assert undo_goal(table, HERE) == 2
    table.take_back(1)
    assert table.ply == 1
    assert [told.texts for told in table.history.told] == [("take 1",)]
    assert undo_goal(table, THERE) is None


def test_hidden_chance_outcomes_are_told_once():
    game = load_game_file(EXAMPLE_GAMES["liars_dice"])()
    history = History(game.start(1), [Seat("human"), Seat("human")])
    history.draw_chance()
    assert history.ply > 1
    assert [told.texts for told in history.told] == [("chance decided",)]


def test_a_player_who_resigns_loses_to_one_opponent_and_is_replaced_among_several():
    table = begun_table()
    table.give_up(0, "resigned")
    assert table.result is not None
    assert table.result["payoffs"] == [0.0, 1.0]
    assert table.result_text() == "player 2 wins: player 1 resigned"
    table = begun_table("catan", players=3)
    table.give_up(1, "resigned")
    assert not table.is_over
    assert (table.seats[1].kind, table.seats[1].spec) == ("agent", "greedy")
    assert table.seats_of(["token-1"]) == frozenset()


def test_chance_is_drawn_at_once_and_identically_after_loading():
    table = begun_table("catan", seed=8, players=2)
    while not any(mover == -1 for mover in table.history.movers):
        table.play(BOTH, table.ply, [int(table.position.legal_actions()[-1])])
    stored = new_stored(table.game.start(8), table.seats, terms_of(table), {})
    again = table_of(stored, table.history.plies(0))
    assert (again.position.row == table.position.row).all()
    assert [t.texts for t in again.history.told] == [t.texts for t in table.history.told]
    action = int(table.position.legal_actions()[-1])
    for one in (table, again):
        one.play(BOTH, one.ply, [action])
    assert again.position.actions == table.position.actions


def test_the_view_of_a_token_with_several_seats_stays_with_the_last_that_moved():
    table = begun_table(stones=9)
    both = frozenset((0, 1))
    assert table.history.reader(frozenset()) is None
    assert table.history.reader(both) == 0
    play(table, "take 1")
    assert table.history.reader(both) == 1
    assert table.history.reader(HERE) == 0
    table = begun_table("catan", players=3)
    two = frozenset((1, 2))
    assert table.history.reader(two) == 1  # neither has moved
    for _ in range(4):  # a settlement and a road each
        table.play(frozenset((0, 1, 2)), table.ply, [int(table.position.legal_actions()[0])])
    assert table.position.to_move == 2
    assert table.history.reader(frozenset((0, 1))) == 1


@pytest.mark.slow
def test_agents_that_evaluate_trades_give_reasons_and_people_do_not():
    game = meeple.make("catan", players=3)
    said = {}
    for kind in ("human", "agent"):
        position, player = game.start(5), meeple.agent("weighted", game, 5)
        seats = [Seat(kind, spec="weighted" if kind == "agent" else "") for _ in range(3)]
        table = table_of(new_stored(position, seats, {"help": True}, {}))
        table.begin()
        while table.ply < 900 and not table.is_over:
            table.choose(player.choose(table.position))
        said[kind] = [
            text for told in table.history.told for text in told.texts if "refused" in text
        ]
    assert said["human"]
    assert not any("(" in text for text in said["human"])
    assert all("(" in text for text in said["agent"])


def test_a_player_without_time_may_not_move():
    table = begun_table(clock={"kind": "game", "seconds": 60, "increment": 0, "left": [0.0, 60.0]})
    table.start_clock()
    with pytest.raises(Forbidden, match="time is up"):
        table.play(HERE, 0, [0])
