"""Undo restores the clocks: each seat has the time that it had when the move was chosen."""

import random

import pytest

from meeple.server.play.seats import Seat
from meeple.server.play.stored import new_stored, table_of, terms_of
from meeple.server.play.taking_back import undo_goal, undo_refusal
from meeple.server.store import GameStore
from tests.server.play.test_clock import Hand
from tests.server.tables import begun_table

GAME = {"kind": "game", "seconds": 60.0, "increment": 10.0}
MOVE = {"kind": "move", "seconds": 30.0, "increment": 0.0}
GAMES = [("nim", {"stones": 40}), ("hex", {"size": 5}), ("catan", {"players": 3})]


def timed_table(clock, game="nim", agents=(), **options):
    """Return a begun table whose clock a test advances, and the hand of the clock."""
    table = begun_table(game, clock=clock, **options)
    for number in agents:
        table.seats[number] = Seat("agent", spec="random")
    table.clock.now = hand = Hand()
    table.clock.restore([clock["seconds"]] * table.game.players, None)
    table.start_clock()
    return table, hand


def move(table, hand, seconds, choose=lambda legal: legal[0]):
    """Let the player to move, a person or an agent, think and play."""
    seat = table.position.to_move
    hand.time += seconds
    action = int(choose(table.position.legal_actions()))
    if table.seats[seat].kind == "agent":
        table.choose(action)
    else:
        table.play(frozenset((seat,)), table.ply, [action])
    return seat


def undo(table, seat):
    you = frozenset((seat,))
    assert undo_refusal(table, you) is None
    table.take_back(undo_goal(table, you))


@pytest.mark.parametrize("agents", [(), (1,)])
def test_moving_and_undoing_again_and_again_gains_no_time(agents):
    table, hand = timed_table(GAME, agents=agents, stones=40)
    for number in range(1, 5):
        move(table, hand, 0.5)
        if number % 2:
            move(table, hand, 2.0)  # the other one answers, too
        hand.time += 1.0
        undo(table, 0)
        assert table.clock.times() == (60 - 0.5 * number, 60)
        assert table.clock.running == 0


@pytest.mark.parametrize(("clock", "left"), [(GAME, 35.0), (MOVE, 5.0)])
def test_thinking_before_the_undone_move_stays_spent(clock, left):
    table, hand = timed_table(clock)
    move(table, hand, 25)
    undo(table, 0)
    assert table.clock.remaining(0) == left
    hand.time += 2
    assert table.clock.remaining(0) == left - 2


def test_the_other_person_gets_back_the_time_since_the_undone_move():
    table, hand = timed_table(GAME)
    move(table, hand, 5)
    hand.time += 40  # the other person thinks, then agrees
    assert table.clock.times() == (65, 20)
    undo(table, 0)
    assert table.clock.times() == (55, 60)


def test_a_line_of_actions_is_undone_to_the_moment_of_its_choice():
    table, hand = timed_table(GAME, "catan", players=3)
    move(table, hand, 4)
    assert table.position.to_move == 0  # after the settlement, a road
    hand.time += 3
    road = int(table.position.legal_actions()[0])
    table.play(frozenset((0,)), table.ply, [road])
    first, seat = table.ply, table.position.to_move
    ahead = table.position.copy()
    line = []
    for _ in range(2):  # a settlement and a road, sent together
        line.append(int(ahead.legal_actions()[0]))
        ahead.play(line[-1])
    hand.time += 5
    table.play(frozenset((seat,)), first, line)
    hand.time += 9
    table.take_back(undo_goal(table, frozenset((seat,))))
    assert table.ply == first
    assert table.clock.remaining(seat) == 55


def test_no_move_is_undone_after_a_flag_fell_or_a_resignation():
    for end in ("flag", "time", "resigned"):
        table, hand = timed_table(GAME)
        move(table, hand, 1)
        hand.time += 61
        if end != "flag":  # which the server has not noticed yet
            table.give_up(1, end)
        assert undo_refusal(table, frozenset((0,))) == "game_over"


def test_a_table_that_was_stored_restores_the_same_times(tmp_path):
    table, hand = timed_table(GAME, stones=40)
    for seconds in (3, 4, 5):
        move(table, hand, seconds)
    store = GameStore(tmp_path)
    row = new_stored(table.game.start(3), table.seats, terms_of(table), {})
    id = row.id
    store.add(row, table.history.plies(0))
    again = table_of(*store.game(id))
    store.close()
    assert again.history.times == table.history.times
    again.take_back(1)
    assert terms_of(again)["clock"]["left"] == [67, 56]


def test_plies_of_an_older_server_have_no_times_and_gain_no_increment():
    table, hand = timed_table(GAME, stones=40)
    move(table, hand, 5)
    table.history.times[0] = None
    hand.time += 7
    undo(table, 0)
    assert table.clock.times() == (65, 53)


@pytest.mark.parametrize("clock", [GAME, MOVE])
@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("agents", [(), (1,)])
def test_after_any_moves_and_undos_the_clocks_are_those_of_the_position(
    clock, game, options, agents
):
    rng = random.Random(game)
    shown: dict[int, list[float]] = {}
    table, hand = timed_table(clock, game, agents, seed=5, **options)
    for _ in range(120):
        if table.is_over:
            break
        if table.ply and rng.random() < 0.4:
            people = frozenset(range(table.game.players)) - set(agents)
            seat = rng.choice(sorted(people))
            goal = undo_goal(table, frozenset((seat,)))
            if goal is not None:
                hand.time += rng.random()
                table.take_back(goal)
                assert table.clock.times() == pytest.approx(shown[goal], abs=0.002)
                assert table.clock.running == (table.position.to_move if table.mover else None)
            continue
        before, ply = table.clock.times(), table.ply
        seconds, to_move = rng.random(), table.position.to_move
        move(table, hand, seconds, rng.choice)
        times = list(before)
        times[to_move] -= 0 if to_move in agents else seconds
        shown |= dict.fromkeys(range(ply, table.ply), times)
    assert len(shown) > 5
