"""The scene of Catan shows what a seat may know, follows the game and leaks nothing hidden."""

import json

import numpy as np
import pytest

from meeple import kernels
from meeple.agents.spec import agent
from meeple.games.catan.belief.card_tracker import Tracker
from meeple.games.catan.belief.events import Event, event
from meeple.games.catan.belief.seat_belief import SPECTATOR, CatanBelief
from meeple.games.catan.game import Catan
from meeple.games.catan.reduced import CatanReduced
from meeple.games.catan.rules import state as c
from meeple.games.catan.words.names import compose
from meeple.games.catan.words.reasons import explain_action
from meeple.games.catan.words.scene import scene
from tests.games.catan.playing import draw, random_game
from tests.games.catan.positions import in_turn, plies
from tests.tiers import few_quick


def facts(position, seat=None, **more):
    """Return the scene as the page reads it."""
    return json.loads(json.dumps(scene(position, seat, **more).to_json()))


# ---------------------------------------------------------------- the shown facts


def test_pieces_are_shown_where_they_were_built():
    position = Catan(board="beginner").start(1)
    for name in ("settlement 12", "road 19"):
        position.play(name)
    shown = facts(position)
    assert shown["buildings"] == [{"vertex": 12, "seat": 0, "kind": "settlement"}]
    assert shown["roads"] == [{"edge": 19, "seat": 0}]
    assert shown["edges"][19] == sorted(shown["edges"][19])
    assert 12 in shown["edges"][19]
    assert shown["tiles"][shown["robber"]]["resource"] == "desert"
    assert [tile["number"] for tile in shown["tiles"]][:3] == [10, 2, 9]
    assert {port["rate"] for port in shown["ports"] if port["kind"] == "any"} == {3}


def test_seat_sees_its_own_cards_and_the_numbers_of_others():
    position = in_turn({0: {"wood": 2, "ore": 1}, 1: {"grain": 3}})
    shown = facts(position, 0)
    assert shown["hand"] == [2, 0, 0, 0, 1]
    assert [player["hand_size"] for player in shown["players"]] == [3, 3, 0]
    assert [player["hand"] for player in shown["players"]] == [[2, 0, 0, 0, 1], None, None]
    assert facts(position)["hand"] is None
    assert {player["hand"] for player in facts(position)["players"]} == {None}


def test_open_hands_are_shown_to_all_viewers():
    position = in_turn({0: {"wood": 2}, 1: {"grain": 3}}, hidden_hands=False)
    assert facts(position)["players"][1]["hand"] == [0, 0, 0, 3, 0]
    assert facts(position)["tracker"] is None
    assert facts(CatanReduced().start(0))["players"][0]["hand"] == [0] * 5


def test_rolls_are_counted_by_sum():
    rolled = []
    for before, action, after in plies(4):
        if before.state.phase == c.DICE:
            rolled.append(action)
            shown = facts(after)["rolls"]
        if len(rolled) == 40:
            break
    assert shown == [rolled.count(total) for total in range(2, 13)]


@pytest.mark.slow
def test_every_legal_action_at_a_place_is_clickable_for_the_seat_to_move():
    for position in random_game(2, plies=400):
        if position.to_move < 0:
            continue
        legal = position.legal_actions().tolist()
        clicks = scene(position, position.to_move).clicks
        assert set(clicks) == {action for action in legal if action < c.ROLL_DICE}
        for action, (spot,) in clicks.items():
            words = position.action_name(action).split()
            letter = {"settlement": "v", "city": "v", "road": "e", "robber": "t"}.get(words[0])
            assert spot == (f"{letter}{words[1]}" if letter else f"s{int(words[-1]) - 1}")


def test_codes_of_an_offer_name_its_actions():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 1}})
    codes = facts(position, 0)["codes"]
    offer = [codes["give"], codes["give"], codes["want"] + 4, codes["propose"]]
    assert offer == compose([2, 0, 0, 0, 0], [0, 0, 0, 0, 1])
    named = {word: position.action_name(codes[word]) for word in ("roll", "end", "buy", "roads")}
    assert list(named.values()) == ["roll", "end turn", "buy card", "play road building"]


