"""What happened is told in sentences, to each seat what it may know."""

import numpy as np
import pytest

from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.words import names
from meeple.games.catan.words.sentences import describe_action
from meeple.kernels import CHANCE
from tests.games.catan.positions import in_turn, plies, with_others_hands_changed


def told(position, action, seat=None):
    """Play an action, and return what is told of it."""
    before = position.copy()
    position.play(action)
    return describe_action(before, action, position, seat)


def test_a_theft_is_known_to_thief_and_victim_alone():
    for seat in range(3):
        position = in_turn({0: {"wood": 1}, 1: {"ore": 2}})
        position.state.phase, position.state.to_move = c.STEAL, CHANCE
        position.state.victim = 1
        card = "a card" if seat == 2 else "1 ore"
        assert told(position, c.ORE, seat) == f"player 1 stole {card} from player 2"


def test_which_card_was_bought_only_the_buyer_knows():
    for seat, more in ((0, ": monopoly"), (1, ""), (None, "")):
        position = in_turn({0: {"wool": 1, "grain": 1, "ore": 1}})
        assert told(position, c.BUY_CARD, seat) == ""
        assert told(position, c.MONOPOLY, seat) == f"player 1 bought a development card{more}"


def test_open_hands_hide_nothing():
    position = in_turn({0: {"wool": 1, "grain": 1, "ore": 1}}, hidden_hands=False)
    position.play(c.BUY_CARD)
    assert told(position, c.KNIGHT) == "player 1 bought a development card: knight"


def test_a_roll_tells_who_gets_what():
    position = in_turn({})
    position.state.vertex[:] = 0
    position.state.vertex[0] = 1 + 1  # player 2's settlement at ore 10
    position.state.vertex[8] = 5 + 2  # player 3's city, there too
    position.state.phase, position.state.to_move = c.DICE, CHANCE
    assert told(position, 10) == "player 1 rolled 10: player 2 gets 1 ore, player 3 gets 2 ore"


def test_a_seven_tells_who_must_discard():
    position = in_turn({1: {"wool": 3, "ore": 6}, 2: {"ore": 8}})
    position.state.phase, position.state.to_move = c.DICE, CHANCE
    assert told(position, 7) == (
        "player 1 rolled 7: player 2 must discard 4 cards, player 3 must discard 4 cards"
    )
    wool, ore = c.DISCARD_ONE + c.WOOL, c.DISCARD_ONE + c.ORE
    assert [told(position, action) for action in (wool, ore, ore)] == [""] * 3
    assert told(position, ore) == "player 2 discarded 1 wool, 3 ore"
    assert [told(position, ore) for _ in range(4)][-1] == "player 3 discarded 4 ore"


def test_a_trade_is_told_from_the_offer_to_the_exchange():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 2}, 2: {"wool": 1}})
    sentences = [told(position, a) for a in names.parse_offer(position, "2 wood for 1 ore")]
    sentences += [told(position, a) for a in names.parse_offer(position, "1 ore for 1 wood")]
    sentences += [told(position, a) for a in (c.REFUSE, c.TRADE_WITH + 1)]
    assert list(filter(None, sentences)) == [
        "player 1 offered 2 wood for 1 ore",
        "player 2 made a counter-offer: 1 ore for 1 wood",
        "player 3 refused",
        "player 1 traded 1 wood for 1 ore with player 2",
    ]


def test_monopoly_tells_what_was_taken_of_whom():
    position = in_turn({0: {"ore": 1}, 1: {"ore": 2, "wood": 1}, 2: {"ore": 1}})
    position.state.cards[0, c.MONOPOLY] = 1
    taken = "player 1 played monopoly and took ore: 2 from player 2, 1 from player 3"
    assert told(position, c.PLAY_MONOPOLY + c.ORE) == taken


def test_awards_change_hands_and_a_win_is_told():
    position = in_turn({}, victory_points=4)
    position.state.cards[0, c.KNIGHT] = 1
    position.state.played[0, c.KNIGHT] = 3
    position.state.played[1, c.KNIGHT] = 3
    position.state.largest_army = 1
    assert told(position, c.PLAY_KNIGHT) == (
        "player 1 played a knight; player 1 takes the largest army from player 2; "
        "player 1 wins with 4 points"
    )


def test_a_game_out_of_time_says_so():
    position = Catan(players=2, max_turns=1).start(0)
    while position.state.phase < c.ROLL:
        position.play(int(position.legal_actions()[0]))
    position.play(c.ROLL_DICE)
    position.play(2)
    assert told(position, c.END_TURN) == "the game ends after 1 turn"


@pytest.mark.parametrize("seed", range(4))
def test_sentences_do_not_change_where_only_cards_that_a_seat_cannot_see_do(seed):
    rng, compared = np.random.default_rng(seed), 0
    for before, action, after in plies(seed, players=3 + seed % 2):
        seat = [None, *range(before.game.players)][rng.integers(before.game.players + 1)]
        twin = with_others_hands_changed(before, seat, rng)
        if twin is None or c.PLAY_MONOPOLY <= action < c.MARITIME:
            continue
        drawn = before.to_move == CHANCE and before.state.phase != c.DICE
        if drawn and seat in (before.state.on_turn, before.state.victim):
            continue
        same = int(twin.legal_actions()[0]) if drawn else action
        if same not in twin.legal_actions():
            continue
        changed = twin.copy()
        changed.play(same)
        if changed.is_over or after.is_over:  # a victory point card is shown
            continue
        assert describe_action(before, action, after, seat) == describe_action(
            twin, same, changed, seat
        )
        compared += 1
    assert compared > 50


def test_every_action_but_the_steps_of_an_offer_is_told():
    quiet = {"roll", "buy card", "withdraw", "end turn"}
    for before, action, after in plies(3):
        sentence, name = describe_action(before, action, after), before.action_name(action)
        if name not in quiet and not name.startswith(("offer", "ask", "rob ", "discard")):
            assert sentence.startswith("player ")
        assert sentence.isascii()
        assert "\n" not in sentence
