"""Trade plans are legal to the end, occur once a turn, and are executed if all parties agree."""

import itertools

import numpy as np
import pytest

from meeple import kernels
from meeple.games.catan.rules import state as c
from meeple.games.catan.trade.bargaining import MAX_OFFERS_PER_TURN
from meeple.games.catan.words.deal_words import deal_words, parse_deal
from meeple.games.contract import capabilities
from meeple.games.contract.capabilities import offer_words
from meeple.protocols.json_lines.positions import Listener, Teller
from tests.games.catan.playing import random_game
from tests.games.catan.positions import in_turn

TRADING = (c.MAIN, c.ANSWER, c.CHOOSE)


def positions(seeds=range(4), phase=None, **options):
    """Yield positions of random games, of a phase if one is given, in which trade is possible."""
    for seed in seeds:
        for position in random_game(seed, **options):
            if position.to_move < 0 or phase not in (None, position.state.phase):
                continue
            if capabilities.offers(position):
                yield position


@pytest.mark.slow
def test_every_plan_is_legal_and_completes_the_movers_part():
    seen = set()
    for position in itertools.islice(positions(), 150):
        mover = position.to_move
        for plan in capabilities.offers(position):
            twin = position.copy()
            for action in plan:
                assert twin.to_move == mover
                twin.play(action)  # raises if illegal
            assert twin.state.phase in (c.MAIN, c.ANSWER, c.CHOOSE)
            seen.add((int(position.state.phase), len(plan) > 1))
    assert seen == {(c.MAIN, True), (c.ANSWER, True), (c.ANSWER, False), (c.CHOOSE, False)}


def test_offers_are_all_those_of_few_cards_of_the_hand():
    position = in_turn({0: {"wood": 2, "ore": 1}, 1: {"wool": 2}})
    plans = set(capabilities.offers(position))
    give, want = (
        (lambda *rs: tuple(c.GIVE + r for r in rs)),
        (lambda *rs: tuple(c.WANT + r for r in rs)),
    )
    expected = {
        (*give(*given), *want(*wanted), c.PROPOSE)
        for given in [(c.WOOD,), (c.ORE,), (c.WOOD, c.WOOD), (c.WOOD, c.ORE)]
        for wanted in [(r,) for r in range(c.KINDS)] + [(r, r) for r in range(c.KINDS)]
        if not set(given) & set(wanted) and (len(given) == 1 or len(wanted) == 1)
    }
    card = want(c.WOOL, c.GRAIN)  # with the ore, the price of a development card
    expected |= {(*give(*given), *card, c.PROPOSE) for given in [(c.WOOD,), (c.WOOD, c.WOOD)]}
    assert plans == expected


def asks_no_less(plan, refused):
    """Whether a plan gives no more than another, and asks for no less."""
    more = [plan.count(a) - refused.count(a) for a in range(c.GIVE, c.PROPOSE)]
    return max(more[: c.KINDS]) <= 0 <= min(more[c.KINDS :])


def test_refused_offers_of_a_turn_are_not_repeated_and_their_number_is_limited():
    position = in_turn({0: {"wood": 3, "ore": 3, "brick": 3}, 1: {"wool": 2}})
    made: list[tuple[int, ...]] = []
    for number in range(MAX_OFFERS_PER_TURN):
        plans = capabilities.offers(position)
        assert not any(asks_no_less(plan, other) for plan in plans for other in made)
        made.append(plans[-1 - number])
        for action in made[-1]:
            position.play(action)
        while position.state.phase == c.ANSWER:
            position.play(c.REFUSE)
    assert position.state.phase == c.MAIN
    assert capabilities.offers(position) == []
    position.play(c.END_TURN)
    position.play(c.ROLL_DICE)
    position.play(12)
    assert position.to_move == 1
    assert capabilities.offers(position)


def test_an_offer_that_was_agreed_to_excludes_only_itself_and_counter_offers_count_too():
    position = in_turn({0: {"wood": 2, "ore": 2}, 1: {"wool": 2}, 2: {"wool": 2}})
    offer = (c.GIVE + c.WOOD, c.GIVE + c.WOOD, c.WANT + c.WOOL, c.PROPOSE)
    counter = (c.GIVE + c.WOOL, c.WANT + c.WOOD, c.WANT + c.WOOD, c.PROPOSE)
    for action in (*offer, *counter, c.ACCEPT, c.WITHDRAW):
        position.play(action)
    plans = capabilities.offers(position)
    assert offer not in plans
    assert offer[1:] in plans
    for action in (*offer[1:], c.REFUSE):
        position.play(action)
    assert position.to_move == 2  # which has made no counter-offer yet
    assert counter in capabilities.offers(position)
    position.play(c.REFUSE)
    for action in (c.GIVE + c.ORE, c.WANT + c.WOOL, c.PROPOSE):
        position.play(action)
    assert position.to_move == 1
    assert not any(
        asks_no_less(plan, counter) for plan in capabilities.offers(position) if len(plan) > 1
    )


