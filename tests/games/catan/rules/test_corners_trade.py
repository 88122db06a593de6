"""Corners of Catan's rules, compiled: trade between players, what it shows, and winning."""

import pytest

from meeple.games.catan.belief.events import NO_ONE, event
from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.rules import state as c
from tests.games.catan.rules.islands import able, deal, draw, hand, in_turn, play, put
from tests.naive.catan_island import VERTEX_EDGES
from tests.naive.catan_positions import RING, SHORE


def hands(position):
    return [hand(position, seat) for seat in range(position.game.players)]


def asking(**options):
    """Player 1 wants an ore for a wood of its two; player 2 has it, and so has player 4."""
    position = in_turn(**options)
    deal(position, 0, wood=2)
    deal(position, 1, ore=2)
    deal(position, 2, grain=1)
    deal(position, 3, ore=1, wool=1)
    return position


# ---------------------------------------------------------------- 16: offers


def test_only_the_player_on_turn_begins_an_offer_and_only_after_the_dice():
    position = asking()
    assert able(position, "offer") == {"offer wood"}
    play(position, "end turn")
    assert able(position) == {"roll"}
    play(position, "roll", "rolled 12")
    assert able(position, "offer") == {"offer ore"}


def test_without_trade_between_players_nothing_is_offered():
    assert not able(asking(domestic_trade=False), "offer")


def test_nobody_offers_where_nobody_else_has_a_card():
    position = in_turn()
    deal(position, 0, wood=2)
    assert not able(position, "offer")


def test_who_offers_holds_what_it_offers():
    position = asking()
    play(position, "offer wood")
    assert "offer wood" in able(position)
    play(position, "offer wood")
    assert not able(position, "offer")  # it has two


def test_both_sides_give_a_card_at_least_and_none_of_the_same_resource():
    position = asking()
    play(position, "offer wood")
    assert able(position) == {
        "offer wood", "ask brick", "ask wool", "ask grain", "ask ore", "withdraw",
    }  # fmt: skip
    play(position, "ask ore")
    assert able(position) == {"ask ore", "propose", "withdraw"}  # in the order of resources


def test_an_offer_that_is_withdrawn_changes_nothing():
    position = asking()
    before = hands(position)
    play(position, "offer wood", "ask ore", "withdraw")
    assert (hands(position), position.state.phase) == (before, c.MAIN)
    assert not position.state.give.any()
    assert not position.state.want.any()


def test_who_accepts_holds_what_is_asked():
    position = asking()
    play(position, "offer wood", "ask ore", "propose")
    answers = {}
    while position.state.phase == c.ANSWER:
        answers[position.to_move] = "accept" in able(position)
        play(position, "refuse")
    assert answers == {1: True, 2: False, 3: True}
    play(position, "offer wood", "ask ore", "ask ore", "propose")
    while position.state.phase == c.ANSWER:
        answers[position.to_move] = "accept" in able(position)
        play(position, "refuse")
    assert answers == {1: True, 2: False, 3: False}


def test_of_several_who_accept_the_offerer_chooses_one_or_none():
    position = asking()
    play(position, "offer wood", "ask ore", "propose", "accept", "refuse", "accept")
    assert position.to_move == 0
    assert able(position) == {"trade with player 2", "trade with player 4", "withdraw"}
    other = position.copy()
    play(position, "trade with player 4")
    assert hands(position) == [
        {"wood": 1, "ore": 1},
        {"ore": 2},
        {"grain": 1},
        {"wood": 1, "wool": 1},
    ]
    before = hands(other)
    play(other, "withdraw")
    assert hands(other) == before
    assert {position.state.phase, other.state.phase} == {c.MAIN}


def test_a_counter_offer_goes_to_the_player_on_turn_who_takes_it_if_it_can_pay():
    position = asking()
    play(position, "offer wood", "ask ore", "propose")
    assert able(position) == {"refuse", "accept", "offer ore"}
    play(position, "offer ore")
    assert able(position) == {"offer ore", "refuse"} | {
        f"ask {name}" for name in ("wood", "brick", "wool", "grain")
    }
    play(position, "ask wood", "ask wood")
    assert able(position) == {"propose", "refuse"}  # player 1 has but two cards
    play(position, "propose", "offer grain", "ask brick", "propose", "refuse")
    assert position.to_move == 0
    assert able(position) == {"trade with player 2", "withdraw"}  # no brick for player 3
    play(position, "trade with player 2")
    assert hands(position)[:2] == [{"ore": 1}, {"wood": 2, "ore": 1}]


def test_a_counter_offer_may_be_dropped_and_counts_as_a_refusal():
    position = asking()
    play(position, "offer wood", "ask ore", "propose", "offer ore", "refuse", "refuse", "refuse")
    assert (position.to_move, position.state.phase) == (0, c.MAIN)


def test_seats_are_asked_in_turn_from_the_one_on_turn_and_those_without_cards_are_not():
    position = in_turn()
    position.state.on_turn = position.state.to_move = 2
    deal(position, 2, wood=1)
    deal(position, 1, ore=1)
    deal(position, 3, ore=1)
    play(position, "offer wood", "ask ore", "propose")
    asked = []
    while position.state.phase == c.ANSWER:
        asked.append(position.to_move)
        play(position, "refuse")
    assert asked == [3, 1]
    assert position.to_move == 2


def test_a_turn_has_so_many_offers_and_the_next_one_as_many_again():
    position = asking()
    for _ in range(c.MAX_OFFERS_PER_TURN):
        assert able(position, "offer")
        play(position, "offer wood", "withdraw")
    assert not able(position, "offer")
    play(position, "end turn", "roll", "rolled 12")
    assert able(position, "offer")


