"""Edge cases of Catan's compiled rules: trade between players, its visibility, and winning."""

import pytest

from meeple.games.catan.belief.events import NO_ONE, event
from meeple.games.catan.belief.seat_belief import CatanBelief
from meeple.games.catan.rules import state as c
from tests.games.catan.rules.islands import deal, draw, hand, in_turn, legal_names, play, put
from tests.naive.catan_island import VERTEX_EDGES
from tests.naive.catan_positions import RING, SHORE


def hands(position):
    return [hand(position, seat) for seat in range(position.game.players)]


def position_before_an_offer(**options):
    """Return a position with two wood for player 1, and the ore it wants with players 2 and 4."""
    position = in_turn(**options)
    deal(position, 0, wood=2)
    deal(position, 1, ore=2)
    deal(position, 2, grain=1)
    deal(position, 3, ore=1, wool=1)
    return position


# ---------------------------------------------------------------- 16: offers


def test_only_the_player_on_turn_makes_an_offer_and_only_after_the_dice():
    position = position_before_an_offer()
    assert legal_names(position, "offer") == {"offer wood"}
    play(position, "end turn")
    assert legal_names(position) == {"roll"}
    play(position, "roll", "rolled 12")
    assert legal_names(position, "offer") == {"offer ore"}


def test_offers_are_illegal_without_the_trade_option():
    assert not legal_names(position_before_an_offer(domestic_trade=False), "offer")


def test_offer_is_illegal_if_no_opponent_has_a_card():
    position = in_turn()
    deal(position, 0, wood=2)
    assert not legal_names(position, "offer")


def test_offer_is_limited_to_the_cards_of_the_hand():
    position = position_before_an_offer()
    play(position, "offer wood")
    assert "offer wood" in legal_names(position)
    play(position, "offer wood")
    assert not legal_names(position, "offer")  # the player has two


def test_both_sides_of_a_trade_give_cards_of_different_resources():
    position = position_before_an_offer()
    play(position, "offer wood")
    assert legal_names(position) == {
        "offer wood", "ask brick", "ask wool", "ask grain", "ask ore", "withdraw",
    }  # fmt: skip
    play(position, "ask ore")
    assert legal_names(position) == {
        "ask ore",
        "propose",
        "withdraw",
    }  # resources in ascending order


def test_withdrawn_offer_changes_nothing():
    position = position_before_an_offer()
    before = hands(position)
    play(position, "offer wood", "ask ore", "withdraw")
    assert (hands(position), position.state.phase) == (before, c.MAIN)
    assert not position.state.give.any()
    assert not position.state.want.any()


def test_accepting_needs_the_cards_asked_for():
    position = position_before_an_offer()
    play(position, "offer wood", "ask ore", "propose")
    answers = {}
    while position.state.phase == c.ANSWER:
        answers[position.to_move] = "accept" in legal_names(position)
        play(position, "refuse")
    assert answers == {1: True, 2: False, 3: True}
    play(position, "offer wood", "ask ore", "ask ore", "propose")
    while position.state.phase == c.ANSWER:
        answers[position.to_move] = "accept" in legal_names(position)
        play(position, "refuse")
    assert answers == {1: True, 2: False, 3: False}


def test_offerer_chooses_one_of_several_acceptances_or_none():
    position = position_before_an_offer()
    play(position, "offer wood", "ask ore", "propose", "accept", "refuse", "accept")
    assert position.to_move == 0
    assert legal_names(position) == {"trade with player 2", "trade with player 4", "withdraw"}
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


def test_player_on_turn_can_accept_a_counter_offer_that_it_can_pay():
    position = position_before_an_offer()
    play(position, "offer wood", "ask ore", "propose")
    assert legal_names(position) == {"refuse", "accept", "offer ore"}
    play(position, "offer ore")
    assert legal_names(position) == {"offer ore", "refuse"} | {
        f"ask {name}" for name in ("wood", "brick", "wool", "grain")
    }
    play(position, "ask wood", "ask wood")
    assert legal_names(position) == {"propose", "refuse"}  # player 1 has only two cards
    play(position, "propose", "offer grain", "ask brick", "propose", "refuse")
    assert position.to_move == 0
    assert legal_names(position) == {"trade with player 2", "withdraw"}  # no brick for player 3
    play(position, "trade with player 2")
    assert hands(position)[:2] == [{"ore": 1}, {"wood": 2, "ore": 1}]