def test_accepted_offer_exchanges_the_cards():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 1}, 2: {"ore": 2}}, players=4)
    offer = next(p for p in capabilities.offers(position) if c.WANT + c.ORE in p and len(p) == 3)
    for partner in (1, 2):
        twin = position.copy()
        for action in capabilities.agreed(position, offer, (partner,)):
            twin.play(action)
        change = twin.state.hand.astype(int) - position.state.hand
        assert change[0, c.WOOD] == change[partner, c.ORE] == -1
        assert change[0, c.ORE] == change[partner, c.WOOD] == 1
        assert np.abs(change).sum() == 4
        assert twin.state.phase == c.MAIN


def test_accepted_counter_offer_exchanges_the_cards():
    position = in_turn({0: {"wood": 2}, 1: {"ore": 1}, 2: {"wool": 2}, 3: {"ore": 1}}, players=4)
    offer = next(iter(capabilities.offers(position)))
    assert capabilities.partners(position, offer) == [(1,), (2,), (3,)]
    for action in (c.GIVE + c.WOOD, c.WANT + c.ORE, c.PROPOSE, c.ACCEPT):
        position.play(action)
    counter = (c.GIVE + c.WOOL, c.WANT + c.WOOD, c.PROPOSE)
    assert (position.to_move, capabilities.partners(position, counter)) == (2, [(0,)])
    assert capabilities.partners(position, (c.REFUSE,)) == []
    assert counter in capabilities.offers(position)
    twin = position.copy()
    for action in capabilities.agreed(position, counter, (0,)):
        twin.play(action)
    change = twin.state.hand.astype(int) - position.state.hand
    assert change[0, c.WOOD] == change[2, c.WOOL] == -1
    assert change[0, c.WOOL] == change[2, c.WOOD] == 1
    assert np.abs(change).sum() == 4


@pytest.mark.parametrize(
    ("phase", "deals"),
    [*[(phase, False) for phase in TRADING], (c.MAIN, True), (c.ROBBER, True), (c.CONSENT, True)],
)
@pytest.mark.slow
def test_plans_do_not_depend_on_hidden_hands(phase, deals):
    rng, compared = kernels.new_rng(3), 0
    for position in positions(range(12), phase, deals=deals):
        belief = position.game.belief(position.to_move)
        belief.follow(position)
        twin = position.copy()
        belief.sample(twin.row, rng)
        assert position.game.offers(twin) == capabilities.offers(position)
        compared += twin.row.tobytes() != position.row.tobytes()
        if compared == 6:
            break
    assert compared > 5


def test_what_was_answered_and_proposed_before_is_known_from_public_events_alone():
    """A seat that follows a game from messages, with other hidden cards, finds the same."""
    compared = 0
    for position in itertools.islice(positions(range(9, 10), players=3), 120):
        if position.to_move == 1 and position.state.offers > 0:
            teller, listener = Teller(position.game), Listener(position.game)
            seen = listener.follow(teller.fields(position, ["seen"]))
            assert capabilities.answers(seen) == capabilities.answers(position)
            assert capabilities.offers(seen) == capabilities.offers(position)
            compared += len(capabilities.answers(position)) > 0
    assert compared


def test_offers_are_listed_with_the_purchase_they_enable():
    position = in_turn({0: {"wood": 2, "brick": 1, "wool": 1}, 1: {"grain": 1, "ore": 2}})
    words = {p: offer_words(position, p) for p in capabilities.offers(position)}
    told = words[c.GIVE + c.WOOD, c.WANT + c.GRAIN, c.PROPOSE]
    assert told == "1 wood for 1 grain, which pays for a settlement"
    assert words[c.GIVE + c.WOOL, c.WANT + c.ORE, c.WANT + c.ORE, c.PROPOSE] == "1 wool for 2 ore"
    for action in (c.GIVE + c.WOOD, c.WANT + c.GRAIN, c.PROPOSE):
        position.play(action)
    assert offer_words(position, (c.ACCEPT,)) == "1 grain for 1 wood"
    while position.state.phase == c.ANSWER:
        position.play(c.ACCEPT if position.to_move == 1 else c.REFUSE)
    (chosen,) = capabilities.offers(position)
    assert offer_words(position, chosen).startswith("1 wood for 1 grain, which")