def test_settled_offer_is_still_shown_with_its_answers():
    hands = {0: {"wood": 2}, 1: {"ore": 1}, 2: {"ore": 1}}
    position = in_turn(hands, hidden_hands=False)
    for action in compose([2, 0, 0, 0, 0], [0, 0, 0, 0, 1]):
        position.play(action)
    assert facts(position)["offer"]["answers"][0]["answer"] == "waiting"
    position.play(c.REFUSE)
    for action in compose([0, 0, 0, 0, 1], [1, 0, 0, 0, 0]):  # a counter-offer
        position.play(action)
    shown = facts(position)["offer"]
    assert (shown["by"], shown["give"], shown["want"]) == (0, [2, 0, 0, 0, 0], [0, 0, 0, 0, 1])
    assert [answer["answer"] for answer in shown["answers"]] == ["refused", "countered"]
    assert shown["answers"][1]["want"] == [1, 0, 0, 0, 0]
    position.play(c.TRADE_WITH + 2)
    assert facts(position)["offer"] is None
    (settled,) = facts(position)["offers"]
    assert [answer["answer"] for answer in settled["answers"]] == ["refused", "countered"]
    assert (settled["partner"], settled["open"]) == (2, False)
    assert position.actions[settled["answers"][0]["ply"]] == c.REFUSE


# ---------------------------------------------------------------- the tracker


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_tracker_shows_the_marginals_of_the_seats_belief(seat):
    tracker, belief = Tracker(), CatanBelief(SPECTATOR if seat is None else seat, 4)
    for position in random_game(5, plies=500):
        belief.follow(position)
        told = tracker.look(position, seat)
    marginals = belief.hand_marginals()
    for other, hand in enumerate(told):
        if other == seat:
            assert hand is None
            continue
        assert hand is not None
        for resource, card in enumerate(hand["cards"]):
            row = marginals[other, resource]
            assert card["expected"] == pytest.approx(row @ np.arange(20), abs=1e-4)
            assert card["one"] == pytest.approx(1 - row[0], abs=1e-4)
            assert card["chances"] == pytest.approx(row[: len(card["chances"])], abs=1e-4)
            assert sum(card["chances"]) == pytest.approx(1, abs=1e-3)


def test_spectator_does_not_see_the_stolen_card():
    position = in_turn({1: {"ore": 1, "wood": 1}})
    told = CatanBelief(SPECTATOR, 3)
    hands = np.zeros((4, 5), np.int8)
    hands[1, [c.WOOD, c.ORE]] = 1
    nothing = np.zeros((4, 5), np.int8)
    told.see(Event(hands, -1, -1, -1, -1, -1, nothing[0], -1, -1, nothing, -1, 0))
    position.state.phase, position.state.to_move, position.state.victim = c.STEAL, -1, 1
    before = position.row.copy()
    position.play(c.ORE)
    told.see(event(before, c.ORE, position.row, told.seat))
    assert told.hand_marginals()[0, [c.WOOD, c.ORE], 1] == pytest.approx([0.5, 0.5])


def test_tracker_is_right_after_undone_and_replaced_moves():
    tracker = Tracker()
    *_, position = random_game(6, plies=300)
    rng = np.random.default_rng(1)
    for _ in range(6):
        tracker.look(position, 1)
        for _ in range(30):
            position.undo()
        assert tracker.look(position, 1) == Tracker().look(position, 1)
        for _ in range(20):
            position.play(draw(position, rng))
        assert tracker.look(position, 1) == Tracker().look(position, 1)


def test_number_of_stored_beliefs_is_bounded():
    tracker = Tracker(most=3)
    for seed in range(6):
        tracker.look(Catan().start(seed), 0)
    assert len(tracker) == 3


# ---------------------------------------------------------------- hidden information does not leak


@pytest.mark.parametrize("seat", few_quick([None, 0, 3]))
@pytest.mark.slow
def test_tracker_does_not_depend_on_hidden_cards(seat):
    """Continue from a determinization: while both allow the same actions, scenes are equal."""
    rng, deal = np.random.default_rng(7), kernels.new_rng(7)
    belief = CatanBelief(SPECTATOR if seat is None else seat, 4)
    compared = 0
    for position in random_game(7, domestic_trade=False, plies=400):
        if len(position.actions) % 50 or position.is_over:
            continue
        twin, other = position.copy(), position.copy()
        one, two = Tracker(), Tracker()
        belief.follow(position)
        facts(twin, seat, tracker=one)
        facts(other, seat, tracker=two)
        belief.sample(other.row, deal)
        for _ in range(30):
            if twin.is_over or other.is_over:
                break
            action = draw(twin, rng)
            public = not c.PLAY_MONOPOLY <= action < c.MARITIME or twin.to_move < 0
            if action not in other.legal_actions() or not public:
                break
            twin.play(action)
            other.play(action)
            assert facts(twin, seat, tracker=one) == facts(other, seat, tracker=two)
            compared += 1
    assert compared > 100