# ---------------------------------------------------------------- 17: what a trade shows


def test_offers_refusals_and_acceptances_are_seen_by_all_and_an_acceptance_shows_the_cards():
    position = asking()
    shown = []
    for name in ("offer wood", "ask ore", "propose", "refuse", "refuse", "accept"):
        before = position.row.copy()
        play(position, name)
        seen = [event(before, position.actions[-1], position.row, seat) for seat in range(4)]
        assert len({(e.shows, tuple(e.shown)) for e in seen}) == 1
        shown.append((seen[0].shows, seen[0].shown.tolist()))
    nothing = (NO_ONE, [0] * 5)
    wood, ore = (0, [1, 0, 0, 0, 0]), (3, [0, 0, 0, 0, 1])
    assert shown == [wood, nothing, nothing, nothing, nothing, ore]


def test_what_others_answered_is_seen_by_all():
    position = asking()
    play(position, "offer wood", "ask ore", "propose", "accept", "refuse")
    other = position.copy()
    play(position, "accept")
    play(other, "refuse")
    for seat in range(4):
        assert (position.observation(seat) != other.observation(seat)).any()
        views = [twin.game.view(twin, seat) for twin in (position, other)]
        assert views[0] != views[1]


@pytest.mark.parametrize(("answer", "left"), [("accept", 1), ("refuse", 2)])
def test_a_seat_that_did_not_see_a_theft_learns_from_an_acceptance_who_has_the_card(answer, left):
    position = in_turn(players=3)
    put(position, 1, settlements=[SHORE[0]])
    belief = CatanBelief(2, 3)

    def watch(*names):
        for name in names:
            before = position.row.copy()
            play(position, name)
            belief.see(event(before, position.actions[-1], position.row, 2))

    before = position.row.copy()
    deal(position, 0, wood=1)
    deal(position, 1, wool=1, ore=1)
    deal(position, 2, grain=1)
    belief.see(event(before, c.ROLL_DICE, position.row, 2))
    position.state.phase, position.state.to_move = c.STEAL, -1
    position.state.victim = 1
    watch("stole wool")
    assert len(belief.joint_hands[0]) == 2
    watch("end turn", "roll", "rolled 12", "end turn", "roll", "rolled 12")
    watch("offer grain", "ask wool", "propose")
    assert position.to_move == 0
    watch(answer)
    assert len(belief.joint_hands[0]) == left


# ---------------------------------------------------------------- 18: winning


def test_points_that_fall_to_a_player_on_anothers_turn_win_when_its_own_turn_starts():
    position = in_turn(players=3, victory_points=3)
    put(position, 0, settlements=[SHORE[0]], roads=RING[:4])
    put(position, 2, settlements=[SHORE[15]], roads=RING[15:20])
    deal(position, 0, wood=1, brick=1)
    position.state.longest_road = 0
    inland = next(i for i in range(1, 4) if len(VERTEX_EDGES[SHORE[i]]) == 3)
    edges = [edge for edge in VERTEX_EDGES[SHORE[inland]] if edge not in RING]
    put(position, 1, roads=edges)
    position.state.on_turn = position.state.to_move = 1
    deal(position, 1, wood=1, brick=1, wool=1, grain=1)
    play(position, f"settlement {SHORE[inland]}")  # cuts player 1's road
    assert position.state.longest_road == 2
    assert (position.to_move, position.is_over) == (1, False)  # player 3 has three points
    play(position, "end turn")
    assert position.is_over
    assert position.payoffs.tolist() == [0, 0, 1]


def test_points_that_are_lost_again_before_the_own_turn_do_not_win():
    position = in_turn(players=3, victory_points=3)
    put(position, 2, settlements=[SHORE[15]])
    position.state.longest_road = 2
    play(position, "end turn")
    assert (position.to_move, position.is_over) == (1, False)
    position.state.longest_road = c.NO_SEAT
    play(position, "roll", "rolled 12", "end turn")
    assert (position.to_move, position.is_over) == (2, False)


def test_ten_points_on_the_own_turn_win_at_once():
    position = in_turn()
    put(position, 0, settlements=SHORE[0:6:2], cities=SHORE[10:14:2])
    draw(position, 0, c.VICTORY_POINT, c.VICTORY_POINT)
    deal(position, 0, grain=2, ore=3)
    assert position.to_move == 0
    play(position, f"city {SHORE[0]}")
    assert position.payoffs.tolist() == [1, 0, 0, 0]


def test_after_the_last_turn_points_share_the_win_unless_the_next_seat_has_just_won():
    for longest_road, shares in ((c.NO_SEAT, [1 / 3, 2 / 3]), (1, [0, 1])):
        position = in_turn(players=2, max_turns=1, victory_points=4)
        put(position, 0, settlements=[SHORE[0]])
        put(position, 1, cities=[SHORE[4]])
        position.state.longest_road = longest_road
        play(position, "end turn")
        assert position.is_over
        assert position.payoffs.tolist() == pytest.approx(shares)


def test_by_points_a_win_is_shared_by_all_points_the_hidden_ones_too():
    position = in_turn(players=2, victory_points=3, payoff="points")
    put(position, 0, settlements=[SHORE[0]])
    put(position, 1, cities=[SHORE[4]], settlements=[SHORE[8]])
    draw(position, 0, c.VICTORY_POINT)
    play(position, "end turn")
    assert position.payoffs.tolist() == pytest.approx([2 / 5, 3 / 5])