# ---------------------------------------------------------------- deals


@pytest.mark.slow
def test_every_candidate_deal_is_legal_and_executed_if_all_agree():
    rng, seen = np.random.default_rng(1), set()
    for position in itertools.islice(positions(deals=True), 0, 400, 2):
        game, mover = position.game, position.to_move
        deals = [plan for plan in game.offers(position) if plan[0] >= c.DEAL_GIVE]
        for index in rng.permutation(len(deals))[:3].tolist():
            twin = position.copy()
            for action in deals[index]:
                assert twin.to_move == mover
                twin.play(action)
            assert twin.state.phase == c.CONSENT
            ((*parties,),) = game.partners(position, deals[index])
            assert parties == [seat for seat in range(4) if seat != mover and (
                twin.state.give[seat].any() or twin.state.want[seat].any()
            )]  # fmt: skip
            assert game.offer_words(position, deals[index]) == deal_words(twin.state)
            able = all((twin.state.hand[seat] >= twin.state.give[seat]).all() for seat in parties)
            clause = int(twin.state.clause)
            seen.add((int(position.state.phase), len(parties), clause >= 0))
            if able:
                *answers, last = game.agreed(position, deals[index], tuple(parties))
                for action in answers[len(deals[index]) :]:
                    twin.play(action)
                assert game.partners(twin, (c.ACCEPT,)) == []
                before = twin.copy()
                twin.play(last)
                assert twin.state.phase != c.CONSENT
                assert (before.state.hand != twin.state.hand).any()
    assert {(c.MAIN, 2, False), (c.MAIN, 1, True), (c.MAIN, 2, True), (c.ROBBER, 1, True)} <= seen


def test_first_party_of_a_deal_knows_the_next_party():
    position = in_turn({0: {"wool": 1}, 1: {"wood": 1}, 2: {"ore": 1}}, deals=True)
    text = "deal player 1 gives wool, player 2 gives wood, player 3 gives ore, player 1 gets wood, "
    text += "player 2 gets ore, player 3 gets wool"
    for action in parse_deal(position, text):
        position.play(action)
    assert capabilities.offers(position) == [(c.ACCEPT,)]
    assert capabilities.partners(position, (c.ACCEPT,)) == [(2,)]
    assert capabilities.agreed(position, (c.ACCEPT,), (2,)) == (c.ACCEPT, c.ACCEPT)


def test_answers_to_the_movers_offers_are_remembered():
    position = in_turn({0: {"wood": 3, "ore": 3}, 1: {"wool": 2}, 2: {"wool": 1}})
    offer = (c.GIVE + c.WOOD, c.WANT + c.WOOL, c.PROPOSE)
    counter = (c.GIVE + c.WOOL, c.WANT + c.ORE, c.PROPOSE)
    for action in (*offer, c.REFUSE, *counter, c.WITHDRAW, *offer, c.REFUSE, c.ACCEPT):
        position.play(action)
    position.play(c.TRADE_WITH + 2)
    (terms,) = set(capabilities.gains(position.game, [(offer, 1), (offer, 2)]))
    assert terms == (1, 0, -1, 0, 0)
    expected = [(1, False, False), (2, False, True), (1, False, False), (2, True, False)]
    found = capabilities.answers(position)
    assert [(one.seat, one.agreed, one.countered) for one in found] == expected
    assert all(one.now and one.gains == terms for one in found)
    position.play(c.END_TURN)
    assert capabilities.answers(position) == []  # of another seat's offers, there are none


def test_the_gains_of_a_deal_are_of_each_seat():
    position = in_turn({0: {"wool": 1}, 1: {"wood": 1}, 2: {"ore": 1}}, deals=True)
    plans = [plan for plan in capabilities.offers(position) if plan[0] >= c.DEAL_GIVE]
    for plan in plans[:20]:
        twin = position.copy()
        for action in plan:
            twin.play(action)
        change = twin.state.want - twin.state.give
        trades = [(plan, seat) for seat in (1, 2)]
        assert capabilities.gains(position.game, trades) == [tuple(change[1]), tuple(change[2])]