# ---------------------------------------------------------------- reasons


def offered(hands, give, want, **options):
    """Return a position in which player 2 is about to answer an offer of player 1."""
    position = in_turn(hands, players=2, **options)
    for action in compose(give, want):
        position.play(action)
    return position


WOOD_FOR_ORE = ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])
NEARLY_ALL = ("brick", "wool", "grain", "ore")


def test_refusal_reason_names_a_player_close_to_winning():
    position = offered({0: {"wood": 1}, 1: {"ore": 1}}, *WOOD_FOR_ORE)
    position.state.longest_road = 0
    position.state.victory_points = 6
    assert "too close to winning, with 4 of 6 points" in explain_action(position, c.REFUSE, None)


def test_refusal_reason_for_others_does_not_depend_on_the_hand():
    told = {
        explain_action(offered({0: {"wood": 1}, 1: hand}, *WOOD_FOR_ORE), c.REFUSE, seat)
        for hand in ({"ore": 1}, {"brick": 1}, {"ore": 3, "grain": 2}, {"wool": 2, "ore": 1})
        for seat in (None, 0)
    }
    assert told == {"it does not hold 1 ore, or would rather keep it"}


@pytest.mark.parametrize(
    ("hand", "answer", "reason"),
    [
        ({"brick": 1}, c.REFUSE, "it does not hold 1 ore"),
        ({"ore": 3, "grain": 2}, c.REFUSE, "1 wood would make no more of its hand than 1 ore"),
        (dict.fromkeys(NEARLY_ALL, 1), c.REFUSE, "it would help, but it keeps its cards for now"),
        (dict.fromkeys(NEARLY_ALL, 1), c.ACCEPT, "1 wood makes more of its hand than 1 ore"),
    ],
)
def test_viewer_of_the_hand_sees_the_reason(hand, answer, reason):
    assert explain_action(offered({0: {"wood": 1}, 1: hand}, *WOOD_FOR_ORE), answer, 1) == reason


def test_computing_reasons_does_not_change_the_position():
    position = offered({0: {"wood": 1}, 1: {"ore": 1}}, *WOOD_FOR_ORE)
    before = position.row.tobytes()
    for action in position.legal_actions().tolist():
        explain_action(position, action, 1)
    assert position.row.tobytes() == before


def test_every_trade_of_an_agent_has_a_reason_that_agrees_with_its_evaluation():
    """A viewer of the hand gets exactly the reasons of `prune`, and at least one."""
    position = Catan(players=3).start(2)
    judge = agent("weighted", position.game)
    told: list[str] = []
    while not position.is_over and len(told) < 40:
        if position.to_move < 0:
            position.play_chance()
            continue
        action = judge.choose(position)
        kind = {c.ACCEPT: "accept", c.REFUSE: "refuse", c.PROPOSE: "offer"}.get(action)
        if kind:
            assert all(explain_action(position, action, seat) for seat in (None, position.to_move))
            told.append(kind)
        position.play(action)
    assert {"accept", "refuse", "offer"} <= set(told)


def test_partner_with_the_fewest_points_is_named_as_such():
    position = in_turn({0: {"wood": 1}, 1: {"ore": 1}, 2: {"ore": 1}}, hidden_hands=False)
    for action in [*compose(*WOOD_FOR_ORE), c.ACCEPT, c.ACCEPT]:
        position.play(action)
    told = "no other player who agreed has fewer points"
    assert explain_action(position, c.TRADE_WITH + 1, None) == told
    position.state.longest_road = 2
    told = "player 2 has the fewest points of those who agreed"
    assert explain_action(position, c.TRADE_WITH + 1, None) == told
    assert "makes more of its hand" in explain_action(position, c.TRADE_WITH + 2, None)
