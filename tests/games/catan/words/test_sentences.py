"""Events as sentences, with only the information visible to each seat."""

import numpy as np
import pytest

from meeple.errors import KernelError
from meeple.games.catan.game import Catan
from meeple.games.catan.rules import state as c
from meeple.games.catan.words import names
from meeple.games.catan.words.sentences import describe_action
from meeple.kernels import CHANCE
from tests.games.catan.positions import in_turn, plies, with_others_hands_changed


def sentences_of(position, action, seat=None):
    """Play an action and return its sentences."""
    before = position.copy()
    position.play(action)
    return describe_action(before, action, position, seat)


def test_stolen_card_is_named_only_to_thief_and_victim():
    for seat in range(3):
        position = in_turn({0: {"wood": 1}, 1: {"ore": 2}})
        position.state.phase, position.state.to_move = c.STEAL, CHANCE
        position.state.victim = 1
        card = "a card" if seat == 2 else "1 ore"
        assert sentences_of(position, c.ORE, seat) == f"player 1 stole {card} from player 2"


def test_bought_card_is_named_only_to_its_buyer():
    for seat, more in ((0, ": monopoly"), (1, ""), (None, "")):
        position = in_turn({0: {"wool": 1, "grain": 1, "ore": 1}})
        assert sentences_of(position, c.BUY_CARD, seat) == ""
        assert (
            sentences_of(position, c.MONOPOLY, seat) == f"player 1 bought a development card{more}"
        )


def test_open_hands_name_every_card():
    position = in_turn({0: {"wool": 1, "grain": 1, "ore": 1}}, hidden_hands=False)
    position.play(c.BUY_CARD)
    assert sentences_of(position, c.KNIGHT) == "player 1 bought a development card: knight"


def test_roll_lists_the_production_of_each_player():
    position = in_turn({})
    position.state.vertex[:] = 0
    position.state.vertex[0] = 1 + 1  # player 2 has a settlement at ore 10
    position.state.vertex[8] = 5 + 2  # player 3 has a city there
    position.state.phase, position.state.to_move = c.DICE, CHANCE
    assert (
        sentences_of(position, 10) == "player 1 rolled 10: player 2 gets 1 ore, player 3 gets 2 ore"
    )


def test_seven_lists_the_players_who_must_discard():
    position = in_turn({1: {"wool": 3, "ore": 6}, 2: {"ore": 8}})
    position.state.phase, position.state.to_move = c.DICE, CHANCE
    assert sentences_of(position, 7) == (
        "player 1 rolled 7: player 2 must discard 4 cards, player 3 must discard 4 cards"
    )
    wool, ore = c.DISCARD_ONE + c.WOOL, c.DISCARD_ONE + c.ORE
    assert [sentences_of(position, action) for action in (wool, ore, ore)] == [""] * 3
    assert sentences_of(position, ore) == "player 2 discarded 1 wool, 3 ore"
    assert [sentences_of(position, ore) for _ in range(4)][-1] == "player 3 discarded 4 ore"


def test_trade_is_described_from_the_offer_to_the_exchange():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 2}, 2: {"wool": 1}})
    sentences = [
        sentences_of(position, action)
        for typed in ("2 wood for 1 ore", "1 ore for 1 wood")
        for action in names.parse_offer(position, typed)
    ]
    sentences += [sentences_of(position, action) for action in (c.REFUSE, c.TRADE_WITH + 1)]
    assert list(filter(None, sentences)) == [
        "player 1 offered 2 wood for 1 ore",
        "player 2 made a counter-offer: 1 ore for 1 wood",
        "player 3 refused",
        "player 1 traded 1 wood for 1 ore with player 2",
    ]


def test_monopoly_lists_the_cards_taken_from_each_player():
    position = in_turn({0: {"ore": 1}, 1: {"ore": 2, "wood": 1}, 2: {"ore": 1}})
    position.state.cards[0, c.MONOPOLY] = 1
    taken = "player 1 played monopoly and took ore: 2 from player 2, 1 from player 3"
    assert sentences_of(position, c.PLAY_MONOPOLY + c.ORE) == taken


def test_changes_of_awards_and_the_win_are_described():
    position = in_turn({}, victory_points=4)
    position.state.cards[0, c.KNIGHT] = 1
    position.state.played[0, c.KNIGHT] = 3
    position.state.played[1, c.KNIGHT] = 3
    position.state.largest_army = 1
    assert sentences_of(position, c.PLAY_KNIGHT) == (
        "player 1 played a knight; player 1 takes the largest army from player 2; "
        "player 1 wins with 4 points"
    )


def test_end_by_the_turn_limit_is_described():
    position = Catan(players=2, max_turns=1).start(0)
    while position.state.phase < c.ROLL:
        position.play(int(position.legal_actions()[0]))
    position.play(c.ROLL_DICE)
    position.play(2)
    assert sentences_of(position, c.END_TURN) == "the game ends after 1 turn"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.slow
def test_sentences_do_not_depend_on_hidden_cards(seed):
    rng, compared = np.random.default_rng(seed), 0
    for before, action, after in plies(seed, players=3 + seed % 2):
        seat = [None, *range(before.game.players)][rng.integers(before.game.players + 1)]
        twin = with_others_hands_changed(before, seat, rng)
        if twin is None or c.PLAY_MONOPOLY <= action < c.MARITIME:
            continue
        drawn = before.to_move == CHANCE and before.state.phase != c.DICE
        if drawn and seat in (before.state.on_turn, before.state.victim):
            continue
        try:
            legal = twin.legal_actions()
        except KernelError:  # the changed hands leave no action
            continue
        same = int(legal[0]) if drawn else action
        if same not in legal:
            continue
        changed = twin.copy()
        changed.play(same)
        if changed.is_over or after.is_over:  # a victory point card is revealed
            continue
        assert describe_action(before, action, after, seat) == describe_action(
            twin, same, changed, seat
        )
        compared += 1
    assert compared > 50


def test_every_action_except_steps_of_an_offer_has_a_sentence():
    quiet = {"roll", "buy card", "withdraw", "end turn"}
    for before, action, after in plies(3):
        sentence, name = describe_action(before, action, after), before.action_name(action)
        if name not in quiet and not name.startswith(("offer", "ask", "rob ", "discard")):
            assert sentence.startswith("player ")
        assert sentence.isascii()
        assert "\n" not in sentence