def test_dropped_counter_offer_counts_as_a_refusal():
    position = position_before_an_offer()
    play(position, "offer wood", "ask ore", "propose", "offer ore", "refuse", "refuse", "refuse")
    assert (position.to_move, position.state.phase) == (0, c.MAIN)


def test_seats_answer_in_turn_order_and_seats_without_cards_are_skipped():
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


def test_number_of_offers_is_limited_per_turn():
    position = position_before_an_offer()
    for _ in range(c.MAX_OFFERS_PER_TURN):
        assert legal_names(position, "offer")
        play(position, "offer wood", "withdraw")
    assert not legal_names(position, "offer")
    play(position, "end turn", "roll", "rolled 12")
    assert legal_names(position, "offer")


# ---------------------------------------------------------------- 17: visibility of trades


def test_offers_and_answers_are_public_and_an_acceptance_reveals_the_cards():
    position = position_before_an_offer()
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


def test_answers_of_other_seats_are_observed():
    position = position_before_an_offer()
    play(position, "offer wood", "ask ore", "propose", "accept", "refuse")
    other = position.copy()
    play(position, "accept")
    play(other, "refuse")
    for seat in range(4):
        assert (position.observation(seat) != other.observation(seat)).any()
        views = [twin.game.view(twin, seat) for twin in (position, other)]
        assert views[0] != views[1]


@pytest.mark.parametrize(("answer", "left"), [("accept", 1), ("refuse", 2)])
def test_acceptance_reveals_the_holder_of_a_stolen_card(answer, left):
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


def test_points_gained_in_anothers_turn_win_at_the_start_of_the_own_turn():
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


def test_points_lost_before_the_own_turn_do_not_win():
    position = in_turn(players=3, victory_points=3)
    put(position, 2, settlements=[SHORE[15]])
    position.state.longest_road = 2
    play(position, "end turn")
    assert (position.to_move, position.is_over) == (1, False)
    position.state.longest_road = c.NO_SEAT
    play(position, "roll", "rolled 12", "end turn")
    assert (position.to_move, position.is_over) == (2, False)


def test_ten_points_in_the_own_turn_win_at_once():
    position = in_turn()
    put(position, 0, settlements=SHORE[0:6:2], cities=SHORE[10:14:2])
    draw(position, 0, c.VICTORY_POINT, c.VICTORY_POINT)
    deal(position, 0, grain=2, ore=3)
    assert position.to_move == 0
    play(position, f"city {SHORE[0]}")
    assert position.payoffs.tolist() == [1, 0, 0, 0]


def test_win_is_shared_by_points_after_the_last_turn_unless_the_next_seat_has_won():
    for longest_road, shares in ((c.NO_SEAT, [1 / 3, 2 / 3]), (1, [0, 1])):
        position = in_turn(players=2, max_turns=1, victory_points=4)
        put(position, 0, settlements=[SHORE[0]])
        put(position, 1, cities=[SHORE[4]])
        position.state.longest_road = longest_road
        play(position, "end turn")
        assert position.is_over
        assert position.payoffs.tolist() == pytest.approx(shares)


def test_points_payoff_includes_hidden_points():
    position = in_turn(players=2, victory_points=3, payoff="points")
    put(position, 0, settlements=[SHORE[0]])
    put(position, 1, cities=[SHORE[4]], settlements=[SHORE[8]])
    draw(position, 0, c.VICTORY_POINT)
    play(position, "end turn")
    assert position.payoffs.tolist() == pytest.approx([2 / 5, 3 / 5])
